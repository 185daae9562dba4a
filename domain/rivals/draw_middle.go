package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// middle is the strip between the principalities: stacks by their backs and sizes, the open
// stack, the discard pile's top, the dice and the event.
func (d *drawing) middle(y float64) {
	b := d.b
	d.add(box(0, y, d.w, middleH-6, 0, domain.RGB(0xE2D6B8)))
	mid := y + (middleH-6)/2
	items := len(b.Stacks) + 3
	step := min(66, (d.w-2*margin)/float64(items))
	x := d.w/2 - step*float64(items-1)/2
	d.stackW = min(52, step-6)
	for i, p := range b.Stacks {
		back := backColors[setNamed(p.Back)]
		shape := box(-d.stackW/2, -34, d.stackW, 68, 6, back)
		shape.Stroke, shape.Width = paper, 2
		d.spots["k-"+strconv.Itoa(i+1)] = domain.Point{X: x, Y: mid}
		d.add(domain.Shape{Group: []domain.Shape{shape, text(0, -12, strconv.Itoa(i+1), 22, paper, true), text(0, 16, "×"+strconv.Itoa(len(p.Cards)), 15, paper, false)},
			At: domain.Point{X: x, Y: mid}, Title: domain.S("title.stack", "n", i+1, "back", domain.S("back."+p.Back), "size", len(p.Cards))})
		x += step
	}
	for _, name := range []string{first(b.Open), first(b.Discard)} {
		if c, ok := cardNamed[name]; ok {
			d.small(c, domain.Point{X: x, Y: mid})
		}
		x += step
	}
	d.dice(x, mid)
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (d *drawing) small(c Card, at domain.Point) {
	n := len(d.scene.Shapes)
	d.card(c, at, false)
	d.scene.Shapes[n].Scale = 0.68
}

// dice shows the roll of this turn, or the event card being resolved.
func (d *drawing) dice(x, y float64) {
	if c, ok := cardNamed[d.b.Event]; ok {
		d.small(c, domain.Point{X: x, Y: y})
		return
	}
	if d.b.Die == 0 {
		return
	}
	die := box(x-15, y-34, 30, 30, 5, paper)
	die.Stroke, die.Width = ink, 1.5
	d.add(die, text(x, y-19, strconv.Itoa(d.b.Die), 20, ink, true))
	uses := map[string]string{"brigand": "swords", "trade": "scales", "celebration": "harp", "harvest": "res-grain", "event": "bolt"}
	if use := uses[d.b.Face]; use != "" {
		d.add(domain.Shape{Use: use, At: domain.Point{X: x, Y: y + 17}, Scale: 0.8})
	}
}

// hands: the viewer's at the foot, the other's as backs along the head.
func (d *drawing) hands(top, bottom domain.Seat) {
	y := d.h - margin - cardSize/2
	list := d.b.Seats[bottom].Hand
	x := d.w/2 - gridStep*float64(len(list)-1)/2
	why := d.b.whyNot()
	for i, name := range list {
		if c, ok := cardNamed[name]; ok {
			n := len(d.scene.Shapes)
			d.card(c, domain.Point{X: x, Y: y}, true)
			if i < len(why) && why[i] != nil { // dimmed, and the reason on its face
				face := &d.scene.Shapes[n]
				face.Group = append(face.Group, box(-cardSize/2, -cardSize/2, cardSize, cardSize, 7, felt.Alpha(150)))
				face.Title = domain.S("title.card-not", "facts", c.facts(), "why", *why[i])
			}
		} else {
			d.back(name, x, y)
		}
		x += gridStep
	}
	x, y = d.w-margin-24, margin+18
	for _, name := range d.b.Seats[top].Hand {
		n := len(d.scene.Shapes)
		if c, ok := cardNamed[name]; ok {
			d.card(c, domain.Point{X: x, Y: y}, false)
			d.scene.Shapes[n].Scale = 0.45
		} else {
			d.back(name, 0, 0)
			d.scene.Shapes[n].At, d.scene.Shapes[n].Scale = domain.Point{X: x, Y: y}, 0.4
		}
		x -= 48
	}
}

// back is the back of an unknown card: "?gold".
func (d *drawing) back(name string, x, y float64) {
	color := backColors[Basic]
	for i, set := range setNames {
		if name == "?"+set {
			color = backColors[i]
		}
	}
	shape := box(-34, -46, 68, 92, 7, color)
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
	d.add(frame, disc(badge.X, badge.Y, 14, accent, paper), text(badge.X, badge.Y, o.Name, 16, paper, true))
}
