package show

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// In characters a tile is five wide and three high, roughly a square if letters are twice as high as wide. The board
// with its margin fits a mail's 72 columns.
const (
	glyphWide = 5
	glyphHigh = 3
	TextWide  = 72
)

// The characters; "board.legend" explains them.
const (
	glyphField    = '.'
	glyphCity     = '#'
	GlyphPennant  = '%'
	glyphRiver    = '~'
	GlyphCloister = '+'
	GlyphGarden   = '*'
)

// Letters is the map in characters.
type Letters struct {
	Text     string
	cut      bool
	from, To int // the columns shown
}

// Says explains in words the characters that it has.
func (l Letters) Says() []domain.Say {
	if l.Text == "" {
		return nil
	}
	var signs []domain.Say
	for _, sign := range []struct{ key, has string }{{"city", string(glyphCity)}, {"pennant", string(GlyphPennant)},
		{"river", string(glyphRiver)}, {"cloister", string(GlyphCloister)}, {"garden", string(GlyphGarden)},
		{"farmer", "abcdef"}} {
		if strings.ContainsAny(l.Text, sign.has) {
			signs = append(signs, domain.S("board.sign."+sign.key))
		}
	}
	var list []domain.Say
	if len(signs) > 0 {
		list = append(list, domain.S("board.legend", "signs", signs))
	}
	if l.cut {
		list = append(list, domain.S("board.cut", "from", l.from, "to", l.To))
	}
	return list
}

// LettersOf draws the map in characters for text mails and terminals, with the coordinates above and beside it and the
// names of sketch.Open in their places. It is at most 72 columns wide: of a wider map it shows the part around the open
// places, with "<" and ">" where the map continues.
func LettersOf(v *state.View, sketch domain.Sketch) Letters {
	if len(v.Tiles) == 0 {
		return Letters{}
	}
	d := boardDrawing{view: v, sketch: sketch}
	d.findExtent(0)
	margin := 2 + max(len(strconv.Itoa(d.y0)), len(strconv.Itoa(d.y1)))
	out := Letters{from: d.x0, To: d.x1}
	wide := d.wide(TextWide - margin - 1)
	if most := (TextWide - margin - 1) / wide; d.x1-d.x0+1 > most {
		out.cut, out.from = true, d.window(most)
		out.To = out.from + most - 1
	}
	right := margin + (out.To-out.from+1)*wide
	rows, high := d.rows(wide)
	c := kit.NewLetters(right+1, high+1)
	at := func(x, y int) (column, row int) { return margin + (x-out.from)*wide, 1 + rows[y-d.y0] }
	for x := out.from; x <= out.To; x++ {
		column, _ := at(x, d.y0)
		c.Centre(column+middleOf(wide), 0, strconv.Itoa(x))
	}
	lay := func(x, y int, g kit.Letters) {
		column, row := at(x, y)
		if x < out.from || out.To < x {
			return
		}
		for r := range g {
			if rows := d.high(y, wide); rows == glyphHigh || r > 0 && r <= rows {
				c.Put(column, row+r, string(g[r]))
			}
		}
	}
	for _, o := range sketch.Open {
		x, y, ok := cellOf(o.Key)
		if !ok {
			continue
		}
		name := cmp.Or(o.Name, "[ ]")
		if column, row := at(x, y); d.high(y, wide) == 1 && out.from <= x && x <= out.To {
			c.Put(column+max(0, (wide-len(name))/2), row+1, name)
		} else {
			lay(x, y, openGlyph(name, wide))
		}
	}
	for i := range v.Tiles {
		lay(v.Tiles[i].X, v.Tiles[i].Y, stretched(&v.Tiles[i], wide))
	}
	if t := d.tried(); t != nil {
		lay(t.X, t.Y, stretched(t, wide))
	}
	for y := d.y0; y <= d.y1; y++ {
		_, row := at(0, y)
		number := strconv.Itoa(y)
		c.Put(margin-1-len(number), row+1, number)
		if out.from > d.x0 {
			c.Put(margin-1, row+1, "<")
		}
		if out.To < d.x1 {
			c.Put(right, row+1, ">")
		}
	}
	out.Text = c.String()
	return out
}

// high returns how many lines a row takes: one if it has only open places, or two if two of them lie side by side and
// their names need that.
func (d *boardDrawing) high(y, wide int) int {
	if t := d.tried(); t != nil && t.Y == y ||
		slices.ContainsFunc(d.view.Tiles, func(t state.ViewTile) bool { return t.Y == y }) {
		return glyphHigh
	}
	open, two := map[int]bool{}, false
	for _, o := range d.sketch.Open {
		if x, row, ok := cellOf(o.Key); ok && row == y {
			open[x], two = true, two || onTwoLines(o.Name, wide)
		}
	}
	for x := range open {
		if two && open[x+1] {
			return 2
		}
	}
	return 1
}

