package rivals

import "posthorn/domain"

// Uncovered counts the hidden cards that a move let a seat see: drawn or taken from a stack, turned
// up, or looked at in a stack or in the other's hand.
func (rulesRoom) Uncovered(before *State, e *domain.Event) int {
	body, ok := e.Body.(*Played)
	if !ok {
		return 0
	}
	s, n := *before, 0
	for i := range body.Ops {
		o := &body.Ops[i]
		if shows := outcomes[o.Code].shows; shows != nil {
			for _, slot := range shows(&s, o) {
				if !slot.known(domain.ViewOf(o.Seat & 1)) {
					n++
				}
			}
		}
		s.applyIn(o, e.Secrets)
	}
	for _, t := range body.Tasks { // Scout shows its player the whole stack of regions
		if t.Kind == taskCorners && t.Card != NoCard && !s.scouting(t.ID) {
			n += int(t.N)
		}
	}
	return n
}

// scouting tells whether the regions that a task offers have been shown before.
func (s *State) scouting(id uint16) bool {
	for i := range int(s.TasksN) {
		if s.Tasks[i].Kind == taskCorners && s.Tasks[i].ID == id {
			return true
		}
	}
	return false
}
