package show

import (
	"cmp"
	"math"
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// The measures of the board seen from near, in units. On a phone 390 pixels wide a unit is 1.68 pixels, so a ring is
// 44.
const (
	nearSide  = 232.0 // what is shown around the tried place: it and its neighbours
	ringWide  = 13.2  // radius of a ring for a figure
	ringApart = 27.4  // between the middles of neighbouring rings
	arrowWide = 15.0  // radius of the arrow, beyond the tile's corner
	insetSide = 56.0  // of the whole map in a corner: as much as the tried tile leaves free there
	insetGap  = 4.0   // between it and the picture's edges
)

// near shows the board around the tried place: the tile as it would lie, where it can be turned, what can be claimed on
// it, and the whole map in a corner.
func (d *boardDrawing) near(t *state.ViewTile) {
	c := middle(t.X, t.Y)
	if d.sketch.Narrow {
		d.laid(t, c)
		return
	}
	d.scene.X, d.scene.Y, d.scene.W, d.scene.H = c.X-nearSide/2, c.Y-nearSide/2, nearSide, nearSide
	d.placed(t, c, 3.4)
	d.rings(t, c)
	d.arrow(c)
	d.inset(t, c)
}

// laidSide is what a small picture of a move shows: the tile and about half of each neighbour.
const laidSide = 190.0

// laid draws the tried tile in its place, as if it had been played, for a small picture.
func (d *boardDrawing) laid(t *state.ViewTile, c Point) {
	d.scene.X, d.scene.Y, d.scene.W, d.scene.H = c.X-laidSide/2, c.Y-laidSide/2, laidSide, laidSide
	d.placed(t, c, 6)
	if on, abbot, ok := figureOf(d.chosen(2)); ok {
		f := state.Stands{Seat: d.view.ToMove, Abbot: abbot, On: on}
		at := plus(c, d.stands(t, f))
		const wide = 18
		d.add(domain.Ellipse(at.X, at.Y, wide, wide).Drawn(accentColor, paperColor, 3),
			domain.Shape{Use: d.use(figureID(f), func() domain.Symbol { return figureSymbol(f) }), At: at,
				Class: "figure"})
	}
}

// placed draws the tried tile in its place, with brackets at its corners: between them one sees how its edges join.
func (d *boardDrawing) placed(t *state.ViewTile, c Point, wide float64) {
	const h, arm = HalfTile, 20.0
	d.add(domain.Shape{Use: d.use("under", underSymbol), At: c})
	d.tile(t)
	var brackets domain.Path
	for _, x := range [...]float64{-1, 1} {
		for _, y := range [...]float64{-1, 1} {
			brackets = brackets.M(c.X+x*(h-arm), c.Y+y*h).L(c.X+x*h, c.Y+y*h).L(c.X+x*h, c.Y+y*(h-arm))
		}
	}
	d.add(brackets.Stroked(paperColor, wide+3), domain.Shape{Path: brackets, Stroke: accentColor, Width: wide,
		Class: "ghost"})
}

// ringed is a figure that may go onto the tried tile, or already has.
type ringed struct {
	domain.Spot
	figure state.Stands
	at     Point
	chosen bool
}

// rings draws a ring for each figure that may go onto the tried tile, and the chosen figure.
func (d *boardDrawing) rings(t *state.ViewTile, c Point) {
	var list []ringed
	see := func(s domain.Spot, chosen bool) {
		if on, abbot, ok := figureOf(s.Key); ok {
			f := state.Stands{Seat: d.view.ToMove, Abbot: abbot, On: on}
			list = append(list, ringed{s, f, d.stands(t, f), chosen})
		}
	}
	for _, s := range slices.Concat(d.sketch.Open, d.sketch.Other) {
		see(s, false)
	}
	see(domain.Spot{Key: d.chosen(2)}, true)
	// the same positions, whichever is chosen
	slices.SortFunc(list, func(a, b ringed) int { return cmp.Compare(a.Key, b.Key) })
	spread(list)
	for _, r := range list {
		d.ringOf(r, plus(c, r.at))
	}
}

// stands returns where a figure stands on a tile around its own middle.
func (d *boardDrawing) stands(t *state.ViewTile, f state.Stands) Point {
	p := StandsAt(t.Tile, quartersOf(t.Turn), f.On)
	if f.Abbot && f.On.Kind == table.Cloister { // the follower's choice lies beside it
		p.X -= 26
	}
	return p
}

// spread pushes rings apart until a finger can tell them apart, but keeps them on the tile.
func spread(list []ringed) {
	const most = HalfTile - 6
	for range 40 {
		for i := range list {
			for k := range list[:i] {
				a, b := &list[i].at, &list[k].at
				far := Distance(*a, *b)
				if far >= ringApart {
					continue
				}
				x, y := 1.0, 0.0
				if far > 0.01 {
					x, y = (a.X-b.X)/far, (a.Y-b.Y)/far
				}
				push := (ringApart - far) / 2
				*a, *b = domain.Pt(a.X+x*push, a.Y+y*push), domain.Pt(b.X-x*push, b.Y-y*push)
			}
		}
		for i := range list {
			p := &list[i].at
			p.X, p.Y = min(max(p.X, -most), most), min(max(p.Y, -most), most)
		}
	}
}

// ringOf draws one of them. A chosen figure stands there in its colours.
func (d *boardDrawing) ringOf(r ringed, at Point) {
	seat := d.view.ToMove.Seat()
	if r.chosen {
		d.add(domain.Ellipse(at.X, at.Y, ringWide+2, ringWide+2).Drawn(accentColor, paperColor, 3))
		d.add(domain.Shape{Use: d.use(figureID(r.figure), func() domain.Symbol { return figureSymbol(r.figure) }),
			At: at, Class: "figure"})
		return
	}
	group := []domain.Shape{
		{Path: domain.Ellipse(0, 0, ringWide, ringWide), Hidden: true}, // as much is pressed as leaves the others free
		domain.Ellipse(0, 0, ringWide, ringWide).Drawn(paperColor.Alpha(0xD0), paperColor, 4),
		{Path: domain.Ellipse(0, 0, ringWide, ringWide), Stroke: domain.SeatColor(seat), Width: 2.6, Dash: 5},
		{Use: d.use(outlineID(r.figure), func() domain.Symbol { return outlineSymbol(r.figure, seat) })},
	}
	d.add(domain.Shape{At: at, Group: group, Spot: r.Spot.Spot, Class: "claim"})
}

// arrow draws the arrow that turns the tile to the next way in which it fits.
func (d *boardDrawing) arrow(c Point) {
	var turns []domain.Spot
	for _, s := range slices.Concat(d.sketch.Open, d.sketch.Other) {
		if s.Spot == turnSpot {
			turns = append(turns, s)
		}
	}
	if turns == nil {
		return
	}
	// beyond the tile's corner, out of reach of the choices on it
	const out = HalfTile + arrowWide
	d.add(domain.Shape{At: plus(c, domain.Pt(out, -out)), Spot: turnSpot, Class: "claim", Group: []domain.Shape{
		domain.Ellipse(0, 0, arrowWide, arrowWide).Drawn(accentColor, paperColor, 3),
		arrowLine.Stroked(paperColor, 3),
		arrowHead.Filled(paperColor),
	}})
}

// The arrow: three quarters of a circle, clockwise, and its head.
var arrowLine, arrowHead = func() (line, head domain.Path) {
	const r, steps = 8.0, 12
	at := func(degrees float64) Point {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return domain.Pt(math.Round(r*cos*100)/100, math.Round(r*sin*100)/100)
	}
	p := at(20)
	line = line.M(p.X, p.Y)
	for i := range steps {
		p = at(20 + 270*float64(i+1)/steps)
		line = line.L(p.X, p.Y)
	}
	return line, domain.Path{}.M(p.X-2.5, p.Y-6).L(p.X+6, p.Y-2).L(p.X-1.5, p.Y+4.5).Z()
}()

// corner returns the corner for the whole map: the first one of the picture over a place where nothing can be put.
// Each corner covers a place, and what can be put there must stay visible and pressable.
func (d *boardDrawing) corner(x, y int) (right, low float64) {
	asked := func(right, low int) bool {
		return slices.ContainsFunc(slices.Concat(d.sketch.Open, d.sketch.Other), func(s domain.Spot) bool {
			sx, sy, ok := cellOf(s.Key)
			return ok && sx == x-1+2*right && sy == y-1+2*low
		})
	}
	for _, at := range [...][2]int{{0, 1}, {1, 1}, {0, 0}, {1, 0}} {
		if !asked(at[0], at[1]) {
			return float64(at[0]), float64(at[1])
		}
	}
	return 0, 1
}

// inset draws the whole map, small, with a frame around the part seen from near; nothing if that part is everything.
func (d *boardDrawing) inset(t *state.ViewTile, c Point) {
	low, high := c, c
	for _, t := range d.view.Tiles {
		m := middle(t.X, t.Y)
		low, high = domain.Pt(min(low.X, m.X), min(low.Y, m.Y)), domain.Pt(max(high.X, m.X), max(high.Y, m.Y))
	}
	wide := max(high.X-low.X, high.Y-low.Y) + 1.4*tileSide
	if wide < 4*tileSide {
		return
	}
	right, below := d.corner(t.X, t.Y)
	x, y := d.scene.X+insetGap+right*(nearSide-insetSide-2*insetGap),
		d.scene.Y+insetGap+below*(nearSide-insetSide-2*insetGap)
	scale, mid := insetSide/wide, domain.Pt((low.X+high.X)/2, (low.Y+high.Y)/2)
	to := func(p Point) Point {
		return domain.Pt(x+insetSide/2+(p.X-mid.X)*scale, y+insetSide/2+(p.Y-mid.Y)*scale)
	}
	d.add(domain.Shape{Path: domain.Rect(x, y, insetSide, insetSide), Fill: sheetColor, Stroke: inkColor, Width: 1.6,
		Class: "inset"})
	for i := range d.view.Tiles {
		t := &d.view.Tiles[i]
		d.add(domain.Shape{Use: d.use("tile-"+t.Tile.String(), tileSymbols[t.Tile]), At: to(middle(t.X, t.Y)),
			Turn: float64(quartersOf(t.Turn)) * 90, Scale: scale})
	}
	for i := range d.view.Tiles {
		t := &d.view.Tiles[i]
		for _, f := range t.Figures {
			p, dot := to(standsOn(t, f.On)),
				domain.Shape{Fill: domain.SeatColor(f.Seat.Seat()), Stroke: paperColor, Width: .8}
			if d.recalls(f) {
				dot = domain.Shape{Fill: paperColor, Stroke: domain.SeatColor(f.Seat.Seat()), Width: 1.4}
			}
			dot.Path = domain.Ellipse(p.X, p.Y, 2.4, 2.4)
			d.add(dot)
		}
	}
	a, b := to(domain.Pt(c.X-nearSide/2, c.Y-nearSide/2)), to(domain.Pt(c.X+nearSide/2, c.Y+nearSide/2))
	a, b = domain.Pt(max(a.X, x), max(a.Y, y)), domain.Pt(min(b.X, x+insetSide), min(b.Y, y+insetSide))
	at := to(c)
	d.add(domain.Rect(at.X-50*scale, at.Y-50*scale, 100*scale, 100*scale).Drawn(accentColor, paperColor, 1),
		domain.Rect(a.X, a.Y, b.X-a.X, b.Y-a.Y).Stroked(paperColor, 3.4),
		domain.Rect(a.X, a.Y, b.X-a.X, b.Y-a.Y).Stroked(accentColor, 2))
}

// recalls reports whether the figure is the abbot that the tried move sends home.
func (d *boardDrawing) recalls(f state.Stands) bool {
	return d.chosen(2) == "recall" && f.Abbot && f.Seat == d.view.ToMove
}

// seen reports whether a place is visible from near; every place is where the whole board is shown.
func (d *boardDrawing) seen(x, y int) bool {
	cx, cy, ok := cellOf(d.chosen(0))
	return !ok || d.view.Tile == table.NoTile || max(abs(x-cx), abs(y-cy)) <= 1
}

func abs(n int) int { return max(n, -n) }
