package tiny

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

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
func (Rules) View(s domain.State, viewer domain.Viewer) domain.View {
	st := s.(*state)
	p := st.clone()
	v := &View{
		Round: p.Round, Of: p.Rounds, Low: p.Low, Roller: p.Roller.Letter(), Chosen: p.Chosen, Hands: make([]int, len(st.hands)),
		Known: p.Known, Peeked: p.Peeked, Scores: p.Scores, Laid: p.Laid, Left: len(st.stack), Die: p.Die, Over: p.Over,
	}
	for i, card := range st.hands {
		if p.Known[i].Admits(viewer) {
			v.Hands[i] = card
		}
	}
	if viewer == domain.Referee {
		v.Stack = slices.Clone(st.stack)
	}
	return v
}

// Draw is one picture: a row of cards, one a seat, with its points below.
func (Rules) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	w := v.(*View)
	scene := domain.Scene{W: float64(len(w.Hands))*30 + 10, H: 75, Ground: domain.RGB(0xF4EFE2)}
	letters := strings.Builder{}
	for i, card := range w.Hands {
		seat, x := domain.Seat(i), float64(i)*30+10
		box := domain.Shape{Path: domain.Rect(x, 20, 20, 30), Fill: domain.RGB(0xFFFFFF), Stroke: domain.SeatColor(seat), Width: 2}
		if slices.Contains(sketch.Chosen, seat.Letter()) {
			box.Fill, box.Class = domain.SeatColor(seat).Alpha(64), "ghost"
		}
		for _, open := range sketch.Open {
			if open.Spot == seat.Letter() {
				box.Spot, box.Title = open.Spot, domain.S("seat", "seat", seat)
			}
		}
		scene.Shapes = append(scene.Shapes, box,
			text(seat.Letter(), x+10, 12), text(strconv.Itoa(w.Scores[i]), x+10, 62))
		shown := "?"
		if card > 0 {
			shown = strconv.Itoa(card)
			scene.Shapes = append(scene.Shapes, text(shown, x+10, 35))
		}
		letters.WriteString(seat.Letter() + " [" + shown + "] " + strconv.Itoa(w.Scores[i]) + "\n")
	}
	return []domain.Panel{{Name: "table", Weight: domain.PanelMain, Scene: scene, Text: letters.String()}}
}

func text(s string, x, y float64) domain.Shape {
	return domain.Shape{Text: s, At: domain.Point{X: x, Y: y}, Size: 10, Fill: domain.RGB(0x222222)}
}

// Describe is the same in words.
func (Rules) Describe(v domain.View) domain.Description {
	w := v.(*View)
	d := domain.Description{Alt: domain.S("alt", "round", w.Round, "of", w.Of, "n", w.Left)}
	for i, card := range w.Hands {
		seat := domain.Seat(i)
		if card > 0 {
			d.Lines = append(d.Lines, domain.S("holds", "seat", seat, "card", card))
		}
		if w.Chosen[i] != "" {
			d.Lines = append(d.Lines, domain.S("chose", "seat", seat, "choice_word", "step."+w.Chosen[i]))
		}
	}
	return d
}

// Tell says what happened; what a seat alone may know is left out where it is not there.
func (Rules) Tell(e *domain.Event) []domain.Say {
	switch b := e.Body.(type) {
	case *public:
		return []domain.Say{domain.S("tell.dealt")}
	case *chose:
		return tellChoice(e, b)
	case *rolled:
		key := "tell.rolled"
		if b.Low {
			key = "tell.rolled-low"
		}
		said := []domain.Say{domain.S(key, "seat", e.Seat, "die", b.Die, "winner", b.Winner, "card", b.Hands[b.Winner], "n", b.Die)}
		if b.Over {
			said = append(said, domain.S("tell.over"))
		}
		return said
	}
	if e.Anew {
		return []domain.Say{domain.S("tell.reshuffled")}
	}
	return []domain.Say{domain.S("tell.blinded")}
}

func tellChoice(e *domain.Event, b *chose) []domain.Say {
	said := []domain.Say{domain.S("tell."+b.Choice, "seat", e.Seat)}
	switch b.Choice {
	case "swap":
		said[0] = domain.S("tell.swap", "seat", e.Seat, "card", b.Laid)
	case "peek":
		said[0] = domain.S("tell.peek", "seat", e.Seat, "at", b.At)
	}
	for _, part := range e.Secrets {
		if s, ok := part.Body.(*secret); ok && s != nil {
			said = append(said, domain.S("tell.card", "seat", s.Seat, "card", s.Card))
		}
	}
	return said
}
