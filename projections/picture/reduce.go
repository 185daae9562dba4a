package picture

import (
	"image"
	"image/color"
	"math"
	"sort"
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
	lr, lg  int // mean, kept for sorting and distances
	lb      int
}

// reduce turns a painted image into a palette image of at most so many opaque colours: the cube
// is cut where colours spread most, the cuts are then settled by a few rounds of nearest
// means. Flat areas keep their exact colour. Nothing depends on chance or on the order of a map.
func reduce(img *image.RGBA, colors int) *image.Paletted {
	bins, index := count(img)
	groups := cut(bins, colors)
	means := settle(bins, groups)
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
		c.lr, c.lg, c.lb = c.r/c.n, c.g/c.n, c.b/c.n
	}
	return bins, index
}

type group struct {
	members []int
	spread  float64 // weighted variance along the widest axis
	axis    int
}

func (c *bin) on(axis int) int {
	switch axis {
	case 0:
		return c.lr
	case 1:
		return c.lg
	default:
		return c.lb
	}
}

// weight damps how much large flat areas count, or small but telling colours (a seat's
// letter) would be lost to shades of the ground.
func (c *bin) weight() float64 {
	return math.Sqrt(float64(c.n))
}

func measure(bins []bin, members []int) group {
	g := group{members: members}
	for axis := range 3 {
		var n, sum, sq float64
		for _, m := range members {
			w, x := bins[m].weight(), float64(bins[m].on(axis))
			n, sum, sq = n+w, sum+w*x, sq+w*x*x
		}
		if v := sq - sum*sum/n; v > g.spread {
			g.spread, g.axis = v, axis
		}
	}
	return g
}

func cut(bins []bin, colors int) []group {
	all := make([]int, len(bins))
	for i := range all {
		all[i] = i
	}
	groups := []group{measure(bins, all)}
	for len(groups) < colors {
		widest := 0
		for i, g := range groups {
			if g.spread > groups[widest].spread {
				widest = i
			}
		}
		g := groups[widest]
		if g.spread <= 0 || len(g.members) < 2 {
			break
		}
		at := split(bins, g)
		groups[widest] = measure(bins, g.members[:at])
		groups = append(groups, measure(bins, g.members[at:]))
	}
	return groups
}

// split sorts a group along its widest axis and cuts at the mean, leaving both sides
// something.
func split(bins []bin, g group) int {
	sort.Slice(g.members, func(i, j int) bool {
		a, b := g.members[i], g.members[j]
		if x, y := bins[a].on(g.axis), bins[b].on(g.axis); x != y {
			return x < y
		}
		return a < b
	})
	var n, sum float64
	for _, m := range g.members {
		n += bins[m].weight()
		sum += bins[m].weight() * float64(bins[m].on(g.axis))
	}
	mean := sum / n
	at := sort.Search(len(g.members), func(i int) bool { return float64(bins[g.members[i]].on(g.axis)) > mean })
	return min(max(at, 1), len(g.members)-1)
}

type rgb struct{ r, g, b float64 }

// settle moves each group's colour to the mean of the bins nearest to it, a few times.
func settle(bins []bin, groups []group) []rgb {
	means := make([]rgb, len(groups))
	home := make([]int, len(bins))
	for i, g := range groups {
		for _, m := range g.members {
			home[m] = i
		}
	}
	for range 4 {
		sums := make([]rgb, len(means))
		ns := make([]float64, len(means))
		for i := range bins {
			c, h := &bins[i], home[i]
			w := c.weight()
			sums[h].r += w * float64(c.r) / float64(c.n)
			sums[h].g += w * float64(c.g) / float64(c.n)
			sums[h].b += w * float64(c.b) / float64(c.n)
			ns[h] += w
		}
		for h := range means {
			if ns[h] > 0 {
				means[h] = rgb{sums[h].r / ns[h], sums[h].g / ns[h], sums[h].b / ns[h]}
			}
		}
		for i := range bins {
			home[i] = nearest(&bins[i], means)
		}
	}
	return means
}

func nearest(c *bin, means []rgb) int {
	best, at := 1e18, 0
	for i, m := range means {
		dr, dg, db := float64(c.lr)-m.r, float64(c.lg)-m.g, float64(c.lb)-m.b
		// Eyes are keenest in green and least so in blue.
		if d := 2*dr*dr + 4*dg*dg + db*db; d < best {
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
