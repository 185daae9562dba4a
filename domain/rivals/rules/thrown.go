package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Thrown compares the dice that an event shows. Where a card set one of the two, it does not say which: the other is
// one of them.
func (*Room) Thrown(e *domain.Event, drawn []int) bool {
	b, ok := e.Body.(*state.Played)
	if !ok || len(drawn) == 0 {
		return len(drawn) == 0
	}
	n := slices.IndexFunc(b.Ops, func(o state.Op) bool { return o.Code == state.OpDice })
	if n < 0 {
		return false
	}
	die, face := int(b.Ops[n].N), b.Ops[n].Face
	both := slices.ContainsFunc(e.Draws, func(d domain.Draw) bool { return d.Purpose == "dice" && d.Size == 36 })
	switch {
	case both:
		return die == drawn[0]/6+1 && face == table.Sides[drawn[0]%6]
	case len(drawn) == 2:
		return die == drawn[0]+1 && face == table.Sides[drawn[1]]
	}
	return die == drawn[0]+1 || face == table.Sides[drawn[0]]
}
