package carcassonne

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// A tile in characters is five wide and three high, about a square where letters are twice
// as high as wide. The board with its margin fits a mail's 72 columns.
const (
	glyphWide = 5
	glyphHigh = 3
	textWide  = 72
)

// tileGlyph is a tile in characters.
type tileGlyph [glyphHigh][glyphWide]rune

// String is the tile by itself, a line a row.
func (g tileGlyph) String() string {
	var b strings.Builder
	for _, row := range g {
		writeLine(&b, string(row[:]))
	}
	return b.String()
}

// The characters; "board.legend" explains them.
const (
	glyphField    = '.'
	glyphCity     = '#'
	glyphPennant  = '%'
	glyphRiver    = '~'
	glyphCloister = '+'
	glyphGarden   = '*'
)

type letters struct {
	text     string
	cut      bool
	from, to int // the columns shown
}

func (l letters) says() []domain.Say {
	if l.text == "" {
		return nil
	}
	list := []domain.Say{domain.S("board.legend")}
	if l.cut {
		list = append(list, domain.S("board.cut", "from", l.from, "to", l.to))
	}
	return list
}

// lettersOf is the map in characters for text mails and terminals, with the coordinates on
// its rim and the names of sketch.Open in their places, and the tile to be placed below.
// At most 72 columns: of a wider map the part around the open places is shown, with "<" and ">"
// where it goes on.
func lettersOf(v *View, sketch domain.Sketch) letters {
	if len(v.Tiles) == 0 {
		return letters{}
	}
	d := boardDrawing{view: v, sketch: sketch}
	d.findExtent()
	margin := 2 + max(len(strconv.Itoa(d.y0)), len(strconv.Itoa(d.y1)))
	most := (textWide - margin - 1) / glyphWide
	out := letters{from: d.x0, to: d.x1}
	if d.x1-d.x0+1 > most {
		out.cut = true
		out.from = d.window(most)
		out.to = out.from + most - 1
	}
	cells := map[[2]int]tileGlyph{}
	for _, o := range sketch.Open {
		if x, y, ok := cellOf(o.Key); ok {
			cells[[2]int{x, y}] = openGlyph(o.Name)
		}
	}
	for i := range v.Tiles {
		cells[[2]int{v.Tiles[i].X, v.Tiles[i].Y}] = glyphOf(&v.Tiles[i])
	}
	if len(sketch.Chosen) > 0 && v.Tile != NoTile {
		if x, y, ok := cellOf(sketch.Chosen[0]); ok {
			cells[[2]int{x, y}] = glyphOf(&ViewTile{Tile: v.Tile, Turn: 90 * d.triedTurn(), Figures: d.triedFigure()})
		}
	}
	var b strings.Builder
	head := strings.Repeat(" ", margin)
	for x := out.from; x <= out.to; x++ {
		head += centred(strconv.Itoa(x))
	}
	writeLine(&b, head)
	for y := d.y0; y <= d.y1; y++ {
		for row := range glyphHigh {
			writeLine(&b, d.textRow(out, cells, y, row, margin))
		}
	}
	writeLine(&b, head)
	out.text = b.String()
	return out
}

func (d *boardDrawing) textRow(l letters, cells map[[2]int]tileGlyph, y, row, margin int) string {
	line := ""
	if row == 1 {
		line = strconv.Itoa(y)
	}
	line = strings.Repeat(" ", margin-1-len(line)) + line
	if l.cut && row == 1 && l.from > d.x0 {
		line += "<"
	} else {
		line += " "
	}
	for x := l.from; x <= l.to; x++ {
		if g, ok := cells[[2]int{x, y}]; ok {
			line += string(g[row][:])
		} else {
			line += strings.Repeat(" ", glyphWide)
		}
	}
	if l.cut && row == 1 && l.to < d.x1 {
		line += ">"
	}
	return line
}

func writeLine(b *strings.Builder, line string) {
	b.WriteString(strings.TrimRight(line, " "))
	b.WriteByte('\n')
}

