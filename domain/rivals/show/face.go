package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/table"
)

// Units of the pictures: a card is 96 by 128, and a region has the same height.
const (
	cardW, cardH = 96.0, 128.0
	landW, landH = 88.0, 128.0
	cityW        = 198.0 // two sites side by side
	rowH         = 84.0  // for what stands along the middle
	between      = 6.0
	margin       = 8.0
)

// hue returns a colour of the vocabulary.
func hue(name string) domain.Color {
	c, ok := drawings().colours[name]
	if !ok {
		panic("rivals: no colour " + name)
	}
	return c
}

// picture is a scene being drawn: what people can choose on it, and the symbols it uses.
type picture struct {
	scene domain.Scene
	open  map[string]string // what can be chosen, with its name
	other map[string]bool   // what could have been chosen instead
	best  map[string]bool   // of open, what stands out among the others
	named bool              // places bear their names
	ahead map[string]string // places where a single card can be built before it is chosen, with its name
	has   map[string]bool   // the symbols
}

func newPicture(sketch domain.Sketch) *picture {
	p := &picture{domain.Scene{Ground: hue("felt")}, map[string]string{}, map[string]bool{}, map[string]bool{},
		sketch.Narrow, map[string]string{}, map[string]bool{}}
	for _, o := range sketch.Ahead {
		_, p.ahead[o.Spot], _ = strings.Cut(o.Key, "-")
		p.other[o.Spot] = true
	}
	for _, o := range sketch.Other {
		p.other[o.Spot] = true
	}
	for _, o := range sketch.Open {
		p.open[o.Spot] = o.Name
		if o.Best {
			p.best[o.Spot] = true
		}
	}
	return p
}

func (p *picture) add(s ...domain.Shape) { p.scene.Shapes = append(p.scene.Shapes, s...) }

// use returns a drawing of the vocabulary, and adds it to the picture.
func (p *picture) use(id string, x, y, scale float64) domain.Shape {
	if !p.has[id] {
		p.has[id] = true
		sym, ok := drawings().symbols[id]
		if !ok {
			panic("rivals: no drawing " + id)
		}
		p.scene.Symbols = append(p.scene.Symbols, sym)
		for _, s := range sym.Shapes {
			if s.Use != "" {
				p.use(s.Use, 0, 0, 1)
			}
		}
	}
	return domain.Shape{Use: id, At: domain.Pt(x, y), Scale: scale}
}

// sign returns a sign of points or a resource, this many units large.
func (p *picture) sign(name string, x, y, size float64) domain.Shape {
	return p.use("i-"+name, x, y, size/26)
}

// area is where something lies.
type area struct{ x, y, w, h float64 }

// place puts a group of shapes in an area, drawn from its upper left corner. If it can be chosen, it can be pressed,
// or bears its name in a mail; a card can always be pressed, to be read.
func (p *picture) place(spot string, card bool, a area, title domain.Say, group ...domain.Shape) {
	s := domain.Shape{Group: group, At: domain.Pt(a.x, a.y), Title: title}
	name, open := p.open[spot]
	if open {
		tint := hue("accent").Alpha(34)
		if card {
			tint = 0
		}
		s.Class = "open"
		s.Group = append(s.Group, kit.Edged(rounded(0, 0, a.w, a.h, 8, tint), hue("accent"), 4))
		if p.named {
			s.Group = append(s.Group, p.plate(name, card, a.h, len(p.best) == 0 || p.best[spot])...)
		}
	}
	if p.other[spot] && !open && !card {
		frame := kit.Edged(rounded(2, 2, a.w-4, a.h-4, 8, hue("accent").Alpha(16)), hue("accent"), 2)
		frame.Dash = 6
		s.Group = append(s.Group, frame)
	}
	if !open && !card && !p.other[spot] {
		p.add(s)
		return
	}
	// The pressable pane lies over the drawing, so that the letters in it do not become part of the link's name.
	pane := rounded(0, 0, a.w, a.h, 8, 0)
	pane.Hidden = true
	press := domain.Shape{Group: []domain.Shape{pane}, At: s.At, Title: title, Spot: spot, Class: s.Class}
	s.Title, s.Class = domain.Say{}, ""
	p.add(s)
	p.add(press)
}

// plate is the name of what can be chosen in an area so high, which stands out or not.
func (p *picture) plate(name string, card bool, high float64, best bool) []domain.Shape {
	w, h, y := 18+10*float64(len(name)), 27.0, -3.0
	switch {
	case card: // below its name
		y = 35
	case high > 100: // between the name of a region and its number
		w, h, y = 14+9*float64(len(name)), 21, 22
	}
	fill, ink := hue("accent"), hue("onaccent")
	if !best {
		fill, ink = ink, fill
	}
	return []domain.Shape{kit.Edged(rounded(-3, y, w, h, h*.44, fill), ink, 1.5),
		label(w/2-3, y+h/2, h*2/3, name, ink)}
}

