package tiny

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// state is written without what is hidden in it: as that it is the body of the first event.
type state struct {
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
	hands  []int             // by seat
	stack  []int             // the next card first
}

// The event types. Each command makes one event; what only some may see is in secret parts.
const (
	typeDealt   = "dealt.v1"   // the first event: a state, and every card as a secret part
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
func (game) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.SecretType[state, secret](typeDealt), kit.SecretType[kit.Nothing, secret](typeBlinded),
		kit.SecretType[chose, secret](typeChose), kit.SecretType[rolled, secret](typeRolled),
	}}
}

// New is a state for the first event.
func (game) New() *state { return new(state) }

// Clone copies whatever Evolve changes.
func (game) Clone(s *state) *state {
	c := *s
	c.Chosen, c.Known, c.Peeked = slices.Clone(s.Chosen), slices.Clone(s.Known), slices.Clone(s.Peeked)
	c.Scores, c.Laid, c.hands, c.stack = slices.Clone(s.Scores), slices.Clone(s.Laid), slices.Clone(s.hands), slices.Clone(s.stack)
	return &c
}

// Evolve applies an event. It neither judges nor draws: all that is in the event.
func (game) Evolve(s *state, e *domain.Event) {
	switch b := e.Body.(type) {
	case *state:
		*s = *game{}.Clone(b)
		s.hands = make([]int, len(b.Scores))
		s.take(e, false)
	case *chose:
		s.Chosen[e.Seat] = b.Choice
		switch b.Choice {
		case "swap":
			s.Laid = append(s.Laid, b.Laid)
			s.take(e, true)
			s.Known[e.Seat] = domain.To(e.Seat)
		case "peek":
			s.Known[b.At] |= domain.To(e.Seat)
			s.Peeked[e.Seat] = true
		}
	case *rolled:
		s.roll(e, b)
	default:
		s.take(e, false)
	}
}

// take takes the cards that an event carries; drawn ones leave the stack.
func (s *state) take(e *domain.Event, drawn bool) {
	for _, part := range e.Secrets {
		p := part.Body.(*secret)
		if p.Seat == domain.Nobody {
			s.stack = slices.Clone(p.Stack)
			continue
		}
		s.hands[p.Seat] = p.Card
		if drawn {
			s.stack = s.stack[1:]
		}
	}
}

func (s *state) roll(e *domain.Event, b *rolled) {
	s.Die, s.Over = b.Die, b.Over
	s.Scores[b.Winner] += b.Die
	s.Laid = append(s.Laid, b.Hands...)
	for i := range s.hands {
		s.hands[i], s.Known[i], s.Chosen[i] = 0, domain.To(domain.Seat(i)), ""
	}
	if !b.Over {
		s.Round++
		s.Roller = (s.Roller + 1) % domain.Seat(len(s.hands))
		s.take(e, true)
	}
}

// View is what one viewer may know. Its keys are what scripts print and take.
type View struct {
	Round  int               `json:"round"`
	Of     int               `json:"of"`
	Low    bool              `json:"low"`
	Roller string            `json:"roller"`
	Chosen []string          `json:"chosen"`
	Hands  []int             `json:"hands"` // 0: not to be seen
	Known  []domain.Audience `json:"known"` // by seat: who knows its card
	Peeked []bool            `json:"peeked"`
	Scores []int             `json:"scores"`
	Laid   []int             `json:"laid"`
	Left   int               `json:"left"`            // cards of the stack
	Stack  []int             `json:"stack,omitempty"` // the referee's alone
	Die    int               `json:"die"`
	Over   bool              `json:"over"`
}

// View shows what everybody sees, and the cards that the viewer knows.
func (game) View(s *state, viewer domain.Viewer) *View {
	p := game{}.Clone(s)
	v := &View{
		Round: p.Round, Of: p.Rounds, Low: p.Low, Roller: p.Roller.Letter(), Chosen: p.Chosen, Hands: make([]int, len(s.hands)),
		Known: p.Known, Peeked: p.Peeked, Scores: p.Scores, Laid: p.Laid, Left: len(s.stack), Die: p.Die, Over: p.Over,
	}
	for i, card := range s.hands {
		if p.Known[i].Admits(viewer) {
			v.Hands[i] = card
		}
	}
	if viewer == domain.Referee {
		v.Stack = slices.Clone(s.stack)
	}
	return v
}
