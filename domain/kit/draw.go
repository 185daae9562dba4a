package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// Path reads an outline as SVG writes it, with absolute M, L, H, V, Q, C and Z, for drawings that are made once. It
// panics if it cannot.
func Path(d string) domain.Path {
	var p domain.Path
	var at domain.Point
	var op byte
	f := strings.Fields(strings.NewReplacer(",", " ", "M", " M ", "L", " L ", "H", " H ", "V", " V ", "Q", " Q ", "C",
		" C ", "Z", " Z ").Replace(d))
	number := func() float64 {
		if len(f) == 0 {
			panic(fmt.Sprintf("kit: a path ends too early: %q", d))
		}
		n, err := strconv.ParseFloat(f[0], 64)
		if err != nil {
			panic(fmt.Sprintf("kit: a path with %q: %q", f[0], d))
		}
		f = f[1:]
		return n
	}
	point := func() domain.Point { x := number(); return domain.Point{X: x, Y: number()} }
	for len(f) > 0 {
		if c := f[0][0]; 'A' <= c && c <= 'Z' {
			op, f = c, f[1:]
		} else if op == 'Z' || op == 0 {
			panic(fmt.Sprintf("kit: a path with numbers of no command: %q", d))
		}
		s := domain.Segment{Op: op}
		switch op {
		case 'H':
			s = domain.Segment{Op: 'L', To: domain.Point{X: number(), Y: at.Y}}
		case 'V':
			s = domain.Segment{Op: 'L', To: domain.Point{X: at.X, Y: number()}}
		case 'Q':
			s.A, s.To = point(), point()
		case 'C':
			s.A, s.B, s.To = point(), point(), point()
		case 'Z':
		case 'M':
			s.To, op = point(), 'L' // further pairs are lines
		default:
			s.To = point()
		}
		p, at = append(p, s), s.To
	}
	return p
}

// Mapped returns an outline with each of its points mapped elsewhere: moved, turned.
func Mapped(p domain.Path, to func(domain.Point) domain.Point) domain.Path {
	p = slices.Clone(p)
	for i := range p {
		s := &p[i]
		if s.Op == 'C' {
			s.B = to(s.B)
		}
		if s.Op == 'C' || s.Op == 'Q' {
			s.A = to(s.A)
		}
		if s.Op != 'Z' {
			s.To = to(s.To)
		}
	}
	return p
}

// Poly is a closed outline through points: x, y, x, y, …
func Poly(xy ...float64) (p domain.Path) {
	for i := 0; i+1 < len(xy); i += 2 {
		p = p.L(xy[i], xy[i+1])
	}
	p[0].Op = 'M'
	return p.Z()
}

// Disc is a filled circle about a centre.
func Disc(x, y, r float64, fill domain.Color) domain.Shape {
	return Filled(domain.Ellipse(x, y, r, r), fill)
}

// Filled is an outline filled.
func Filled(p domain.Path, fill domain.Color) domain.Shape { return domain.Shape{Path: p, Fill: fill} }

// Line is a straight line.
func Line(x1, y1, x2, y2, width float64, stroke domain.Color) domain.Shape {
	return domain.Shape{Path: domain.Path{}.M(x1, y1).L(x2, y2), Stroke: stroke, Width: width}
}

// Text is letters or digits centred on a point.
func Text(x, y, size float64, text string, fill domain.Color) domain.Shape {
	return domain.Shape{Text: text, At: domain.Point{X: x, Y: y}, Size: size, Fill: fill}
}

// Edged adds an outline to a shape.
func Edged(s domain.Shape, stroke domain.Color, width float64) domain.Shape {
	s.Stroke, s.Width = stroke, width
	return s
}

// Card is one of [Cards].
type Card struct {
	Above, Face, Below string // letters or digits, or ""
	Edge               domain.Color
	Spot               string // the spot that it is, or ""; a choice without a place has its letter above the card
}

// Cards is a panel of cards in a row: a card for each seat, a hand, what is turned up.
func Cards(name string, weight domain.Weight, sketch domain.Sketch, cards []Card) domain.Panel {
	p := domain.Panel{Name: name, Weight: weight,
		Scene: domain.Scene{W: float64(max(len(cards), 1))*30 + 10, H: 75, Ground: domain.RGB(0xF4EFE2)}}
	for i, c := range cards {
		x := float64(i)*30 + 20
		for _, open := range sketch.Open {
			if c.Spot != "" && open.Spot == c.Spot {
				c.Above = open.Name
			}
		}
		box := Edged(Filled(domain.Rect(x-10, 20, 20, 30), domain.RGB(0xFFFFFF)), c.Edge, 2)
		p.Scene.Shapes = append(p.Scene.Shapes, Pressable(box, sketch, c.Spot, c.Edge.Alpha(64)))
		for k, text := range []string{c.Above, c.Face, c.Below} {
			if text != "" {
				p.Scene.Shapes = append(p.Scene.Shapes, Text(x, 12+24*float64(k), 10, text, domain.RGB(0x222222)))
			}
		}
		p.Text += strings.TrimRight(fmt.Sprintf("%s [%s] %s", c.Above, c.Face, c.Below), " ") + "\n"
	}
	return p
}

// Pressable makes a shape a spot if the sketch has it open, and a ghost in a colour if the sketch already has it
// chosen.
func Pressable(s domain.Shape, sketch domain.Sketch, spot string, chosen domain.Color) domain.Shape {
	if slices.Contains(sketch.Chosen, spot) {
		s.Fill, s.Class = chosen, "ghost"
	}
	if slices.ContainsFunc(sketch.Open, func(o domain.Spot) bool { return o.Spot == spot }) {
		s.Spot = spot
	}
	return s
}

// Letters is a drawing in characters, for text mails and terminals.
type Letters [][]rune

// NewLetters returns an empty drawing of w columns and h rows.
func NewLetters(w, h int) Letters {
	l := make(Letters, h)
	for y := range l {
		l[y] = []rune(strings.Repeat(" ", w))
	}
	return l
}

// Put writes a text starting at a place; it drops what does not fit.
func (l Letters) Put(x, y int, text string) {
	for i, r := range []rune(text) {
		if y >= 0 && y < len(l) && x+i >= 0 && x+i < len(l[y]) {
			l[y][x+i] = r
		}
	}
}

// Centre writes a text centred on a place; one of even length is a column to the left.
func (l Letters) Centre(x, y int, text string) { l.Put(x-len([]rune(text))/2, y, text) }

// String returns the rows, without trailing spaces and without empty rows at the end.
func (l Letters) String() string {
	var b strings.Builder
	for _, row := range l {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
