package rivals

import "posthorn/domain"

// Uncovered counts the hidden cards that a move let a seat see: drawn or taken from a stack, turned
// up, or looked at in a stack or in the other's hand.
func (rb Rulebook) Uncovered(st domain.State, e *domain.Event) int {
	body, ok := e.Body.(*Played)
	if !ok {
		return 0
	}
	s := *st.(*State)
	n := 0
	for _, op := range body.Ops {
		n += s.uncovers(op)
		if op.Code != opHidden {
			s.apply(op)
			continue
		}
		if h, ok := e.Secrets[op.A].Body.(*Hidden); ok {
			for _, o := range h.Ops {
				s.apply(o)
			}
		}
	}
	for _, t := range body.Tasks { // Scout shows its player the whole stack of regions
		if t.Kind == taskCorners && t.Card != NoCard && !s.scouting(t.ID) {
			n += int(t.N)
		}
	}
	return n
}

// uncovers counts the cards that an outcome in public lets somebody see who did not know them.
func (s *State) uncovers(op Op) (n int) {
	seat := domain.ViewOf(domain.Seat(op.A & 1))
	unknown := func(slots []Slot) {
		for _, slot := range slots {
			if !slot.known(seat) {
				n++
			}
		}
	}
	switch op.Code {
	case opDraw:
		d := &s.Decks[op.B]
		unknown(d.Slots[d.N-1 : d.N])
	case opSeeDeck:
		d := &s.Decks[op.B]
		unknown(d.Slots[:d.N])
	case opSeeHand:
		r := &s.Realms[other(seat.Seat())]
		unknown(r.Hand[:r.HandN])
	case opDrawEvt:
		if s.Events.Slots[s.Events.N-1].Seen&public == 0 {
			n++
		}
	case opShowLand:
		n++
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
