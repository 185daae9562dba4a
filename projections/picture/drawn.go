package picture

import (
	"sync"

	"posthorn/domain"
	"posthorn/events/recent"
)

// drawn is what depends only on a symbol's own shapes, whatever scene it is in. Games draw most of their symbols once,
// so the cache key is where the shapes lie in memory; the entry holds the shapes too, so that no others can take their
// place.
type drawn struct {
	shapes []domain.Shape
	sum    [16]byte
	uses   []string // the symbols within it

	once  sync.Once
	svg   []byte // the shapes in SVG
	plain bool   // the shapes look the same on every page: nothing in them can be pressed, has a title or is a symbol
}

type drawnKey struct {
	first      *domain.Shape
	n          int
	x, y, w, h float64
}

// drawings holds the most recent symbols of all scenes.
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

// markup returns the shapes in SVG; ok is false if they differ from page to page.
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

// plain reports whether shapes are written the same for every viewer.
func plain(list []domain.Shape) bool {
	for i := range list {
		if s := &list[i]; s.Spot != "" || s.Title.Key != "" || s.Use != "" || !plain(s.Group) {
			return false
		}
	}
	return true
}
