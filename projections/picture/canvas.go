package picture

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"

	"posthorn/domain"
	"posthorn/events/recent"
)

// maxNesting bounds groups in groups and symbols in symbols.
const maxNesting = 8

// canvas paints shapes on pixels.
type canvas struct {
	img     *image.RGBA
	symbols map[string]*symbol
	cache   *rasters
	ras     vector.Rasterizer
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
		lines := flatten(s.Path, f)
		c.fill(apart(lines), s.Fill)
		c.stroke(s, lines, f)
	case s.Text != "":
		p, err := textPath(s.Text, s.Size, s.Bold)
		if err != nil {
			return fmt.Errorf("paint text: %w", err)
		}
		in := f.inner(s)
		lines := flatten(p, in)
		c.stroke(s, lines, in) // under the fill, as a halo
		c.fill([][]line{lines}, s.Fill)
	case s.Use != "":
		return c.use(s, f, depth)
	case s.Group != nil:
		return c.shapes(s.Group, f.inner(s), depth+1)
	}
	return nil
}

func (c *canvas) stroke(s *domain.Shape, lines []line, f frame) {
	if s.Stroke&0xFF == 0 {
		return
	}
	if s.Dash > 0 {
		lines = dash(lines, s.Dash*f.scale)
	}
	out := make([][]line, len(lines))
	for i, l := range lines {
		out[i] = stroke(l, strokeWidth(s)*f.scale)
	}
	c.fill(out, s.Stroke)
}

// fill paints the inside of outlines. Groups of an opaque colour are painted one by one
// where that is less to look over than all at once: a grid of thin lines, a scatter of dots.
func (c *canvas) fill(groups [][]line, col domain.Color) {
	if col&0xFF == 0 || len(groups) == 0 {
		return
	}
	all, parts := emptyBox(), 0.0
	for _, g := range groups {
		b := boxOf(g)
		parts += b.area()
		all.add(domain.Point{X: b.x0, Y: b.y0})
		all.add(domain.Point{X: b.x1, Y: b.y1})
	}
	if len(groups) > 1 && (col&0xFF != 0xFF || parts > all.area()/2) {
		var one []line
		for _, g := range groups {
			one = append(one, g...)
		}
		groups = [][]line{one}
	}
	for _, g := range groups {
		c.fillOne(g, col)
	}
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

func (c *canvas) fillOne(lines []line, col domain.Color) {
	b := boxOf(lines)
	if b.empty() {
		return
	}
	r := image.Rect(int(math.Floor(b.x0)), int(math.Floor(b.y0)), int(math.Ceil(b.x1))+1, int(math.Ceil(b.y1))+1).
		Intersect(c.img.Rect)
	if r.Empty() {
		return
	}
	if whole, ok := wholePixels(lines, b); ok && col&0xFF == 0xFF {
		draw.Draw(c.img, whole.Intersect(c.img.Rect), image.NewUniform(rgba(col)), image.Point{}, draw.Src)
		return
	}
	c.ras.Reset(r.Dx(), r.Dy())
	ox, oy := float64(r.Min.X), float64(r.Min.Y)
	for _, l := range lines {
		for i, p := range l.pts {
			x, y := float32(p.X-ox), float32(p.Y-oy)
			if i == 0 {
				c.ras.MoveTo(x, y)
			} else {
				c.ras.LineTo(x, y)
			}
		}
		c.ras.ClosePath()
	}
	c.ras.Draw(c.img, r, image.NewUniform(rgba(col)), image.Point{})
}

// wholePixels tells whether an outline is just a rectangle of whole pixels, which needs no
// soft edges and is filled much faster.
func wholePixels(lines []line, b box) (r image.Rectangle, ok bool) {
	if len(lines) != 1 || len(lines[0].pts) != 4 || !lines[0].closed {
		return r, false
	}
	r = image.Rect(int(math.Round(b.x0)), int(math.Round(b.y0)), int(math.Round(b.x1)), int(math.Round(b.y1)))
	at := func(x float64, a, b int) bool { return math.Abs(x-float64(a)) < 1e-6 || math.Abs(x-float64(b)) < 1e-6 }
	last := lines[0].pts[3]
	for _, p := range lines[0].pts {
		level := math.Abs(p.X-last.X) < 1e-6 || math.Abs(p.Y-last.Y) < 1e-6
		if !level || !at(p.X, r.Min.X, r.Max.X) || !at(p.Y, r.Min.Y, r.Max.Y) {
			return r, false
		}
		last = p
	}
	return r, true
}

func rgba(c domain.Color) color.NRGBA {
	return color.NRGBA{R: uint8(c >> 24), G: uint8(c >> 16), B: uint8(c >> 8), A: uint8(c)}
}

// use blits a symbol from its raster. Rasters are kept at quarters of a pixel: finer than
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
	r, ok := c.cache.Get(key)
	if !ok {
		var err error
		if r, err = c.rasterise(sym, newFrame(in.scale, in.turn, key.dx, key.dy), depth); err != nil {
			return err
		}
		c.cache.Put(key, r)
	}
	at := r.img.Rect.Add(image.Pt(int(px), int(py)))
	op := draw.Over
	if r.opaque {
		op = draw.Src
	}
	draw.Draw(c.img, at, r.img, r.img.Rect.Min, op)
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
	on := &canvas{img: image.NewRGBA(rect), symbols: c.symbols, cache: c.cache}
	if err := on.shapes(sym.Shapes, f, depth+1); err != nil {
		return nil, err
	}
	return &raster{img: on.img, opaque: on.img.Opaque()}, nil
}

