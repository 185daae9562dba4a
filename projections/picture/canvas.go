package picture

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/vector"

	"posthorn/domain"
	"posthorn/events/recent"
)

// maxNesting limits groups within groups and symbols within symbols.
const maxNesting = 8

// canvas is what shapes are painted on: the pixels of a symbol, or a picture. A picture starts as a list of pieces, so
// that its colours can be chosen before painting. Expensive results are computed once and kept: which pixels an outline
// covers, and a symbol's pixels.
type canvas struct {
	pixels           // for a picture, only its size
	pieces  *[]piece // nil on a symbol's canvas, which is painted at once
	symbols map[string]*symbol
	rasters *rasters
	masks   *masks // nil on a symbol's canvas, which is painted once
	pen     *pen
}

// piece is a part of a picture: what an outline covers, with its colour, or a symbol.
type piece struct {
	mask   *mask
	color  domain.Color
	raster *raster
	x, y   int
}

// pen holds the working memory for finding what an outline covers.
type pen struct {
	ras   vector.Rasterizer
	laid  domain.Path
	text  domain.Path
	alpha []uint8
	key   []byte
	made  mask
	look  palette // for use above a symbol
}

type symbol struct {
	*domain.Symbol
	*drawn
	sum [16]byte // of its content: the key of its rasters
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
		o := c.pen.lay(s.Path, f)
		c.fill(o, s.Fill)
		c.stroke(o, s, f)
	case s.Text != "":
		p, err := textPath(c.pen.text[:0], s.Text, s.Size, s.Bold)
		if err != nil {
			return fmt.Errorf("paint text: %w", err)
		}
		c.pen.text = p
		in := f.inner(s)
		o := c.pen.lay(p, in)
		o.text = true
		c.stroke(o, s, in) // below the fill, as a halo
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

// cover paints what an outline covers in a colour. It paints groups of lines one by one if that scans fewer pixels than
// all at once: a grid of thin lines, scattered dots.
func (c *canvas) cover(o outline, p pencil, groups func() [][]line, col domain.Color) {
	keep := c.masks != nil && o.near(c.w, c.h, p)
	if low, high, ok := o.upright(); ok && keep && p == (pencil{}) {
		c.put(rectangle(low, high), o.x, o.y, col)
		return
	}
	var key maskKey
	if keep {
		key = c.pen.keyOf(o, p, col&0xFF == 0xFF)
		if list, ok := c.masks.Get(key); ok {
			for _, m := range list {
				c.put(m, o.x, o.y, col)
			}
			return
		}
	}
	list := []*mask{}
	for _, g := range together(groups(), col) {
		if m := c.pen.mask(g, c.bounds().Sub(image.Pt(o.x, o.y)), keep); m != nil {
			c.put(m, o.x, o.y, col)
			if keep {
				list = append(list, m)
			}
		}
	}
	if keep {
		c.masks.Put(key, list)
	}
}

// put paints what a mask covers, or records it as a piece.
func (c *canvas) put(m *mask, x, y int, col domain.Color) {
	switch {
	case c.pieces == nil:
		m.paint(&c.pixels, x, y, col)
	case m == &c.pen.made:
		m = m.clone()
		fallthrough
	default:
		*c.pieces = append(*c.pieces, piece{mask: m, color: col, x: x, y: y})
	}
}

// together merges groups of lines, unless they are opaque and take less work separately.
func together(groups [][]line, col domain.Color) [][]line {
	if len(groups) < 2 {
		return groups
	}
	all, parts := emptyBox(), 0.0
	for _, g := range groups {
		b := boxOf(g)
		parts += b.area()
		all.add(domain.Pt(b.x0, b.y0))
		all.add(domain.Pt(b.x1, b.y1))
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

// apart splits outlines into groups whose boxes do not meet, so that none is a hole in another.
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

// use copies a symbol from its raster. Rasters are kept at quarters of a pixel: finer than anybody sees, and exact for
// whole and half pixels.
func (c *canvas) use(s *domain.Shape, f frame, depth int) error {
	sym, ok := c.symbols[s.Use]
	if !ok {
		return fmt.Errorf("paint: no symbol %q", s.Use)
	}
	in := f.inner(s)
	x, y := math.Round(in.x*4)/4, math.Round(in.y*4)/4
	px, py := math.Floor(x), math.Floor(y)
	at := newFrame(in.scale, in.turn, x-px, y-py)
	if c.pieces == nil { // a symbol within a symbol
		inner, err := c.paint(sym, at, depth)
		if err == nil {
			inner.x, inner.y = inner.x+int(px), inner.y+int(py)
			c.lay(&inner)
		}
		return err
	}
	key := rasterKey{sum: sym.sum, scale: in.scale, turn: in.turn, dx: at.x, dy: at.y}
	r, ok := c.rasters.Get(key)
	if !ok {
		painted, err := c.paint(sym, at, depth)
		if err != nil {
			return err
		}
		r = rasterOf(&painted, &c.pen.look)
		c.rasters.Put(key, r)
	}
	*c.pieces = append(*c.pieces, piece{raster: r, x: int(px), y: int(py)})
	return nil
}

// paint paints a symbol, clipped to its box.
func (c *canvas) paint(sym *symbol, f frame, depth int) (pixels, error) {
	b := emptyBox()
	b.rect(f, sym.X, sym.Y, sym.W, sym.H)
	const eps = 1e-6
	rect := image.Rect(int(math.Floor(b.x0+eps)), int(math.Floor(b.y0+eps)), int(math.Ceil(b.x1-eps)),
		int(math.Ceil(b.y1-eps)))
	if rect.Dx() > maxPixels || rect.Dy() > maxPixels {
		return pixels{}, fmt.Errorf("paint: symbol %q is %d×%d pixels", sym.ID, rect.Dx(), rect.Dy())
	}
	on := &canvas{pixels: newPixels(rect), symbols: c.symbols, rasters: c.rasters, pen: c.pen}
	return on.pixels, on.shapes(sym.Symbol.Shapes, f, depth+1)
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
