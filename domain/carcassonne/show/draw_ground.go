package show

import (
	"math"
	"sync"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// PlotSide is the grain of a tile's ground plan, in units.
const (
	PlotSide  = 2.0
	PlotCells = 50
)

// GroundPlan is where things lie on a tile that is not turned: what the drawing is scattered by,
// and where figures stand.
type GroundPlan struct {
	ways    []wayLay  // roads and rivers, as the parts have them
	Cities  []CityLay // by part
	Pennant *Point

	middle around // the cloister's court or the garden, if there is one

	spots map[anchorKey]Point         // where a figure stands, by part or middle
	Label [PlotCells][PlotCells]int16 // which part a cell belongs to, from 1; 0 is open field, see below
}

type anchorKey struct {
	kind table.Kind
	part int // of roads, cities and fields
}

type wayLay struct {
	part int
	kind table.Kind
	pts  []Point
}

// around is a place and how far a figure keeps from it.
type around struct {
	at   Point
	wide float64
}

// CityLay is how a city lies on a tile.
type CityLay struct {
	part    int
	outline []Point
	Walls   []Point
}

// The labels that are no part's.
const (
	OpenLabel    = 0
	blockedLabel = -1 // a junction's village, a cloister's court, a garden's bed
)

// The plans and drawings of the tiles, each made when it is first asked for. Nobody
// changes them.
var (
	groundPlans [table.TileKinds]func() *GroundPlan
	tileSymbols [table.TileKinds]func() domain.Symbol
)

func init() {
	for i := range groundPlans {
		groundPlans[i] = sync.OnceValue(func() *GroundPlan { return makePlan(&table.AllTiles[i]) })
		tileSymbols[i] = sync.OnceValue(func() domain.Symbol { return TileSymbol(table.TileID(i)) })
	}
}

// PlanOf is a tile's ground plan, made when it is first asked for.
func PlanOf(id table.TileID) *GroundPlan { return groundPlans[id]() }

func makePlan(t *table.Tile) *GroundPlan {
	p := &GroundPlan{spots: map[anchorKey]Point{}}
	for i, part := range t.Parts {
		switch part.Kind {
		case table.Road, table.River:
			p.ways = append(p.ways, wayLay{part: i, kind: part.Kind, pts: pathSamples(partPath(t, &part))})
		case table.City:
			outline, walls := cityPaths(part.At)
			lay := CityLay{part: i, outline: pathSamples(outline)}
			for _, w := range walls {
				lay.Walls = append(lay.Walls, pathSamples(w)...)
			}
			p.Cities = append(p.Cities, lay)
			if part.Pennant {
				at := pennantAt(part.At)
				p.Pennant = &at
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
		if part.Kind == table.Field {
			p.flood(i, part.At)
		}
	}
	p.place(t)
	return p
}

// paint labels the cells that cities, roads and rivers cover.
func (p *GroundPlan) paint(t *table.Tile) {
	for y := range PlotCells {
		for x := range PlotCells {
			at := MiddleOf(x, y)
			for _, c := range p.Cities {
				if withinOutline(c.outline, at) {
					p.Label[y][x] = int16(c.part + 1)
				}
			}
			for _, w := range p.ways {
				wide := roadCased / 2
				if w.kind == table.River {
					wide = riverBanks / 2
				}
				if p.Label[y][x] == OpenLabel && NearestTo(w.pts, at) <= wide {
					p.Label[y][x] = int16(w.part + 1)
				}
			}
			if p.Label[y][x] != OpenLabel {
				continue
			}
			switch {
			case t.Cloister && Distance(at, cloisterAt(t)) < courtWide,
				t.Garden && Distance(at, gardenAt(t)) < gardenWide(t)+1,
				isJunction(t) && Distance(at, Point{}) < 9,
				t.Set == table.Spring && Distance(at, Point{}) < 15,
				t.Set == table.Lake && Distance(at, lakeAt) < 27:
				p.Label[y][x] = blockedLabel
			}
		}
	}
}

// MiddleOf is the middle of a cell of the ground.
func MiddleOf(x, y int) Point {
	return Point{X: (float64(x)+.5)*PlotSide - HalfTile, Y: (float64(y)+.5)*PlotSide - HalfTile}
}

// flood labels the open cells that can be reached from a field's half-edges.
func (p *GroundPlan) flood(part int, halves []uint8) {
	type xy struct{ x, y int }
	var rest []xy
	for _, h := range halves {
		q := HalfEdgeAt(int(h))
		rest = append(rest, xy{clampCell(q.X), clampCell(q.Y)})
	}
	for len(rest) > 0 {
		c := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if c.x < 0 || c.y < 0 || c.x >= PlotCells || c.y >= PlotCells || p.Label[c.y][c.x] != OpenLabel {
			continue
		}
		p.Label[c.y][c.x] = int16(part + 1)
		rest = append(rest, xy{c.x + 1, c.y}, xy{c.x - 1, c.y}, xy{c.x, c.y + 1}, xy{c.x, c.y - 1})
	}
}

// HalfEdgeAt is the middle of a half-edge; they go clockwise from the north-west.
func HalfEdgeAt(h int) Point {
	x := -HalfTile / 2
	if h%2 == 1 {
		x = HalfTile / 2
	}
	return QuarterTurned(Point{X: x, Y: -HalfTile}, h/2)
}

func clampCell(x float64) int { return min(max(int((x+HalfTile)/PlotSide), 0), PlotCells-1) }

// At is which part of the ground is at a point.
func (p *GroundPlan) At(q Point) int16 { return p.Label[clampCell(q.Y)][clampCell(q.X)] }

// place finds where a figure stands on each part.
func (p *GroundPlan) place(t *table.Tile) {
	var standing []around
	if p.middle.wide > 0 {
		standing = append(standing, p.middle)
	}
	for i, part := range t.Parts { // the table names fields last
		key := anchorKey{part.Kind, i}
		switch part.Kind {
		case table.Road:
			p.spots[key] = p.onRoad(t, i)
		case table.City:
			// Room to the walls counts, room to the tile's edge does less; the pennant stays free.
			p.spots[key] = p.inCity(i, part.At)
		case table.Field:
			p.spots[key] = p.roomiest(int16(i+1), 13, standing)
			continue
		}
		standing = append(standing, around{p.spots[key], 14})
	}
	if t.Cloister {
		p.spots[anchorKey{table.Cloister, 0}] = cloisterAt(t)
	}
	if t.Garden {
		p.spots[anchorKey{table.Garden, 0}] = gardenAt(t)
	}
}

// inCity is the middle of a cap, and the roomiest place of a larger city. The pennant stays free.
func (p *GroundPlan) inCity(part int, edges []uint8) Point {
	if len(edges) == 1 {
		return QuarterTurned(Point{Y: -37}, int(edges[0]))
	}
	if p.Pennant != nil {
		return p.roomiest(int16(part+1), 15, []around{{*p.Pennant, 11}})
	}
	return p.roomiest(int16(part+1), 15, nil)
}

// onRoad is the middle of a road that goes through, and a place nearer the edge of one that
// ends on the tile.
func (p *GroundPlan) onRoad(t *table.Tile, part int) Point {
	for _, w := range p.ways {
		if w.part != part {
			continue
		}
		if len(t.Parts[part].At) == 2 {
			return w.pts[len(w.pts)/2]
		}
		for _, q := range w.pts {
			if Distance(q, w.pts[0]) >= 19 {
				return q
			}
		}
		return w.pts[len(w.pts)-1]
	}
	return Point{}
}

// roomiest is the cell of a label that is farthest from everything else; of equals, the
// one nearest the middle. Edge is how much room to the tile's edge is enough; what stands
// there already (a pennant, a church, another figure) stays free.
func (p *GroundPlan) roomiest(label int16, edge float64, there []around) Point {
	room := p.roomOf(label)
	var best Point
	score := math.Inf(-1)
	for y := range PlotCells {
		for x := range PlotCells {
			if p.Label[y][x] != label {
				continue
			}
			q := MiddleOf(x, y)
			border := HalfTile - max(math.Abs(q.X), math.Abs(q.Y))
			s := min(room[y][x], 17) + 0.8*min(border-edge, 0)
			for _, a := range there {
				s = min(s, Distance(q, a.at)-a.wide)
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
func (p *GroundPlan) roomOf(label int16) (room [PlotCells][PlotCells]float64) {
	for y := range PlotCells {
		for x := range PlotCells {
			if p.Label[y][x] == label {
				room[y][x] = math.Inf(1)
			}
		}
	}
	const slant = PlotSide * 1.414
	relax := func(cell, sign int) {
		x, y := cell%PlotCells, cell/PlotCells
		for _, n := range [...]struct {
			x, y int
			step float64
		}{{1, 0, PlotSide}, {0, 1, PlotSide}, {1, 1, slant}, {-1, 1, slant}} {
			if u, v := x+sign*n.x, y+sign*n.y; u >= 0 && v >= 0 && u < PlotCells && v < PlotCells {
				room[y][x] = min(room[y][x], room[v][u]+n.step)
			}
		}
	}
	for cell := range PlotCells * PlotCells {
		relax(cell, -1)
	}
	for cell := PlotCells*PlotCells - 1; cell >= 0; cell-- {
		relax(cell, 1)
	}
	return room
}
