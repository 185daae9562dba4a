package picture

import "math"

// maxColors is how many colours a picture has: enough for flat drawings with soft edges, and it cuts their size to a
// third.
const maxColors = 64

// fewestColors is how many it has at least, however small it should be.
const fewestColors = 9

// palette finds the few opaque colours to show a picture in. Nothing depends on chance or on a map's order.
type palette struct {
	index  [1 << 16]int32 // from a cell of the colour cube to one more than its bin
	bins   []bin
	slot   []uint8 // from a bin to its colour
	gap    []float32
	colors []uint32
	far    farther
}

// bin is a cell of the colour cube with the pixels that fell into it. Its leader is the colour of most of them, if one
// has a majority.
type bin struct {
	n, lead int32
	leader  uint32
	r, g, b int64 // sums
	mean    rgb
	weight  float32
}

const binBytes = 56

// cellOf returns the cell of the colour cube that a colour lies in.
func cellOf(c uint32) int { return int(c>>8&0xF800 | c>>5&0x07E0 | c>>3&0x1F) }

// colorOf returns the opaque colour in the middle of a cell.
func colorOf(cell uint16) uint32 {
	c := uint32(cell)
	return 0xFF<<24 | c&0xF800<<8 | 4<<16 | c&0x07E0<<5 | 2<<8 | c&0x1F<<3 | 4
}

// reset starts over.
func (p *palette) reset() {
	for i := range p.bins {
		p.index[cellOf(p.bins[i].leader)] = 0
	}
	p.bins = p.bins[:0]
}

// add counts pixels of a colour.
func (p *palette) add(c uint32, n int) {
	sum := func(channel uint32) int64 { return int64(n) * int64(channel&0xFF) }
	p.merge(&bin{n: int32(n), lead: int32(n), leader: c, r: sum(c >> 16), g: sum(c >> 8), b: sum(c)})
}

// merge counts pixels that were tallied before.
func (p *palette) merge(more *bin) {
	at := &p.index[cellOf(more.leader)]
	if *at == 0 {
		p.bins = append(p.bins, *more)
		*at = int32(len(p.bins))
		return
	}
	b := &p.bins[*at-1]
	b.n, b.r, b.g, b.b = b.n+more.n, b.r+more.r, b.g+more.g, b.b+more.b
	switch {
	case b.leader == more.leader:
		b.lead += more.lead
	case b.lead >= more.lead:
		b.lead -= more.lead
	default:
		b.leader, b.lead = more.leader, more.lead-b.lead
	}
}

// weigh completes the bins once all colours are counted.
func (p *palette) weigh() {
	for i := range p.bins {
		c := &p.bins[i]
		n := float32(c.n)
		// Damped, so that small but significant colours (a seat's letter, a bed of flowers) are not lost to shades of
		// the ground.
		c.weight = float32(math.Pow(float64(n), 0.6))
		c.mean = rgb{float32(c.r) / n, float32(c.g) / n, float32(c.b) / n}
	}
}

// reduce gives each bin one of at most colors colours. It first picks colours that are far apart, then settles them in
// a few rounds of nearest means. Flat areas keep their exact colour.
func (p *palette) reduce(colors int) []uint32 {
	means := p.spread(colors)
	p.settle(means)
	return p.choose(means)
}

type rgb struct{ r, g, b float32 }

// to returns how different two colours look. Eyes are most sensitive to green and least to blue.
func (m rgb) to(c rgb) float32 {
	dr, dg, db := c.r-m.r, c.g-m.g, c.b-m.b
	return 2*dr*dr + 4*dg*dg + 1.5*db*db
}

// spread picks the first colours: the most common one, then repeatedly the one that the picked colours serve worst.
// Each bin remembers which serves it best.
func (p *palette) spread(colors int) (means []rgb) {
	at := 0
	for i := range p.bins {
		if p.bins[i].n > p.bins[at].n {
			at = i
		}
	}
	p.gap, p.slot = p.gap[:0], p.slot[:0]
	for range p.bins {
		p.gap, p.slot = append(p.gap, math.MaxFloat32), append(p.slot, 0)
	}
	for at >= 0 && len(means) < colors {
		m, worst := p.bins[at].mean, float32(0)
		means, at = append(means, m), -1
		for i := range p.bins {
			b := &p.bins[i]
			if d := m.to(b.mean); d < p.gap[i] {
				p.gap[i], p.slot[i] = d, uint8(len(means)-1)
			}
			if w := p.gap[i] * b.weight; w > worst {
				worst, at = w, i
			}
		}
	}
	return means
}

// settle moves each colour to the mean of its nearest bins, a few times.
func (p *palette) settle(means []rgb) {
	sums, ns := make([]rgb, len(means)), make([]float32, len(means))
	own := make([]float32, len(means)) // to a mean: how near to it a colour is that has no nearer one
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
		for h, m := range means {
			own[h] = math.MaxFloat32
			for i := range means {
				if i != h {
					own[h] = min(own[h], m.to(means[i])/4) // a quarter: it is squared
				}
			}
		}
		for i := range p.bins {
			c, h := &p.bins[i].mean, p.slot[i]
			if means[h].to(*c) > own[h] {
				p.slot[i] = nearest(*c, means, h)
			}
		}
	}
}

// nearest returns the mean nearest to a colour; the search starts from the previous nearest.
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

// choose fixes the colours. If most of a colour's pixels have one exact value, it takes that value.
func (p *palette) choose(means []rgb) []uint32 {
	total := make([]int32, len(means))
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
