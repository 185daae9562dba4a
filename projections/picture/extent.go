package picture

import (
	"math"

	"posthorn/domain"
)

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

// shape takes a shape in. Control points count, which is large enough.
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

// class takes in the shapes of a class, wherever they lie in a list.
func (e *extent) class(name string, list []domain.Shape, f frame, depth int) {
	for i := range list {
		if sh := &list[i]; sh.Class == name {
			e.shape(sh, f, depth)
		} else if depth < maxNesting {
			e.class(name, sh.Group, f.inner(sh), depth+1)
		}
	}
}

// pointsOf are the points of a segment, as SVG writes them.
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

// far is the size of a scene, in units, beyond which a phone shows too little of what is
// being tried on it; nearWidth by nearHeight is the size of the part shown instead.
const (
	far        = 800
	nearWidth  = 480
	nearHeight = 380
)

// Closer is the part of a large scene around what is being tried (the shapes of class
// "ghost"); ok is false where the whole is best.
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

// window is the part of a stretch around [a, b], as long as near or as what is tried needs,
// and within the stretch.
func window(start, length, a, b, near float64) (from, size float64) {
	size = min(length, max(near, b-a+near/2))
	return math.Min(max((a+b)/2-size/2, start), start+length-size), size
}
