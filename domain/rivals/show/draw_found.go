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
	perRow := len(cards)
	if sketch.Narrow {
		perRow = min(perRow, 3)
	}
	const step, high = cardW + 10, cardH + 8
	p.scene.W = max(float64(perRow), 3.5)*step - 10 + 2*margin
	p.scene.H = float64((len(cards)+perRow-1)/perRow)*high + margin
	var names []domain.Say
	for i, c := range cards {
		in := min(perRow, len(cards)-i/perRow*perRow) // cards of this row
		a := area{(p.scene.W-float64(in)*step+10)/2 + float64(i%perRow)*step, margin + float64(i/perRow)*high, cardW, cardH}
		p.place(foundSpot(c), true, a, c.Word(), p.small(c)...)
		if p.open[foundSpot(c)] != "" && !sketch.Narrow {
			p.reader(foundSpot(c), a, c)
		}
		names = append(names, c.Word())
	}
	return domain.Panel{Name: "found", Weight: domain.PanelBeside, Scene: p.scene, Least: 0.82 * p.scene.W, Items: names}
}
