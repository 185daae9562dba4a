// Package show presents Carcassonne to people: pictures, sentences and the choices that lead to a move.
package show

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

const (
	tileSide = 2 * HalfTile
	RimWide  = 26.0 // of a mailed map's frame with its coordinates
	BareWide = 8.0  // around the map of a page, which has no frame
)

// Draw returns the map, and the tile to be placed until it lies on the map.
func (Room) Draw(view *state.View, sketch domain.Sketch) []domain.Panel {
	if sketch.Narrow && len(sketch.Chosen) > 0 {
		return []domain.Panel{{Name: "map", Weight: domain.PanelMain, Scene: MapScene(view, sketch)}}
	}
	text := LettersOf(view, sketch)
	panels := []domain.Panel{{Name: "map", Weight: domain.PanelMain, Scene: MapScene(view, sketch), Lines: text.Says(),
		Text: text.Text}}
	if view.Tile == table.NoTile || len(view.Tiles) == 0 || len(sketch.Chosen) > 0 {
		return panels
	}
	return append(panels, domain.Panel{Name: "tile", Weight: domain.PanelBeside,
		Scene: TileScene(view.Tile.String(), 0),
		Text:  GlyphOf(&state.ViewTile{Tile: view.Tile}).String(),
		Lines: []domain.Say{domain.S("board.tile", "parts", partSays(view.Tile, 0))}})
}

// MapScene draws the map. A tile's middle lies at a hundred times its coordinates. What sketch has chosen so far (the
// keys of [Rules.Steps]: place, turn, figure) appears as a ghost, seen from near; what is open next is a Spot with
// its name.
func MapScene(view *state.View, sketch domain.Sketch) domain.Scene {
	d := boardDrawing{view: view, sketch: sketch, symbols: map[string]bool{}}
	d.findExtent(2) // seen from near, the sheet has no edge
	if sketch.Narrow {
		d.mapFrame()
	} else {
		d.grid(d.scene.X, d.scene.Y, d.scene.W, d.scene.H)
	}
	d.tiles()
	d.lastTile()
	d.places()
	d.figures()
	d.earned()
	if t := d.tried(); t != nil {
		d.near(t)
	}
	return d.scene
}

// TileScene draws a single tile, turned by degrees: the tile to be placed, shown beside the board. An unknown letter
// gives an empty square.
func TileScene(letter string, turn int) domain.Scene {
	const margin = 5
	d := boardDrawing{view: &state.View{}, symbols: map[string]bool{}}
	d.scene = domain.Scene{X: -HalfTile - margin, Y: -HalfTile - margin, W: tileSide + 2*margin, H: tileSide + 2*margin,
		Ground: paperColor}
	if id, ok := table.TileNamed(letter); ok {
		d.tile(&state.ViewTile{Tile: id, Turn: turn})
	}
	d.add(domain.Rect(-HalfTile, -HalfTile, tileSide, tileSide).Stroked(inkSoft, 1.5))
	return d.scene
}

func quartersOf(degrees int) int { return ((degrees/90)%4 + 4) % 4 }

type boardDrawing struct {
	view    *state.View
	sketch  domain.Sketch
	scene   domain.Scene
	symbols map[string]bool
	x0, y0  int // of the map, in tiles; x1 and y1 are the last ones
	x1, y1  int
}

func (d *boardDrawing) add(s ...domain.Shape) { d.scene.Shapes = append(d.scene.Shapes, s...) }

// use adds a symbol the first time it is needed, and returns its id.
func (d *boardDrawing) use(id string, make func() domain.Symbol) string {
	if !d.symbols[id] {
		d.symbols[id] = true
		d.scene.Symbols = append(d.scene.Symbols, make())
	}
	return id
}

func middle(x, y int) Point { return domain.Pt(float64(x)*tileSide, float64(y)*tileSide) }

// cellOf reads a place's key, "x,y".
func cellOf(key string) (x, y int, ok bool) {
	a, b, found := strings.Cut(key, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(a))
	y, errY := strconv.Atoi(strings.TrimSpace(b))
	return x, y, found && errX == nil && errY == nil
}