// digester writes drawings, unambiguously, into a hash.
type digester struct {
	h    hash.Hash
	buf  []byte
	uses []string // the symbols met on the way
}

func newDigester() *digester { return &digester{h: sha256.New()} }

func (d *digester) sum() (out [16]byte) {
	_, _ = d.h.Write(d.buf)
	copy(out[:], d.h.Sum(nil))
	return out
}

func (d *digester) num(xs ...float64) {
	for _, x := range xs {
		d.buf = binary.LittleEndian.AppendUint64(d.buf, math.Float64bits(x))
	}
	if len(d.buf) > 1<<13 {
		_, _ = d.h.Write(d.buf)
		d.buf = d.buf[:0]
	}
}

func (d *digester) text(s string) {
	d.num(float64(len(s)))
	d.buf = append(d.buf, s...)
}

func (d *digester) flags(bs ...bool) {
	n := byte(0)
	for i, b := range bs {
		if b {
			n |= 1 << i
		}
	}
	d.buf = append(d.buf, n)
}

func (d *digester) shapes(list []domain.Shape) {
	d.num(float64(len(list)))
	for i := range list {
		s := &list[i]
		d.num(float64(len(s.Path)))
		for _, g := range s.Path {
			d.num(float64(g.Op), g.A.X, g.A.Y, g.B.X, g.B.Y, g.To.X, g.To.Y)
		}
		d.text(s.Text)
		d.text(s.Use)
		if s.Use != "" {
			d.uses = append(d.uses, s.Use)
		}
		d.num(float64(s.Fill), float64(s.Stroke), s.Width, s.Dash, s.At.X, s.At.Y, s.Turn, s.Scale, s.Size)
		d.flags(s.Bold, s.Hidden)
		d.shapes(s.Group)
	}
}

// symbolsOf finds a scene's symbols, each with a sum that tells drawings apart whatever
// scene they are in: its own shapes and those of the symbols it uses.
func symbolsOf(scene *domain.Scene) map[string]*symbol {
	out := make(map[string]*symbol, len(scene.Symbols))
	uses := map[string][]string{}
	for i := range scene.Symbols {
		s := &scene.Symbols[i]
		d := newDigester()
		d.num(s.X, s.Y, s.W, s.H)
		d.shapes(s.Shapes)
		out[s.ID] = &symbol{Symbol: s, sum: d.sum()}
		if len(d.uses) > 0 {
			uses[s.ID] = d.uses
		}
	}
	for range min(len(uses), maxNesting) {
		for _, s := range scene.Symbols {
			if len(uses[s.ID]) == 0 {
				continue
			}
			d := newDigester()
			d.buf = append(d.buf, out[s.ID].sum[:]...)
			for _, id := range uses[s.ID] {
				if used, ok := out[id]; ok {
					d.buf = append(d.buf, used.sum[:]...)
				}
			}
			out[s.ID].sum = d.sum()
		}
	}
	return out
}

type rasterKey struct {
	sum         [16]byte
	scale, turn float64
	dx, dy      float64
}

// raster is a symbol's pixels about its origin. Nobody changes it once it is kept.
type raster struct {
	img    *image.RGBA
	opaque bool
}

type rasters = recent.Store[rasterKey, *raster]
