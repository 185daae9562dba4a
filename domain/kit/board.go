package kit

import (
	"cmp"
	"math"
	"strconv"

	"posthorn/domain"
)

// Board is a board of equal cells, counted row by row from 0 at the top left: squares, or hexagons whose
// rows lean to the right. A cell is called by the letter of its column and the number of its row: "c5".
type Board struct {
	Columns, Rows int // at most 26 columns
	Hex           bool
	Edges         [4]domain.Color // what runs along the top, the right, the bottom and the left
}

// Cell is what a cell looks like.
type Cell struct {
	Fill   domain.Color // 0 is white
	Letter string       // what lies there, in one letter or digit; "" if nothing does
	Last   bool         // it was just played
}

// Names are the names of all cells, in their order.
func (b Board) Names() (list []string) {
	for cell := range b.Columns * b.Rows {
		list = append(list, string(rune('a'+cell%b.Columns))+strconv.Itoa(cell/b.Columns+1))
	}
	return list
}

// Cell is the cell of a name; false if there is none.
func (b Board) Cell(name string) (cell int, ok bool) {
	if name == "" {
		return 0, false
	}
	column := int(name[0]) - 'a'
	row, err := strconv.Atoi(name[1:])
	ok = err == nil && column >= 0 && column < b.Columns && row >= 1 && row <= b.Rows
	return (row-1)*b.Columns + column, ok
}

// Around lists the cells beside one.
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

// Place is the choice of a place by its name: that is key, place and spot, and in the label {place}.
func Place(name, label string) domain.Step {
	return domain.Step{Key: name, Place: name, Spot: name, Label: domain.S(label, "place", name)}
}

// Panel draws the board. A cell that is empty, or may be chosen, bears its name.
func (b Board) Panel(name string, sketch domain.Sketch, look func(cell int) Cell) domain.Panel {
	const radius, edge = 20.0, 6.0
	wide, high, lean, corners, turn := 2*radius, 2*radius, 0.0, 4, math.Pi/4
	if b.Hex {
		wide, high, lean, corners, turn = math.Sqrt(3)*radius, 1.5*radius, math.Sqrt(3)/2*radius, 6, math.Pi/6
	}
	scene := domain.Scene{W: wide*float64(b.Columns) + lean*float64(b.Rows-1) + 2*edge, H: high*float64(b.Rows-1) + 2*radius + 2*edge, Ground: domain.RGB(0xF4EFE2)}
	cell := func(i int, grown float64, fill domain.Color) (s domain.Shape, x, y float64) {
		x, y = edge+wide/2+wide*float64(i%b.Columns)+lean*float64(i/b.Columns), edge+radius+high*float64(i/b.Columns)
		outline, far := []float64{}, (wide/2+grown)/math.Cos(math.Pi/float64(corners))
		for k := range corners {
			sin, cos := math.Sincos(turn + 2*math.Pi*float64(k)/float64(corners))
			outline = append(outline, x+far*cos, y+far*sin)
		}
		return Filled(Poly(outline...), fill), x, y
	}
	letters, ink := NewLetters(3+2*b.Columns+b.Rows, b.Rows+1), domain.RGB(0x222222)
	for side, colour := range b.Edges {
		for i := range b.Columns * b.Rows {
			if colour != 0 && [4]bool{i < b.Columns, i%b.Columns == b.Columns-1, i >= b.Columns*(b.Rows-1), i%b.Columns == 0}[side] {
				border, _, _ := cell(i, edge-1, colour)
				scene.Shapes = append(scene.Shapes, border)
			}
		}
	}
	for i, place := range b.Names() {
		at := look(i)
		ground, x, y := cell(i, 0, domain.RGB(0xFFFFFF))
		shape := ground
		shape.Fill = cmp.Or(at.Fill, ground.Fill)
		shape = Pressable(Edged(shape, ink, 1), sketch, place, domain.SeatColor(domain.Nobody).Alpha(96))
		if at.Last {
			shape.Class, shape.Width = "last", 4
		}
		scene.Shapes = append(scene.Shapes, ground, shape)
		row, column, apart := i/b.Columns, 3+2*(i%b.Columns), 0.0
		letters.Put(column, 0, place[:1])
		letters.Put(0, row+1, place[1:])
		if b.Hex {
			column += row
		}
		letters.Put(column, row+1, cmp.Or(at.Letter, "."))
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
