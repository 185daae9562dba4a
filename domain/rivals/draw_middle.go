package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// middle is the strip between the principalities: stacks by their backs and sizes, the open
// stack, the discard pile's top, the dice and the event.
func (d *drawing) middle(y float64) {
	v := d.v
	d.add(box(0, y, d.w, middleH-6, 0, domain.RGB(0xE2D6B8)))
	mid := y + (middleH-6)/2
	items := int(v.DecksN) + 3
	step := min(66, (d.w-2*margin)/float64(items))
	x := d.w/2 - step*float64(items-1)/2
	d.stackW = min(52, step-6)
	for i := range v.Decks[:v.DecksN] {
		k := &v.Decks[i]
		shape := box(-d.stackW/2, -34, d.stackW, 68, 6, backColors[k.Set])
		shape.Stroke, shape.Width = paper, 2
		d.spots["k-"+strconv.Itoa(i+1)] = domain.Point{X: x, Y: mid}
		d.add(domain.Shape{Group: []domain.Shape{shape, text(0, -12, strconv.Itoa(i+1), 22, paper, true), text(0, 16, "×"+strconv.Itoa(int(k.N)), 15, paper, false)},
			At: domain.Point{X: x, Y: mid}, Title: domain.S("title.stack", "n", i+1, "back", domain.S("back."+k.Set.String()), "size", int(k.N))})
		x += step
	}
	open := v.Open
	if v.OpenN == 0 {
		open = NoCard
	}
	for _, c := range [...]Card{open, v.discardTop()} {
		if c != NoCard {
			d.small(c, domain.Point{X: x, Y: mid})
		}
		x += step
	}
	d.dice(x, mid)
}

func (d *drawing) small(c Card, at domain.Point) {
	n := len(d.scene.Shapes)
	d.card(c, at, false)
	d.scene.Shapes[n].Scale = 0.68
}

// dice shows the roll of this turn, or the event card being resolved.
func (d *drawing) dice(x, y float64) {
	if c := d.v.Event; c != NoCard {
		d.small(c, domain.Point{X: x, Y: y})
		return
	}
	if d.v.Die == 0 {
		return
	}
	die := box(x-15, y-34, 30, 30, 5, paper)
	die.Stroke, die.Width = ink, 1.5
	d.add(die, text(x, y-19, strconv.Itoa(int(d.v.Die)), 20, ink, true))
	if use := [facesN]string{Brigand: "swords", Trade: "scales", Celebration: "harp", Harvest: "res-grain", EventFace: "bolt"}[d.v.Face]; use != "" {
		d.add(domain.Shape{Use: use, At: domain.Point{X: x, Y: y + 17}, Scale: 0.8})
	}
}

// hands: the viewer's at the foot, the other's as backs along the head.
func (d *drawing) hands(top, bottom domain.Seat) {
	y := d.h - margin - cardSize/2
	list := d.v.Realms[bottom].hand()
	x := d.w/2 - gridStep*float64(len(list)-1)/2
	why := d.v.whyNot(d.v.Viewer.Seat())
	for i, slot := range list {
		if c := slot.Card; !c.hidden() {
			n := len(d.scene.Shapes)
			d.card(c, domain.Point{X: x, Y: y}, true)
			if i < len(why) && why[i] != nil { // dimmed, and the reason on its face
				face := &d.scene.Shapes[n]
				face.Group = append(face.Group, box(-cardSize/2, -cardSize/2, cardSize, cardSize, 7, felt.Alpha(150)))
				face.Title = domain.S("title.card-not", "facts", c.facts(), "why", *why[i])
			}
		} else {
			d.back(c, x, y)
		}
		x += gridStep
	}
	x, y = d.w-margin-24, margin+18
	for _, slot := range d.v.Realms[top].hand() {
		n := len(d.scene.Shapes)
		if c := slot.Card; !c.hidden() {
			d.card(c, domain.Point{X: x, Y: y}, false)
			d.scene.Shapes[n].Scale = 0.45
		} else {
			d.back(c, 0, 0)
			d.scene.Shapes[n].At, d.scene.Shapes[n].Scale = domain.Point{X: x, Y: y}, 0.4
		}
		x -= 48
	}
}

// back is the back of an unknown card.
func (d *drawing) back(c Card, x, y float64) {
	shape := box(-34, -46, 68, 92, 7, backColors[c.Set()])
	shape.Stroke, shape.Width = paper, 3
	d.add(domain.Shape{Group: []domain.Shape{shape, text(0, 0, "?", 30, paper, true)}, At: domain.Point{X: x, Y: y}})
}

// open marks a choice that lies on the board, with its number.
func (d *drawing) open(o domain.Spot) {
	at, ok := d.spots[o.Spot]
	if !ok {
		at = domain.Point{X: d.w / 2, Y: margin + backsH + sideH + middleH/2}
	}
	w, h, badge := cardSize, cardSize, domain.Point{X: at.X - 30, Y: at.Y - 30}
	if strings.HasPrefix(o.Spot, "k-") { // a stack is narrower than a card
		w, h, badge = d.stackW+4, 72, domain.Point{X: at.X, Y: at.Y - 36}
	}
	frame := box(at.X-w/2, at.Y-h/2, w, h, 8, accent.Alpha(28))
	frame.Stroke, frame.Width, frame.Spot, frame.Class = accent, 3, o.Spot, "open"
	d.add(frame, disc(badge.X, badge.Y, 14, accent, paper), text(badge.X, badge.Y, o.Name, min(16, 48/float64(max(1, len(o.Name)))), paper, true))
}
