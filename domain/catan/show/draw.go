// Package show makes what people see of Catan: pictures, sentences and the choices that lead to a move.
package show

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Room is the show room, as kit.New takes it.
type Room struct {
	kit.Defaults[*state.State, *state.View]
}

// The measures of the drawing, in user units: a hex has sides of 50.
const (
	hexSide  = 50.0
	seaX     = 276.0 // half the width of the picture
	seaTop   = 244.0
	seaFoot  = 244.0
	roadWide = 8.0
)

// The colours of the drawing.
var (
	colSea     = domain.RGB(0xA8CBD8)
	colWave    = domain.RGB(0x8FB8C8)
	colCoast   = domain.RGB(0x5E8FA3)
	colSand    = domain.RGB(0xF1E6C8)
	colInk     = domain.RGB(0x2B2A28)
	colSoft    = domain.RGB(0x6B6459)
	colPaper   = domain.RGB(0xFAF6EC)
	colLine    = domain.RGB(0xD9D0BD)
	colWhite   = domain.RGB(0xFFFFFF)
	colRaised  = domain.RGB(0xFFFEFA) // the ground of an offer; dark on a dark page
	colRed     = domain.RGB(0xB3261E)
	colWood    = domain.RGB(0x8B6B43)
	colAccent  = domain.RGB(0x0B6E6E)
	colRobber  = domain.RGB(0x26232B)
	colNeutral = [2]domain.Color{domain.RGB(0x7A7A7A), domain.RGB(0x4A4A4A)}
	colTerrain = [table.TerrainCount]domain.Color{
		domain.RGB(0xC67B4E), domain.RGB(0x5F8A5A), domain.RGB(0xA8C686), domain.RGB(0xE3C565), domain.RGB(0x9AA0A6),
		domain.RGB(0xE6D6A8),
	}
	colPattern = [table.TerrainCount]domain.Color{
		domain.RGB(0x9C5630), domain.RGB(0x3C6440), domain.RGB(0x7FA35C), domain.RGB(0xB58F2C), domain.RGB(0x6C7379),
		domain.RGB(0xC4AF78),
	}
)

// hexCentre returns where a hex lies in the picture.
func hexCentre(h int8) domain.Point {
	q, r := float64(table.Isle.Q[h]), float64(table.Isle.R[h])
	return domain.Pt(hexSide*math.Sqrt(3)*(q+r/2), hexSide*1.5*r)
}

// hexCorner returns a corner of a hex with that side, relative to its centre.
func hexCorner(i int, side float64) domain.Point {
	a := math.Pi / 3 * float64(i)
	return domain.Pt(side*math.Sin(a), -side*math.Cos(a))
}

// cornerPoint returns where an intersection lies in the picture.
func cornerPoint(c int8) domain.Point {
	h := table.Isle.HexesAt[c][0]
	return plus(hexCentre(h), hexCorner(slices.Index(table.Isle.Corners[h][:], c), hexSide))
}

// pathEnds returns where the two intersections of a path lie in the picture.
func pathEnds(p int8) (a, b domain.Point) {
	return cornerPoint(table.Isle.Ends[p][0]), cornerPoint(table.Isle.Ends[p][1])
}

// pathPoint returns the middle of a path in the picture.
func pathPoint(p int8) domain.Point {
	a, b := pathEnds(p)
	return domain.Pt((a.X+b.X)/2, (a.Y+b.Y)/2)
}

// plus returns the sum of two points.
func plus(a, b domain.Point) domain.Point { return domain.Pt(a.X+b.X, a.Y+b.Y) }

func toward(a, b domain.Point, t float64) domain.Point {
	return domain.Pt(a.X+(b.X-a.X)*t, a.Y+(b.Y-a.Y)*t)
}

func hexPath(at domain.Point, side float64) domain.Path {
	var xy []float64
	for i := range 6 {
		c := plus(at, hexCorner(i, side))
		xy = append(xy, c.X, c.Y)
	}
	return kit.Poly(xy...)
}

// moved returns an outline moved by a point.
func moved(p domain.Path, by domain.Point) domain.Path {
	return kit.Mapped(p, func(q domain.Point) domain.Point { return plus(q, by) })
}

func line(a, b domain.Point) domain.Path { return domain.Path{}.M(a.X, a.Y).L(b.X, b.Y) }

func disc(at domain.Point, r float64) domain.Path { return domain.Ellipse(at.X, at.Y, r, r) }

