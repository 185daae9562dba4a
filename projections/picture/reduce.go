package picture

import (
	"image"
	"image/color"
	"math"
	"slices"
)

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
