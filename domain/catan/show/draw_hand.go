package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The measures of the panel with the hand, in user units, which are pixels on a phone.
const (
	handWide = 356.0
	handHigh = 56.0
	costHigh = 36.0 // of a row of two costs
)

// handPanel is the viewer's hand by icons, and what things cost; for anybody else the costs alone.
func handPanel(v *state.View) domain.Panel {
	d := drawing{v: v, scene: domain.Scene{W: handWide, H: 2*costHigh + 4, Ground: colPaper, Symbols: icons}}
	p := domain.Panel{Name: "costs", Weight: domain.PanelBeside}
	c, top := int8(v.Viewer.Seat()), 0.0
	if c >= 0 && c < v.Seats {
		p.Name, top = "hand", handHigh
		d.scene.H += handHigh
		d.hand(v.Hand[c])
		p.Lines = cardLines(v, c)
	}
	d.costs(top)
	p.Scene = d.scene
	return p
}

func (d *drawing) hand(h table.Hand) {
	for r, n := range h {
		at := domain.Point{X: 24 + float64(r)*70, Y: handHigh / 2}
		d.put(domain.Shape{Use: "icon-" + table.ResourceWords[r], At: at, Scale: 1.3})
		d.text(domain.Point{X: at.X + 30, Y: at.Y}, strconv.Itoa(int(n)), 22, colInk)
	}
	d.put(domain.Shape{Path: line(domain.Point{X: 8, Y: handHigh}, domain.Point{X: handWide - 8, Y: handHigh}), Stroke: colLine, Width: 1.5})
}

// costs shows what is built, then its cards.
func (d *drawing) costs(top float64) {
	outline := func(p domain.Path, width float64) domain.Shape {
		return domain.Shape{Path: p, Stroke: colInk, Width: width}
	}
	for i, x := range [...]struct {
		what domain.Shape
		cost table.Hand
	}{
		{outline(domain.Path{}.M(-8, 9).L(8, -9), 6), table.RoadCost}, {outline(house, 1.8), table.SettlementCost},
		{outline(domain.Rect(-8, -12, 17, 24), 1.8), table.CardCost}, {outline(tower, 1.8), table.CityCost},
	} {
		at := domain.Point{X: 24 + float64(i%2)*170, Y: top + 4 + costHigh*(float64(i/2)+0.5)}
		d.put(domain.Shape{At: at, Group: []domain.Shape{x.what}})
		at.X += 32
		for r, n := range x.cost {
			for range n {
				d.put(domain.Shape{Use: "icon-" + table.ResourceWords[r], At: at, Scale: 0.9})
				at.X += 22
			}
		}
	}
}
