// Package rivals is The Rivals for Catan, for two: the introduction, the three ages and the
// Duel of the Princes. The cards are a table (cards.json); what they do is a small vocabulary
// of effects that the rules interpret. Where the printed rules leave a question open, comments
// name the reading that is played by: all are listed in docs/notation-rivals.md.
//
// A row's effect says when (on), what (do) and how much. When: an action card is played
// (play), before the roll (before), a settlement is built (settle), the card itself is built
// (build), the dice (produce, brigand, trade, harvest), an event (event, plenty, riots,
// plague), an attack (attack, burn), a loss (loss), a payment (cost, search), an exchange
// (bank), or always (points, store). A further card like others is a row, which says of what it
// is like, the size of its set, and its words; a new kind of effect is a word in vocabulary and
// its branch in perform, whenBuilt or resolveEvent. What a row says that means nothing is found
// when the table is loaded.
//
// A decision works on a copy of the state and notes every change as an outcome (Op); folding
// an event applies the same outcomes. What stands before the turn can go on, choices and
// next steps alike, is a queue of tasks in the state; a choice that is none makes itself.
package table

import (
	"embed"
	"encoding/json"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Room is the table, for kit.New.
type Room struct{}

// Name is the game's word.
func (Room) Name() string { return "rivals" }

// Edition names the rules that decide.
func (Room) Edition() string { return "2" }

// ChanceKinds are the kinds of outcome a script may dictate.
func (Room) ChanceKinds() []string {
	return []string{"dice", "event", "events", "guard", "stack", "regions"}
}

// Options are the five plays, and the rules on which the sources leave the choice open.
func (Room) Options() []domain.Option {
	return []domain.Option{
		{Key: "play", Values: PlayNames[:], Default: "intro"},
		{Key: "forced-open", Values: []string{"open", "stack"}, Default: "open"},
		{Key: "doctor", Values: []string{"2", "4"}, Default: "2"},
		{Key: "brigands-cache", Values: []string{"on", "off"}, Default: "off"},
		{Key: "hand-stacks", Values: []string{"different", "any"}, Default: "different"},
		{Key: "removals", Values: []string{"any", "one"}, Default: "any"},
		{Key: "unstorable", Values: []string{"stays", "lost"}, Default: "stays"},
	}
}

// OptionRules are the option values that choose a rule otherwise.
var OptionRules = [...]struct {
	Key, Value string
	rule       Rules
}{
	{"forced-open", "stack", OpenToStack}, {"doctor", "4", DoctorFour}, {"brigands-cache", "on", BrigandsCache},
	{"hand-stacks", "any", SameStack}, {"removals", "one", OneRemoval}, {"unstorable", "lost", UnstorableLost},
}

// RulesFrom are the rules that options choose otherwise.
func RulesFrom(c domain.Choices) (r Rules) {
	for _, o := range OptionRules {
		if c[o.Key] == o.Value {
			r |= o.rule
		}
	}
	return r
}

// MarshalJSON lists the option values that choose a rule otherwise.
func (r Rules) MarshalJSON() ([]byte, error) {
	var list []string
	for _, o := range OptionRules {
		if r&o.rule != 0 {
			list = append(list, o.Key+" "+o.Value)
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Rules) UnmarshalJSON(b []byte) error {
	var list []string
	*r = 0
	err := json.Unmarshal(b, &list)
	for _, o := range OptionRules {
		if slices.Contains(list, o.Key+" "+o.Value) {
			*r |= o.rule
		}
	}
	return err
}

// Seats is always two.
func (Room) Seats(domain.Choices) (least, most int) { return 2, 2 }

//go:embed words/*.json
var wordFiles embed.FS

var catalogue = kit.Catalogue(wordFiles)

// Catalogue is the rulebook's words.
func (Room) Catalogue() map[string][]byte { return catalogue }
