// Package table is what lies in the box of the Rivals: cards and what they do, resources, places, the plays and
// options, and the names of all of it.
package table

import (
	"embed"
	"encoding/json"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed words
var wordFiles embed.FS

// Room is the table: the five plays, and the rules that the sources leave open.
var Room = kit.Basics{
	Word: "rivals", Rules: "3", Least: 2, Most: 2,
	Chance: []string{"dice", "event", "events", "guard", "stack", "regions"},
	Variants: []domain.Option{
		{Key: "play", Values: PlayNames[:], Default: "intro", First: true},
		{Key: "forced-open", Values: []string{"open", "stack"}, Default: "open"},
		{Key: "doctor", Values: []string{"2", "4"}, Default: "2"},
		kit.Switch("brigands-cache", "off"),
		{Key: "hand-stacks", Values: []string{"different", "any"}, Default: "different"},
		{Key: "removals", Values: []string{"any", "one"}, Default: "any"},
		{Key: "unstorable", Values: []string{"stays", "lost"}, Default: "stays"},
		{Key: "produced-gold", Values: []string{"field", "cache"}, Default: "field"},
		kit.Switch("take-fewer", "off"),
	},
	Words: catalogue,
}

// Guide is the rules as people read them, without the cards.
var Guide = kit.Guide(wordFiles)

var catalogue = kit.Catalogue(wordFiles, "rivals")

// OptionRules are the option values that change a rule.
var OptionRules = [...]struct {
	Key, Value string
	rule       Rules
}{
	{"forced-open", "stack", OpenToStack}, {"doctor", "4", DoctorFour}, {"brigands-cache", "on", BrigandsCache},
	{"hand-stacks", "any", SameStack}, {"removals", "one", OneRemoval}, {"unstorable", "lost", UnstorableLost},
	{"produced-gold", "cache", GoldToCache}, {"take-fewer", "on", TakeFewer},
}

// RulesFrom returns the rules that options change.
func RulesFrom(c domain.Choices) (r Rules) {
	for _, o := range OptionRules {
		if c[o.Key] == o.Value {
			r |= o.rule
		}
	}
	return r
}

// MarshalJSON lists the option values that change a rule.
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

// Play says which game is played.
type Play = Word[playWords]

// The plays.
const (
	Intro Play = iota
	AgeOfGold
	AgeOfTurmoil
	AgeOfProgress
	Duel
	Plays
)

// The plays' words, and the victory points that win each.
var (
	PlayNames = [Plays]string{"intro", "gold", "turmoil", "progress", "duel"}
	Goals     = [Plays]int8{7, 12, 12, 12, 13}
)

// Rules are the options where the sources leave a rule open.
type Rules uint8

// The rules that options can change; each names its ambiguity.
const (
	OpenToStack    Rules = 1 << iota // a forced-out open card goes under a stack
	DoctorFour                       // the Doctor heals all four regions of the city
	BrigandsCache                    // the Gold Cache may be the Brigands' one region
	SameStack                        // both may take the first hand from the same stack
	OneRemoval                       // one removal per turn
	UnstorableLost                   // what the taker cannot store is lost to both
	GoldToCache                      // what a full gold field yields may go into the Gold Cache
	TakeFewer                        // the Moneylender, Brigands and the Library may take fewer than they could
)

// Face is what the event die shows.
type Face = Word[faceWords]

// The faces; EventFace is on two of the six sides.
const (
	NoFace Face = iota
	Brigand
	Trade
	Celebration
	Harvest
	EventFace
	FacesN
)

// FaceNames are the faces' words.
var FaceNames = [FacesN]string{"", "brigand", "trade", "celebration", "harvest", "event"}

// Sides are the six sides of the event die.
var Sides = [6]Face{Brigand, Trade, Celebration, Harvest, EventFace, EventFace}

// CopiesIn returns how many copies of a printing are in a play: the duel leaves out the half-moons.
func CopiesIn(p Printing, play Play) int {
	switch {
	case p.Row.Kind == EventCard:
		n := 0
		for _, c := range p.Row.Copies {
			if c.Set == Basic || play == Duel || Play(c.Set) == play {
				n += c.N
			}
		}
		return n
	case p.Set == Basic, Play(p.Set) == play:
		return p.N
	case play == Duel:
		return p.N - p.Moon
	}
	return 0
}

// StacksOf lists the backs of a play's draw stacks in order.
func StacksOf(p Play) []Set {
	switch p {
	case Intro:
		return []Set{Basic, Basic, Basic, Basic}
	case Duel:
		return []Set{Basic, Basic, Basic, Gold, Turmoil, Progress}
	}
	return []Set{Basic, Basic, Basic, Set(p), Set(p)}
}

// OpenCard returns the card of a play's face-up stack, or none.
func OpenCard(p Play) Card {
	if p == Intro || p == Duel {
		return NoCard
	}
	for i, q := range Printings {
		if i > 0 && q.Row.Open && Play(q.Set) == p {
			return Card(i)
		}
	}
	return NoCard
}
