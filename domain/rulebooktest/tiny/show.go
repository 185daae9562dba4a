package tiny

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Steps returns the verb, and the seat to peek at.
func (game) Steps(_ *state, m move) []domain.Step {
	steps := []domain.Step{{Key: m.verb, Label: label(m)}}
	if m.verb == "peek" {
		steps = append(steps, domain.Step{Key: m.at.Letter(), Place: m.at.Letter(),
			Label: domain.S("seat", "seat", m.at), Spot: m.at.Letter()})
	}
	return steps
}

func label(m move) domain.Say { return domain.S("step." + m.verb) }

// Draw draws one picture: a row of cards, one per seat, with its points below.
func (game) Draw(v *View, sketch domain.Sketch) []domain.Panel {
	var row []kit.Card
	for i, card := range v.Hands {
		seat, face := domain.Seat(i), "?"
		if card > 0 {
			face = strconv.Itoa(card)
		}
		row = append(row, kit.Card{Above: seat.Letter(), Face: face, Below: domain.Number(v.Scores[i]),
			Edge: domain.SeatColor(seat), Spot: seat.Letter()})
	}
	return []domain.Panel{kit.Cards("table", domain.PanelMain, sketch, row)}
}

// Describe says the same in words.
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

// Tell tells what happened; it leaves out what only one seat may know if that part is redacted.
func (game) Tell(e *domain.Event, _ *View) []domain.Say {
	switch b := e.Body.(type) {
	case *state:
		return []domain.Say{domain.S("tell.dealt")}
	case *chose:
		said := []domain.Say{domain.S("tell."+b.Choice, "seat", e.Seat, "card", b.Laid, "at", b.At)}
		for _, part := range e.Secrets {
			if held, ok := part.Body.(*kit.Held[int]); ok {
				said = append(said, domain.S("tell.card", "seat", held.Seat, "card", held.Hand))
			}
		}
		return said
	case *rolled:
		key := "tell.rolled"
		if b.Low {
			key = "tell.rolled-low"
		}
		said := []domain.Say{domain.S(key, "seat", e.Seat, "die", b.Die, "winner", b.Winner, "card", b.Hands[b.Winner],
			"n", b.Die)}
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
