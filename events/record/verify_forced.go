package record

import (
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// forced checks, for a move through the door of forced moves, that everybody could see it was the only one.
func (v *verifier) forced(rb domain.Rulebook, line *domain.Line, i int, e *domain.Event) {
	if v.metaOf(i).Door != events.DoorForced {
		return
	}
	only := rb.Extras().Forced
	v.must(only != nil && slices.ContainsFunc(line.Awaited(), func(o domain.Open) bool {
		if o.Seat != e.Seat {
			return false
		}
		move, ok := only(rb.View(line.State, domain.Spectator), o.Decision)
		return ok && rb.FormatMove(move, nil) == e.Move
	}), i, "the house moved for people, who had another move")
}
