package picture

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/singleflight"

	"posthorn/domain"
	"posthorn/events/recent"
)

const (
	maxPixels    = 4096     // of a side of a picture or symbol
	rasterBytes  = 48 << 20 // bytes of kept symbol rasters
	maskBytes    = 16 << 20 // bytes of kept outlines
	pictureBytes = 16 << 20 // bytes of kept pictures
	enough       = 100_000  // bytes of a picture
	tallest      = 1.4      // a picture's height as a multiple of its width
	largestUnit  = 1.2      // pixels per unit at Scale 1: small boards are not enlarged
)

// Widths are the widths a PNG may have, in pixels at Scale 1: beside a line of a mail, in a mail, and on a page that
// cannot show SVG. A server renders no others, so that nobody can request many.
var Widths = [...]int{102, 230, 320, 360, 460, 500, 600}

// PNGOptions say how large a PNG is.
type PNGOptions struct {
	Width int // the room for it, in pixels at Scale 1; one of Widths, 0 means 500
	Scale int // image pixels per pixel: 1, or 2 for fine screens; 0 means 2
	Most  int // octets that it should take at most, with fewer colours if need be; 0 means 100,000
}

func (o PNGOptions) complete() (PNGOptions, error) {
	o.Width, o.Scale, o.Most = cmp.Or(o.Width, 500), cmp.Or(o.Scale, 2), cmp.Or(o.Most, enough)
	if slices.Contains(Widths[:], o.Width) && (o.Scale == 1 || o.Scale == 2) {
		return o, nil
	}
	return o, fmt.Errorf("a picture of width %d at scale %d is not among those made", o.Width, o.Scale)
}

// Painter paints scenes as PNG. It keeps what it painted, paints each picture once however many callers ask at once,
// and paints no more at a time than there are cores. It is safe for concurrent use.
type Painter struct {
	desks    chan *desk
	rasters  *rasters
	masks    *masks
	pictures *recent.Store[[16]byte, []byte]
	flight   singleflight.Group
}

// desk holds the working memory for painting a picture, reused for the next one.
type desk struct {
	pieces []piece
	pen    pen
	palette
	ink  indexed
	file file
}

// NewPainter returns a painter with empty caches.
func NewPainter() *Painter {
	p := &Painter{
		desks:   make(chan *desk, runtime.GOMAXPROCS(0)),
		rasters: recent.New[rasterKey](rasterBytes, (*raster).bytes),
		masks: recent.New[maskKey](maskBytes, func(list []*mask) int {
			n := 128
			for _, m := range list {
				n += m.bytes()
			}
			return n
		}),
		pictures: recent.New[[16]byte](pictureBytes, func(b []byte) int { return len(b) + 128 }),
	}
	for range cap(p.desks) {
		p.desks <- nil // the first to paint makes it: it takes half a megabyte
	}
	return p
}

var house = NewPainter()

// PNG paints a scene with the painter that the whole process shares. See [Painter.PNG].
func PNG(scene domain.Scene, opt PNGOptions) ([]byte, error) { return house.PNG(scene, opt) }

// PNG paints a scene: opaque, at most 64 colours, no metadata, the same bytes for the same scene. The bytes are shared;
// callers must not change them. It returns an error for a size that is not offered and for a scene that uses a symbol
// it lacks.
func (p *Painter) PNG(scene domain.Scene, opt PNGOptions) ([]byte, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	symbols, key := digested(&scene, opt)
	if b, ok := p.pictures.Get(key); ok {
		return b, nil
	}
	b, err, _ := p.flight.Do(string(key[:]), func() (any, error) {
		d := <-p.desks
		defer func() { p.desks <- d }()
		if d == nil {
			d = &desk{}
		}
		b, err := p.paint(d, scene, symbols, opt)
		if err == nil {
			p.pictures.Put(key, b)
		}
		return b, err
	})
	if err != nil {
		return nil, fmt.Errorf("paint a scene: %w", err)
	}
	return b.([]byte), nil
}

func (p *Painter) paint(d *desk, scene domain.Scene, symbols map[string]*symbol, opt PNGOptions) ([]byte, error) {
	w, h, unit, err := fit(scene, opt)
	if err != nil {
		return nil, err
	}
	d.pieces = d.pieces[:0]
	defer func() { clear(d.pieces) }() // what they point to is kept elsewhere, or not at all
	c := &canvas{pixels: pixels{w: w, h: h}, pieces: &d.pieces, symbols: symbols, rasters: p.rasters, masks: p.masks,
		pen: &d.pen}
	if err := c.shapes(scene.Shapes, newFrame(unit, 0, math.Round(-scene.X*unit), math.Round(-scene.Y*unit)),
		0); err != nil {
		return nil, err
	}
	on := &composed{w: w, h: h, ground: premultiplied(cmp.Or(scene.Ground, domain.RGB(0xFFFFFF)) | 0xFF),
		pieces: d.pieces}
	d.look(on)
	// A mail must stay small: a board too busy for 64 colours is compressed harder, and gets fewer colours if need be.
	for colors, level := maxColors, quick; ; level = thorough {
		d.reduce(colors)
		out, err := d.file.write(w, h, d.colors, d.ink.paint(on, &d.palette), level)
		switch {
		case err != nil || len(out) <= opt.Most || colors <= fewestColors:
			return out, err
		case level == quick:
			colors = fitting(len(out), opt.Most)
		default:
			colors = colors * 5 / 8
		}
	}
}

// fitting returns with how many colours a picture that took so many octets probably takes no more than most, once it is
// compressed harder: that saves a ninth, and then each step to fewer colours a tenth.
func fitting(size, most int) (colors int) {
	colors = maxColors
	for size -= size / 9; size > most && colors > fewestColors; size -= size / 10 {
		colors = colors * 5 / 8
	}
	return colors
}

// Size returns how many pixels wide and high a scene's PNG will be; divide by the scale for its displayed size.
func Size(scene domain.Scene, opt PNGOptions) (w, h int, err error) {
	if opt, err = opt.complete(); err != nil {
		return 0, 0, err
	}
	w, h, _, err = fit(scene, opt)
	return w, h, err
}

// fit finds the pixels per unit. A hundred units are a whole number of pixels, so that what lies edge to edge in a
// scene does so in the picture. There are few sizes: a growing board keeps its size, and so the pieces already painted,
// until it is a few hundredths too large.
func fit(scene domain.Scene, opt PNGOptions) (w, h int, unit float64, err error) {
	room := float64(opt.Width * opt.Scale)
	unit = min(room/scene.W, room*tallest/scene.H, largestUnit*float64(opt.Scale))
	step := 1.0
	for unit*100 >= 40*step { // leaves at most a twentieth of the room free
		step *= 2
	}
	unit = max(math.Floor(unit*100/step+1e-9)*step/100, 0.01)
	w, h = int(math.Ceil(scene.W*unit-1e-6)), int(math.Ceil(scene.H*unit-1e-6))
	if w < 1 || h < 1 || w > maxPixels || h > maxPixels {
		err = fmt.Errorf("a scene of %g×%g cannot be painted", scene.W, scene.H)
	}
	return w, h, unit, err
}
