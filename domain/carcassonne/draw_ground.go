package carcassonne

import (
	"math"
	"sync"

	"posthorn/domain"
)

// plotSide is the grain of a tile's ground plan, in units.
const (
	plotSide  = 2.0
	plotCells = 50
)

// groundPlan is where things lie on a tile that is not turned: what the drawing is scattered by,
// and where figures stand.
type groundPlan struct {
	ways    []wayLay  // roads and rivers, as the parts have them
	cities  []cityLay // by part
	pennant *point

	middle around // the cloister's court or the garden, if there is one

	spots map[anchorKey]point         // where a figure stands, by part or middle
	label [plotCells][plotCells]int16 // which part a cell belongs to, from 1; 0 is open field, see below
}

type anchorKey struct {
	kind Kind
	part int // of roads, cities and fields
}

type wayLay struct {
	part int
	kind Kind
	pts  []point
}

// around is a place and how far a figure keeps from it.
type around struct {
	at   point
	wide float64
}

type cityLay struct {
	part    int
	outline []point
	walls   []point
}

// The labels that are no part's.
const (
	openLabel    = 0
	blockedLabel = -1 // a junction's village, a cloister's court, a garden's bed
)

// The plans and drawings of the tiles, each made when it is first asked for. Nobody
// changes them.
var (
	groundPlans [tileKinds]func() *groundPlan
	tileSymbols [tileKinds]func() domain.Symbol
)

func init() {
	for i := range groundPlans {
		groundPlans[i] = sync.OnceValue(func() *groundPlan { return makePlan(&tiles[i]) })
		tileSymbols[i] = sync.OnceValue(func() domain.Symbol { return tileSymbol(TileID(i)) })
	}
}

// planOf is a tile's ground plan, made when it is first asked for.
func planOf(id TileID) *groundPlan { return groundPlans[id]() }

func makePlan(t *Tile) *groundPlan {
	p := &groundPlan{spots: map[anchorKey]point{}}
	for i, part := range t.Parts {
		switch part.Kind {
		case Road, River:
			p.ways = append(p.ways, wayLay{part: i, kind: part.Kind, pts: pathSamples(partPath(t, &part))})
		case City:
			outline, walls := cityPaths(part.At)
			lay := cityLay{part: i, outline: pathSamples(outline)}
			for _, w := range walls {
				lay.walls = append(lay.walls, pathSamples(w)...)
			}
			p.cities = append(p.cities, lay)
			if part.Pennant {
				at := pennantAt(part.At)
				p.pennant = &at
			}
		}
	}
	switch {
	case t.Cloister:
		p.middle = around{cloisterAt(t), courtWide + 8}
	case t.Garden:
		p.middle = around{gardenAt(t), gardenWide(t) * 1.8}
	}
	p.paint(t)
	for i, part := range t.Parts {
		if part.Kind == Field {
			p.flood(i, part.At)
		}
	}
	p.place(t)
	return p
}

// paint labels the cells that cities, roads and rivers cover.
func (p *groundPlan) paint(t *Tile) {
	for y := range plotCells {
		for x := range plotCells {
			at := middleOf(x, y)
			for _, c := range p.cities {
				if withinOutline(c.outline, at) {
					p.label[y][x] = int16(c.part + 1)
				}
			}
			for _, w := range p.ways {
				wide := roadCased / 2
				if w.kind == River {
					wide = riverBanks / 2
				}
				if p.label[y][x] == openLabel && nearestTo(w.pts, at) <= wide {
					p.label[y][x] = int16(w.part + 1)
				}
			}
			if p.label[y][x] != openLabel {
				continue
			}
			switch {
			case t.Cloister && distance(at, cloisterAt(t)) < courtWide,
				t.Garden && distance(at, gardenAt(t)) < gardenWide(t)+1,
				isJunction(t) && distance(at, point{}) < 9,
				t.Set == Spring && distance(at, point{}) < 15,
				t.Set == Lake && distance(at, lakeAt) < 27:
				p.label[y][x] = blockedLabel
			}
		}
	}
}

func middleOf(x, y int) point {
	return point{X: (float64(x)+.5)*plotSide - halfTile, Y: (float64(y)+.5)*plotSide - halfTile}
}

// flood labels the open cells that can be reached from a field's half-edges.
func (p *groundPlan) flood(part int, halves []uint8) {
	type xy struct{ x, y int }
	var rest []xy
	for _, h := range halves {
		q := halfEdgeAt(int(h))
		rest = append(rest, xy{clampCell(q.X), clampCell(q.Y)})
	}
	for len(rest) > 0 {
		c := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if c.x < 0 || c.y < 0 || c.x >= plotCells || c.y >= plotCells || p.label[c.y][c.x] != openLabel {
			continue
		}
		p.label[c.y][c.x] = int16(part + 1)
		rest = append(rest, xy{c.x + 1, c.y}, xy{c.x - 1, c.y}, xy{c.x, c.y + 1}, xy{c.x, c.y - 1})
	}
}

