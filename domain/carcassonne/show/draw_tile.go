package show

import (
	"math"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// The colours of the landscape.
var (
	fieldColor   = domain.RGB(0xA9BE72)
	grainColor   = domain.RGB(0x97AE60)
	turfColor    = domain.RGB(0x75894A)
	bushColor    = domain.RGB(0x7F9A50)
	bushLight    = domain.RGB(0x94AE62)
	roadColor    = domain.RGB(0xF2E8D0)
	casingColor  = domain.RGB(0x8B7A5E)
	cityColor    = domain.RGB(0xD8B07A)
	cityShade    = domain.RGB(0xC89C64)
	wallColor    = domain.RGB(0x7B4F2E)
	stoneColor   = domain.RGB(0xB98A5B)
	roofColor    = domain.RGB(0xC0674A)
	roofShade    = domain.RGB(0x9E4E37)
	thatchColor  = domain.RGB(0xB7935C)
	thatchShade  = domain.RGB(0x93713F)
	roofLine     = domain.RGB(0x5E3426)
	waterColor   = domain.RGB(0x6FA8C7)
	waterLight   = domain.RGB(0x93C0D8)
	bankColor    = domain.RGB(0x5B8597)
	courtColor   = domain.RGB(0xEBE1C6)
	kerbColor    = domain.RGB(0xA89468)
	churchColor  = domain.RGB(0xB8412F)
	pennantColor = domain.RGB(0x2F4B7C)
	boulderColor = domain.RGB(0x9C968A)
	hedgeColor   = domain.RGB(0x5E7F3E)
	bedColors    = [4]domain.Color{domain.RGB(0xCC6677), domain.RGB(0xE8C84F), domain.RGB(0x9A7FBF),
		domain.RGB(0xEFE6D8)}
	paperColor  = domain.RGB(0xFAF6EC)
	sheetColor  = domain.RGB(0xF3ECDB)
	gridColor   = domain.RGB(0xE4DAC2)
	inkColor    = domain.RGB(0x2B2A28)
	inkSoft     = domain.RGB(0x6B6459)
	accentColor = domain.RGB(0x0B6E6E)
)

// TileSymbol draws a tile as the table has it, around its middle. It leaves out the pennant, which hangs upright
// however the tile is turned.
func TileSymbol(id table.TileID) domain.Symbol {
	t := id.Tile()
	d := tileDrawing{t: t, lay: PlanOf(id), g: grainOf(t.Letter)}
	d.field()
	d.waters()
	d.garden()
	d.roads()
	d.cities()
	d.cloister()
	d.village()
	d.add(domain.Rect(-HalfTile+.5, -HalfTile+.5, 2*HalfTile-1, 2*HalfTile-1).Stroked(inkColor.Alpha(0x26), 1))
	return domain.Symbol{ID: "tile-" + t.Letter, X: -HalfTile, Y: -HalfTile, W: 2 * HalfTile, H: 2 * HalfTile,
		Shapes: d.shapes}
}

type tileDrawing struct {
	t      *table.Tile
	lay    *GroundPlan
	g      *grain
	shapes []domain.Shape
}

func (d *tileDrawing) add(s ...domain.Shape) { d.shapes = append(d.shapes, s...) }

// open reports whether a place is field, with some room around it.
func (d *tileDrawing) open(q Point, room float64) bool {
	for _, o := range [...]Point{{}, {X: room}, {X: -room}, {Y: room}, {Y: -room}} {
		l := d.lay.At(domain.Pt(q.X+o.X, q.Y+o.Y))
		if l <= OpenLabel || d.t.Parts[l-1].Kind != table.Field {
			return false
		}
	}
	return true
}

// field draws the ground, with strokes of grass and a few bushes.
func (d *tileDrawing) field() {
	d.add(domain.Rect(-HalfTile, -HalfTile, 2*HalfTile, 2*HalfTile).Filled(fieldColor))
	var grass domain.Path
	for range 20 {
		q := domain.Pt(d.g.in(-46, 46), d.g.in(-46, 46))
		w := d.g.in(2.5, 5)
		if d.open(q, 3) {
			grass = grass.M(q.X-w/2, q.Y).Q(q.X, q.Y-1.6, q.X+w/2, q.Y)
		}
	}
	if grass != nil {
		d.add(grass.Stroked(grainColor, 1.1))
	}
	stands := []Point{}
	for range 14 {
		q := domain.Pt(d.g.in(-43, 43), d.g.in(-43, 43))
		if len(stands) < 3 && d.open(q, 7) && NearestTo(stands, q) > 12 {
			stands = append(stands, q)
			r := d.g.in(2.6, 3.9)
			d.add(domain.Ellipse(q.X, q.Y, r, r).Filled(bushColor),
				domain.Ellipse(q.X-r*.25, q.Y-r*.25, r*.5, r*.5).Filled(bushLight))
		}
	}
}

// linesOf returns the lines of all roads, or of the river.
func (d *tileDrawing) linesOf(k table.Kind) (lines domain.Path) {
	for _, w := range d.lay.ways {
		if w.kind == k {
			lines = append(lines, w.line...)
		}
	}
	return lines
}

// waters draws the river with its banks, the spring among stones, the lake.
func (d *tileDrawing) waters() {
	lines := d.linesOf(table.River)
	if lines == nil {
		return
	}
	pool := domain.Path(nil)
	switch d.t.Set {
	case table.Spring:
		pool = domain.Ellipse(-2, 0, 12, 11)
	case table.Lake:
		pool = domain.Path{}.M(-22, -8).C(-20, -24, 4, -28, 20, -20).C(34, -13, 34, 12, 22, 20).
			C(8, 29, -18, 24, -22, 8).C(-23, 3, -23, -3, -22, -8).Z()
	}
	d.add(lines.Stroked(bankColor, riverBanks))
	if pool != nil {
		d.add(pool.Drawn(bankColor, bankColor, 5))
	}
	d.add(lines.Stroked(waterColor, riverWide))
	if pool != nil {
		d.add(pool.Filled(waterColor))
	}
	d.add(d.ripples().Stroked(waterLight, 1.2))
	if d.t.Set == table.Spring {
		d.stones()
	}
}

// ripples returns lines that follow the river slightly off its middle.
func (d *tileDrawing) ripples() (p domain.Path) {
	for _, w := range d.lay.ways {
		if w.kind != table.River {
			continue
		}
		for i := 8; i+14 < len(w.pts); i += 20 {
			off := d.g.in(-4.5, 4.5)
			for k := i; k <= i+8; k += 4 {
				a, b := w.pts[k], w.pts[k+1]
				n := Distance(a, b)
				x, y := a.X-(b.Y-a.Y)/n*off, a.Y+(b.X-a.X)/n*off
				if k == i {
					p = p.M(x, y)
				} else {
					p = p.L(x, y)
				}
			}
		}
	}
	if d.t.Set == table.Lake {
		for _, q := range [...]Point{domain.Pt(-4, -12), domain.Pt(12, -4), domain.Pt(2, 6), domain.Pt(16, 11),
			domain.Pt(-8, 15)} {
			p = p.M(q.X-5, q.Y).Q(q.X-2.5, q.Y-2, q.X, q.Y).Q(q.X+2.5, q.Y+2, q.X+5, q.Y)
		}
	}
	return p
}

func (d *tileDrawing) stones() {
	for i := range 9 {
		a := (50 + float64(i)*32.5) * math.Pi / 180
		r := d.g.in(2.4, 3.9)
		x, y := -2+15*math.Cos(a), 14*math.Sin(a)
		d.add(domain.Ellipse(x, y, r, r*.85).Drawn(boulderColor, inkSoft, .8))
	}
}

// garden draws a round bed of four plots.
func (d *tileDrawing) garden() {
	if d.t.Shrine != table.Garden {
		return
	}
	c, r := d.lay.Middle, gardenWide(d.lay)
	d.add(domain.Ellipse(c.X, c.Y, r, r).Drawn(hedgeColor, domain.RGB(0x47632D), 1),
		domain.Ellipse(c.X, c.Y, r-2.4, r-2.4).Filled(courtColor))
	in, gap := r-3.6, 1.1
	for q, col := range bedColors {
		k := quarterArc * (in - gap)
		p := domain.Path{}.M(gap, -gap).L(gap, -in).C(gap+k, -in, in, -gap-k, in, -gap).Z()
		p = kit.Mapped(quartered(p, q), func(at Point) Point { return domain.Pt(at.X+c.X, at.Y+c.Y) })
		d.add(p.Drawn(col, hedgeColor, .9))
	}
	d.add(domain.Ellipse(c.X, c.Y, r/6, r/6).Drawn(waterColor, bankColor, .8))
}

// roads draws roads in a casing; where they cross the river, on a bridge.
func (d *tileDrawing) roads() {
	lines := d.linesOf(table.Road)
	if lines == nil {
		return
	}
	d.bridges()
	d.add(lines.Stroked(casingColor, roadCased),
		lines.Stroked(roadColor, roadWide))
}

// bridges draws stone parapets on both sides of a road, from bank to bank.
func (d *tileDrawing) bridges() {
	for _, road := range d.lay.ways {
		for _, river := range d.lay.ways {
			if road.kind != table.Road || river.kind != table.River {
				continue
			}
			var over []Point
			for _, q := range road.pts {
				if NearestTo(river.pts, q) < riverBanks/2+1 {
					over = append(over, q)
				}
			}
			if len(over) < 2 {
				continue
			}
			a, b := over[0], over[len(over)-1]
			n := Distance(a, b)
			dx, dy := (b.X-a.X)/n, (b.Y-a.Y)/n
			d.add(domain.Path{}.M(a.X, a.Y).L(b.X, b.Y).Stroked(inkSoft, roadCased+7),
				domain.Path{}.M(a.X+dx, a.Y+dy).L(b.X-dx, b.Y-dy).Stroked(boulderColor, roadCased+4.5))
		}
	}
}

// village draws the square of houses where roads end in the middle.
func (d *tileDrawing) village() {
	if !isJunction(d.t) {
		return
	}
	d.add(domain.Ellipse(0, 0, 10, 10).Drawn(roadColor, casingColor, 1.8))
	for q, at := range [...]Point{domain.Pt(12, -12), domain.Pt(12, 12), domain.Pt(-12, 12), domain.Pt(-12, -12)} {
		d.house(at, 10, 8, 45+90*float64(q)+d.g.in(-10, 10), q%2 == 1)
	}
	if d.t.Edges[0] != table.Road {
		d.house(Point{Y: -15}, 11.5, 8.5, d.g.in(-6, 6), true)
	}
}

// house draws a roof from above: two slopes and the ridge.
func (d *tileDrawing) house(at Point, w, h, degrees float64, thatched bool) {
	light, dark := roofColor, roofShade
	if thatched {
		light, dark = thatchColor, thatchShade
	}
	d.add(domain.Shape{At: at, Turn: degrees, Group: []domain.Shape{
		domain.Rect(-w/2, -h/2, w, h).Drawn(dark, roofLine, 1.4),
		domain.Rect(-w/2, -h/2, w, h/2).Filled(light),
	}})
}

// cloister draws the court on which a church stands.
func (d *tileDrawing) cloister() {
	if d.t.Shrine != table.Cloister {
		return
	}
	at, r := d.lay.Middle, d.lay.Round
	d.add(domain.Ellipse(at.X, at.Y, r, r).Drawn(courtColor, kerbColor, 2))
}

// churchSymbol draws a cloister's church from the front: a tower and the nave beside it. A monk stands to its right;
// neither hides the other.
func churchSymbol() domain.Symbol {
	line := func(fill domain.Color, xy ...float64) domain.Shape {
		return kit.Poly(xy...).Drawn(fill, roofLine, 1.2)
	}
	window := func(x, y float64) domain.Shape {
		return domain.Shape{Path: domain.Path{}.M(x-1.7, y+3).L(x-1.7, y-1).Q(x, y-4, x+1.7, y-1).L(x+1.7, y+3).Z(),
			Fill: roofLine, Class: "window"}
	}
	return domain.Symbol{ID: "church", X: -20, Y: -34, W: 36, H: 48, Shapes: []domain.Shape{
		line(wallLight, -6, 11, -6, 0, 12, 0, 12, 11), line(churchColor, -8, 1, 1.5, -10, 4.5, -10, 14.5, 1),
		line(wallLight, -16, 11, -16, -14, -4, -14, -4, 11), line(churchColor, -18, -13.5, -10, -31, -2, -13.5),
		window(-10, -6), window(-10, 4), window(5, 6),
	}}
}

var wallLight = domain.RGB(0xE2DACA)
