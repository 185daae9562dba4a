package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// The drawing: two principalities face to face, the viewer's below, what both draw from in
// the middle, the viewer's hand at the foot. Units: a card is 96 square on a grid of 104.
const (
	gridStep = 104.0
	cardSize = 96.0
	rowsIn   = 5 // outer site, region and site, centre line, region and site, outer site
	sideH    = rowsIn*gridStep + 8
	middleH  = 92.0
	margin   = 16.0
	backsH   = 48.0 // the strip with the backs of the other's hand
)

var (
	paper  = domain.RGB(0xFAF6EC)
	ink    = domain.RGB(0x2B2A28)
	faint  = domain.RGB(0xB9AE98)
	accent = domain.RGB(0x0B6E6E)
	felt   = domain.RGB(0xEFE6D2)

	resColors  = [resources]domain.Color{domain.RGB(0xC67B4E), domain.RGB(0xE3C565), domain.RGB(0x5F8A5A), domain.RGB(0xA8C686), domain.RGB(0x9AA0A6), domain.RGB(0xD9B23B)}
	kindColors = [...]domain.Color{domain.RGB(0xD9B23B), domain.RGB(0x4E7F4A), domain.RGB(0xA8442F), domain.RGB(0x8C6239), domain.RGB(0x5C6B7A)}
	backColors = [sets]domain.Color{domain.RGB(0x6B6459), domain.RGB(0xB68A1E), domain.RGB(0x8A3B2F), domain.RGB(0x2F5E8A)}
)

// Draw is both principalities, what lies between them and the hands, in one picture.
func (Rulebook) Draw(view domain.View, sketch domain.Sketch) []domain.Panel {
	v, ok := view.(*View)
	if !ok {
		return []domain.Panel{{Name: "board", Weight: domain.PanelMain, Scene: domain.Scene{W: 1, H: 1, Ground: paper}}}
	}
	return []domain.Panel{{Name: "board", Weight: domain.PanelMain, Scene: v.scene(sketch), Text: v.Realms[0].sketch() + "\n" + v.Realms[1].sketch()}}
}

func (v *View) scene(sketch domain.Sketch) domain.Scene {
	d := newDrawing(v)
	d.scene.Shapes = append(d.scene.Shapes, box(0, 0, d.w, d.h, 0, felt))
	top, bottom := domain.Seat(1), domain.Seat(0)
	if v.Viewer == 1 {
		top, bottom = 0, 1
	}
	const y = margin + backsH
	d.side(top, y)
	d.middle(y + sideH)
	d.side(bottom, y+sideH+middleH)
	d.hands(top, bottom)
	for _, o := range sketch.Open {
		d.open(o)
	}
	return d.scene
}

type drawing struct {
	v         *View
	scene     domain.Scene
	w, h      float64
	low, high int
	stackW    float64                 // the width of a stack in the middle
	spots     map[string]domain.Point // where a spot's card lies: its middle
}

func newDrawing(v *View) *drawing {
	d := &drawing{v: v, spots: map[string]domain.Point{}}
	d.low = min(origin, int(min(v.Realms[0].Left, v.Realms[1].Left)))
	d.high = max(origin, int(max(v.Realms[0].Right, v.Realms[1].Right)))
	columns := 2*(d.high-d.low+1) + 1
	longest := max(v.Realms[0].HandN, v.Realms[1].HandN)
	d.w = max(float64(columns), float64(longest), 5)*gridStep + 2*margin + 60
	d.h = backsH + 2*sideH + middleH + gridStep + 3*margin
	d.scene = domain.Scene{W: d.w, H: d.h, Ground: paper, Symbols: symbols()}
	return d
}

func (d *drawing) add(s ...domain.Shape) { d.scene.Shapes = append(d.scene.Shapes, s...) }

// columnX is the middle of a column: a gap's, or (half) a town's.
func (d *drawing) columnX(col float64) float64 {
	columns := float64(2*(d.high-d.low+1) + 1)
	return d.w/2 + (col-(columns-1)/2)*gridStep + 20
}

func (d *drawing) gapX(gap int) float64   { return d.columnX(float64(2 * (gap - d.low))) }
func (d *drawing) townX(town int) float64 { return d.columnX(float64(2*(town-d.low) + 1)) }

