package show

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// foundSpot is where a card lies that can be taken out of a stack which is looked through.
func foundSpot(c table.Card) string { return "f-" + c.Name() }

// found are the cards that a seat chooses from, each face once but for the first hand, the top first: those of the stack that it looks
// through, or of the discard pile. None where it chooses no card now.
func found(s *state.State, own domain.Seat) (list []table.Card) {
	var from []table.Card
	kind := s.Asked(own)
	switch kind {
	case state.TaskPick, state.TaskHand:
		for _, slot := range s.Decks[s.Tasks[0].Arg].All() {
			from = append(from, slot.Card)
		}
	case state.TaskFetch:
		from = s.Discard[:max(0, int(s.DiscardN)-1)]
	}
	for _, c := range slices.Backward(from) {
		same := func(other table.Card) bool { return other.Name() == c.Name() }
		if !c.Hidden() && (kind == state.TaskHand || !slices.ContainsFunc(list, same)) {
			list = append(list, c)
		}
	}
	return list
}

// foundPanel shows the cards that a seat chooses from, in a row that is swiped along: nobody takes a card by its name alone.
func foundPanel(cards []table.Card, sketch domain.Sketch) domain.Panel {
	p := newPicture(sketch)
	var names []domain.Say
	for i, a := range p.cardRows(len(cards), 0, sketch.Narrow) {
		p.readable(foundSpot(cards[i]), a, cards[i], p.small(cards[i]), sketch.Narrow)
		names = append(names, cards[i].Word())
	}
	return p.besides("found", names)
}
