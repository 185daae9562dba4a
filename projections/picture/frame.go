package picture

import (
	"math"

	"posthorn/domain"
)

// frame places a drawing: scaled, turned clockwise, moved. Scenes know no skewing, so
// frames compose into frames.
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
	if math.Mod(turn, 90) == 0 { // exact, or the edges of turned tiles would blur
		f.sin, f.cos = math.Round(f.sin), math.Round(f.cos)
	}
	return f
}

func (f frame) apply(p domain.Point) domain.Point {
	x, y := p.X*f.scale, p.Y*f.scale
	return domain.Point{X: x*f.cos - y*f.sin + f.x, Y: x*f.sin + y*f.cos + f.y}
}

// inner is the frame of what a shape places within f.
func (f frame) inner(s *domain.Shape) frame {
	at := f.apply(s.At)
	return newFrame(f.scale*scaleOf(s), f.turn+s.Turn, at.X, at.Y)
}

func scaleOf(s *domain.Shape) float64 {
	if s.Scale == 0 {
		return 1
	}
	return s.Scale
}

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
	for _, p := range [...]domain.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x, Y: y + h}, {X: x + w, Y: y + h}} {
		b.add(f.apply(p))
	}
}

func (b box) empty() bool { return b.x0 > b.x1 || b.y0 > b.y1 }

func (b box) area() float64 {
	if b.empty() {
		return 0
	}
	// A pixel more each way, since a thin line costs its pixels too.
	return (b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1)
}

func (b box) meets(o box) bool {
	return b.x0 <= o.x1+1 && o.x0 <= b.x1+1 && b.y0 <= o.y1+1 && o.y0 <= b.y1+1
}
