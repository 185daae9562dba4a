// Package tiny is a whole rulebook on a few pages: the worked example of CONTRIBUTING, and
// what the tests of the house play. It is registered in tests alone.
//
// The game: two to four seats hold one hidden card each, of 24. In a round everybody, in any
// order, keeps their card, swaps it for the top one of the stack (the old one is laid open),
// or peeks at somebody else's. Then one seat rolls a die, the cards are shown, and the highest
// takes as many points as the die shows; with the option low, an odd die favours the lowest.
// The game is over after the last round; whoever never peeked gets two points more.
//
// It has one of everything that is hard: a stack that nobody may see, hands that one seat may
// see, knowledge that a seat gained and keeps, two seats awaited at once, a die, an end.
package tiny

import (
	"embed"
	"slices"

	"posthorn/domain"
)

// Cards is how many cards there are, numbered from 1.
const Cards = 24

// honesty is what whoever never peeked gets at the end.
const honesty = 2

// Rules is the rulebook; it keeps nothing.
type Rules struct{}

// Name is the word in scripts.
func (Rules) Name() string { return "tiny" }

// Edition is the first one.
func (Rules) Edition() string { return "1" }

// Options are the length of the game, and whether low cards may win.
func (Rules) Options() []domain.Option {
	return []domain.Option{
		{Key: "rounds", Values: []string{"1", "2", "3"}, Default: "3"},
		{Key: "low", Values: []string{"on", "off"}, Default: "off"},
	}
}

// Seats are two to four: three rounds of four seats use up the 24 cards at most.
func (Rules) Seats(domain.Choices) (least, most int) { return 2, 4 }

// ChanceKinds are what scripts may dictate.
func (Rules) ChanceKinds() []string { return []string{"die", "stack"} }

// Extras are the stack that can be shuffled anew, and orders.
func (r Rules) Extras() domain.Extras { return domain.Extras{Reshuffler: r, Orders: r} }

// Cards are none that say more than their number.
func (Rules) Cards(domain.View) []domain.CardText { return nil }

type state struct {
	public
	hands []int // by seat
	stack []int // the next card first
}

// public is everything that everybody may know; it is also the body of the first event.
type public struct {
	Rounds int               `json:"rounds"`
	Low    bool              `json:"low,omitempty"`
	Roller domain.Seat       `json:"roller"`
	Round  int               `json:"round"`  // from 1
	Chosen []string          `json:"chosen"` // by seat: "", "keep", "swap" or "peek"
	Known  []domain.Audience `json:"known"`  // by seat: who knows its card, itself included
	Peeked []bool            `json:"peeked"` // by seat, in any round
	Scores []int             `json:"scores"`
	Laid   []int             `json:"laid"`          // open cards, in the order in which they came
	Die    int               `json:"die,omitempty"` // of the last roll
	Over   bool              `json:"over,omitempty"`
}

func (p *public) clone() public {
	c := *p
	c.Chosen, c.Known = slices.Clone(p.Chosen), slices.Clone(p.Known)
	c.Peeked, c.Scores, c.Laid = slices.Clone(p.Peeked), slices.Clone(p.Scores), slices.Clone(p.Laid)
	return c
}

// The event types. Each command makes one event; what only some may see is in secret parts.
const (
	typeDealt   = "dealt.v1"   // the first event: a public, and every card as a secret part
	typeBlinded = "blinded.v1" // every card anew, as secret parts
	typeChose   = "chose.v1"
	typeRolled  = "rolled.v1"
)

// chose is a seat's choice; the card drawn or seen is a secret part for the seat.
type chose struct {
	Choice string      `json:"choice"`
	Laid   int         `json:"laid,omitempty"` // by a swap
	At     domain.Seat `json:"at,omitempty"`   // whose card was peeked at
}

// rolled ends a round; the cards of the next one are secret parts.
type rolled struct {
	Die    int         `json:"die"`
	Hands  []int       `json:"hands"`
	Winner domain.Seat `json:"winner"`
	Low    bool        `json:"low,omitempty"`
	Over   bool        `json:"over,omitempty"`
}

// secret is a card of a seat, or the stack. It is written by the codec alone: nothing that is
// shown to people ever holds one.
type secret struct {
	Seat  domain.Seat `json:"seat"`
	Card  int         `json:"card,omitempty"`
	Stack []int       `json:"stack,omitempty"`
}

// Codec lists the event types.
func (Rules) Codec() domain.Codec {
	hidden := func() any { return new(secret) }
	return domain.Codec{Types: []domain.EventType{
		{Name: typeDealt, Body: func() any { return new(public) }, Secret: hidden},
		{Name: typeBlinded, Body: func() any { return new(struct{}) }, Secret: hidden},
		{Name: typeChose, Body: func() any { return new(chose) }, Secret: hidden},
		{Name: typeRolled, Body: func() any { return new(rolled) }, Secret: hidden},
	}}
}

// New is a state for the first event.
func (Rules) New() domain.State { return new(state) }