// side draws a principality whose upper edge is at y.
func (d *drawing) side(seat domain.Seat, y float64) {
	r := &d.v.Realms[seat]
	centre := y + 2.5*gridStep
	letter := seat.Letter()
	d.badge(seat, y+gridStep/2)
	d.points(seat, y+gridStep)
	for at := range columns {
		if r.Roads&(1<<at) != 0 {
			x := d.gapX(at + 1)
			d.add(box(x-cardSize/2, centre-12, cardSize, 24, 6, domain.RGB(0xC9B48A)), line(x-cardSize/2+8, centre, x+cardSize/2-8, centre, paper, 3))
		}
	}
	for _, dir := range []string{"left", "right"} {
		d.spots["road-"+letter+"-"+dir] = domain.Point{X: d.endX(r, dir), Y: centre}
	}
	for i, q := range r.Regions {
		if p := Place(i); q.Number != 0 {
			at := domain.Point{X: d.gapX(p.gap()), Y: centre + []float64{-gridStep, gridStep}[p.side()]}
			d.spots["r-"+letter+"-"+p.Name()] = at
			d.region(q, at)
		}
	}
	if p := r.Cache; p != noPlace {
		at := domain.Point{X: d.gapX(p.gap()), Y: centre + []float64{-2, 2}[p.side()]*gridStep}
		d.spots["r-"+letter+"-cache"] = at
		d.card(goldCache, at, false)
		d.dots(at.X, at.Y+cardSize/2-10, int(r.CacheGold), resColors[GoldRes])
	}
	for t, town := range r.towns() {
		d.town(seat, t, town, centre)
	}
}

// endX is where the next road or settlement on a side would go.
func (d *drawing) endX(r *Realm, dir string) float64 {
	if dir == "left" {
		return max(margin+24, d.gapX(min(origin, int(r.Left)))-8)
	}
	return min(d.w-margin-24, d.gapX(max(origin, int(r.Right))+1)+8)
}

func (d *drawing) town(seat domain.Seat, t int, town *Town, centre float64) {
	x := d.townX(t)
	letter, at := seat.Letter(), strconv.Itoa(t-origin)
	d.spots["t-"+letter+"-"+at] = domain.Point{X: x, Y: centre}
	d.add(domain.Shape{Group: []domain.Shape{
		box(-cardSize/2, -cardSize/2, cardSize, cardSize, 8, domain.RGB(0xE8DDC3)),
		{Use: town.Level.String(), Fill: domain.SeatColor(seat)},
		text(0, 38, at, 16, ink, true),
	}, At: domain.Point{X: x, Y: centre}, Title: domain.S("title.town", "at", t-origin)})
	for side := range 2 {
		dir := []float64{-1, 1}[side]
		d.spots["s-"+letter+"-"+siteAt(t, side, 0).key()] = domain.Point{X: x, Y: centre + dir*gridStep}
		for slot, c := range town.Sites[side][:town.slots()] {
			p := domain.Point{X: x, Y: centre + dir*gridStep*float64(slot+1)}
			if c == NoCard {
				free := box(p.X-cardSize/2+3, p.Y-cardSize/2+3, cardSize-6, cardSize-6, 8, 0)
				free.Stroke, free.Width, free.Dash = faint, 2, 7
				d.add(free)
				continue
			}
			d.card(c, p, false)
		}
	}
}

// region is a square of its land, its number large, what it stores as dots on its upper edge.
func (d *drawing) region(q Region, at domain.Point) {
	ground := box(-cardSize/2, -cardSize/2, cardSize, cardSize, 6, resColors[q.Terrain])
	ground.Stroke, ground.Width = ink, 1
	group := []domain.Shape{ground, {Use: "land-" + q.Terrain.Terrain(), At: domain.Point{X: 0, Y: 4}}}
	group = append(group, disc(0, 10, 21, paper, ink), text(0, 10, strconv.Itoa(int(q.Number)), 26, ink, true))
	for i := range capacity {
		fill := paper.Alpha(110)
		if i < int(q.Stored) {
			fill = ink
		}
		group = append(group, disc(float64(i-1)*22, -cardSize/2+14, 8, fill, ink))
	}
	d.add(domain.Shape{Group: group, At: at, Title: domain.S("title.region", "terrain_word", "terrain."+q.Terrain.Terrain(), "number", int(q.Number), "stored", int(q.Stored))})
}

func (d *drawing) dots(x, y float64, n int, c domain.Color) {
	for i := range capacity {
		fill := paper
		if i < n {
			fill = c
		}
		d.add(disc(x+float64(i-1)*20, y, 7, fill, ink))
	}
}