// rows returns where each row begins, a line above its names, and how high all are together.
func (d *boardDrawing) rows(wide int) (from []int, high int) {
	for y := d.y0; y <= d.y1; y++ {
		n := d.high(y, wide)
		first := high
		if n < glyphHigh {
			first--
		}
		from, high = append(from, first), high+n
	}
	return from, high
}

// window returns the first of this many columns around the open places, or around the last tile.
func (d *boardDrawing) window(most int) int {
	var xs []int
	for _, o := range d.sketch.Open {
		if x, _, ok := cellOf(o.Key); ok {
			xs = append(xs, x)
		}
	}
	if xs == nil {
		xs = []int{d.view.Tiles[len(d.view.Tiles)-1].X}
	}
	// Round down, so that the halves of odd numbers below and above 0 go the same way.
	from := (slices.Min(xs) + slices.Max(xs) - most + 1) >> 1
	return min(max(from, d.x0), d.x1-most+1)
}

// wide returns how many columns a place takes: enough for every open place's name to fit on one line with a gap on
// both sides, if the whole board then still fits the room; otherwise as many as a tile, and long names take two lines.
func (d *boardDrawing) wide(room int) int {
	wide := glyphWide
	for _, o := range d.sketch.Open {
		wide = max(wide, len(o.Name)+2)
	}
	if (d.x1-d.x0+1)*wide > room {
		return glyphWide
	}
	return wide
}

// middleOf returns the middle column of a place.
func middleOf(wide int) int { return glyphWide/2 + (wide-glyphWide)/2 }

// openGlyph draws an open place with its name, apart from what lies beside it, which could be taken for a minus.
func openGlyph(name string, wide int) kit.Letters {
	g := kit.NewLetters(wide, glyphHigh)
	if x, y, cut := strings.Cut(name, ","); cut && onTwoLines(name, wide) {
		g.Put(1, 1, x+",")
		g.Put(1, 2, y)
		return g
	}
	g.Put((wide-len(name))/2, 1, name)
	return g
}

// onTwoLines reports whether a name is too long for one line of its place.
func onTwoLines(name string, wide int) bool { return len(name)+2 > wide }

// stretched draws a tile with more columns, by lengthening what leads to its sides, whoever stands there.
func stretched(t *state.ViewTile, wide int) kit.Letters {
	bare := *t
	bare.Figures = nil
	g, ground := GlyphOf(t), GlyphOf(&bare)
	left := middleOf(wide) - glyphWide/2
	for r, row := range g {
		on := ground[r]
		long := append([]rune{row[0]}, slices.Repeat([]rune{between(on[0])}, left)...)
		long = append(long, row[1:glyphWide-1]...)
		long = append(long, slices.Repeat([]rune{between(on[glyphWide-1])}, wide-glyphWide-left)...)
		g[r] = append(long, row[glyphWide-1])
	}
	return g
}

// between returns what goes between the side of a tile and the next character.
func between(side rune) rune {
	switch side {
	case GlyphPennant:
		return glyphCity
	case glyphCity, glyphRiver, '─':
		return side
	}
	return glyphField
}

// GlyphSpots are places in a glyph: row and column.
type GlyphSpots [][2]int

// Places in a glyph, clockwise from north: of an edge, of everything along it, of the way from it to the middle, of
// the corner clockwise of it, and of a half-edge.
var (
	GlyphEdges   = GlyphSpots{{0, 2}, {1, 4}, {2, 2}, {1, 0}}
	glyphSides   = [4]GlyphSpots{{{0, 1}, {0, 2}, {0, 3}}, {{1, 3}, {1, 4}}, {{2, 1}, {2, 2}, {2, 3}}, {{1, 0}, {1, 1}}}
	glyphArms    = [4]GlyphSpots{{{0, 2}}, {{1, 3}, {1, 4}}, {{2, 2}}, {{1, 1}, {1, 0}}}
	glyphCorners = GlyphSpots{{0, 4}, {2, 4}, {2, 0}, {0, 0}}
	glyphHalfs   = GlyphSpots{{0, 1}, {0, 3}, {0, 4}, {2, 4}, {2, 3}, {2, 1}, {2, 0}, {0, 0}}
)

// tileGlyph is a tile in characters.
type tileGlyph struct{ kit.Letters }

func (g tileGlyph) set(c rune, at ...[2]int) {
	for _, p := range at {
		g.Letters[p[0]][p[1]] = c
	}
}

