package picture

import (
	"encoding/binary"
	"image"
	"image/draw"
	"math"
	"slices"

	"github.com/minio/highwayhash"

	"posthorn/domain"
)

// outline is a path in pixels. Its points are multiples of a 64th of a pixel, relative to a whole pixel near it. So its
// shape is the same at any whole pixel, and what it covers need be computed only once.
type outline struct {
	path domain.Path
	x, y int // the whole pixel
	text bool
}

// fine is the number of positions for a point within a pixel, each way: finer than a shade of grey.
const fine = 64

// lay places a path on pixels. The outline is valid until the next call.
func (n *pen) lay(p domain.Path, f frame) outline {
	if len(p) == 0 {
		return outline{}
	}
	first := f.apply(p[0].To)
	n.laid = slices.Grow(n.laid[:0], len(p))[:len(p)]
	o := outline{path: n.laid, x: int(math.Floor(first.X)), y: int(math.Floor(first.Y))}
	at := func(q domain.Point) domain.Point {
		q = f.apply(q)
		return domain.Pt(math.Round((q.X-float64(o.x))*fine)/fine, math.Round((q.Y-float64(o.y))*fine)/fine)
	}
	for i, s := range p {
		to := domain.Segment{Op: s.Op}
		switch s.Op {
		case 'C':
			to.A, to.B, to.To = at(s.A), at(s.B), at(s.To)
		case 'Q':
			to.A, to.To = at(s.A), at(s.To)
		case 'Z':
		default:
			to.To = at(s.To)
		}
		o.path[i] = to
	}
	return o
}

func (o outline) lines() []line { return flatten(o.path, newFrame(1, 0, 0, 0)) }

// near reports whether an outline is about as large as a canvas at most, which limits what is kept of it.
func (o outline) near(w, h int, p pencil) bool {
	const beside = 256
	if p.width > beside {
		return false
	}
	for _, s := range o.path {
		for _, p := range [...]domain.Point{s.A, s.B, s.To} {
			if math.Abs(p.X) > float64(w+beside) || math.Abs(p.Y) > float64(h+beside) {
				return false
			}
		}
	}
	return true
}

// pencil is how the line of an outline is drawn; the zero value fills it.
type pencil struct{ width, dash float64 }

// maskKey is a digest of an outline and how it is drawn.
type maskKey [highwayhash.Size128]byte

func (p *pen) keyOf(o outline, w pencil, opaque bool) maskKey {
	b := p.key[:0]
	kind := byte(0)
	if opaque {
		kind |= 1
	}
	if o.text {
		kind |= 2
	}
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.width))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w.dash))
	for _, s := range o.path {
		b = append(b, s.Op)
		pts, _ := pointsOf(s)
		if s.Op == 'Z' {
			continue
		}
		for _, q := range pts {
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(q.X*fine)))
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(q.Y*fine)))
		}
	}
	p.key = b
	return highwayhash.Sum128(b, digestKey[:])
}

// mask says how much an outline covers the pixels near it: runs of pixels row by row, with fully covered runs separate
// from those at the edge. It does not change once made.
type mask struct {
	runs
	edge  []uint8 // how much the edge runs' pixels are covered
	whole int     // how many pixels are fully covered
}

func (m *mask) bytes() int { return m.runs.bytes() + len(m.edge) }

