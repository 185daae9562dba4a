package kit

import (
	"cmp"
	"math"
	"strconv"

	"posthorn/domain"
)

// Board is a board of equal cells, counted row by row from 0 at the top left: squares, or hexagons whose rows lean to
// the right. A cell's name is the letter of its column and the number of its row: "c5".
type Board struct {
	Columns, Rows int // at most 26 columns
	Hex           bool
	// Edges are bands along the top, right, bottom and left. In characters a seat's colour becomes its letter, and any
	// other "#".
	Edges [4]domain.Color
}

// Cell is what a cell looks like.
type Cell struct {
	Fill   domain.Color // 0 is white
	Letter string       // the piece there, as one letter or digit; "" if there is none
	Last   bool         // it was just played
}

// Names returns the names of all cells, in order.
func (b Board) Names() (list []string) {
	for cell := range b.Columns * b.Rows {
		list = append(list, string(rune('a'+cell%b.Columns))+strconv.Itoa(cell/b.Columns+1))
	}
	return list
}

// Cell returns the cell with a name; false if there is none.
func (b Board) Cell(name string) (cell int, ok bool) {
	if name == "" {
		return 0, false
	}
	column := int(name[0]) - 'a'
	row, err := strconv.Atoi(name[1:])
	ok = err == nil && column >= 0 && column < b.Columns && row >= 1 && row <= b.Rows
	return (row-1)*b.Columns + column, ok
}

// Around lists the cells next to one.
func (b Board) Around(cell int) (list []int) {
	ways := [][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}, {-1, 1}}
	if !b.Hex {
		ways = ways[:4]
	}
	for _, way := range ways {
		if x, y := cell%b.Columns+way[0], cell/b.Columns+way[1]; x >= 0 && x < b.Columns && y >= 0 && y < b.Rows {
			list = append(list, y*b.Columns+x)
		}
	}
	return list
}

// Place returns the choice of a place by its name, which is the key, place and spot, and {place} in the label.
func Place(name, label string) domain.Step {
	return domain.Step{Key: name, Place: name, Spot: name, Label: domain.S(label, "place", name)}
}

// radius is a hexagon's radius and half a square's side; edge is the room around the board.
const radius, edge = 20.0, 6.0

// grid returns how far apart the cells lie, and how many corners they have.
func (b Board) grid() (wide, high, lean, corners float64) {
	if b.Hex {
		return math.Sqrt(3) * radius, 1.5 * radius, math.Sqrt(3) / 2 * radius, 6
	}
	return 2 * radius, 2 * radius, 0, 4
}

// rim returns the middle of a cell, and the outline of the grown cell from one corner to another: corners count
// clockwise from the lower right, and 0.5 is half way between two.
func (b Board) rim(cell int, from, to, grown float64) (x, y float64, xy []float64) {
	wide, high, lean, corners := b.grid()
	x, y = edge+wide/2+wide*float64(cell%b.Columns)+lean*float64(cell/b.Columns),
		edge+radius+high*float64(cell/b.Columns)
	for at := from; ; at = min(to, math.Floor(at+1)) {
		sin, cos := math.Sincos(2 * math.Pi / corners * (at + .5))
		far := (wide/2 + grown) / math.Cos(2*math.Pi/corners*(at-math.Floor(at)-.5))
		if xy = append(xy, x+far*cos, y+far*sin); at == to {
			return x, y, xy
		}
	}
}

// inLetters returns where a cell is written in characters.
func (b Board) inLetters(cell int) (column, row int) {
	column, row = 3+2*(cell%b.Columns), 1+cell/b.Columns
	if b.Hex {
		column += cell / b.Columns
	}
	if b.Edges[0] != 0 {
		row++
	}
	if b.Edges[3] != 0 {
		column += 2
	}
	return column, row
}

// band draws the band along a side, under the cells: a wedge for each. If two sides share an edge of a hexagon, each
// gets half of it.
func (b Board) band(side int, letters Letters) (shapes []domain.Shape) {
	_, _, _, corners := b.grid()
	letter := "#"
	for seat := range domain.Seat(domain.MaxSeats) {
		if domain.SeatColor(seat) == b.Edges[side] {
			letter = seat.Letter()
		}
	}
	for i := range b.Columns * b.Rows {
		on := [4]bool{i < b.Columns, i%b.Columns == b.Columns-1, i >= b.Columns*(b.Rows-1), i%b.Columns == 0}
		if b.Edges[side] == 0 || !on[side] {
			continue
		}
		from := [4]float64{corners / 2, corners/2 + 1, 0, 1}[side]
		to := from + corners/2 - 1
		if second := float64(side % 2); b.Hex && on[side^1] {
			from, to = from+second/2, to-(1-second)/2
		}
		x, y, outer := b.rim(i, from, to, edge-1)
		shapes = append(shapes, Filled(Poly(append(outer, x, y)...), b.Edges[side]))
		column, row := b.inLetters(i)
		letters.Put(column+[4]int{0, 2, 0, -2}[side], row+[4]int{-1, 0, 1, 0}[side], letter)
	}
	return shapes
}

// Panel draws the board. A cell that is empty, or may be chosen, shows its name.
func (b Board) Panel(name string, sketch domain.Sketch, look func(cell int) Cell) domain.Panel {
	wide, high, lean, corners := b.grid()
	scene := domain.Scene{W: wide*float64(b.Columns) + lean*float64(b.Rows-1) + 2*edge,
		H: high*float64(b.Rows-1) + 2*radius + 2*edge, Ground: domain.RGB(0xF4EFE2)}
	letters, ink := NewLetters(8+2*b.Columns+b.Rows, b.Rows+3), domain.RGB(0x222222)
	for side := range b.Edges {
		scene.Shapes = append(scene.Shapes, b.band(side, letters)...)
	}
	for i, place := range b.Names() {
		at := look(i)
		x, y, outline := b.rim(i, 0, corners-1, 0)
		ground := Filled(Poly(outline...), domain.RGB(0xFFFFFF))
		shape := Pressable(Edged(Filled(ground.Path, cmp.Or(at.Fill, ground.Fill)), ink, 1), sketch, place,
			domain.SeatColor(domain.Nobody).Alpha(96))
		if at.Last {
			shape.Class, shape.Width = "last", 4
		}
		scene.Shapes = append(scene.Shapes, ground, shape)
		column, row := b.inLetters(i)
		letters.Put(column, row, cmp.Or(at.Letter, "."))
		if i < b.Columns {
			letters.Put(column, 0, place[:1])
		}
		letters.Put(0, row, place[1:])
		apart := 0.0
		if at.Letter != "" {
			if shape.Spot != "" {
				apart = 7
			}
			scene.Shapes = append(scene.Shapes, Text(x, y-apart, 16, at.Letter, ink))
		}
		if at.Letter == "" || shape.Spot != "" {
			scene.Shapes = append(scene.Shapes, Text(x, y+apart, 10, place, ink))
		}
	}
	return domain.Panel{Name: name, Weight: domain.PanelMain, Scene: scene, Text: letters.String()}
}
