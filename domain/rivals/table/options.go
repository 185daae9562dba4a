package table

import (
	"embed"
	"encoding/json"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed words/*.json
var wordFiles embed.FS

// Room is the table: the five plays, and the rules on which the sources leave the choice open.
var Room = kit.Basics{
	Word: "rivals", Rules: "2", Least: 2, Most: 2, Chance: []string{"dice", "event", "events", "guard", "stack", "regions"},
	Variants: []domain.Option{
		{Key: "play", Values: PlayNames[:], Default: "intro"},
		{Key: "forced-open", Values: []string{"open", "stack"}, Default: "open"},
		{Key: "doctor", Values: []string{"2", "4"}, Default: "2"},
		kit.Switch("brigands-cache", "off"),
		{Key: "hand-stacks", Values: []string{"different", "any"}, Default: "different"},
		{Key: "removals", Values: []string{"any", "one"}, Default: "any"},
		{Key: "unstorable", Values: []string{"stays", "lost"}, Default: "stays"},
	},
	Words: catalogue,
}

var catalogue = kit.Catalogue(wordFiles)

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