// readR is the size of the mark for reading a card, in its lower right corner; whatever stands at the foot of a card
// ends left of it.
const readR = 9.0

// reader is the mark for reading a card that does something else when pressed: in its lower right corner, where it
// covers neither its cost nor its picture.
func (p *picture) reader(spot string, a area) {
	const finger = 54.0 // 44 pixels for the smallest hand; it ends where the next card begins
	tip := kit.Filled(domain.Rect(readR+3-finger, readR+6-finger, finger, finger), 0)
	tip.Hidden = true
	at := domain.Pt(a.x+a.w+2-readR, a.y+a.h+2-readR)
	p.add(domain.Shape{At: at, Spot: domain.ReadSpot + spot,
		Group: []domain.Shape{tip, kit.Edged(kit.Disc(0, 0, readR, hue("tab")), hue("accent"), 1.8),
			label(0, 0, 14, "i", hue("number"))}})
}

// rounded draws a rectangle with round corners.
func rounded(x, y, w, h, r float64, fill domain.Color) domain.Shape {
	return kit.Filled(domain.Path{}.M(x+r, y).L(x+w-r, y).Q(x+w, y, x+w, y+r).L(x+w, y+h-r).Q(x+w, y+h, x+w-r, y+h).
		L(x+r, y+h).Q(x, y+h, x, y+h-r).L(x, y+r).Q(x, y, x+r, y).Z(), fill)
}

func label(x, y, size float64, text string, fill domain.Color) domain.Shape {
	s := kit.Text(x, y, size, text, fill)
	s.Bold, s.Serif = true, true
	return s
}

// words draws a text in the viewer's language around a point.
func words(x, y, size, wide float64, lines int, text domain.Say, fill domain.Color) domain.Shape {
	return domain.Shape{Words: text, At: domain.Pt(x, y), Size: size, Wide: wide, Lines: lines, Bold: true,
		Fill: fill}
}

// frames are the colours of the ways of framing a card, and of the names on them.
var frames = map[string][2]string{
	"settlement": {"building", "onband"}, "city": {"city", "onband"}, "ship": {"ship", "onband"},
	"hero":   {"hero", "onband"},
	"action": {"action", "number"}, "event": {"event", "onband"}, "region": {"region", "onband"},
	"centre": {"centre", "number"},
}

// small draws a card's face from its upper left corner: its name, its picture, its points down the side, and along
// the foot its cost or what it is.
func (p *picture) small(c table.Card) []domain.Shape {
	row := c.Row()
	of := drawings().faces[row.ID]
	k, name := hue(frames[of.kind][0]), words(48, 18.5, 12.4, 86, 2, c.Word(), hue(frames[of.kind][1]))
	name.Serif = true
	group := []domain.Shape{
		kit.Edged(rounded(.5, .5, 95, 127, 7, k), hue("ink"), 1), rounded(3, 30, 90, 95, 4, hue("card")),
		p.use("c-"+row.ID, 3, 34.5, 90./110), kit.Filled(band(of.kind, 96, 34, 3, 4.5), k), name,
		kit.Line(3, 100, 93, 100, 1, hue("ink")),
	}
	y := 43.0
	for _, m := range marks(row.Points) {
		if m.n > 0 {
			group = append(group, p.tab(m, 93, y, 15)...)
			y += 19.5
		}
	}
	group = append(group, p.medal(of, 6, 79, 14)...)
	if row.Cost.Total() == 0 {
		return append(group, words(42, 112.5, 11.5, 72, 1, domain.S("kind."+row.Kind.String()), hue("quiet")))
	}
	return append(group, p.price(row.Cost, 5.5, 112.5)...)
}

// large draws a card's face as people read it in full, without the text that stands below it.
func (p *picture) large(c table.Card) {
	row := c.Row()
	of := drawings().faces[row.ID]
	k, name := hue(frames[of.kind][0]), words(120, 26, 22, 208, 2, c.Word(), hue(frames[of.kind][1]))
	name.Serif = true
	p.scene.W, p.scene.H, p.scene.Ground = 240, 216, 0
	p.add(kit.Filled(rounded(0, 0, 240, 230, 14, k).Path, k), p.use("c-"+row.ID, 7, 46, 226./110),
		kit.Filled(band(of.kind, 240, 48, 7, 8), k), name,
		kit.Line(7, 210.4, 233, 210.4, 1, hue("ink")))
	y := 62.0
	for _, m := range marks(row.Points) {
		if m.n > 0 {
			p.add(p.tab(m, 233, y, 28)...)
			y += 38
		}
	}
	p.add(p.medal(of, 15, 164, 26)...)
}