// centred puts a number over the middle of a tile.
func centred(s string) string {
	left := (glyphWide - len(s) + 1) / 2
	if strings.HasPrefix(s, "-") && left > 0 {
		left = (glyphWide - len(s)) / 2
	}
	return strings.Repeat(" ", left) + s + strings.Repeat(" ", glyphWide-left-len(s))
}

// window is the first of so many columns around the open places, or around the last tile.
func (d *boardDrawing) window(most int) int {
	least, greatest, any := 0, 0, false
	for _, o := range d.sketch.Open {
		if x, _, ok := cellOf(o.Key); ok {
			if !any {
				least, greatest, any = x, x, true
			}
			least, greatest = min(least, x), max(greatest, x)
		}
	}
	if !any {
		least = d.view.Tiles[len(d.view.Tiles)-1].X
		greatest = least
	}
	// Round down, so that the halves of odd numbers below and above 0 go the same way.
	sum := least + greatest - most + 1
	from := sum >> 1
	return min(max(from, d.x0), d.x1-most+1)
}

func (d *boardDrawing) triedFigure() []Stands {
	if len(d.sketch.Chosen) < 3 {
		return nil
	}
	on, abbot, ok := figureOf(d.sketch.Chosen[2])
	if !ok {
		return nil
	}
	return []Stands{{Seat: d.view.ToMove, Abbot: abbot, On: on}}
}

// openGlyph is an open place with its name; a long one takes two lines.
func openGlyph(name string) (g tileGlyph) {
	lines := [glyphHigh]string{1: name}
	if column, row, _ := strings.Cut(name, ","); len(name) > glyphWide {
		lines = [glyphHigh]string{column + ",", row}
	} else if name == "" {
		lines[1] = "[ ]"
	}
	for r, line := range lines {
		copy(g[r][:], []rune(centred(line)))
	}
	return g
}

// The places of a glyph, clockwise from north: of an edge, and of a half-edge.
var (
	glyphEdges = [4][2]int{{0, 2}, {1, 4}, {2, 2}, {1, 0}}
	glyphHalfs = [8][2]int{{0, 1}, {0, 3}, {0, 4}, {2, 4}, {2, 3}, {2, 1}, {2, 0}, {0, 0}}
	// The corners clockwise of each edge.
	glyphCorners = [4][2]int{{0, 4}, {2, 4}, {2, 0}, {0, 0}}
)

// glyphOf draws a tile as it lies, with its figures: letters, small for farmers.
func glyphOf(t *ViewTile) (g tileGlyph) {
	for r := range g {
		for c := range g[r] {
			g[r][c] = glyphField
		}
	}
	if t.Tile == NoTile {
		return g
	}
	tile, q := t.Tile.Tile(), quartersOf(t.Turn)
	for _, p := range tile.Parts {
		if p.Kind == City {
			g.city(tile, &p, q)
		}
	}
	g.ways(tile, q)
	if tile.Cloister {
		r, c := g.shrine(tile, q)
		g[r][c] = glyphCloister
	}
	if tile.Garden {
		r, c := g.shrine(tile, q)
		g[r][c] = glyphGarden
	}
	for _, f := range t.Figures {
		g.figure(tile, f, q)
	}
	return g
}

func (g *tileGlyph) set(at [2]int, c rune) { g[at[0]][at[1]] = c }

// city fills a city's edges, the corners between them, and the middle unless a road needs it.
func (g *tileGlyph) city(t *Tile, p *Part, q int) {
	var here [4]bool
	for _, e := range p.At {
		here[(int(e)+q)%4] = true
	}
	for e := range 4 {
		if !here[e] {
			continue
		}
		g.set(glyphEdges[e], glyphCity)
		switch e {
		case 0, 2:
			g[e][1], g[e][3] = glyphCity, glyphCity
		case 1:
			g[1][3] = glyphCity
		case 3:
			g[1][1] = glyphCity
		}
		if here[(e+1)%4] {
			g.set(glyphCorners[e], glyphCity)
		}
	}
	if len(p.At) > 1 {
		if !tileHas(t, Road) && !tileHas(t, River) || len(p.At) > 2 {
			g[1][2] = glyphCity
		}
		if len(p.At) > 2 {
			g[1][1], g[1][3] = glyphCity, glyphCity
		}
	}
	if p.Pennant {
		at := glyphEdges[(int(p.At[0])+q)%4]
		g.set(at, glyphPennant)
	}
}