// GlyphOf draws a tile as it lies, with its figures: letters, small for farmers.
func GlyphOf(t *state.ViewTile) kit.Letters {
	g := tileGlyph{kit.NewLetters(glyphWide, glyphHigh)}
	for r := range g.Letters {
		g.Put(0, r, strings.Repeat(string(glyphField), glyphWide))
	}
	if t.Tile == table.NoTile {
		return g.Letters
	}
	tile, q := t.Tile.Tile(), quartersOf(t.Turn)
	for _, p := range tile.Parts {
		if p.Kind == table.City {
			g.city(tile, &p, q)
		}
	}
	g.ways(tile, q)
	if tile.Shrine != table.NoKind {
		g.set(map[table.Kind]rune{table.Cloister: GlyphCloister, table.Garden: GlyphGarden}[tile.Shrine],
			shrineGlyph(t.Tile, q))
	}
	for _, f := range t.Figures {
		g.figure(t.Tile, f, q)
	}
	return g.Letters
}

// city fills a city's edges, the corners between them, and the middle unless a road needs it.
func (g tileGlyph) city(t *table.Tile, p *table.Part, q int) {
	here := edgeSet(p.At, q)
	for e := range 4 {
		if !here.has(e) {
			continue
		}
		if g.set(glyphCity, glyphSides[e]...); here.has(e + 1) {
			g.set(glyphCity, glyphCorners[e])
		}
	}
	switch n := len(p.At); {
	case n > 2:
		g.Put(1, 1, strings.Repeat(string(glyphCity), 3))
	case n == 2 && !tileHas(t, table.Road) && !tileHas(t, table.River):
		if g.set(glyphCity, [2]int{1, 2}); here.has(0) && here.has(2) { // from top to bottom, past whoever stands there
			g.set(glyphCity, [2]int{1, 1}, [2]int{1, 3})
		}
	}
	if p.Pennant {
		g.set(GlyphPennant, GlyphEdges[(int(p.At[0])+q)%4])
	}
}

// ways draws rivers, then roads over them.
func (g tileGlyph) ways(t *table.Tile, q int) {
	var roads edges
	n := 0
	for _, kind := range [...]table.Kind{table.River, table.Road} {
		for _, p := range t.Parts {
			if p.Kind != kind {
				continue
			}
			for _, at := range p.At {
				e, c := (int(at)+q)%4, rune(glyphRiver)
				if kind == table.Road {
					c = [...]rune{'│', '─'}[e%2]
					roads |= 1 << e
					n++
				}
				g.set(c, glyphArms[e]...)
			}
			if kind == table.River {
				g.set(glyphRiver, [2]int{1, 2})
			}
		}
	}
	if n == 1 && tileHas(t, table.River) { // a road that ends at a gate or cloister beyond the river crosses it
		roads |= (roads<<2 | roads>>2) & 0xF
		n++
	}
	if n > 1 {
		g.set([...]rune{'.', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'}[roads],
			[2]int{1, 2})
	}
}

// shrineGlyph returns where a cloister or garden lies in a glyph: in the middle, or by the half-edge it is nearest to
// if a road, a river or a city takes the middle.
func shrineGlyph(id table.TileID, q int) [2]int {
	beside := slices.Index(table.HalfNames[:], layouts[id].Beside)
	if beside < 0 {
		return [2]int{1, 2}
	}
	return glyphHalfs[(beside+2*q)%8]
}

// figure writes an owner's letter where the figure stands, or beside the church or bed.
func (g tileGlyph) figure(id table.TileID, f state.Stands, q int) {
	letter := rune(f.Seat.Seat().Letter()[0])
	if f.On.Kind.Shrine() {
		at := shrineGlyph(id, q)
		if at[1]++; at[1] == glyphWide {
			at[1] -= 2
		}
		g.set(letter, at)
		return
	}
	sh := &table.Shapes[id]
	i := sh.Part(&sh.Turned[q], f.On)
	if i < 0 {
		return
	}
	part := &id.Tile().Parts[i]
	switch e := (int(part.At[0]) + q) % 4; {
	case f.On.Kind == table.Field:
		g.set(letter|0x20, g.farm(part, int(f.On.At), q))
	case len(part.At) > 1:
		g.set(letter, [2]int{1, 2})
	case f.On.Kind == table.Road:
		g.set(letter, glyphArms[e][0])
	default:
		g.set(letter, GlyphEdges[e])
	}
}

// farm returns where a farmer stands: on the given half-edge, or on another one of the field that nothing else
// covers.
func (g tileGlyph) farm(field *table.Part, half, q int) [2]int {
	best := glyphHalfs[half&7]
	for _, h := range field.At {
		if at := glyphHalfs[(int(h)+2*q)%8]; g.Letters[best[0]][best[1]] != glyphField &&
			g.Letters[at[0]][at[1]] == glyphField {
			best = at
		}
	}
	return best
}