// halfEdgeAt is the middle of a half-edge; they go clockwise from the north-west.
func halfEdgeAt(h int) point {
	x := -halfTile / 2
	if h%2 == 1 {
		x = halfTile / 2
	}
	return quarterTurned(point{X: x, Y: -halfTile}, h/2)
}

func clampCell(x float64) int { return min(max(int((x+halfTile)/plotSide), 0), plotCells-1) }

func (p *groundPlan) at(q point) int16 { return p.label[clampCell(q.Y)][clampCell(q.X)] }

// place finds where a figure stands on each part.
func (p *groundPlan) place(t *Tile) {
	var standing []around
	if p.middle.wide > 0 {
		standing = append(standing, p.middle)
	}
	for i, part := range t.Parts { // the table names fields last
		key := anchorKey{part.Kind, i}
		switch part.Kind {
		case Road:
			p.spots[key] = p.onRoad(t, i)
		case City:
			// Room to the walls counts, room to the tile's edge does less; the pennant stays free.
			p.spots[key] = p.inCity(i, part.At)
		case Field:
			p.spots[key] = p.roomiest(int16(i+1), 13, standing)
			continue
		}
		standing = append(standing, around{p.spots[key], 14})
	}
	if t.Cloister {
		p.spots[anchorKey{Cloister, 0}] = cloisterAt(t)
	}
	if t.Garden {
		p.spots[anchorKey{Garden, 0}] = gardenAt(t)
	}
}

// inCity is the middle of a cap, and the roomiest place of a larger city. The pennant stays free.
func (p *groundPlan) inCity(part int, edges []uint8) point {
	if len(edges) == 1 {
		return quarterTurned(point{Y: -37}, int(edges[0]))
	}
	if p.pennant != nil {
		return p.roomiest(int16(part+1), 15, []around{{*p.pennant, 11}})
	}
	return p.roomiest(int16(part+1), 15, nil)
}

// onRoad is the middle of a road that goes through, and a place nearer the edge of one that
// ends on the tile.
func (p *groundPlan) onRoad(t *Tile, part int) point {
	for _, w := range p.ways {
		if w.part != part {
			continue
		}
		if len(t.Parts[part].At) == 2 {
			return w.pts[len(w.pts)/2]
		}
		for _, q := range w.pts {
			if distance(q, w.pts[0]) >= 19 {
				return q
			}
		}
		return w.pts[len(w.pts)-1]
	}
	return point{}
}

// roomiest is the cell of a label that is farthest from everything else; of equals, the
// one nearest the middle. Edge is how much room to the tile's edge is enough; what stands
// there already (a pennant, a church, another figure) stays free.
func (p *groundPlan) roomiest(label int16, edge float64, there []around) point {
	room := p.roomOf(label)
	var best point
	score := math.Inf(-1)
	for y := range plotCells {
		for x := range plotCells {
			if p.label[y][x] != label {
				continue
			}
			q := middleOf(x, y)
			border := halfTile - max(math.Abs(q.X), math.Abs(q.Y))
			s := min(room[y][x], 17) + 0.8*min(border-edge, 0)
			for _, a := range there {
				s = min(s, distance(q, a.at)-a.wide)
			}
			if s -= 0.04 * math.Hypot(q.X, q.Y); s > score {
				best, score = q, s
			}
		}
	}
	return best
}

// roomOf measures, for each cell of a label, how far the nearest cell of another is. The
// tile's edges do not count: what lies there goes on.
func (p *groundPlan) roomOf(label int16) (room [plotCells][plotCells]float64) {
	for y := range plotCells {
		for x := range plotCells {
			if p.label[y][x] == label {
				room[y][x] = math.Inf(1)
			}
		}
	}
	const slant = plotSide * 1.414
	relax := func(cell, sign int) {
		x, y := cell%plotCells, cell/plotCells
		for _, n := range [...]struct {
			x, y int
			step float64
		}{{1, 0, plotSide}, {0, 1, plotSide}, {1, 1, slant}, {-1, 1, slant}} {
			if u, v := x+sign*n.x, y+sign*n.y; u >= 0 && v >= 0 && u < plotCells && v < plotCells {
				room[y][x] = min(room[y][x], room[v][u]+n.step)
			}
		}
	}
	for cell := range plotCells * plotCells {
		relax(cell, -1)
	}
	for cell := plotCells*plotCells - 1; cell >= 0; cell-- {
		relax(cell, 1)
	}
	return room
}
