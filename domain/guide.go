package domain

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Guide is a game's rules for people to read: sections in order, what each is about, and its pictures. Its words come
// from the catalogue: "rules.KEY" is a section's title, "rules.KEY.1" its first paragraph, and a paragraph that begins
// with "- " is a list item.
type Guide struct {
	Sections []GuideSection `json:"sections"`
	// Readings are the readings of the rulebooks that the rules follow from.
	Readings []Reading `json:"-"`
	// Cards returns the cards that the section with that key lists, without their faces; or nil.
	Cards func(section string) []CardText `json:"-"`
	// Face returns the face of such a card by its key; false if there is none.
	Face func(card string) (Scene, bool) `json:"-"`
}

// GuideSection is the text under one title.
type GuideSection struct {
	Key        string         `json:"key"` // also its anchor: letters, digits and "-"
	Paragraphs int            `json:"paragraphs"`
	Refusals   []string       `json:"refusals"` // the codes whose rule is stated here
	Options    []string       `json:"options"`  // the variants that change this section
	Pictures   []Illustration `json:"pictures"`
}

// Illustration is a moment of a game that nobody plays: a position given by hand or a new game, and moves made from
// there. In a guide "rules.KEY.alt" describes the picture and "rules.KEY.caption" says what it shows.
type Illustration struct {
	Key     string          `json:"key,omitempty"`
	Seats   int             `json:"seats,omitempty"`
	Choices Choices         `json:"options,omitempty"`
	Given   json.RawMessage `json:"given,omitempty"`
	Seed    uint64          `json:"seed,omitempty"`
	Moves   []string        `json:"moves,omitempty"`
	Seat    string          `json:"seat,omitempty"`  // the letter of the seat that looks at it; "" for a stranger
	Panel   string          `json:"panel,omitempty"` // the panel shown; "" for the first
	// Open shows what may be chosen next, after the steps of these keys (see [Step]).
	Open   bool     `json:"open,omitempty"`
	Chosen []string `json:"chosen,omitempty"`
}

// Section returns the section that states the rule behind a refusal code; "" if none does.
func (g *Guide) Section(code string) string {
	if g == nil {
		return ""
	}
	for _, s := range g.Sections {
		if slices.Contains(s.Refusals, code) {
			return s.Key
		}
	}
	return ""
}

// Picture returns the guide's illustration with a key.
func (g *Guide) Picture(key string) (Illustration, bool) {
	if g != nil {
		for _, s := range g.Sections {
			for _, i := range s.Pictures {
				if i.Key == key {
					return i, true
				}
			}
		}
	}
	return Illustration{}, false
}

// play plays an illustration as far as possible and returns the event of its last move.
func (i Illustration) play(rb Rulebook) (*Line, *Event, error) {
	failed := func(err error) error { return fmt.Errorf("picture %s of %s: %w", i.Key, rb.Name(), err) }
	line := NewLine(rb, NewThrowaway(i.Seed))
	choices, err := Complete(rb, i.Choices)
	if err != nil {
		return nil, nil, failed(err)
	}
	seats := i.Seats
	if seats == 0 {
		seats, _ = rb.Seats(choices)
	}
	e, _, err := line.Setup(Game{Choices: choices, Seats: seats, Given: i.Given})
	if err != nil {
		return nil, nil, failed(err)
	}
	line.Apply(&e)
	var last *Event
	for n, text := range i.Moves {
		if len(line.Awaited()) == 0 {
			return line, last, failed(fmt.Errorf("the game is over before move %d", n+1))
		}
		m, err := line.Parse(text, nil)
		if err == nil {
			e, _, err = line.Decide(line.Awaited()[0].Seat, m)
		}
		if err != nil {
			return line, last, failed(fmt.Errorf("move %d, %q: %w", n+1, text, err))
		}
		made := e
		line.Apply(&made)
		last = &made
	}
	return line, last, nil
}

// spots returns the places that may be chosen next.
func (i Illustration) spots(line *Line) (open []Spot) {
	for m := range line.Rulebook.Legal(line.State, line.Awaited()[0].Seat) {
		steps := line.Rulebook.Steps(line.State, m)
		if len(steps) <= len(i.Chosen) {
			continue
		}
		next, on := steps[len(i.Chosen)], true
		for n, key := range i.Chosen {
			on = on && steps[n].Key == key
		}
		if !on || next.Spot == "" {
			continue
		}
		at := slices.IndexFunc(open, func(s Spot) bool { return s.Key == next.Key })
		if at < 0 {
			at, open = len(open), append(open, Spot{Key: next.Key, Spot: next.Spot, Name: next.Place})
		}
		if after := i.after(steps); after != "" && !slices.Contains(open[at].Then, after) {
			open[at].Then = append(open[at].Then, after)
		}
	}
	return open
}

// after returns the key of the step that follows the next one, or "".
func (i Illustration) after(steps []Step) string {
	if n := len(i.Chosen) + 1; n < len(steps) {
		return steps[n].Key
	}
	return ""
}

// Scene draws an illustration.
func (i Illustration) Scene(rb Rulebook) (Scene, error) {
	line, last, err := i.play(rb)
	if err != nil {
		return Scene{}, err
	}
	viewer, sketch := Spectator, Sketch{}
	if i.Seat != "" {
		viewer = ViewOf(Seat(i.Seat[0] - 'A'))
	}
	if i.Open {
		sketch.Chosen, sketch.Open = i.Chosen, i.spots(line)
		viewer = ViewOf(line.Awaited()[0].Seat)
	}
	if last != nil {
		seen := last.Redact(viewer)
		sketch.Last = []*Event{&seen}
	}
	for _, p := range rb.Draw(rb.View(line.State, viewer), sketch) {
		if i.Panel == "" || p.Name == i.Panel {
			return p.Scene, nil
		}
	}
	return Scene{}, fmt.Errorf("picture %s of %s: there is no panel %q", i.Key, rb.Name(), i.Panel)
}

// Words returns the catalogue keys that the guide uses.
func (g *Guide) Words() []string {
	var keys []string
	for _, s := range g.Sections {
		keys = append(keys, "rules."+s.Key)
		for n := range s.Paragraphs {
			keys = append(keys, fmt.Sprintf("rules.%s.%d", s.Key, n+1))
		}
		for _, p := range s.Pictures {
			keys = append(keys, "rules."+p.Key+".alt", "rules."+p.Key+".caption")
		}
	}
	for _, r := range g.Readings {
		keys = append(keys, r.Words()...)
	}
	return keys
}