// ways draws rivers, and roads over them.
func (g *tileGlyph) ways(t *Tile, q int) {
	var roads [4]bool
	for _, kind := range [...]Kind{River, Road} {
		for _, p := range t.Parts {
			if p.Kind != kind {
				continue
			}
			for _, e := range p.At {
				g.arm((int(e)+q)%4, kind)
				roads[(int(e)+q)%4] = kind == Road
			}
			if kind == River {
				g[1][2] = glyphRiver
			}
		}
	}
	if n := count(roads); n > 1 || n == 1 && tileHas(t, River) {
		// A road that ends at a gate or a cloister beyond the river crosses it.
		if n == 1 {
			for e := range 4 {
				roads[e] = roads[e] || roads[(e+2)%4]
			}
		}
		g[1][2] = crossing(roads)
	}
}

func count(list [4]bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

func (g *tileGlyph) arm(e int, kind Kind) {
	c := glyphRiver
	if kind == Road {
		c = '│'
		if e%2 == 1 {
			c = '─'
		}
	}
	g.set(glyphEdges[e], c)
	switch e {
	case 1:
		g[1][3] = c
	case 3:
		g[1][1] = c
	}
}

// crossing is the character that joins roads to these edges.
func crossing(e [4]bool) rune {
	n := 0
	for i, b := range e {
		if b {
			n |= 1 << i
		}
	}
	return [16]rune{'.', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'}[n]
}

// shrine is where a cloister or garden lies in a glyph: in the middle, or by the half-edge
// it lies near where a road, a river or a city takes the middle.
func (g *tileGlyph) shrine(t *Tile, q int) (row, col int) {
	at := cloisterAt(t)
	if t.Garden {
		at = gardenAt(t)
	}
	beside := -1
	switch {
	case t.Cloister && tileHas(t, River):
		beside = 0
	case t.Cloister:
	case at.Y > 20: // Se
		beside = 4
	case at.Y < 0: // Ne
		beside = 1
	}
	if beside < 0 {
		return 1, 2
	}
	p := glyphHalfs[(beside+2*q)%8]
	return p[0], p[1]
}

// figure writes an owner's letter where the figure stands, or beside the church or bed.
func (g *tileGlyph) figure(t *Tile, f Stands, q int) {
	letter := rune(f.Seat.Seat().Letter()[0])
	switch f.On.Kind {
	case Cloister, Garden:
		r, c := g.shrine(t, q)
		if c == glyphWide-1 {
			c -= 2
		}
		g[r][c+1] = letter
	case Field:
		g.farmer(t, f, q, letter|0x20)
	default:
		part := partOn(t, q, f.On)
		if part < 0 {
			return
		}
		at := t.Parts[part].At
		switch {
		case len(at) > 1:
			g[1][2] = letter
		default:
			e := (int(at[0]) + q) % 4
			p := glyphEdges[e]
			if f.On.Kind == Road && e%2 == 1 {
				p[1] = [4]int{0, 3, 0, 1}[e]
			}
			g.set(p, letter)
		}
	}
}

// farmer finds a half-edge of the field that nothing else covers.
func (g *tileGlyph) farmer(t *Tile, f Stands, q int, letter rune) {
	part := partOn(t, q, f.On)
	if part < 0 {
		return
	}
	best := glyphHalfs[f.On.At&7]
	for _, h := range t.Parts[part].At {
		at := glyphHalfs[(int(h)+2*q)%8]
		if g[best[0]][best[1]] == glyphField {
			break
		}
		if g[at[0]][at[1]] == glyphField {
			best = at
		}
	}
	g.set(best, letter)
}
