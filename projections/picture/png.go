package picture

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/singleflight"

	"posthorn/domain"
	"posthorn/events/recent"
)

const (
	maxPixels   = 4096     // of a picture's or symbol's side
	rasterRoom  = 48 << 20 // bytes of kept rasters of symbols
	pictureRoom = 16 << 20 // bytes of kept pictures
	enough      = 100_000  // bytes of a picture
	tallest     = 1.4      // a picture's height in widths
	largestUnit = 1.2      // pixels a unit at Scale 1: small boards are not blown up
)

// Widths are the widths a PNG may have, in pixels at Scale 1: mail on a phone, on a desk, and
// a page that cannot show SVG. A server renders no other, so that nobody can ask for many.
var Widths = [...]int{320, 500, 600}

// PNGOptions say how large a PNG becomes.
type PNGOptions struct {
	Width int // the room it has, in pixels at Scale 1; one of Widths, 0 means 500
	Scale int // pixels a pixel: 1, or 2 for fine screens; 0 means 2
}

func (o PNGOptions) complete() (PNGOptions, error) {
	o.Width, o.Scale = cmp.Or(o.Width, 500), cmp.Or(o.Scale, 2)
	if slices.Contains(Widths[:], o.Width) && (o.Scale == 1 || o.Scale == 2) {
		return o, nil
	}
	return o, fmt.Errorf("a picture of width %d at scale %d is not among those made", o.Width, o.Scale)
}

// Painter paints scenes as PNG. It keeps what it painted, paints each picture once however
// many ask at once, and no more at a time than there are cores. Safe for concurrent use.
type Painter struct {
	desks    chan struct{}
	rasters  *rasters
	pictures *recent.Store[[16]byte, []byte]
	flight   singleflight.Group
}

// NewPainter is a painter with nothing kept.
func NewPainter() *Painter {
	return &Painter{
		desks:    make(chan struct{}, runtime.GOMAXPROCS(0)),
		rasters:  recent.New[rasterKey](rasterRoom, func(r *raster) int { return len(r.img.Pix) + 128 }),
		pictures: recent.New[[16]byte](pictureRoom, func(b []byte) int { return len(b) + 128 }),
	}
}

var house = NewPainter()

// PNG paints a scene with the painter that the whole process shares. See [Painter.PNG].
func PNG(scene domain.Scene, opt PNGOptions) ([]byte, error) { return house.PNG(scene, opt) }

// PNG paints a scene: opaque, at most 64 colours, no metadata, the same bytes for the same
// scene. The bytes are shared and must not be changed. It fails on sizes that are not among
// those made and on scenes that use a symbol they lack.
func (p *Painter) PNG(scene domain.Scene, opt PNGOptions) ([]byte, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	symbols := symbolsOf(&scene)
	d := newDigester()
	d.num(scene.X, scene.Y, scene.W, scene.H, float64(scene.Ground), float64(opt.Width), float64(opt.Scale))
	for _, s := range scene.Symbols {
		d.text(s.ID)
		d.buf = append(d.buf, symbols[s.ID].sum[:]...)
	}
	d.shapes(scene.Shapes)
	key := d.sum()
	if b, ok := p.pictures.Get(key); ok {
		return b, nil
	}
	b, err, _ := p.flight.Do(string(key[:]), func() (any, error) {
		p.desks <- struct{}{}
		defer func() { <-p.desks }()
		b, err := p.paint(scene, symbols, opt)
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

func (p *Painter) paint(scene domain.Scene, symbols map[string]*symbol, opt PNGOptions) ([]byte, error) {
	img, err := p.pixels(scene, symbols, opt)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.DefaultCompression}
	// A mail must stay small: a board too busy for 64 colours gets fewer.
	for colors := maxColors; ; colors = colors * 5 / 8 {
		out.Reset()
		if err := enc.Encode(&out, reduce(img, colors)); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		if out.Len() <= enough || colors <= 8 {
			return out.Bytes(), nil
		}
	}
}

func (p *Painter) pixels(scene domain.Scene, symbols map[string]*symbol, opt PNGOptions) (*image.RGBA, error) {
	w, h, unit := fit(scene, opt)
	if w < 1 || h < 1 || w > maxPixels || h > maxPixels {
		return nil, fmt.Errorf("a scene of %g×%g cannot be painted", scene.W, scene.H)
	}
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, w, h)), symbols: symbols, cache: p.rasters}
	ground := cmp.Or(scene.Ground, domain.RGB(0xFFFFFF)) | 0xFF
	draw.Draw(c.img, c.img.Rect, image.NewUniform(rgba(ground)), image.Point{}, draw.Src)
	err := c.shapes(scene.Shapes, newFrame(unit, 0, math.Round(-scene.X*unit), math.Round(-scene.Y*unit)), 0)
	return c.img, err
}

// Size is how many pixels wide and high a scene's PNG becomes; divide by the scale for
// the size it is shown at.
func Size(scene domain.Scene, opt PNGOptions) (w, h int, err error) {
	if opt, err = opt.complete(); err != nil {
		return 0, 0, err
	}
	w, h, _ = fit(scene, opt)
	return w, h, nil
}

// fit finds the pixels a unit. A hundred units are whole pixels, so that what is laid edge
// to edge in a scene is so in the picture.
func fit(scene domain.Scene, opt PNGOptions) (w, h int, unit float64) {
	room := float64(opt.Width * opt.Scale)
	unit = min(room/scene.W, room*tallest/scene.H, largestUnit*float64(opt.Scale))
	unit = max(math.Floor(unit*100)/100, 0.01)
	return int(math.Ceil(scene.W*unit - 1e-6)), int(math.Ceil(scene.H*unit - 1e-6)), unit
}

