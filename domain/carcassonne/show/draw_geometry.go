package show

import (
	"cmp"
	"math"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// The drawing's measures, in units: a tile is 100 by 100 around its middle, north up.
const (
	HalfTile   = 50.0
	roadWide   = 9.0
	roadCased  = 12.5
	riverWide  = 16.0
	riverBanks = 21.0
	WallWide   = 4.6
	CapInset   = 8.0 // how far from the corner a city's wall meets the edge, so that separate cities never touch
	towerWide  = 7.5 // radius of the corner towers of cities that fill a corner
)

// Point is a point of a scene.
type Point = domain.Point

func plus(p, q Point) Point { return domain.Pt(p.X+q.X, p.Y+q.Y) }

// QuarterTurned returns a point after clockwise quarter turns around the tile's middle.
func QuarterTurned(p Point, quarters int) Point {
	for range quarters & 3 {
		p = domain.Pt(-p.Y, p.X)
	}
	return p
}

// quartered returns an outline after clockwise quarter turns around the tile's middle.
func quartered(p domain.Path, quarters int) domain.Path {
	return kit.Mapped(p, func(q Point) Point { return QuarterTurned(q, quarters) })
}

// quarterArc is how far a circle's control points lie along its tangents, in radii.
const quarterArc = 0.5522847498

// wayPath returns the line of a road or river: from one edge to another, straight or as a quarter circle around the
// corner between them, or from an edge into the tile.
func wayPath(at []uint8, l *layout) domain.Path {
	const k = quarterArc * HalfTile
	from, p := int(at[0]), domain.Path{}.M(0, -HalfTile)
	if len(at) == 1 {
		return quartered(p.L(0, cmp.Or(l.Depth, HalfTile)-HalfTile), from)
	}
	switch (int(at[1]) - from + 4) % 4 {
	case 1:
		p = p.C(0, k-HalfTile, HalfTile-k, 0, HalfTile, 0)
	case 3:
		p = p.C(0, k-HalfTile, k-HalfTile, 0, -HalfTile, 0)
	default:
		if l.Bow == 0 {
			return quartered(p.L(0, HalfTile), from)
		}
		// In a river turned to run down, the bow lies to the east; both ends stay square to their edges.
		p = p.C(0, -28, l.Bow, -28, l.Bow, 0).C(l.Bow, 28, 0, 28, 0, HalfTile)
	}
	return quartered(p, from)
}

// cityPaths returns a city's outline, and its walls: the parts of the outline that are not tile edges, each with the
// city on its right.
func cityPaths(edges []uint8) (outline domain.Path, walls []domain.Path) {
	has := edgeSet(edges, 0)
	first := 0
	for first < 4 && (!has.has(first) || has.has(first+3)) {
		first++
	}
	if first == 4 {
		return domain.Rect(-HalfTile, -HalfTile, 2*HalfTile, 2*HalfTile), nil
	}
	to := func(x float64, edge int) {
		p := QuarterTurned(domain.Pt(x, -HalfTile), edge)
		outline = outline.L(p.X, p.Y)
	}
	to(-HalfTile+CapInset, first)
	outline[0].Op = 'M'
	for e := first; e < first+4; e++ {
		switch {
		case has.has(e) && has.has(e+1):
			to(HalfTile, e)
		case has.has(e):
			to(HalfTile-CapInset, e)
			gap := 1
			for !has.has(e + gap + 1) {
				gap++
			}
			wall := wallPath(e, gap)
			outline = append(outline, wall[1:]...)
			walls = append(walls, wall)
		}
	}
	return outline.Z(), walls
}

// edges is a set of a tile's edges, one bit each from N.
type edges uint8

func (e edges) has(edge int) bool { return e>>(edge&3)&1 == 1 }

// edgeSet returns edges turned with their tile by quarters.
func edgeSet(at []uint8, quarters int) (set edges) {
	for _, e := range at {
		set |= 1 << ((int(e) + quarters) & 3)
	}
	return set
}

// wallPath runs from the clockwise end of a city's edge, bowed into the tile, to where the city starts again after a
// gap of one to three other edges.
func wallPath(edge, gap int) domain.Path {
	const in = HalfTile - CapInset
	p := domain.Path{}.M(in, -HalfTile)
	switch gap {
	case 1:
		p = p.C(17, -16, 17, 16, in, HalfTile)
	case 2:
		p = p.C(7, -25, -25, 7, -HalfTile, in)
	default:
		p = p.C(17, -14, -17, -14, -in, -HalfTile)
	}
	return quartered(p, edge)
}

// pathSamples returns points along a path, at most one and a half units apart.
func pathSamples(p domain.Path) (pts []Point) {
	var at, start Point
	for _, g := range p {
		n := 48 // for a curve
		switch g.Op {
		case 'M':
			start, at, n = g.To, g.To, 0
			pts = append(pts, at)
		case 'Z':
			g.To = start
			fallthrough
		case 'L':
			n = int(math.Ceil(Distance(at, g.To) / 1.5))
		}
		for i := 1; i <= n; i++ {
			t := float64(i) / float64(n)
			if g.Op == 'C' {
				pts = append(pts, cubicAt(at, g.A, g.B, g.To, t))
			} else {
				pts = append(pts, domain.Pt(at.X+(g.To.X-at.X)*t, at.Y+(g.To.Y-at.Y)*t))
			}
		}
		at = g.To
	}
	return pts
}

func cubicAt(p0, a, b, p1 Point, t float64) Point {
	u := 1 - t
	c0, c1, c2, c3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return domain.Pt(c0*p0.X+c1*a.X+c2*b.X+c3*p1.X, c0*p0.Y+c1*a.Y+c2*b.Y+c3*p1.Y)
}

// Distance returns the distance between two points.
func Distance(p, q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// withinOutline reports whether a point lies within a closed outline given by its samples.
func withinOutline(outline []Point, p Point) bool {
	in := false
	for i, j := 0, len(outline)-1; i < len(outline); j, i = i, i+1 {
		a, b := outline[i], outline[j]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	}
	return in
}

// NearestTo returns the distance to the nearest of some points.
func NearestTo(pts []Point, p Point) float64 {
	d := math.Inf(1)
	for _, q := range pts {
		d = min(d, Distance(p, q))
	}
	return d
}

// grain is a small random source, the same for the same seed: no two fields look alike, yet every drawing of the same
// tile is equal.
type grain uint64

func grainOf(seed string) *grain {
	g := grain(14695981039346656037)
	for _, c := range []byte(seed) {
		g = (g ^ grain(c)) * 1099511628211
	}
	return &g
}

// in returns a number from lo to hi.
func (g *grain) in(lo, hi float64) float64 {
	*g += 0x9E3779B97F4A7C15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return lo + (hi-lo)*float64(z>>11)/(1<<53)
}
