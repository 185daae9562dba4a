package picture

import (
	"math"
	"slices"
)

// maxColors is how many colours a picture has: enough for flat drawings with soft edges,
// and it makes them a third of the size.
const maxColors = 64

// palette finds the few opaque colours that a picture is shown in. Nothing depends on chance, or on the order of a map.
type palette struct {
	index  [1 << 16]int32 // a cell of the colour cube to one more than its bin
	bins   []bin
	spans  []span
	slot   []uint8 // a bin to its colour
	pix    []uint8
	colors []uint32
}

// bin is a cell of the colour cube with the pixels that fell into it. Leader is the colour
// that most of them have, if any has the majority.
type bin struct {
	n       int
	r, g, b int // sums
	leader  uint32
	lead    int
	mean    rgb
	weight  float32
}

// span is pixels of one colour beside each other.
type span struct{ bin, n uint16 }

func binOf(c uint32) int { return int(c>>8&0xF800 | c>>5&0x07E0 | c>>3&0x1F) }

// count looks a picture over: which colours there are, and where.
func (p *palette) count(img *pixels) {
	for i := range p.bins {
		p.index[binOf(p.bins[i].leader)] = 0
	}
	p.bins, p.spans = p.bins[:0], p.spans[:0]
	for y := range img.h {
		row := img.pix[y*img.w : (y+1)*img.w]
		for x := 0; x < len(row); {
			from, c := x, row[x]
			for x++; x < len(row) && row[x] == c; x++ {
			}
			p.spans = append(p.spans, span{p.add(c, x-from), uint16(x - from)})
		}
	}
	for i := range p.bins {
		c := &p.bins[i]
		n := float32(c.n)
		// Damped, or small but telling colours (a seat's letter, a bed of flowers) would be lost to
		// shades of the ground.
		c.weight = float32(math.Pow(float64(c.n), 0.6))
		c.mean = rgb{float32(c.r) / n, float32(c.g) / n, float32(c.b) / n}
	}
}

func (p *palette) add(c uint32, n int) uint16 {
	at := &p.index[binOf(c)]
	if *at == 0 {
		p.bins = append(p.bins, bin{leader: c})
		*at = int32(len(p.bins))
	}
	b := &p.bins[*at-1]
	b.n += n
	b.r, b.g, b.b = b.r+n*int(c>>16&0xFF), b.g+n*int(c>>8&0xFF), b.b+n*int(c&0xFF)
	switch {
	case b.leader == c:
		b.lead += n
	case b.lead >= n:
		b.lead -= n
	default:
		b.leader, b.lead = c, n-b.lead
	}
	return uint16(*at - 1)
}

// reduce gives each bin one of at most so many colours: colours far apart are picked first and then settled by a few
// rounds of nearest means. Flat areas keep their exact colour.
func (p *palette) reduce(colors int) []uint32 {
	means := p.spread(colors)
	p.settle(means)
	return p.choose(means)
}

type rgb struct{ r, g, b float32 }

// to is how different a colour looks. Eyes are keenest in green and least so in blue.
func (m rgb) to(c rgb) float32 {
	dr, dg, db := c.r-m.r, c.g-m.g, c.b-m.b
	return 2*dr*dr + 4*dg*dg + 1.5*db*db
}

// spread picks the first colours: the commonest, then again and again the one that is
// worst served by those picked. Each bin remembers which serves it best.
func (p *palette) spread(colors int) (means []rgb) {
	at := 0
	for i := range p.bins {
		if p.bins[i].n > p.bins[at].n {
			at = i
		}
	}
	gap := slices.Repeat([]float32{math.MaxFloat32}, len(p.bins))
	p.slot = append(p.slot[:0], make([]uint8, len(p.bins))...)
	for at >= 0 && len(means) < colors {
		m, worst := p.bins[at].mean, float32(0)
		means, at = append(means, m), -1
		for i := range p.bins {
			b := &p.bins[i]
			if d := m.to(b.mean); d < gap[i] {
				gap[i], p.slot[i] = d, uint8(len(means)-1)
			}
			if w := gap[i] * b.weight; w > worst {
				worst, at = w, i
			}
		}
	}
	return means
}

// settle moves each colour to the mean of the bins nearest to it, a few times.
func (p *palette) settle(means []rgb) {
	sums, ns := make([]rgb, len(means)), make([]float32, len(means))
	for range 4 {
		clear(sums)
		clear(ns)
		for i := range p.bins {
			c, h := &p.bins[i], p.slot[i]
			s, w := &sums[h], c.weight
			s.r, s.g, s.b, ns[h] = s.r+w*c.mean.r, s.g+w*c.mean.g, s.b+w*c.mean.b, ns[h]+w
		}
		for h := range means {
			if ns[h] > 0 {
				means[h] = rgb{sums[h].r / ns[h], sums[h].g / ns[h], sums[h].b / ns[h]}
			}
		}
		for i := range p.bins {
			p.slot[i] = nearest(p.bins[i].mean, means, p.slot[i])
		}
	}
}

// nearest is the mean nearest to a colour; it is looked for from the one that was so before.
func nearest(c rgb, means []rgb, was uint8) uint8 {
	best, at := means[was].to(c), was
	for i := range means {
		m := &means[i]
		if dg := c.g - m.g; 4*dg*dg >= best {
			continue
		}
		if d := m.to(c); d < best {
			best, at = d, uint8(i)
		}
	}
	return at
}

// choose fixes the colours. A colour that most of its pixels have exactly is taken as it is.
func (p *palette) choose(means []rgb) []uint32 {
	total := make([]int, len(means))
	lead := make([]*bin, len(means))
	for i := range p.bins {
		h := p.slot[i]
		total[h] += p.bins[i].n
		if lead[h] == nil || p.bins[i].lead > lead[h].lead {
			lead[h] = &p.bins[i]
		}
	}
	p.colors = p.colors[:0]
	for h, m := range means {
		c := uint32(m.r+.5)<<16 | uint32(m.g+.5)<<8 | uint32(m.b+.5)
		if b := lead[h]; b != nil && 3*b.lead > total[h] {
			c = b.leader & 0xFFFFFF
		}
		p.colors = append(p.colors, c)
	}
	return p.colors
}

// rows are the picture's pixels by the number of their colour, a zero before each row, as a PNG has them.
func (p *palette) rows(img *pixels) []uint8 {
	size := (img.w + 1) * img.h
	if cap(p.pix) < size {
		p.pix = make([]uint8, size)
	}
	p.pix = p.pix[:size]
	at := 0
	for _, s := range p.spans {
		if at%(img.w+1) == 0 {
			p.pix[at] = 0
			at++
		}
		c := p.slot[s.bin]
		for i := range p.pix[at : at+int(s.n)] {
			p.pix[at+i] = c
		}
		at += int(s.n)
	}
	return p.pix
}
