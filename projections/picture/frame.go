package picture

import (
	"cmp"
	"math"

	"posthorn/domain"
)

// frame places a drawing: scaled, turned clockwise, moved. Scenes have no skewing, so frames compose into frames.
type frame struct {
	scale    float64
	turn     float64 // degrees, 0 ≤ turn < 360
	x, y     float64
	cos, sin float64
}

func newFrame(scale, turn, x, y float64) frame {
	turn = math.Mod(turn, 360)
	if turn < 0 {
		turn += 360
	}
	f := frame{scale: scale, turn: turn, x: x, y: y}
	f.sin, f.cos = math.Sincos(turn * math.Pi / 180)
	if math.Mod(turn, 90) == 0 { // exact, since otherwise the edges of turned tiles would blur
		f.sin, f.cos = math.Round(f.sin), math.Round(f.cos)
	}
	return f
}

func (f frame) apply(p domain.Point) domain.Point {
	x, y := p.X*f.scale, p.Y*f.scale
	return domain.Pt(x*f.cos-y*f.sin+f.x, x*f.sin+y*f.cos+f.y)
}

// inner returns the frame of what a shape places within f.
func (f frame) inner(s *domain.Shape) frame {
	at := f.apply(s.At)
	return newFrame(f.scale*scaleOf(s), f.turn+s.Turn, at.X, at.Y)
}

func scaleOf(s *domain.Shape) float64 { return cmp.Or(s.Scale, 1) }

func strokeWidth(s *domain.Shape) float64 {
	if s.Width <= 0 {
		return 1
	}
	return s.Width
}

// box is a rectangle that grows around points.
type box struct{ x0, y0, x1, y1 float64 }

func emptyBox() box {
	return box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

func (b *box) add(p domain.Point) {
	b.x0, b.y0 = min(b.x0, p.X), min(b.y0, p.Y)
	b.x1, b.y1 = max(b.x1, p.X), max(b.y1, p.Y)
}

// rect grows b around a rectangle that f places.
func (b *box) rect(f frame, x, y, w, h float64) {
	for _, p := range [...]domain.Point{domain.Pt(x, y), domain.Pt(x+w, y), domain.Pt(x, y+h), domain.Pt(x+w, y+h)} {
		b.add(f.apply(p))
	}
}

func (b box) empty() bool { return b.x0 > b.x1 || b.y0 > b.y1 }

func (b box) area() float64 {
	if b.empty() {
		return 0
	}
	// One more pixel each way, because a thin line costs its pixels too.
	return (b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1)
}

func (b box) meets(o box) bool {
	return b.x0 <= o.x1+1 && o.x0 <= b.x1+1 && b.y0 <= o.y1+1 && o.y0 <= b.y1+1
}

// extent is the room that shapes take: a box that grows around them.
type extent struct {
	box
	symbols map[string]*domain.Symbol
}

func symbolsByID(scene *domain.Scene) map[string]*domain.Symbol {
	out := make(map[string]*domain.Symbol, len(scene.Symbols))
	for i := range scene.Symbols {
		out[scene.Symbols[i].ID] = &scene.Symbols[i]
	}
	return out
}

// shape adds a shape. Its control points count, which makes the box large enough.
func (e *extent) shape(sh *domain.Shape, f frame, depth int) {
	if depth > maxNesting {
		return
	}
	for _, g := range sh.Path {
		pts, _ := pointsOf(g)
		for _, p := range pts {
			e.add(f.apply(p))
		}
	}
	in := f.inner(sh)
	if sh.Text != "" {
		w := sh.Size * 0.6 * float64(len(sh.Text))
		e.rect(in, -w/2, -sh.Size/2, w, sh.Size)
	}
	if sym := e.symbols[sh.Use]; sym != nil {
		e.rect(in, sym.X, sym.Y, sym.W, sym.H)
	}
	for i := range sh.Group {
		e.shape(&sh.Group[i], in, depth+1)
	}
}

// class adds the shapes of a class, wherever they lie in a list.
func (e *extent) class(name string, list []domain.Shape, f frame, depth int) {
	for i := range list {
		if sh := &list[i]; sh.Class == name {
			e.shape(sh, f, depth)
		} else if depth < maxNesting {
			e.class(name, sh.Group, f.inner(sh), depth+1)
		}
	}
}

// things adds what lies on a scene's ground: all but lines.
func (e *extent) things(list []domain.Shape, f frame, depth int) {
	for i := range list {
		if sh := &list[i]; sh.Use != "" || sh.Text != "" || sh.Fill&0xFF != 0 {
			e.shape(sh, f, depth)
		} else if depth < maxNesting {
			e.things(sh.Group, f.inner(sh), depth+1)
		}
	}
}

// pointsOf returns the points of a segment, as SVG writes them.
func pointsOf(g domain.Segment) (pts []domain.Point, ok bool) {
	all := [...]domain.Point{g.A, g.B, g.To}
	switch g.Op {
	case 'M', 'L':
		return all[2:], true
	case 'Q':
		return []domain.Point{g.A, g.To}, true
	case 'C':
		return all[:], true
	}
	return nil, g.Op == 'Z'
}

// far is the scene size, in units, above which a phone shows too little of what is being tried out; nearWidth by
// nearHeight is the size of the part shown instead.
const (
	far        = 800
	nearWidth  = 480
	nearHeight = 380
)

// Closer returns the part of a large scene around what is being tried out (the shapes of class "ghost"); ok is false if
// the whole scene is best.
func Closer(s domain.Scene) (part domain.Scene, ok bool) {
	tried := extent{emptyBox(), symbolsByID(&s)}
	tried.class("ghost", s.Shapes, newFrame(1, 0, 0, 0), 0)
	if tried.empty() || s.W <= far && s.H <= far {
		return s, false
	}
	s.X, s.W = window(s.X, s.W, tried.x0, tried.x1, nearWidth)
	s.Y, s.H = window(s.Y, s.H, tried.y0, tried.y1, nearHeight)
	return s, true
}

// Parts splits a row into scenes, each of the given width in units, from the left. Each holds the shapes whose middle
// lies in it, and the whole scene's symbols.
func Parts(s domain.Scene, each float64) []domain.Scene {
	parts := make([]domain.Scene, max(1, int(math.Round(s.W/each))))
	symbols := symbolsByID(&s)
	for i := range parts {
		parts[i] = domain.Scene{X: s.X + float64(i)*each, Y: s.Y, W: each, H: s.H, Ground: s.Ground, Symbols: s.Symbols}
	}
	for i := range s.Shapes {
		lies, at := extent{emptyBox(), symbols}, 0
		if lies.shape(&s.Shapes[i], newFrame(1, 0, 0, 0), 0); !lies.empty() {
			at = min(max(int(((lies.x0+lies.x1)/2-s.X)/each), 0), len(parts)-1)
		}
		parts[at].Shapes = append(parts[at].Shapes, s.Shapes[i])
	}
	return parts
}

// window returns the part of a stretch around [a, b]: as long as near, or as [a, b] needs, and within the stretch.
func window(start, length, a, b, near float64) (from, size float64) {
	size = min(length, max(near, b-a+near/2))
	return math.Min(max((a+b)/2-size/2, start), start+length-size), size
}