// findExtent covers the tiles, the open places, and the tried place with this many places around it.
func (d *boardDrawing) findExtent(about int) {
	var xs, ys []int
	see := func(x, y int, ok bool) {
		if ok {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	for _, t := range d.view.Tiles {
		see(t.X, t.Y, true)
	}
	for _, o := range d.sketch.Open {
		see(cellOf(o.Key))
	}
	see(cellOf(d.chosen(0)))
	see(0, 0, xs == nil)
	if x, y, ok := cellOf(d.chosen(0)); ok {
		see(x-about, y-about, true)
		see(x+about, y+about, true)
	}
	d.x0, d.x1, d.y0, d.y1 = slices.Min(xs), slices.Max(xs), slices.Min(ys), slices.Max(ys)
	at := middle(d.x0, d.y0)
	rim := BareWide
	if d.scene.Ground = sheetColor; d.sketch.Narrow {
		d.scene.Ground, rim = paperColor, RimWide
	}
	d.scene.X, d.scene.Y = at.X-HalfTile-rim, at.Y-HalfTile-rim
	d.scene.W = float64(d.x1-d.x0+1)*tileSide + 2*rim
	d.scene.H = float64(d.y1-d.y0+1)*tileSide + 2*rim
}

// grid draws the fine lines between places over a part of the picture.
func (d *boardDrawing) grid(x, y, w, h float64) {
	var lines domain.Path
	for i := d.x0; i <= d.x1+1; i++ {
		if at := float64(i)*tileSide - HalfTile; at > x && at < x+w {
			lines = lines.M(at, y).L(at, y+h)
		}
	}
	for i := d.y0; i <= d.y1+1; i++ {
		if at := float64(i)*tileSide - HalfTile; at > y && at < y+h {
			lines = lines.M(x, at).L(x+w, at)
		}
	}
	if lines != nil {
		d.add(lines.Stroked(gridColor, 1))
	}
}

// mapFrame draws the sheet, and around it the frame in alternating bars with the coordinates on all four sides, as on a
// map: an answer to a mail calls places by them.
func (d *boardDrawing) mapFrame() {
	s := &d.scene
	x, y, w, h := s.X+RimWide, s.Y+RimWide, s.W-2*RimWide, s.H-2*RimWide
	d.add(domain.Rect(x, y, w, h).Filled(sheetColor))
	d.grid(x, y, w, h)
	const bar = 4.0
	var bars domain.Path
	var numbers []domain.Shape
	for axis, rim := range [...]struct {
		first, last       int     // of the tiles along it
		low, high, beyond float64 // where the map ends across it, and how far beyond its bars the numbers are
	}{{d.x0, d.x1, y, y + h, 10}, {d.y0, d.y1, x, x + w, 10.5}} {
		at := func(along, across float64) Point {
			return [...]Point{domain.Pt(along, across), domain.Pt(across, along)}[axis]
		}
		for i := rim.first; i <= rim.last; i++ {
			c := float64(i) * tileSide
			for _, across := range [...]float64{rim.low - bar, rim.high} {
				if corner, size := at(c-HalfTile, across), at(tileSide, bar); i&1 == 0 {
					bars = append(bars, domain.Rect(corner.X, corner.Y, size.X, size.Y)...)
				}
			}
			numbers = append(numbers, coordinate(i, at(c, rim.low-bar-rim.beyond)),
				coordinate(i, at(c, rim.high+bar+rim.beyond)))
		}
	}
	d.add(numbers...)
	if bars != nil {
		d.add(bars.Filled(inkSoft))
	}
	d.add(append(fourLines(x-bar, y-bar, w+2*bar, h+2*bar), fourLines(x, y, w, h)...).Stroked(inkSoft, .8))
}

// fourLines returns the sides of a rectangle as separate lines: a large frame paints faster that way.
func fourLines(x, y, w, h float64) domain.Path {
	return domain.Path{}.M(x, y).L(x+w, y).M(x+w, y).L(x+w, y+h).M(x+w, y+h).L(x, y+h).M(x, y+h).L(x, y)
}

// coordinate is a number on the rim, small enough to fit.
func coordinate(n int, at Point) domain.Shape {
	text, size := strconv.Itoa(n), 15.0
	if len(text) > 2 {
		size = 12
	}
	return domain.Shape{Text: text, At: at, Size: size, Fill: inkSoft}
}

func (d *boardDrawing) tiles() {
	for _, t := range d.view.Tiles {
		if d.seen(t.X, t.Y) {
			d.add(domain.Shape{Use: d.use("under", underSymbol), At: middle(t.X, t.Y)})
		}
	}
	for i := range d.view.Tiles {
		if t := &d.view.Tiles[i]; d.seen(t.X, t.Y) {
			d.tile(t)
		}
	}
}

// underSymbol lies under all tiles: it is their common outline, and keeps the ground from shining through between
// them.
func underSymbol() domain.Symbol {
	const h = HalfTile + 1.5
	return domain.Symbol{ID: "under", X: -h, Y: -h, W: 2 * h, H: 2 * h, Shapes: []domain.Shape{
		domain.Rect(-h, -h, 2*h, 2*h).Filled(turfColor),
	}}
}

func (d *boardDrawing) tile(t *state.ViewTile) {
	if t.Tile == table.NoTile {
		return
	}
	at, quarters := middle(t.X, t.Y), quartersOf(t.Turn)
	d.add(domain.Shape{Use: d.use("tile-"+t.Tile.String(), tileSymbols[t.Tile]), At: at, Turn: float64(quarters) * 90})
	for _, p := range upright(t.Tile) {
		d.add(domain.Shape{Use: d.use(p.id, p.make), At: plus(at, QuarterTurned(p.at, quarters))})
	}
}

// standing is something that stands upright on a tile, however the tile is turned.
type standing struct {
	id   string
	at   Point
	make func() domain.Symbol
}

// upright lists what stands on a tile: a city's shield, the church of a cloister.
func upright(id table.TileID) (list []standing) {
	plan := PlanOf(id)
	if id.Tile().Shrine == table.Cloister {
		list = append(list, standing{"church", plan.Middle, churchSymbol})
	}
	if p := plan.Pennant; p != nil {
		list = append(list, standing{"pennant", *p, pennantSymbol})
	}
	return list
}

// lastTile frames the last tile placed.
func (d *boardDrawing) lastTile() {
	if n := len(d.view.Tiles); n > 1 {
		t := d.view.Tiles[n-1]
		c := middle(t.X, t.Y)
		d.add(domain.Shape{Path: domain.Rect(c.X-HalfTile+1.5, c.Y-HalfTile+1.5, tileSide-3, tileSide-3),
			Stroke: accentColor, Width: 3, Class: "last"})
	}
}

// places draws the open places. Beside a tried tile it draws the places where the tile could go instead.
func (d *boardDrawing) places() {
	for _, o := range d.sketch.Open {
		d.place(o)
	}
	for _, o := range d.sketch.Other {
		if x, y, ok := cellOf(o.Key); ok && d.seen(x, y) {
			d.place(o)
		}
	}
}

// place draws an open place: in a mail a dashed square with its name; on a page the tile itself, faint, where it fits
// as it is held, and a dashed square where it has to be turned.
func (d *boardDrawing) place(o domain.Spot) {
	x, y, ok := cellOf(o.Key)
	if !ok {
		return
	}
	c := middle(x, y)
	square := func(in float64) domain.Path {
		return domain.Rect(c.X-HalfTile+in, c.Y-HalfTile+in, tileSide-2*in, tileSide-2*in)
	}
	fill, ink := accentColor.Alpha(0x12), accentColor
	if o.Best {
		fill, ink = accentColor, paperColor
	}
	shown := domain.Shape{Path: square(7), Fill: fill, Stroke: accentColor, Width: 2.4, Dash: 7}
	if !d.sketch.Narrow && slices.Contains(o.Then, "0") {
		d.faint(c)
		shown = square(1).Stroked(accentColor, 2.4)
	}
	// the drawing leaves a rim; all of it can be pressed
	group := []domain.Shape{{Path: square(0), Hidden: true}, shown}
	if o.Name != "" && d.sketch.Narrow {
		group = append(group, domain.Letters(o.Name, c, min(36, 132/float64(len(o.Name))), ink))
	}
	d.add(domain.Shape{Group: group, Spot: o.Spot, Class: "open"})
}

// faint draws the tile to be placed as it is held, at a third of its strength.
func (d *boardDrawing) faint(c Point) {
	if d.view.Tile == table.NoTile {
		return
	}
	d.add(domain.Shape{Use: d.use("tile-"+d.view.Tile.String(), tileSymbols[d.view.Tile]), At: c},
		domain.Rect(c.X-HalfTile, c.Y-HalfTile, tileSide, tileSide).Filled(sheetColor.Alpha(0xA8)))
}

// figure draws a figure on a tile.
func (d *boardDrawing) figure(f state.Stands, t *state.ViewTile) {
	symbol := d.use(figureID(f), func() domain.Symbol { return figureSymbol(f) })
	d.add(domain.Shape{Use: symbol, At: standsOn(t, f.On), Class: "figure"})
}

func (d *boardDrawing) figures() {
	for i := range d.view.Tiles {
		t := &d.view.Tiles[i]
		for _, f := range t.Figures {
			if !d.seen(t.X, t.Y) {
				continue
			}
			if d.recalls(f) {
				d.ring(f, t)
			} else {
				d.figure(f, t)
			}
		}
	}
}

// Room is the showing, for kit.New.
type Room struct {
	kit.Defaults[*state.State, *state.View]
}
