package state

import (
	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// View is a state as somebody may know it: a card that they do not know is none, or in a hand its
// back alone.
type View struct {
	State
	Viewer domain.Viewer
}

// View is what a viewer may know of a state. There are two seats; anybody else is a spectator.
func (Room) View(s *State, viewer domain.Viewer) *View {
	if viewer > 1 {
		viewer = domain.Spectator
	}
	return &View{s.SeenBy(viewer), viewer}
}

// MarshalJSON writes the state, and whose view it is.
func (v *View) MarshalJSON() ([]byte, error) {
	w := v.write()
	w.Viewer = wordSeat(v.Viewer.Seat())
	return codec.Marshal(w)
}

// SeenBy is the state with all hidden that a viewer may not know. The referee knows everything.
func (s *State) SeenBy(v domain.Viewer) State {
	o := *s
	if v == domain.Referee {
		return o
	}
	for i := range o.Decks[:o.DecksN] {
		o.Decks[i].hide(v)
	}
	o.Events.hide(v)
	for seat := range domain.Seat(2) {
		o.Realms[seat].hide(seat, v)
	}
	clear(o.Lands[:max(0, int(s.LandsN)-s.ShownLands(v))])
	// Only who chooses from the discard pile sees more of it than its top.
	if v.Seat() == domain.Nobody || s.Asked(v.Seat()) != TaskFetch {
		clear(o.Discard[:max(0, int(s.DiscardN)-1)])
	}
	o.Spare = [len(o.Spare)]table.Card{}
	return o
}

// hide leaves the cards that a viewer knows, and not who else does.
func (d *Deck) hide(v domain.Viewer) {
	for i, slot := range d.All() {
		d.Slots[i] = Slot{}
		if slot.Known(v) {
			d.Slots[i].Card = slot.Card
		}
	}
}

// hide leaves the cards of a hand that a viewer knows; the backs of the others come after them:
// where a card lies among those that are known would tell something.
func (r *Realm) hide(owner domain.Seat, v domain.Viewer) {
	hand := r.Held()
	var backs [table.Sets]int
	n := 0
	for _, slot := range hand {
		if slot.Known(v) {
			hand[n] = Slot{slot.Card, Bit(owner)}
			n++
		} else {
			backs[slot.Card.Set()]++
		}
	}
	for set := range table.Sets {
		for range backs[set] {
			hand[n] = Slot{table.BackOf(set), Bit(owner)}
			n++
		}
	}
}

// ShownLands is how many of the top region cards a viewer sees: two while they are being
// laid, all of them for who plays Scout.
func (s *State) ShownLands(v domain.Viewer) int {
	for i := range int(s.TasksN) {
		t := &s.Tasks[i]
		if t.Kind == TaskCorners && (t.Card == table.NoCard || v.Seat() == t.Seat) {
			return int(t.N)
		}
	}
	return 0
}
