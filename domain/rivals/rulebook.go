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
package rivals

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Rulebook is the game. Its state is a *[State], its move a [Move], its view a *[View].
var Rulebook domain.Rulebook = kit.New[*State, Move, *View](tableRoom{}, stateRoom{}, rulesRoom{}, notationRoom{}, inWords).
	WithPicker(rulesRoom{}).WithRecaller(notationRoom{}).WithReshuffler(rulesRoom{}).WithOrders(rulesRoom{}, notationRoom{}, inWords)

var inWords = showRoom{whyNot: (*State).whyNot, hinders: (*State).hindrances}

// The rooms of the game.
type (
	tableRoom    struct{}
	stateRoom    struct{}
	rulesRoom    struct{}
	notationRoom struct{}
	// showRoom asks the rules what keeps cards of a hand from being used.
	showRoom struct {
		whyNot  func(*State, domain.Seat) []*domain.Say
		hinders func(*State, domain.Seat, Card) []domain.Say
	}
)

// Name is the game's word.
func (tableRoom) Name() string { return "rivals" }

// Edition names the rules that decide.
func (tableRoom) Edition() string { return "2" }

// ChanceKinds are the kinds of outcome a script may dictate.
func (tableRoom) ChanceKinds() []string {
	return []string{"dice", "event", "events", "guard", "stack", "regions"}
}

// Options are the five plays, and the rules on which the sources leave the choice open.
func (tableRoom) Options() []domain.Option {
	return []domain.Option{
		{Key: "play", Values: playNames[:], Default: "intro"},
		{Key: "forced-open", Values: []string{"open", "stack"}, Default: "open"},
		{Key: "doctor", Values: []string{"2", "4"}, Default: "2"},
		{Key: "brigands-cache", Values: []string{"on", "off"}, Default: "off"},
		{Key: "hand-stacks", Values: []string{"different", "any"}, Default: "different"},
		{Key: "removals", Values: []string{"any", "one"}, Default: "any"},
		{Key: "unstorable", Values: []string{"stays", "lost"}, Default: "stays"},
	}
}

// optionRules are the option values that choose a rule otherwise.
var optionRules = [...]struct {
	key, value string
	rule       Rules
}{
	{"forced-open", "stack", OpenToStack}, {"doctor", "4", DoctorFour}, {"brigands-cache", "on", BrigandsCache},
	{"hand-stacks", "any", SameStack}, {"removals", "one", OneRemoval}, {"unstorable", "lost", UnstorableLost},
}

func rulesFrom(c domain.Choices) (r Rules) {
	for _, o := range optionRules {
		if c[o.key] == o.value {
			r |= o.rule
		}
	}
	return r
}

// MarshalJSON lists the option values that choose a rule otherwise.
func (r Rules) MarshalJSON() ([]byte, error) {
	var list []string
	for _, o := range optionRules {
		if r&o.rule != 0 {
			list = append(list, o.key+" "+o.value)
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Rules) UnmarshalJSON(b []byte) error {
	var list []string
	*r = 0
	err := json.Unmarshal(b, &list)
	for _, o := range optionRules {
		if slices.Contains(list, o.key+" "+o.value) {
			*r |= o.rule
		}
	}
	return err
}

// Seats is always two.
func (tableRoom) Seats(domain.Choices) (least, most int) { return 2, 2 }

// Awaited lists the decisions awaited now.
func (rulesRoom) Awaited(s *State) []domain.Decision {
	n := 0
	var list [2]domain.Decision
	for seat, a := range s.Asks {
		if a.Kind != askNothing {
			list[n] = domain.Decision{Seat: domain.Seat(seat), Kind: askNames[a.Kind], Serial: int(a.Serial)}
			n++
		}
	}
	return append([]domain.Decision(nil), list[:n]...)
}

// Standing is the victory points; there is nothing to come at the end.
func (rulesRoom) Standing(s *State, _ domain.Viewer) domain.Standing {
	a, b := s.victory(0), s.victory(1)
	d := domain.Standing{Scores: []int{a, b}, Final: []int{a, b}}
	if s.Phase == Over {
		d.Ended = true
		d.Ranks, d.Result = s.result()
	}
	return d
}

// parseDice reads "4 harvest".
func parseDice(words string) (int, error) {
	die, face, _ := strings.Cut(strings.TrimSpace(words), " ")
	d, err := parseDie(die)
	if err != nil {
		return 0, err
	}
	f, err := parseFace(face)
	return d*6 + f, err
}

// parseDie reads the production die, counted from 0; what follows it is left alone.
func parseDie(words string) (int, error) {
	words, _, _ = strings.Cut(strings.TrimSpace(words), " ")
	if len(words) != 1 || words[0] < '1' || words[0] > '6' {
		return 0, fmt.Errorf("no die shows %q", words)
	}
	return int(words[0] - '1'), nil
}

// parseFace reads the event die: the first of its sides with that face.
func parseFace(words string) (int, error) {
	fields := strings.Fields(words)
	if len(fields) > 0 {
		for i, f := range sides {
			if faceNames[f] == fields[len(fields)-1] {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("no event die shows %q", words)
}

//go:embed words/*.json
var wordFiles embed.FS

var catalogue = kit.Catalogue(wordFiles)

// Catalogue is the rulebook's words.
func (tableRoom) Catalogue() map[string][]byte { return catalogue }
