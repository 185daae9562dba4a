package show

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// handPanel shows the viewer's hand, five cards in a row. A card that cannot be used is dimmed, and
// says why.
func handPanel(v *state.View, own domain.Seat, why []*domain.Say) domain.Panel {
	hand := v.Realms[own].Held()
	rows := max(1, (len(hand)+4)/5)
	p := newPicture(leastW, float64(rows)*gridStep+2*margin)
	for i, slot := range hand {
		at := domain.Point{X: margin + (float64(i%5)+0.5)*gridStep, Y: margin + (float64(i/5)+0.5)*gridStep}
		draw(slot.Card, p, at, 0, true)
		if i < len(why) && why[i] != nil {
			face := &p.scene.Shapes[len(p.scene.Shapes)-1]
			face.Group = append(face.Group, rounded(-cardSize/2, -cardSize/2, cardSize, cardSize, 7, felt.Alpha(150)))
			face.Title = domain.S("title.card-not", "facts", facts(slot.Card), "why", *why[i])
		}
	}
	return domain.Panel{Name: "hand", Weight: domain.PanelBeside, Scene: p.scene, Text: namesText(hand)}
}

// middlePanel shows the stacks by their backs and sizes, the open stack, the discard pile's top, the
// dice or the event.
func middlePanel(v *state.View, sketch domain.Sketch) domain.Panel {
	const cell, y = 66.0, 54.0
	items := int(v.DecksN) + 3
	p := newPicture(max(leastW, float64(items)*cell+2*margin), 2*y)
	x := p.scene.W/2 - cell*float64(items-1)/2
	for i := range v.Decks[:v.DecksN] {
		d, at := &v.Decks[i], domain.Point{X: x, Y: y}
		p.spots["k-"+strconv.Itoa(i+1)] = spot{at, cell - 4, 92}
		p.put(at, 0, domain.S("title.stack", "n", i+1, "back", domain.S("back."+d.Set.String()), "size", int(d.N)),
			kit.Edged(rounded(-cell/2+4, -42, cell-8, 84, 6, backColors[d.Set]), paper, 2), label(0, -14, 32, strconv.Itoa(i+1), paper), label(0, 22, 22, "×"+strconv.Itoa(int(d.N)), paper))
		x += cell
	}
	for _, pile := range [...]struct {
		top table.Card
		n   uint8
	}{{v.Open, v.OpenN}, {v.DiscardTop(), v.DiscardN}} {
		if pile.n > 0 {
			draw(pile.top, p, domain.Point{X: x, Y: y - 10}, 0.62, false)
			p.add(label(x, y+34, 20, "×"+strconv.Itoa(int(pile.n)), ink))
		}
		x += cell
	}
	dice(v, p, x, y)
	p.open(sketch)
	return domain.Panel{Name: "middle", Weight: domain.PanelStrip, Scene: p.scene, Text: middleText(v)}
}

// dice shows the roll of this turn, or the event card being resolved.
func dice(v *state.View, p *picture, x, y float64) {
	if v.Event != table.NoCard {
		draw(v.Event, p, domain.Point{X: x, Y: y}, 0.66, false)
		return
	}
	if v.Die == 0 {
		return
	}
	p.add(kit.Edged(rounded(x-20, y-42, 40, 40, 6, paper), ink, 1.5), label(x, y-22, 28, strconv.Itoa(int(v.Die)), ink))
	if use := [table.FacesN]string{table.Brigand: "swords", table.Trade: "scales", table.Celebration: "harp", table.Harvest: "res-grain", table.EventFace: "bolt"}[v.Face]; use != "" {
		p.add(domain.Shape{Use: use, At: domain.Point{X: x, Y: y + 22}})
	}
}
