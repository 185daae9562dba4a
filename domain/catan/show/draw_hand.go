package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// The measures of the panels beside the island, in user units, which are pixels on a phone.
const (
	handWide = 356.0
	cardWide = 67.0 // of a card in the hand
	cardHigh = 44.0
	costHigh = 36.0 // of a row of two costs
	swapHigh = 62.0 // of an offer
)

// handPanel draws a seat's own hand: a card for each resource with its count, and the development cards.
func handPanel(v *state.View, c int8) domain.Panel {
	d := drawing{v: v, scene: domain.Scene{W: handWide, H: cardHigh + 4, Ground: colPaper, Symbols: icons}}
	for r, n := range v.Hand[c] {
		d.card(domain.Pt(1+(handWide-2-cardWide)/4*float64(r), 2), table.Resource(r), int(n))
	}
	x, y := 1.0, cardHigh+7
	for k, n := range v.Cards[c] {
		if n > 0 {
			d.development(domain.Pt(x, y), table.Card(k), int(n))
			x += (handWide - 2 - cardWide) / 4
			d.scene.H = y + 44
		}
	}
	return domain.Panel{Name: domain.PanelHand, Weight: domain.PanelBeside, Scene: d.scene, Lines: heldLines(v, c)}
}

// card draws a resource card with a number beside its picture; it is pale if the hand has none.
func (d *drawing) card(at domain.Point, r table.Resource, n int) {
	group := []domain.Shape{
		round(0, 0, cardWide, cardHigh, 7).Drawn(colPaper, colInk, 1.4),
		round(3.5, 3.5, 38, cardHigh-7, 4.5).Filled(colTerrain[r]),
		{Use: "icon-" + r.String(), At: domain.Pt(22.5, cardHigh/2), Scale: 1.25},
		domain.Letters(strconv.Itoa(n), domain.Pt(54, cardHigh/2), 20, colInk),
	}
	if n == 0 {
		group[1].Fill, group[3].Fill = colLine, colSoft
	}
	d.put(domain.Shape{At: at, Group: group})
}

// development draws a development card with its count.
func (d *drawing) development(at domain.Point, k table.Card, n int) {
	group := append([]domain.Shape{round(0, 0, cardWide, 42, 7).Drawn(colPaper, colInk, 1.4)},
		developed(k, domain.Pt(21, 21))...)
	group = append(group, domain.Letters(strconv.Itoa(n), domain.Pt(54, 22), 17, colInk))
	d.put(domain.Shape{At: at, Group: group})
}

// costsPanel shows what things cost, in pictures.
func costsPanel() domain.Panel {
	d := drawing{scene: domain.Scene{W: handWide, H: 2*costHigh + 4, Ground: colPaper, Symbols: icons}}
	for i, b := range builds {
		at := domain.Pt(24+float64(i%2)*170, 2+costHigh*(float64(i/2)+0.5))
		d.put(domain.Shape{At: at, Group: b.look(colSoft)})
		at.X += 32
		for r, n := range b.cost {
			for range n {
				d.put(domain.Shape{Use: "icon-" + table.ResourceWords[r], At: at, Scale: 0.9})
				at.X += 22
			}
		}
	}
	return domain.Panel{Name: domain.PanelCosts, Weight: domain.PanelStrip, Scene: d.scene}
}

// openOffers lists the seats with open offers: first the seat in turn, then the counter-offers.
func openOffers(v *state.View) (list []int8) {
	if v.Offers[v.Active].Open {
		list = append(list, v.Active)
	}
	for c := range v.Seats {
		if c != v.Active && v.Offers[c].Open {
			list = append(list, c)
		}
	}
	return list
}