// Clone copies whatever Evolve changes.
func (Rules) Clone(s domain.State) domain.State {
	st := s.(*state)
	return &state{public: st.clone(), hands: slices.Clone(st.hands), stack: slices.Clone(st.stack)}
}

// Evolve applies an event. It neither judges nor draws: all that is in the event.
func (Rules) Evolve(s domain.State, e *domain.Event) {
	st := s.(*state)
	switch b := e.Body.(type) {
	case *public:
		st.public = b.clone()
		st.hands = make([]int, len(b.Scores))
		st.takeAll(e)
	case *chose:
		st.choose(e, b)
	case *rolled:
		st.roll(e, b)
	default:
		st.takeAll(e)
	}
}

// takeAll takes every card from an event that carries them all.
func (st *state) takeAll(e *domain.Event) {
	for _, part := range e.Secrets {
		if s := part.Body.(*secret); s.Seat == domain.Nobody {
			st.stack = slices.Clone(s.Stack)
		} else {
			st.hands[s.Seat] = s.Card
		}
	}
}

func (st *state) choose(e *domain.Event, b *chose) {
	st.Chosen[e.Seat] = b.Choice
	switch b.Choice {
	case "swap":
		st.Laid = append(st.Laid, b.Laid)
		st.take(e)
		st.Known[e.Seat] = domain.To(e.Seat)
	case "peek":
		st.Known[b.At] |= domain.To(e.Seat)
		st.Peeked[e.Seat] = true
	}
}

func (st *state) roll(e *domain.Event, b *rolled) {
	st.Die, st.Over = b.Die, b.Over
	st.Scores[b.Winner] += b.Die
	st.Laid = append(st.Laid, b.Hands...)
	for i := range st.hands {
		st.hands[i], st.Known[i], st.Chosen[i] = 0, domain.To(domain.Seat(i)), ""
	}
	if !b.Over {
		st.Round++
		st.Roller = (st.Roller + 1) % domain.Seat(len(st.hands))
		st.take(e)
	}
}

// take moves the cards of an event from the stack to hands.
func (st *state) take(e *domain.Event) {
	for _, part := range e.Secrets {
		s := part.Body.(*secret)
		st.hands[s.Seat] = s.Card
		st.stack = st.stack[1:]
	}
}

// Awaited lists everybody who has not chosen, and then the one who rolls. The round is what
// tells one decision from the next.
func (Rules) Awaited(s domain.State) []domain.Decision {
	st := s.(*state)
	if st.Over || st.Round == 0 {
		return nil
	}
	var open []domain.Decision
	for i, c := range st.Chosen {
		if c == "" {
			open = append(open, domain.Decision{Seat: domain.Seat(i), Kind: "choose", Serial: st.Round})
		}
	}
	if open == nil {
		open = append(open, domain.Decision{Seat: st.Roller, Kind: "roll", Serial: st.Round})
	}
	return open
}

// Standing counts the points. The two points for never having peeked come at the end.
func (Rules) Standing(s domain.State, _ domain.Viewer) domain.Standing {
	st := s.(*state)
	n := len(st.Scores)
	out := domain.Standing{Scores: slices.Clone(st.Scores), Final: slices.Clone(st.Scores), Causes: make([][]domain.Say, n), Ended: st.Over}
	for i := range out.Final {
		if !st.Peeked[i] {
			out.Final[i] += honesty
			out.Causes[i] = []domain.Say{domain.S("cause.honest", "n", honesty)}
		}
	}
	if !st.Over {
		return out
	}
	out.Ranks = make([]int, n)
	var best []domain.Say
	for i, f := range out.Final {
		out.Ranks[i] = 1
		for _, other := range out.Final {
			if other > f {
				out.Ranks[i]++
			}
		}
		if out.Ranks[i] == 1 {
			best = append(best, domain.S("seat", "seat", domain.Seat(i)))
		}
	}
	out.Result = []domain.Say{domain.S("result", "seats", best, "n", slices.Max(out.Final))}
	return out
}

// Value is the points a seat can count on: those it has, and the die's average times the
// chance that its card wins against cards nobody knows.
func (Rules) Value(s domain.State, seat domain.Seat) float64 {
	st := s.(*state)
	v := float64(st.Scores[seat])
	if !st.Peeked[seat] {
		v += honesty
	}
	if st.Over {
		return v
	}
	high, low := 1.0, 1.0
	for range len(st.hands) - 1 {
		high *= float64(st.hands[seat]-1) / (Cards - 1)
		low *= float64(Cards-st.hands[seat]) / (Cards - 1)
	}
	if st.Low {
		high = (high + low) / 2
	}
	return v + 3.5*high
}

//go:embed words/*.json
var words embed.FS

// Catalogue is the rulebook's words.
func (Rules) Catalogue() map[string][]byte {
	out := map[string][]byte{}
	for _, lang := range []string{"en", "pt-BR", "pt-PT", "pl"} {
		// The files are part of the program; a missing one is found by the first test.
		out[lang], _ = words.ReadFile("words/" + lang + ".json")
	}
	return out
}