// Draw draws the island, the viewer's hand, the open offers, and what things cost.
func (Room) Draw(v *state.View, sketch domain.Sketch) []domain.Panel {
	named := slices.Concat(sketch.Open, sketch.Later)
	text, cells := boardText(v, named)
	legend := []domain.Say{legendSay(named)}
	if v.Two() {
		legend = append(legend, domain.S("board.legend.neutral"))
	}
	if slices.ContainsFunc(named, func(o domain.Spot) bool { return strings.HasPrefix(o.Spot, "c") }) {
		legend = append(legend, harboursSay(&v.Board))
	}
	panels := []domain.Panel{
		{Name: "island", Weight: domain.PanelMain, Scene: islandScene(v, sketch), Lines: legend,
			Text: text, Cells: cells},
	}
	if c := int8(v.Viewer.Seat()); c >= 0 && c < v.Seats {
		panels = append(panels, handPanel(v, c))
	}
	if offers := openOffers(v); len(offers) > 0 {
		panels = append(panels, offersPanel(v, offers))
	}
	return append(panels, costsPanel())
}

// legendSay explains the characters of the board, and where on it places are chosen by their numbers.
func legendSay(named []domain.Spot) domain.Say {
	var choices []domain.Say
	for _, kind := range []string{"corners", "paths", "hexes"} {
		if slices.ContainsFunc(named, func(o domain.Spot) bool {
			return strings.HasPrefix(strings.TrimLeft(o.Spot, "NM"), kind[:1])
		}) {
			choices = append(choices, domain.S("board."+kind))
		}
	}
	if len(choices) == 0 {
		return domain.S("board.legend.still")
	}
	return domain.S("board.legend", "choices", choices)
}

// islandScene draws the island for a viewer: sea, harbours, hexes, pieces, the robber, then what is being tried and
// where the viewer may act.
func islandScene(v *state.View, sketch domain.Sketch) domain.Scene {
	d := drawing{v: v, sketch: sketch}
	d.scene = domain.Scene{X: -seaX, Y: -seaTop, W: 2 * seaX, H: seaTop + seaFoot, Ground: colSea, Symbols: symbols}
	d.waves()
	d.dice()
	d.shore()
	d.harbours()
	d.hexes()
	d.lastRoll()
	d.dim()
	d.lastRobber()
	d.aheadRoads()
	d.pieces(true)
	d.put(robber(v.Robber))
	d.pieces(false)
	d.lastPieces()
	d.ghosts()
	d.open()
	return d.scene
}

type drawing struct {
	v      *state.View
	sketch domain.Sketch
	scene  domain.Scene
}

func (d *drawing) put(s ...domain.Shape) { d.scene.Shapes = append(d.scene.Shapes, s...) }

func (d *drawing) text(at domain.Point, text string, size float64, fill domain.Color) {
	d.put(domain.Letters(text, at, size, fill))
}

// waves draws a few fine lines, the same in every picture.
func (d *drawing) waves() {
	for i := range 15 {
		for j := range 7 {
			x := -seaX + 20 + float64(j)*82 + float64(i%2)*41
			y := -seaTop + 16 + float64(i)*36
			if math.Hypot(x, y) < 205 {
				continue
			}
			d.put(domain.Path{}.M(x-11, y).Q(x-5.5, y-5, x, y).Q(x+5.5, y+5, x+11, y).Stroked(colWave, 1.4))
		}
	}
}

func (d *drawing) shore() {
	for _, ring := range []struct {
		side float64
		fill domain.Color
	}{{62, colWave}, {57.5, colCoast}, {55, colSand}} {
		for h := range int8(table.HexCount) {
			d.put(hexPath(hexCentre(h), ring.side).Filled(ring.fill))
		}
	}
}

// harbourPoint returns where the sign of the harbour on a path lies, out at sea.
func harbourPoint(p int8) domain.Point {
	mid, land := pathPoint(p), hexCentre(hexesBeside(p)[0])
	return toward(land, mid, 1+37/math.Hypot(mid.X-land.X, mid.Y-land.Y))
}

func (d *drawing) harbours() {
	for i, p := range table.Isle.HarbourPath {
		a, b := pathEnds(p)
		at := harbourPoint(p)
		for _, end := range []domain.Point{a, b} {
			jetty := line(toward(end, at, 0.06), toward(end, at, 0.72))
			d.put(
				jetty.Stroked(colInk, 5.6),
				jetty.Stroked(colWood, 4),
				domain.Shape{Path: jetty, Stroke: colSand, Width: 4, Dash: 1.6},
			)
		}
		d.sign(at, d.v.Board.Harbours[i])
	}
}

