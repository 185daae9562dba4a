package picture

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/vector"

	"posthorn/domain"
	"posthorn/events/recent"
)

// maxNesting bounds groups in groups and symbols in symbols.
const maxNesting = 8

// canvas is pixels that shapes are painted on. What costs is found out once and kept: which pixels an outline
// covers, and the pixels of a symbol. Painting is then mostly copying.
type canvas struct {
	pixels
	symbols map[string]*symbol
	rasters *rasters
	masks   *masks // nil on the canvas of a symbol, which is painted once
	pen     *pen
}

// pen is the memory that finding out what an outline covers takes.
type pen struct {
	ras   vector.Rasterizer
	alpha []uint8
	key   []byte
	made  mask
}

type symbol struct {
	*domain.Symbol
	sum [16]byte // of its content: what its rasters are kept under
}

func (c *canvas) shapes(list []domain.Shape, f frame, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("paint: shapes nest deeper than %d", maxNesting)
	}
	for i := range list {
		if err := c.shape(&list[i], f, depth); err != nil {
			return err
		}
	}
	return nil
}

func (c *canvas) shape(s *domain.Shape, f frame, depth int) error {
	switch {
	case s.Hidden:
		return nil
	case s.Path != nil:
		o := lay(s.Path, f)
		c.fill(o, s.Fill)
		c.stroke(o, s, f)
	case s.Text != "":
		p, err := textPath(s.Text, s.Size, s.Bold)
		if err != nil {
			return fmt.Errorf("paint text: %w", err)
		}
		in := f.inner(s)
		o := lay(p, in)
		o.text = true
		c.stroke(o, s, in) // under the fill, as a halo
		c.fill(o, s.Fill)
	case s.Use != "":
		return c.use(s, f, depth)
	case s.Group != nil:
		return c.shapes(s.Group, f.inner(s), depth+1)
	}
	return nil
}

func (c *canvas) fill(o outline, col domain.Color) {
	if col&0xFF == 0 || len(o.path) == 0 {
		return
	}
	c.cover(o, pencil{}, func() [][]line {
		if o.text {
			return [][]line{o.lines()}
		}
		return apart(o.lines())
	}, col)
}

func (c *canvas) stroke(o outline, s *domain.Shape, f frame) {
	if s.Stroke&0xFF == 0 || len(o.path) == 0 {
		return
	}
	p := pencil{width: strokeWidth(s) * f.scale, dash: s.Dash * f.scale}
	c.cover(o, p, func() [][]line {
		lines := o.lines()
		if p.dash > 0 {
			lines = dash(lines, p.dash)
		}
		out := make([][]line, len(lines))
		for i, l := range lines {
			out[i] = stroke(l, p.width)
		}
		return out
	}, s.Stroke)
}

// cover paints what an outline covers with a colour. Its groups of lines are painted one by one where that is less
// to look over than all at once: a grid of thin lines, a scatter of dots.
func (c *canvas) cover(o outline, p pencil, groups func() [][]line, col domain.Color) {
	var key maskKey
	keep := c.masks != nil && o.near(c.w, c.h, p)
	if keep {
		key = c.pen.keyOf(o, p, col&0xFF == 0xFF)
		if list, ok := c.masks.Get(key); ok {
			for _, m := range list {
				m.paint(&c.pixels, o.x, o.y, col)
			}
			return
		}
	}
	list := []*mask{}
	for _, g := range together(groups(), col) {
		if m := c.pen.mask(g, image.Rect(c.x-o.x, c.y-o.y, c.x-o.x+c.w, c.y-o.y+c.h), keep); m != nil {
			m.paint(&c.pixels, o.x, o.y, col)
			if keep {
				list = append(list, m)
			}
		}
	}
	if keep {
		c.masks.Put(key, list)
	}
}

// together makes one of groups of lines, unless they are opaque and less by themselves.
func together(groups [][]line, col domain.Color) [][]line {
	if len(groups) < 2 {
		return groups
	}
	all, parts := emptyBox(), 0.0
	for _, g := range groups {
		b := boxOf(g)
		parts += b.area()
		all.add(domain.Point{X: b.x0, Y: b.y0})
		all.add(domain.Point{X: b.x1, Y: b.y1})
	}
	if col&0xFF == 0xFF && parts <= all.area()/2 {
		return groups
	}
	var one []line
	for _, g := range groups {
		one = append(one, g...)
	}
	return [][]line{one}
}

// apart splits outlines into groups that lie in boxes of their own, so that none is a hole in another.
func apart(lines []line) [][]line {
	const most = 64
	if len(lines) > 1 && len(lines) <= most {
		boxes := make([]box, len(lines))
		for i := range lines {
			boxes[i] = boxOf(lines[i : i+1])
			for _, b := range boxes[:i] {
				if b.meets(boxes[i]) {
					return [][]line{lines}
				}
			}
		}
		groups := make([][]line, len(lines))
		for i := range lines {
			groups[i] = lines[i : i+1]
		}
		return groups
	}
	return [][]line{lines}
}

func boxOf(lines []line) box {
	b := emptyBox()
	for _, l := range lines {
		for _, p := range l.pts {
			b.add(p)
		}
	}
	return b
}

// use copies a symbol from its raster. Rasters are kept at quarters of a pixel: finer than
// anybody sees, and exact for what lies on whole and half pixels.
func (c *canvas) use(s *domain.Shape, f frame, depth int) error {
	sym, ok := c.symbols[s.Use]
	if !ok {
		return fmt.Errorf("paint: no symbol %q", s.Use)
	}
	in := f.inner(s)
	x, y := math.Round(in.x*4)/4, math.Round(in.y*4)/4
	px, py := math.Floor(x), math.Floor(y)
	key := rasterKey{sum: sym.sum, scale: in.scale, turn: in.turn, dx: x - px, dy: y - py}
	r, ok := c.rasters.Get(key)
	if !ok {
		var err error
		if r, err = c.rasterise(sym, newFrame(in.scale, in.turn, key.dx, key.dy), depth); err != nil {
			return err
		}
		c.rasters.Put(key, r)
	}
	r.copyTo(&c.pixels, int(px), int(py))
	return nil
}

func (c *canvas) rasterise(sym *symbol, f frame, depth int) (*raster, error) {
	b := emptyBox()
	b.rect(f, sym.X, sym.Y, sym.W, sym.H)
	const eps = 1e-6
	rect := image.Rect(int(math.Floor(b.x0+eps)), int(math.Floor(b.y0+eps)), int(math.Ceil(b.x1-eps)), int(math.Ceil(b.y1-eps)))
	if rect.Dx() > maxPixels || rect.Dy() > maxPixels {
		return nil, fmt.Errorf("paint: symbol %q is %d×%d pixels", sym.ID, rect.Dx(), rect.Dy())
	}
	on := &canvas{pixels: newPixels(rect), symbols: c.symbols, rasters: c.rasters, pen: c.pen}
	if err := on.shapes(sym.Shapes, f, depth+1); err != nil {
		return nil, err
	}
	return rasterOf(&on.pixels), nil
}

type rasterKey struct {
	sum         [16]byte
	scale, turn float64
	dx, dy      float64
}

type (
	rasters = recent.Store[rasterKey, *raster]
	masks   = recent.Store[maskKey, []*mask]
)