// mask computes what lines cover; nil means nothing. With keep false it covers only the canvas, and is valid until the
// next such call.
func (p *pen) mask(lines []line, on image.Rectangle, keep bool) *mask {
	b := boxOf(lines)
	if b.empty() {
		return nil
	}
	r := image.Rect(int(math.Floor(b.x0)), int(math.Floor(b.y0)), int(math.Ceil(b.x1))+1, int(math.Ceil(b.y1))+1)
	if !keep {
		r = r.Intersect(on)
	}
	if r.Empty() {
		return nil
	}
	w, h := r.Dx(), r.Dy()
	p.ras.Reset(w, h)
	ox, oy := float64(r.Min.X), float64(r.Min.Y)
	for _, l := range lines {
		for i, q := range l.pts {
			x, y := float32(q.X-ox), float32(q.Y-oy)
			if i == 0 {
				p.ras.MoveTo(x, y)
			} else {
				p.ras.LineTo(x, y)
			}
		}
		p.ras.ClosePath()
	}
	if cap(p.alpha) < w*h {
		p.alpha = make([]uint8, w*h)
	}
	a := &image.Alpha{Pix: p.alpha[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	p.ras.DrawOp = draw.Src
	p.ras.Draw(a, a.Rect, image.Opaque, image.Point{})
	p.cover(a.Pix, r)
	if !keep {
		return &p.made
	}
	return p.made.clone()
}

func (m *mask) clone() *mask {
	c := *m
	c.rows, c.list, c.edge = slices.Clone(m.rows), slices.Clone(m.list), slices.Clone(m.edge)
	return &c
}

// upright reports whether an outline is an upright rectangle, and returns its corners.
func (o outline) upright() (low, high domain.Point, ok bool) {
	p := o.path
	if len(p) != 5 || p[0].Op != 'M' || p[1].Op != 'L' || p[2].Op != 'L' || p[3].Op != 'L' || p[4].Op != 'Z' {
		return low, high, false
	}
	a, b, c, d := p[0].To, p[1].To, p[2].To, p[3].To
	ok = a.Y == b.Y && b.X == c.X && c.Y == d.Y && d.X == a.X || a.X == b.X && b.Y == c.Y && c.X == d.X && d.Y == a.Y
	return domain.Pt(min(a.X, c.X), min(a.Y, c.Y)), domain.Pt(max(a.X, c.X), max(a.Y, c.Y)), ok
}

// rectangle returns what an upright rectangle covers, without looking at its pixels.
func rectangle(low, high domain.Point) *mask {
	r := image.Rect(int(math.Floor(low.X)), int(math.Floor(low.Y)), int(math.Ceil(high.X)), int(math.Ceil(high.Y)))
	m := &mask{runs: newRuns(r)}
	m.list, m.edge = make([]run, 0, 3*r.Dy()), make([]uint8, 0, 2*(r.Dx()+r.Dy()))
	within := func(from, to float64, at int) float64 { return min(to, float64(at+1)) - max(from, float64(at)) }
	for y := r.Min.Y; y < r.Max.Y; y++ {
		tall := within(low.Y, high.Y, y)
		for x, n := r.Min.X, 1; x < r.Max.X; x += n {
			part := within(low.X, high.X, x)
			if n = 1; part == 1 {
				n = int(math.Floor(high.X)) - x
			}
			m.same(x-r.Min.X, n, uint8(math.Round(0xFF*part*tall)))
		}
		m.endRow()
	}
	return m
}

// same adds pixels that are all covered equally.
func (m *mask) same(x, n int, part uint8) {
	switch part {
	case 0:
	case 0xFF:
		m.add(x, n, whole)
		m.whole += n
	default:
		m.add(x, n, int32(len(m.edge)))
		for range n {
			m.edge = append(m.edge, part)
		}
	}
}

// cover makes runs from coverages, one byte per pixel.
func (p *pen) cover(pix []uint8, r image.Rectangle) {
	w, h, m := r.Dx(), r.Dy(), &p.made
	m.runs = runs{x: r.Min.X, y: r.Min.Y, w: w, h: h, rows: append(m.rows[:0], 0), list: m.list[:0]}
	m.edge, m.whole = m.edge[:0], 0
	for y := range h {
		row := pix[y*w : y*w+w]
		for x := 0; x < w; {
			switch v := row[x]; v {
			case 0:
				x++
				for x+8 <= w && binary.LittleEndian.Uint64(row[x:]) == 0 {
					x += 8
				}
			default:
				from := x
				for x < w && row[x] != 0 && (row[x] == 0xFF) == (v == 0xFF) {
					x++
				}
				at := whole
				if v != 0xFF {
					at = int32(len(m.edge))
					m.edge = append(m.edge, row[from:x]...)
				} else {
					m.whole += x - from
				}
				m.add(from, x-from, at)
			}
		}
		m.endRow()
	}
}

// paint paints what is covered, moved by whole pixels, in a colour.
func (m *mask) paint(on *pixels, dx, dy int, c domain.Color) {
	col := premultiplied(c)
	m.each(on.bounds(), dx, dy, func(x, y, n int, at int32) {
		dst := on.pix[y*on.w+x:][:n]
		switch {
		case at != whole:
			for i, v := range m.edge[at : int(at)+n] {
				dst[i] = over(scaled(col, uint32(v)), dst[i])
			}
		case col>>24 == 0xFF:
			for i := range dst {
				dst[i] = col
			}
		default:
			for i, d := range dst {
				dst[i] = over(col, d)
			}
		}
	})
}
