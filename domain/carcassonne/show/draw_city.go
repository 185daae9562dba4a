package show

import (
	"math"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// cities draws closed shapes from edge to edge, bowed inwards, with roofs, walls and merlons towards the field, gates
// where roads end, and a tower on each corner they fill.
func (d *tileDrawing) cities() {
	for _, c := range d.lay.Cities {
		d.add(c.outline.Filled(cityColor))
		for _, w := range c.walls {
			d.add(besideWall(w, -WallWide/2-1).Stroked(cityShade, 2.4))
		}
		d.roofs(&c)
		for _, w := range c.walls {
			d.add(merlons(w).Stroked(wallColor, 2.6),
				w.Stroked(wallColor, WallWide),
				w.Stroked(stoneColor, 1.5))
		}
		d.gates(c.walls)
		d.towers(d.t.Parts[c.part].At)
	}
}

// besideWall returns a line along a wall at a distance: outside it, or inside if off is negative.
func besideWall(wall domain.Path, off float64) (p domain.Path) {
	pts := pathSamples(wall)
	for i := 0; i < len(pts); i += 4 {
		n := outward(pts, i)
		x, y := pts[i].X+n.X*off, pts[i].Y+n.Y*off
		switch {
		case max(math.Abs(x), math.Abs(y)) > HalfTile:
		case p == nil:
			p = p.M(x, y)
		default:
			p = p.L(x, y)
		}
	}
	return p
}

// outward returns the unit normal towards the field: the left of a wall's direction.
func outward(pts []Point, i int) Point {
	a, b := pts[max(i-1, 0)], pts[min(i+1, len(pts)-1)]
	n := Distance(a, b)
	return domain.Pt((b.Y-a.Y)/n, -(b.X-a.X)/n)
}

// merlons returns small blocks along the outer side of a wall: strokes from its middle outwards.
func merlons(wall domain.Path) (p domain.Path) {
	pts := pathSamples(wall)
	const step, wide, high = 6.2, 2.6, WallWide/2 + 1
	run := step / 2
	for i := 1; i < len(pts); i++ {
		run += Distance(pts[i-1], pts[i])
		if run < step {
			continue
		}
		run = 0
		n, c := outward(pts, i), pts[i]
		top := domain.Pt(c.X+n.X*high, c.Y+n.Y*high)
		if max(math.Abs(c.X), math.Abs(c.Y), math.Abs(top.X), math.Abs(top.Y)) > HalfTile-wide/2 {
			continue // the neighbouring tile would cut it off
		}
		p = p.M(c.X, c.Y).L(top.X, top.Y)
	}
	return p
}

// roofs fills a city with houses, except where the walls and the pennant need room.
func (d *tileDrawing) roofs(c *CityLay) {
	most := 3 * len(d.t.Parts[c.part].At)
	var stands []Point
	for range 140 {
		q := domain.Pt(d.g.in(-44, 44), d.g.in(-44, 44))
		turn, thatched := 90*float64(int(d.g.in(0, 2)))+d.g.in(-14, 14), d.g.in(0, 1) < .35
		w, h := d.g.in(11, 14), d.g.in(8.5, 10)
		switch {
		case len(stands) >= most, d.lay.At(q) != int16(c.part+1), NearestTo(c.Walls, q) < 10, NearestTo(stands, q) < 17,
			d.lay.Pennant != nil && Distance(q, *d.lay.Pennant) < 15,
			q.X*q.X > 36*36 && q.Y*q.Y > 36*36:
			continue
		}
		stands = append(stands, q)
		d.house(q, w, h, turn, thatched)
	}
}

// gates draws a gate where a road meets the wall: two towers and the way between them.
func (d *tileDrawing) gates(walls []domain.Path) {
	for _, w := range d.lay.ways {
		if w.kind != table.Road || len(d.t.Parts[w.part].At) != 1 || isJunction(d.t) || d.t.Shrine == table.Cloister {
			continue
		}
		for _, wall := range walls {
			pts := pathSamples(wall)
			best := 0
			end := w.pts[len(w.pts)-1]
			for i, q := range pts {
				if Distance(q, end) < Distance(pts[best], end) {
					best = i
				}
			}
			if Distance(pts[best], end) > 8 {
				continue
			}
			c, n := pts[best], outward(pts, best)
			t := domain.Pt(-n.Y, n.X)
			d.add(domain.Path{}.M(c.X+n.X*4, c.Y+n.Y*4).L(c.X-n.X*2, c.Y-n.Y*2).Stroked(roadColor, 6.5))
			for _, side := range [...]float64{-7.2, 7.2} {
				d.add(domain.Rect(c.X+t.X*side-3.6, c.Y+t.Y*side-3.6, 7.2, 7.2).Drawn(stoneColor, wallColor, 1.6))
			}
		}
	}
}

// towers closes off a city that fills a corner, where a neighbour's walls do not end.
func (d *tileDrawing) towers(edges []uint8) {
	here := edgeSet(edges, 0)
	for e := range 4 {
		if !here.has(e) || !here.has(e+1) {
			continue
		}
		quarter := func(r float64) domain.Path {
			const c = HalfTile
			k := quarterArc * r
			return quartered(domain.Path{}.M(c, -c).L(c, r-c).C(c-k, r-c, c-r, k-c, c-r, -c).Z(), e)
		}
		d.add(quarter(towerWide+1).Filled(wallColor),
			quarter(towerWide-1).Filled(stoneColor),
			quarter(towerWide-4).Filled(wallColor))
	}
}
