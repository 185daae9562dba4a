package show

import (
	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/table"
)

// cardGap is the gap between two adjacent cards.
const cardGap = 10.0

// cardRows sizes the picture for n cards, each with room for a word under it, and returns where each lies: side by
// side in a row that people swipe along or, where it is narrow, in rows of three.
func (p *picture) cardRows(n int, under float64, narrow bool) []area {
	perRow := n
	if narrow {
		perRow = min(perRow, 3)
	}
	const step = cardW + cardGap
	high := cardH + 8 + under
	p.scene.W = float64(perRow)*step - cardGap + 2*margin
	if narrow {
		p.scene.W = max(p.scene.W, 3.5*step-cardGap+2*margin)
	}
	p.scene.H = float64((n+perRow-1)/perRow)*high + margin
	list := make([]area, n)
	for i := range list {
		in := min(perRow, n-i/perRow*perRow) // cards in this row
		list[i] = area{(p.scene.W-float64(in)*step+cardGap)/2 + float64(i%perRow)*step, margin + float64(i/perRow)*high,
			cardW, cardH}
	}
	return list
}

// readable draws a card that is pressed to choose it, if possible, and read through a separate mark. A mail has no
// such mark.
func (p *picture) readable(spot string, a area, c table.Card, face []domain.Shape, narrow bool) {
	p.place(spot, true, a, c.Word(), face...)
	if p.open[spot] != "" && !narrow {
		p.reader(spot, a)
	}
}

// chosenEdge draws the edge of a chosen card.
func chosenEdge() domain.Shape {
	return kit.Edged(rounded(-2.5, -2.5, cardW+5, cardH+5, 9, 0), hue("accent"), 4)
}

// besides returns the panel for such cards, which stands beside the others. A page splits the row up if it has room
// for several rows.
func (p *picture) besides(name string, cards []table.Card, narrow bool) domain.Panel {
	panel := domain.Panel{Name: name, Weight: domain.PanelBeside, Scene: p.scene, Least: 0.82 * p.scene.W}
	for _, c := range cards {
		panel.Items, panel.Told = append(panel.Items, c.Word()), append(panel.Told, toldOf(c))
	}
	if !narrow {
		panel.Scene.X, panel.Scene.W, panel.Each = margin-cardGap/2, p.scene.W-2*margin+cardGap, cardW+cardGap
		panel.Least = 0.82 * panel.Scene.W
	}
	return panel
}