// sign draws a harbour's rate, with two dots for the colon, and what it takes.
func (d *drawing) sign(at domain.Point, h table.Harbour) {
	d.put(disc(at, 19).Filled(colInk), disc(at, 17.6).Filled(colPaper))
	up, rate := domain.Pt(at.X, at.Y-7), "2"
	if h == table.Anything {
		up.Y, rate = at.Y, "3"
	}
	d.text(domain.Pt(up.X-6, up.Y), rate, 13, colInk)
	d.text(domain.Pt(up.X+6, up.Y), "1", 13, colInk)
	for _, y := range []float64{-2.6, 2.6} {
		d.put(disc(domain.Pt(up.X, up.Y+y), 1.2).Filled(colInk))
	}
	if h != table.Anything {
		d.put(domain.Shape{Use: "icon-" + h.String(), At: domain.Pt(at.X, at.Y+7), Scale: 0.62})
	}
}

func (d *drawing) hexes() {
	for h := range int8(table.HexCount) {
		at := hexCentre(h)
		d.put(domain.Shape{Use: "hex-" + d.v.Board.Terrain[h].String(), At: at})
		if n := d.v.Board.Tokens[h]; n != 0 {
			d.token(at, n)
		}
	}
}

// token draws a paper disc with the number and a pip for each way to throw it.
func (d *drawing) token(at domain.Point, n int8) {
	fill := colInk
	if n == 6 || n == 8 {
		fill = colRed
	}
	d.put(
		disc(domain.Pt(at.X, at.Y+1), 17).Filled(colInk.Alpha(70)),
		disc(at, 16.5).Drawn(colPaper, colSoft, 1),
		domain.Shape{Text: strconv.Itoa(int(n)), At: domain.Pt(at.X, at.Y-3), Size: 18, Fill: fill,
			Serif: true, Bold: n == 6 || n == 8},
	)
	pips := table.PipsOf(n)
	for i := range pips {
		x := at.X + (float64(i)-float64(pips-1)/2)*4.2
		d.put(disc(domain.Pt(x, at.Y+9.5), 1.5).Filled(fill))
	}
}

// colour returns the colour of a seat's or a neutral's pieces.
func (d *drawing) colour(c int8) domain.Color {
	if c >= d.v.Seats {
		return colNeutral[(c-2)&1]
	}
	return domain.SeatColor(domain.Seat(c))
}

// pieces lists those on the board, by colour and sort.
func pieces(v *state.View) (list []state.Piece) {
	for c := range v.Colours {
		for sort, places := range [...][]int{
			state.RoadPiece: v.Roads[c].List(), state.SettlementPiece: table.CornerList(v.Settlements[c]),
			state.CityPiece: table.CornerList(v.Cities[c]),
		} {
			for _, at := range places {
				list = append(list, state.Piece{Colour: c, Sort: state.Sort(sort), At: int8(at)})
			}
		}
	}
	return list
}

// pieces draws the roads, or the buildings.
func (d *drawing) pieces(roads bool) {
	for _, x := range pieces(d.v) {
		if roads == (x.Sort == state.RoadPiece) {
			d.put(d.piece(x)...)
		}
	}
}

// The outlines of a house, and of one with a tower.
var (
	house = kit.Poly(-8.5, 9, -8.5, -3, 0, -11, 8.5, -3, 8.5, 9)
	tower = kit.Poly(-13, 10, -13, -9, -8, -15, -3, -9, -3, -4, 4.5, -9, 13, -2, 13, 10)
)

// piece returns the shapes of a road, a bar with a white edge and an ink line inside, or of a house with its owner's
// letter.
func (d *drawing) piece(x state.Piece) []domain.Shape {
	fill := d.colour(x.Colour)
	if x.Sort == state.RoadPiece {
		a, b := pathEnds(x.At)
		return []domain.Shape{
			line(toward(a, b, 0.15), toward(a, b, 0.85)).Stroked(colWhite, roadWide+5),
			line(toward(a, b, 0.175), toward(a, b, 0.825)).Stroked(colInk, roadWide+2),
			line(toward(a, b, 0.19), toward(a, b, 0.81)).Stroked(fill, roadWide),
		}
	}
	p := cornerPoint(x.At)
	outline, text := moved(house, p), domain.Pt(p.X, p.Y+2.5)
	if x.Sort == state.CityPiece {
		outline, text = moved(tower, p), domain.Pt(p.X+3.6, p.Y+4)
	}
	return []domain.Shape{
		outline.Drawn(colWhite, colWhite, 5),
		outline.Drawn(fill, colInk, 1.6),
		domain.Letters(d.v.ColourWord(x.Colour), text, 11.5, colWhite),
	}
}

// dim darkens the robber's hex.
func (d *drawing) dim() {
	d.put(hexPath(hexCentre(d.v.Robber), hexSide-1).Filled(colRobber.Alpha(95)))
}

// robber draws the robber beside the token, so that the number stays legible.
func robber(hex int8) domain.Shape {
	return domain.Shape{Use: "robber", At: plus(hexCentre(hex), domain.Pt(-27, -2))}
}