// band is the background of a card's name. Its lower edge shows the kind without colour: battlements, waves, an arch,
// a point, cut corners.
func band(kind string, w, h, inset, r float64) domain.Path {
	x0, x1 := inset, w-inset
	p := domain.Path{}.M(x0, inset+r).Q(x0, inset, x0+r, inset).L(x1-r, inset).Q(x1, inset, x1, inset+r)
	switch kind {
	case "ship":
		step := (x1 - x0) / 4
		p = p.L(x1, h)
		for i := range 4 {
			x := x1 - float64(i)*step
			p = p.Q(x-step/2, h+step*.22, x-step, h)
		}
		return p.Z()
	case "hero":
		p = p.L(x1, h).Q(w/2, h-w*.05, x0, h)
	case "city":
		for i := range 7 {
			low, step := h, (x1-x0)/7
			if i%2 == 0 {
				low += w * .035
			}
			p = p.L(x1-float64(i)*step, low).L(x1-float64(i+1)*step, low)
		}
	case "action":
		p = p.L(x1, h).L(w/2+w*.1, h).L(w/2, h+w*.05).L(w/2-w*.1, h).L(x0, h)
	case "event":
		p = p.L(x1, h-w*.04).L(x1-w*.06, h+w*.02).L(x0+w*.06, h+w*.02).L(x0, h-w*.04)
	default:
		p = p.L(x1, h).L(x0, h)
	}
	return p.Z()
}

// tab draws a kind of points on a tab at the right rim, with the number if it may be more than one.
func (p *picture) tab(m mark, x, y, s float64) []domain.Shape {
	number := m.n > 1 || m.word == "strength" || m.word == "skill"
	w, h, at := s*1.4, s*1.25, s*.72
	if number {
		w, at = s*2, s*.76
	}
	group := []domain.Shape{kit.Edged(
		kit.Filled(domain.Path{}.M(x, y).L(x-w+s*.3, y).Q(x-w, y, x-w, y+h/2).Q(x-w, y+h, x-w+s*.3, y+h).L(x, y+h).Z(),
			hue("tab")), hue("ink"), 1),
		p.sign(m.word, x-w+at, y+h/2, s)}
	if number {
		group = append(group, bold(x-s*.36, y+h/2, s*.9, strconv.Itoa(m.n), hue("number")))
	}
	return group
}

func bold(x, y, size float64, text string, fill domain.Color) domain.Shape {
	s := kit.Text(x, y, size, text, fill)
	s.Bold = true
	return s
}

// medal draws what a card does to a resource.
func (p *picture) medal(of face, x, y, s float64) []domain.Shape {
	if of.medal == "" {
		return nil
	}
	w := s * (1.2 + .5*float64(len(of.medal)))
	return []domain.Shape{kit.Edged(rounded(x, y, w, s*1.35, s*.5, hue("tab")), hue("ink"), 1),
		bold(x+s*(.16+.25*float64(len(of.medal))), y+s*.69, s*.76, of.medal, hue("number")),
		p.sign(of.sign, x+w-s*.6, y+s*.68, s*.9)}
}

// price draws what a card costs: each resource as often as it is paid, or with a number if there are more than five.
// It leaves room beside it for the mark for reading a card.
func (p *picture) price(g table.Goods, x, y float64) (group []domain.Shape) {
	s, few := 15.0, g.Total() <= 5
	if g.Total() > 4 {
		s = 14
	}
	for res, n := range g {
		if few {
			for range n {
				group = append(group, p.sign(table.Res(res).String(), x+s/2, y, s))
				x += s * 1.03
			}
			continue
		}
		if n > 1 {
			group = append(group, bold(x+s*.3, y, s*.86, strconv.Itoa(int(n)), hue("cardink")))
			x += s * .6
		}
		if n > 0 {
			group = append(group, p.sign(table.Res(res).String(), x+s/2, y, s))
			x += s * 1.18
		}
	}
	return group
}

// back draws a card lying face down.
func (p *picture) back(set table.Set, w, h float64) []domain.Shape {
	k := hue([table.Sets]string{"basic", "age-gold", "turmoil", "progress"}[set])
	return []domain.Shape{kit.Edged(rounded(.5, .5, w-1, h-1, w*.08, k), hue("ink"), 1),
		kit.Edged(rounded(w*.08, w*.08, w*.84, h-w*.16, w*.05, 0), hue("onband"), max(1, w*.02))}
}

// mark is a kind of points.
type mark struct {
	word string
	n    int
}

func marks(p table.Points) [5]mark {
	return [...]mark{{"victory", int(p.Victory)}, {"commerce", int(p.Commerce)}, {"strength", int(p.Strength)},
		{"skill", int(p.Skill)}, {"progress", int(p.Progress)}}
}