// card is a card's face: border by kind, its sign, its code, its points down the side and,
// in a hand, what it costs.
func (d *drawing) card(c Card, at domain.Point, cost bool) {
	row := c.Row()
	face := box(-cardSize/2+2, -cardSize/2+2, cardSize-4, cardSize-4, 7, paper)
	face.Stroke, face.Width = kindColors[row.Kind], 5
	group := []domain.Shape{face, text(-12, -30, code(c), 17, ink, true)}
	group = append(group, sign(row)...)
	y := -30.0
	for _, p := range [...]struct {
		use string
		n   int8
	}{{"star", row.Points.Victory}, {"scales", row.Points.Commerce}, {"axe", row.Points.Strength}, {"harp", row.Points.Skill}, {"book", row.Points.Progress}} {
		if p.n == 0 {
			continue
		}
		group = append(group, domain.Shape{Use: p.use, At: domain.Point{X: 33, Y: y}, Scale: 0.8})
		if p.n > 1 {
			group = append(group, text(19, y, strconv.Itoa(int(p.n)), 14, ink, true))
		}
		y += 18
	}
	if cost {
		x := -38.0
		for res, n := range row.Cost {
			for range n {
				group = append(group, disc(x, 37, 5.5, resColors[res], ink))
				x += 11
			}
		}
	}
	d.add(domain.Shape{Group: group, At: at, Title: domain.S("title.card", "facts", c.facts())})
}

// code is a card's letters: the first of its words, or the first two of its only one.
func code(c Card) string {
	words := strings.Split(c.Row().ID, "_")
	if len(words) == 1 {
		return strings.ToUpper(words[0][:1]) + words[0][1:min(3, len(words[0]))]
	}
	out := ""
	for _, w := range words[:min(3, len(words))] {
		out += strings.ToUpper(w[:1])
	}
	return out
}

// sign is the picture of what a card is: a resource that is doubled or shipped, a hero, a
// building, a scroll, a bolt.
func sign(row *Row) []domain.Shape {
	at := domain.Point{X: -6, Y: 8}
	switch {
	case row.doubles != noRes:
		return []domain.Shape{{Use: "res-" + row.doubles.String(), At: at, Scale: 1.3}, text(20, 22, "+1", 17, ink, true)}
	case row.ship && row.rate != noRes:
		return []domain.Shape{{Use: "ship", At: at}, {Use: "res-" + row.rate.String(), At: domain.Point{X: -6, Y: 2}, Scale: 0.7}, text(24, 26, "2:1", 13, ink, true)}
	case row.ship:
		return []domain.Shape{{Use: "ship", At: at, Scale: 1.15}, text(24, 26, "2:1", 13, ink, true)}
	case row.hero:
		return []domain.Shape{{Use: "hero", At: at}}
	case len(row.build) > 0 && row.build[0].Do == "sink":
		return []domain.Shape{{Use: "ship", At: at}, {Use: "swords", At: domain.Point{X: -6, Y: 0}, Scale: 0.6}}
	case row.unit:
		return []domain.Shape{{Use: "unit", At: at}}
	case row.Kind == RegionCard:
		return []domain.Shape{{Use: "res-gold", At: at, Scale: 1.4}}
	case row.Kind == CityCard:
		return []domain.Shape{{Use: "tower", At: at}}
	case row.building:
		return []domain.Shape{{Use: "house", At: at}}
	case row.Kind == EventCard:
		return []domain.Shape{{Use: "bolt", At: at}}
	case row.Attack:
		return []domain.Shape{{Use: "swords", At: at}}
	}
	return []domain.Shape{{Use: "scroll", At: at}}
}

// badge is a seat's letter in its colour, left of its principality.
func (d *drawing) badge(seat domain.Seat, y float64) {
	d.add(disc(margin+22, y, 20, domain.SeatColor(seat), paper), text(margin+22, y, seat.Letter(), 22, paper, true))
}

// points stand below the badge: victory first, then the others, and the tokens held.
func (d *drawing) points(seat domain.Seat, y float64) {
	p := &d.v.Realms[seat].Points
	x := margin + 12
	for _, p := range [...]struct {
		use string
		n   int
	}{{"star", d.v.victory(seat)}, {"scales", int(p.Commerce)}, {"axe", int(p.Strength)}, {"harp", int(p.Skill)}, {"book", int(p.Progress)}} {
		d.add(domain.Shape{Use: p.use, At: domain.Point{X: x, Y: y}}, text(x+26, y, strconv.Itoa(p.n), 19, ink, true))
		y += 28
	}
	y += 16
	for _, token := range [...]struct {
		held bool
		use  string
		key  string
	}{{d.v.strongest() == seat, "axe", "title.hero"}, {d.v.busiest() == seat, "scales", "title.trade"}} {
		if token.held {
			d.add(domain.Shape{Group: []domain.Shape{disc(0, 0, 19, domain.RGB(0xF0D98A), ink), {Use: token.use}},
				At: domain.Point{X: x + 12, Y: y}, Title: domain.S(token.key)})
			y += 44
		}
	}
}
