package domain

import (
	"slices"
	"strings"
)

// Reading is a sentence of a rulebook that can be read in more than one way, and the reading that a game is played by.
// Its words come from the catalogue: "reading.KEY" asks the question, "reading.KEY.so" answers it, and "reading.KEY.or"
// says how else the sentence could be read.
type Reading struct {
	Key      string   `json:"key"`      // as comments and documents call it: "A-16"
	Book     string   `json:"book"`     // the title of the rulebook
	Section  string   `json:"section"`  // the heading that the sentence stands under, or would stand under
	Rules    []string `json:"rules"`    // the paragraphs of the guide that follow from it: "gold.4"
	Refusals []string `json:"refusals"` // the codes of the refusals that follow from it
	Option   string   `json:"option"`   // the option by which a table chooses another reading; "" if there is none
	// Scripts show the reading: each is a whole script, and comments after its moves say what must hold then. One with
	// the option set shows another reading.
	Scripts []string `json:"-"`
}

// Anchor returns the name of a reading of a game in the register of all: "rivals-a-16".
func (r *Reading) Anchor(game string) string { return game + "-" + strings.ToLower(r.Key) }

// ReadingOf returns the reading that a refusal code follows from; nil if it follows from none.
func (g *Guide) ReadingOf(code string) *Reading {
	if g == nil {
		return nil
	}
	i := slices.IndexFunc(g.Readings, func(r Reading) bool { return slices.Contains(r.Refusals, code) })
	if i < 0 {
		return nil
	}
	return &g.Readings[i]
}

// ReadingsOn returns the readings that a paragraph follows from: "gold.4".
func (g *Guide) ReadingsOn(paragraph string) (list []*Reading) {
	for i := range g.Readings {
		if slices.Contains(g.Readings[i].Rules, paragraph) {
			list = append(list, &g.Readings[i])
		}
	}
	return list
}

// Words returns the catalogue keys that a reading uses.
func (r *Reading) Words() []string {
	key := "reading." + r.Key
	return []string{key, key + ".so", key + ".or"}
}
