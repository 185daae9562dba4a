package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Uncovered counts the hidden cards that a move let a seat see: drawn or taken from a stack, turned up, or seen in a
// stack or in the other's hand. A hand counts whole, however much of it the seat knew: that is not public.
func (*Room) Uncovered(before *state.State, e *domain.Event) int {
	body, ok := e.Body.(*state.Played)
	if !ok {
		return 0
	}
	s, n := *before, 0
	for i := range body.Ops {
		o := &body.Ops[i]
		if shows := state.Outcomes[o.Code].Shows; shows != nil {
			for _, slot := range shows(&s, o) {
				if !slot.Known(domain.ViewOf(o.Seat & 1)) {
					n++
				}
			}
		}
		s.ApplyIn(o, e.Secrets)
	}
	for _, t := range body.Tasks { // Scout shows its player the whole stack of regions
		if t.Kind == state.TaskCorners && t.Card != table.NoCard &&
			!slices.ContainsFunc(s.Tasks[:s.TasksN], func(u state.Task) bool {
				return u.Kind == t.Kind && u.ID == t.ID
			}) {
			n += int(t.N)
		}
	}
	return n
}
