package pages

import (
	"math"

	"posthorn/domain"
)

// far is the size of a scene, in units, beyond which a phone shows too little of what is
// being tried on it; nearWidth by nearHeight is the size of the part shown instead.
const (
	far        = 800
	nearWidth  = 480
	nearHeight = 380
)

// closer is the part of a large scene around what is being tried (the shapes of class
// "ghost"); ok is false where the whole is best.
func closer(s domain.Scene) (domain.Scene, bool) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range tried(nil, s.Shapes, domain.Point{}, false) {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	if x0 > x1 || s.W <= far && s.H <= far {
		return s, false
	}
	s.X, s.W = window(s.X, s.W, x0, x1, nearWidth)
	s.Y, s.H = window(s.Y, s.H, y0, y1, nearHeight)
	return s, true
}

// tried lists points of what is being tried: corners of paths, and where anything else lies.
func tried(points []domain.Point, shapes []domain.Shape, at domain.Point, ghost bool) []domain.Point {
	for i := range shapes {
		sh := &shapes[i]
		is, here := ghost || sh.Class == "ghost", domain.Point{X: at.X + sh.At.X, Y: at.Y + sh.At.Y}
		switch {
		case sh.Group != nil:
			points = tried(points, sh.Group, here, is)
		case !is:
		case sh.Path != nil:
			for _, g := range sh.Path {
				if g.Op != 'Z' {
					points = append(points, domain.Point{X: at.X + g.To.X, Y: at.Y + g.To.Y})
				}
			}
		default:
			points = append(points, here)
		}
	}
	return points
}

// window is the part of a stretch around [a, b], as long as near or as what is tried needs,
// and within the stretch.
func window(start, length, a, b, near float64) (from, size float64) {
	size = min(length, max(near, b-a+near/2))
	from = min(max((a+b)/2-size/2, start), start+length-size)
	return from, size
}
