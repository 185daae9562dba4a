package tiny

import (
	"posthorn/domain"
	"posthorn/domain/kit"
)

// state is written without its hidden parts; in that form it is the body of the first event.
type state struct {
	Rounds          int         `json:"rounds"`
	Low             bool        `json:"low,omitempty"`
	Roller          domain.Seat `json:"roller"`
	Round           int         `json:"round"`  // from 1
	Chosen          []string    `json:"chosen"` // by seat: "", "keep", "swap" or "peek"
	kit.Hidden[int]             // the hands, a card each, and the stack
	Peeked          []bool      `json:"peeked"` // by seat, in any round
	Scores          []int       `json:"scores"`
	Laid            []int       `json:"laid"`          // open cards, in the order they were laid
	Die             int         `json:"die,omitempty"` // of the last roll
	Over            bool        `json:"over,omitempty"`
}

// The event types. Each command makes one event; secret parts hold what only some may see.
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

// Codec lists the event types.
func (game) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.SecretType[state, kit.Held[int]](typeDealt).Counted("dealt.v2"),
		kit.SecretType[kit.Nothing, kit.Held[int]](typeBlinded).Counted("blinded.v2"),
		kit.SecretType[chose, kit.Held[int]](typeChose).Counted("chose.v2"),
		kit.SecretType[rolled, kit.Held[int]](typeRolled).Counted("rolled.v2"),
	}}
}

// Evolve applies an event. It neither judges nor draws: the event says everything.
func (game) Evolve(s *state, e *domain.Event) {
	switch b := e.Body.(type) {
	case *state:
		*s = *game{}.Clone(b)
	case *chose:
		s.Chosen[e.Seat] = b.Choice
		switch b.Choice {
		case "swap":
			s.Laid, s.Stack = append(s.Laid, b.Laid), s.Stack[1:]
			s.Known[e.Seat] = domain.To(e.Seat)
		case "peek":
			s.Known[b.At] |= domain.To(e.Seat)
			s.Peeked[e.Seat] = true
		}
	case *rolled:
		s.roll(b)
	}
	s.Load(e)
}

func (s *state) roll(b *rolled) {
	s.Die, s.Over = b.Die, b.Over
	s.Scores[b.Winner] += b.Die
	s.Laid = append(s.Laid, b.Hands...)
	for i := range s.Hands {
		s.Hands[i], s.Known[i], s.Chosen[i] = 0, domain.To(domain.Seat(i)), ""
	}
	if !b.Over {
		s.Round++
		s.Roller = (s.Roller + 1) % domain.Seat(len(s.Hands))
		s.Stack = s.Stack[len(s.Hands):]
	}
}

// View is what one viewer may know. Its keys are what scripts print and take.
type View struct {
	Round  int               `json:"round"`
	Of     int               `json:"of"`
	Low    bool              `json:"low"`
	Roller string            `json:"roller"`
	Chosen []string          `json:"chosen"`
	Hands  []int             `json:"hands"` // 0: hidden from the viewer
	Known  []domain.Audience `json:"known"` // by seat: who knows its card
	Peeked []bool            `json:"peeked"`
	Scores []int             `json:"scores"`
	Laid   []int             `json:"laid"`
	Left   int               `json:"left"`            // cards left in the stack
	Stack  []int             `json:"stack,omitempty"` // for the referee only
	Die    int               `json:"die"`
	Over   bool              `json:"over"`
}

// face is what those who do not know a card see of it.
func face(int) int { return 0 }

// View shows what everybody sees, and the cards that the viewer knows.
func (game) View(s *state, viewer domain.Viewer) *View {
	p := game{}.Clone(s)
	v := &View{
		Round: p.Round, Of: p.Rounds, Low: p.Low, Roller: p.Roller.Letter(), Chosen: p.Chosen,
		Hands: p.Seen(viewer, face), Known: p.Known, Peeked: p.Peeked, Scores: p.Scores, Laid: p.Laid,
		Left: len(p.Stack), Die: p.Die, Over: p.Over,
	}
	if viewer == domain.Referee {
		v.Stack = p.Stack
	}
	return v
}
