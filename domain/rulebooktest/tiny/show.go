package tiny

import (
	"fmt"
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Steps are the verb, and whom to peek at.
func (game) Steps(_ *state, m move) []domain.Step {
	steps := []domain.Step{{Key: m.verb, Label: label(m)}}
	if m.verb == "peek" {
		steps = append(steps, domain.Step{Key: m.at.Letter(), Place: m.at.Letter(), Label: domain.S("seat", "seat", m.at), Spot: m.at.Letter()})
	}
	return steps
}

func label(m move) domain.Say { return domain.S("step." + m.verb) }

// Draw is one picture: a row of cards, one a seat, with its points below.
func (game) Draw(v *View, sketch domain.Sketch) []domain.Panel {
	scene, letters := domain.Scene{W: float64(len(v.Hands))*30 + 10, H: 75, Ground: domain.RGB(0xF4EFE2)}, ""
	write := func(x, y float64, text string) {
		scene.Shapes = append(scene.Shapes, kit.Text(x, y, 10, text, domain.RGB(0x222222)))
	}
	for i, card := range v.Hands {
		seat, x := domain.Seat(i), float64(i)*30+10
		box := kit.Edged(kit.Box(x, 20, 20, 30, domain.RGB(0xFFFFFF)), domain.SeatColor(seat), 2)
		box = kit.Pressable(box, sketch, seat.Letter(), domain.SeatColor(seat).Alpha(64))
		scene.Shapes = append(scene.Shapes, box)
		write(x+10, 12, seat.Letter())
		write(x+10, 62, strconv.Itoa(v.Scores[i]))
		shown := "?"
		if card > 0 {
			shown = strconv.Itoa(card)
			write(x+10, 35, shown)
		}
		letters += fmt.Sprintf("%s [%s] %d\n", seat.Letter(), shown, v.Scores[i])
	}
	return []domain.Panel{{Name: "table", Weight: domain.PanelMain, Scene: scene, Text: letters}}
}

// Describe is the same in words.
func (game) Describe(v *View) domain.Description {
	d := domain.Description{Alt: domain.S("alt", "round", v.Round, "of", v.Of, "n", v.Left)}
	for i, card := range v.Hands {
		seat := domain.Seat(i)
		if card > 0 {
			d.Lines = append(d.Lines, domain.S("holds", "seat", seat, "card", card))
		}
		if v.Chosen[i] != "" {
			d.Lines = append(d.Lines, domain.S("chose", "seat", seat, "choice_word", "step."+v.Chosen[i]))
		}
	}
	return d
}

// Tell says what happened; what a seat alone may know is left out where it is not there.
func (game) Tell(e *domain.Event) []domain.Say {
	switch b := e.Body.(type) {
	case *state:
		return []domain.Say{domain.S("tell.dealt")}
	case *chose:
		said := []domain.Say{domain.S("tell."+b.Choice, "seat", e.Seat, "card", b.Laid, "at", b.At)}
		for _, part := range e.Secrets {
			if s, ok := part.Body.(*secret); ok {
				said = append(said, domain.S("tell.card", "seat", s.Seat, "card", s.Card))
			}
		}
		return said
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