// maxColors is how many colours a picture has: enough for flat drawings with soft edges,
// and it makes them a third of the size.
const maxColors = 64

// bin is a cell of the colour cube with the pixels that fell into it. Leader is the colour
// that most of them have, if any has the majority.
type bin struct {
	n       int
	r, g, b int // sums
	leader  uint32
	lead    int
	mean    rgb
	weight  float64
}

// reduce turns a painted image into a palette image of at most so many opaque colours:
// colours far apart are picked first and then settled by a few rounds of nearest means. Flat areas keep their exact colour. Nothing depends on chance or on the order of a map.
func reduce(img *image.RGBA, colors int) *image.Paletted {
	bins, index := count(img)
	means := spread(bins, colors)
	settle(bins, means)
	pal, slot := palette(bins, means)
	return remap(img, index, slot, pal)
}

func binOf(r, g, b uint8) int { return int(r>>3)<<11 | int(g>>2)<<5 | int(b>>3) }

func count(img *image.RGBA) (bins []bin, index []int32) {
	index = make([]int32, 1<<16)
	for i := 0; i < len(img.Pix); i += 4 {
		r, g, b := img.Pix[i], img.Pix[i+1], img.Pix[i+2]
		k := binOf(r, g, b)
		if index[k] == 0 {
			bins = append(bins, bin{})
			index[k] = int32(len(bins))
		}
		c := &bins[index[k]-1]
		c.n++
		c.r, c.g, c.b = c.r+int(r), c.g+int(g), c.b+int(b)
		rgb := uint32(r)<<16 | uint32(g)<<8 | uint32(b)
		switch {
		case c.lead == 0:
			c.leader, c.lead = rgb, 1
		case c.leader == rgb:
			c.lead++
		default:
			c.lead--
		}
	}
	for i := range bins {
		c := &bins[i]
		n := float64(c.n)
		// Damped, or small but telling colours (a seat's letter, a bed of flowers) would be lost to
		// shades of the ground.
		c.weight = math.Pow(n, 0.6)
		c.mean = rgb{float64(c.r) / n, float64(c.g) / n, float64(c.b) / n}
	}
	return bins, index
}

type rgb struct{ r, g, b float64 }

// to is how different a bin's colour looks. Eyes are keenest in green and least so in blue.
func (m rgb) to(c *bin) float64 {
	dr, dg, db := c.mean.r-m.r, c.mean.g-m.g, c.mean.b-m.b
	return 2*dr*dr + 4*dg*dg + 1.5*db*db
}

// spread picks the first colours: the commonest, then again and again the one that is
// worst served by those picked.
func spread(bins []bin, colors int) (means []rgb) {
	at := 0
	for i := range bins {
		if bins[i].n > bins[at].n {
			at = i
		}
	}
	gap := slices.Repeat([]float64{math.Inf(1)}, len(bins))
	for at >= 0 && len(means) < colors {
		m, worst := bins[at].mean, 0.0
		means, at = append(means, m), -1
		for i := range bins {
			gap[i] = min(gap[i], m.to(&bins[i]))
			if w := gap[i] * bins[i].weight; w > worst {
				worst, at = w, i
			}
		}
	}
	return means
}

// settle moves each colour to the mean of the bins nearest to it, a few times.
func settle(bins []bin, means []rgb) {
	for range 4 {
		sums := make([]rgb, len(means))
		ns := make([]float64, len(means))
		for i := range bins {
			c, h := &bins[i], nearest(&bins[i], means)
			w := c.weight
			sums[h].r += w * c.mean.r
			sums[h].g += w * c.mean.g
			sums[h].b += w * c.mean.b
			ns[h] += w
		}
		for h := range means {
			if ns[h] > 0 {
				means[h] = rgb{sums[h].r / ns[h], sums[h].g / ns[h], sums[h].b / ns[h]}
			}
		}
	}
}

func nearest(c *bin, means []rgb) int {
	best, at := math.Inf(1), 0
	for i, m := range means {
		if d := m.to(c); d < best {
			best, at = d, i
		}
	}
	return at
}

// palette fixes the colours and gives each bin its own. A colour that most of its pixels
// have exactly is taken as it is.
func palette(bins []bin, means []rgb) (color.Palette, []uint8) {
	slot := make([]uint8, len(bins))
	total := make([]int, len(means))
	lead := make([]*bin, len(means))
	for i := range bins {
		h := nearest(&bins[i], means)
		slot[i] = uint8(h)
		total[h] += bins[i].n
		if lead[h] == nil || bins[i].lead > lead[h].lead {
			lead[h] = &bins[i]
		}
	}
	pal := make(color.Palette, len(means))
	for h, m := range means {
		c := color.RGBA{R: uint8(m.r + .5), G: uint8(m.g + .5), B: uint8(m.b + .5), A: 0xFF}
		if b := lead[h]; b != nil && 3*b.lead > total[h] {
			c = color.RGBA{R: uint8(b.leader >> 16), G: uint8(b.leader >> 8), B: uint8(b.leader), A: 0xFF}
		}
		pal[h] = c
	}
	return pal, slot
}

func remap(img *image.RGBA, index []int32, slot []uint8, pal color.Palette) *image.Paletted {
	out := image.NewPaletted(img.Rect, pal)
	for i, j := 0, 0; i < len(img.Pix); i, j = i+4, j+1 {
		out.Pix[j] = slot[index[binOf(img.Pix[i], img.Pix[i+1], img.Pix[i+2])]-1]
	}
	return out
}