// offersPanel shows the open offers: who gives what for what, and who has answered how.
func offersPanel(v *state.View, of []int8) domain.Panel {
	d := drawing{v: v, scene: domain.Scene{W: handWide, H: swapHigh*float64(len(of)) + 2, Ground: colPaper,
		Symbols: icons}}
	p := domain.Panel{Name: domain.PanelOffers, Weight: domain.PanelBeside, Asked: true}
	for i, c := range of {
		o := &v.Offers[c]
		d.offer(swapHigh*float64(i)+2, c, o)
		p.Lines = append(p.Lines, offerSay(c, o))
		for _, a := range [...]struct {
			key  string
			seat state.SeatSet
		}{{"line.offer-yes", o.Yes}, {"line.offer-no", o.No}, {"line.offer-waits", o.Unanswered()}} {
			if c == v.Active && a.seat != 0 {
				p.Lines = append(p.Lines, domain.S(a.key, "who", a.seat.List()))
			}
		}
	}
	p.Scene = d.scene
	return p
}

func offerSay(c int8, o *state.Offer) domain.Say {
	return domain.S("line.offer", "who", domain.Seat(c), "to", o.To.List(), "give", table.HandSay(o.Give), "want",
		table.HandSay(o.Want))
}

// offer draws one row: whose offer it is, what they give for what, and the answers of those asked.
func (d *drawing) offer(top float64, c int8, o *state.Offer) {
	answered := c == d.v.Active
	d.put(round(1, top, handWide-2, swapHigh-6, 8).Drawn(colRaised, colAccent, 1.6))
	middle, wide := top+(swapHigh-6)/2, handWide-50.0
	d.seat(domain.Pt(22, middle), c, "")
	if answered {
		wide -= 30 * float64(len(o.To.List()))
	}
	step := min(32, (wide-40)/float64(max(o.Give.Len()+o.Want.Len(), 1)))
	x := 42.0
	x = d.cards(x, middle, step, o.Give)
	d.put(domain.Path{}.M(x+2, middle-3).L(x+14, middle-3).L(x+14, middle-9).L(x+26, middle).
		L(x+14, middle+9).L(x+14, middle+3).L(x+2, middle+3).Z().Filled(colAccent))
	d.cards(x+34, middle, step, o.Want)
	if !answered {
		return
	}
	for i, seat := range o.To.List() {
		sign := "?"
		switch {
		case o.Yes.Has(int8(seat)):
			sign = "yes"
		case o.No.Has(int8(seat)):
			sign = "no"
		}
		d.seat(domain.Pt(handWide-20-30*float64(len(o.To.List())-1-i), middle), int8(seat), sign)
	}
}

// cards draws small cards in a row, overlapping if there are many, and returns where they end.
func (d *drawing) cards(x, middle, step float64, h table.Hand) float64 {
	for r, n := range h {
		for range n {
			d.put(round(x, middle-21, 29, 42, 4).Drawn(colPaper, colInk, 1.2),
				round(x+2.5, middle-18.5, 24, 37, 2.5).Filled(colTerrain[r]),
				domain.Shape{Use: "icon-" + table.ResourceWords[r], At: domain.Pt(x+14.5, middle),
					Scale: 0.82})
			x += step
		}
	}
	return x + max(0, 30-step)
}

// seat draws a seat's letter on its colour, with its answer below: yes, no, or not yet.
func (d *drawing) seat(at domain.Point, c int8, sign string) {
	if sign != "" {
		at.Y -= 9
	}
	fill := domain.SeatColor(domain.Seat(c))
	d.put(disc(at, 13).Drawn(fill, colInk, 1.4),
		domain.Letters(domain.Seat(c).Letter(), at, 15, colWhite))
	x, y := at.X, at.Y+23
	switch sign {
	case "yes":
		d.put(domain.Path{}.M(x-7, y).L(x-2, y+5).L(x+7, y-6).Stroked(colAccent, 3.4))
	case "no":
		d.put(domain.Path{}.M(x-5, y-5).L(x+5, y+5).M(x+5, y-5).L(x-5, y+5).Stroked(colRed, 3.4))
	case "?":
		d.put(domain.Letters("?", domain.Pt(x, y), 15, colSoft))
	}
}
