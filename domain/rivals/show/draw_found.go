package show

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// foundSpot is where a card lies that the player can take out of a stack being looked through.
func foundSpot(c table.Card) string { return "f-" + c.Name() }

// handKey is the step that takes a card for the first hand.
func handKey(c table.Card) string { return "hand-" + c.Name() }

// found returns the cards that a seat chooses from, the top first, each face once except for the first hand: those of
// the stack it looks through, or of the discard pile. It returns none if the seat chooses no card now.
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
	if kind == state.TaskHand { // in the order of the list
		from = slices.SortedFunc(slices.Values(from), func(a, b table.Card) int { return int(b) - int(a) })
	}
	for _, c := range slices.Backward(from) {
		same := func(other table.Card) bool { return other.Name() == c.Name() }
		if !c.Hidden() && (kind == state.TaskHand || !slices.ContainsFunc(list, same)) {
			list = append(list, c)
		}
	}
	return list
}

// foundPanel shows the cards that a seat chooses from, in a row that people swipe along: nobody takes a card by its
// name alone.
func foundPanel(cards []table.Card, sketch domain.Sketch) domain.Panel {
	p := newPicture(sketch)
	taken := map[string]int{} // how many of each are chosen
	for _, key := range sketch.Chosen {
		taken[key]++
	}
	under := 0.0
	if len(taken) > 0 {
		under = 22
	}
	for i, a := range p.cardRows(len(cards), under, sketch.Narrow) {
		spot, face := foundSpot(cards[i]), p.small(cards[i])
		if key := handKey(cards[i]); taken[key] > 0 {
			taken[key]--
			face = append(face, chosenEdge())
			p.under(a, domain.S("hand.chosen"), hue("accent"))
			if p.open[spot] != "" { // then it is another copy
				spot = ""
			}
		}
		p.readable(spot, a, cards[i], face, sketch.Narrow)
	}
	return p.besides(domain.PanelFound, cards, sketch.Narrow)
}
