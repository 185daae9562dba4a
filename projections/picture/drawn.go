package picture

import (
	"sync"

	"posthorn/domain"
	"posthorn/events/recent"
)

// drawn is what follows from a symbol's own shapes, whatever scene it is in. Games draw most of their symbols once and
// for all, so it is kept by where the shapes lie in memory; they are held with it, or others could come to lie there.
type drawn struct {
	shapes []domain.Shape
	sum    [16]byte
	uses   []string // the symbols in it

	once  sync.Once
	svg   []byte // the shapes in SVG
	plain bool   // which are the same on every page: nothing in them is pressed, has a title or is a symbol
}

type drawnKey struct {
	first      *domain.Shape
	n          int
	x, y, w, h float64
}

// drawings are the symbols met last, of all scenes.
var drawings = recent.New[drawnKey](1024, (func(*drawn) int)(nil))

func drawnOf(s *domain.Symbol, d *digester) *drawn {
	if len(s.Shapes) == 0 {
		d.num(s.X, s.Y, s.W, s.H)
		return &drawn{sum: d.sum()}
	}
	key := drawnKey{&s.Shapes[0], len(s.Shapes), s.X, s.Y, s.W, s.H}
	if known, ok := drawings.Get(key); ok {
		return known
	}
	d.num(s.X, s.Y, s.W, s.H)
	d.shapes(s.Shapes)
	out := &drawn{shapes: s.Shapes, uses: d.uses}
	out.sum = d.sum()
	drawings.Put(key, out)
	return out
}

// markup is the shapes in SVG; ok is false where they are others on each page.
func (d *drawn) markup() (svg []byte, ok bool) {
	d.once.Do(func() {
		if d.plain = len(d.uses) == 0 && plain(d.shapes); d.plain {
			s := &svgWriter{}
			s.shapes(d.shapes, 1)
			d.svg, d.plain = s.b, s.err == nil
		}
	})
	return d.svg, d.plain
}

// plain reports whether shapes are written the same whoever looks.
func plain(list []domain.Shape) bool {
	for i := range list {
		if s := &list[i]; s.Spot != "" || s.Title.Key != "" || s.Use != "" || !plain(s.Group) {
			return false
		}
	}
	return true
}
