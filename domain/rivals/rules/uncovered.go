package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Uncovered counts the hidden cards that a move let a seat see: drawn or taken from a stack, turned
// up, or looked at in a stack or in the other's hand.
func (Room) Uncovered(before *state.State, e *domain.Event) int {
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
		if t.Kind == state.TaskCorners && t.Card != table.NoCard && !scouting(&s, t.ID) {
			n += int(t.N)
		}
	}
	return n
}

// scouting tells whether the regions that a task offers have been shown before.
func scouting(s *state.State, id uint16) bool {
	for i := range int(s.TasksN) {
		if s.Tasks[i].Kind == state.TaskCorners && s.Tasks[i].ID == id {
			return true
		}
	}
	return false
}
