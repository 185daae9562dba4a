package show

import (
	_ "embed"
	"encoding/json"
	"image"
	"math"
	"slices"
	"sync"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// PlotSide is the grain of a tile's ground plan, in units.
const (
	PlotSide  = 2.0
	PlotCells = 50
)

// GroundPlan says where things lie on an unturned tile: the drawing is scattered by it, and figures stand by it.
type GroundPlan struct {
	layout
	ways   []wayLay // roads and rivers, in the order of the parts
	Cities []CityLay

	spots [table.MaxParts + 1]Point   // where a figure stands, by part
	Label [PlotCells][PlotCells]int16 // which part a cell belongs to, from 1; 0 and less are the labels below
}

type wayLay struct {
	part int
	kind table.Kind
	wide float64
	line domain.Path
	pts  []Point // along it
}

// around is a place and the distance a figure keeps from it.
type around struct {
	at   Point
	wide float64
}

// CityLay says how a city lies on a tile.
type CityLay struct {
	part          int
	outline       domain.Path
	walls         []domain.Path
	border, Walls []Point // along them
}

// The labels that belong to no part.
const (
	OpenLabel    = 0
	blockedLabel = -1 // a junction's village, a cloister's court, a garden's bed
)

// The plans and drawings of the tiles, each made on first use and never changed.
var (
	groundPlans [table.TileKinds]func() *GroundPlan
	tileSymbols [table.TileKinds]func() domain.Symbol
)

func init() {
	for i := range groundPlans {
		groundPlans[i] = sync.OnceValue(func() *GroundPlan { return makePlan(table.TileID(i)) })
		tileSymbols[i] = sync.OnceValue(func() domain.Symbol { return TileSymbol(table.TileID(i)) })
	}
}

// PlanOf returns a tile's ground plan, made on first use.
func PlanOf(id table.TileID) *GroundPlan { return groundPlans[id]() }

func makePlan(id table.TileID) *GroundPlan {
	t, p := id.Tile(), &GroundPlan{layout: layouts[id]}
	for i, part := range t.Parts {
		switch part.Kind {
		case table.Road, table.River:
			w := wayLay{part: i, kind: part.Kind, wide: roadCased, line: wayPath(part.At, &p.layout)}
			if part.Kind == table.River {
				w.wide = riverBanks
			}
			w.pts = pathSamples(w.line)
			p.ways = append(p.ways, w)
		case table.City:
			c := CityLay{part: i}
			c.outline, c.walls = cityPaths(part.At)
			c.border = pathSamples(c.outline)
			for _, w := range c.walls {
				c.Walls = append(c.Walls, pathSamples(w)...)
			}
			p.Cities = append(p.Cities, c)
		}
	}
	p.paint()
	for i, part := range t.Parts {
		if part.Kind == table.Field {
			p.flood(i, part.At)
		}
	}
	p.place(t)
	return p
}

// paint labels the cells covered by cities, roads, rivers and whatever lies in the middle.
func (p *GroundPlan) paint() {
	for y := range PlotCells {
		for x := range PlotCells {
			at, label := MiddleOf(x, y), &p.Label[y][x]
			for _, c := range p.Cities {
				if withinOutline(c.border, at) {
					*label = int16(c.part + 1)
				}
			}
			for _, w := range p.ways {
				if *label == OpenLabel && NearestTo(w.pts, at) <= w.wide/2 {
					*label = int16(w.part + 1)
				}
			}
			if *label == OpenLabel && Distance(at, p.Middle) < p.Round {
				*label = blockedLabel
			}
		}
	}
}

// MiddleOf returns the middle of a cell of the ground.
func MiddleOf(x, y int) Point {
	return domain.Pt((float64(x)+.5)*PlotSide-HalfTile, (float64(y)+.5)*PlotSide-HalfTile)
}

// flood labels the open cells that a field reaches from its half-edges.
func (p *GroundPlan) flood(part int, halves []uint8) {
	var rest []image.Point
	for _, h := range halves {
		q := HalfEdgeAt(int(h))
		rest = append(rest, image.Pt(clampCell(q.X), clampCell(q.Y)))
	}
	for len(rest) > 0 {
		c := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if c.In(image.Rect(0, 0, PlotCells, PlotCells)) && p.Label[c.Y][c.X] == OpenLabel {
			p.Label[c.Y][c.X] = int16(part + 1)
			rest = append(rest, image.Pt(c.X+1, c.Y), image.Pt(c.X-1, c.Y), image.Pt(c.X, c.Y+1), image.Pt(c.X, c.Y-1))
		}
	}
}

// HalfEdgeAt returns the middle of a half-edge; they go clockwise from the north-west.
func HalfEdgeAt(h int) Point {
	return QuarterTurned(domain.Pt(HalfTile*(float64(h%2)-0.5), -HalfTile), h/2)
}

func clampCell(x float64) int { return min(max(int((x+HalfTile)/PlotSide), 0), PlotCells-1) }

// At returns which part of the ground a point is on.
func (p *GroundPlan) At(q Point) int16 { return p.Label[clampCell(q.Y)][clampCell(q.X)] }

// place works out where a figure stands on each part.
func (p *GroundPlan) place(t *table.Tile) {
	var standing []around
	switch p.spots[table.ShrinePart] = p.Middle; t.Shrine {
	case table.Cloister:
		standing = append(standing, around{p.Middle, p.Round + 8})
	case table.Garden:
		standing = append(standing, around{p.Middle, gardenWide(p) * 1.8})
	}
	for _, w := range p.ways {
		if w.kind == table.Road {
			p.spots[w.part] = onRoad(&w, len(t.Parts[w.part].At) == 2)
		}
		standing = append(standing, around{p.spots[w.part], 14}) // for a river, the tile's middle
	}
	for _, c := range p.Cities {
		p.spots[c.part] = p.inCity(c.part, t.Parts[c.part].At)
		standing = append(standing, around{p.spots[c.part], 14})
	}
	for i, part := range t.Parts {
		if part.Kind == table.Field {
			p.spots[i] = p.roomiest(int16(i+1), 13, standing)
		}
	}
}

// gardenWide returns the radius of a garden's bed.
func gardenWide(p *GroundPlan) float64 { return p.Round - 1 }

// inCity returns the middle of a cap, or the roomiest place of a larger city: room to the walls counts fully, room to
// the tile's edge less. The pennant stays free.
func (p *GroundPlan) inCity(part int, edges []uint8) Point {
	var pennant []around
	switch {
	case len(edges) == 1:
		return QuarterTurned(Point{Y: -37}, int(edges[0]))
	case p.Pennant != nil:
		pennant = []around{{*p.Pennant, 11}}
	}
	return p.roomiest(int16(part+1), 15, pennant)
}

// onRoad returns the middle of a road that goes through, or a place nearer the edge for one that ends on the tile.
func onRoad(w *wayLay, through bool) Point {
	if through {
		return w.pts[len(w.pts)/2]
	}
	i := slices.IndexFunc(w.pts, func(q Point) bool { return Distance(q, w.pts[0]) >= 19 })
	if i < 0 {
		i = len(w.pts) - 1
	}
	return w.pts[i]
}

// roomiest returns the cell of a label that is farthest from everything else; of equals, the one nearest the middle.
// Edge is how much room to the tile's edge is enough. Things already there (a pennant, a church, another figure) stay
// free.
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

// roomOf measures, for each cell of a label, the distance to the nearest cell of another label. The tile's edges do
// not count: the part continues beyond them.
func (p *GroundPlan) roomOf(label int16) (room [PlotCells][PlotCells]float64) {
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
		if x, y := cell%PlotCells, cell/PlotCells; p.Label[y][x] == label {
			room[y][x] = math.Inf(1)
		}
		relax(cell, -1)
	}
	for cell := PlotCells*PlotCells - 1; cell >= 0; cell-- {
		relax(cell, 1)
	}
	return room
}

//go:embed layout.json
var layoutFile []byte

// layout is what does not follow from a tile's edges in its drawing. The file lists only tiles that need it.
type layout struct {
	Middle  Point   // where its church, garden, village or pool lies
	Round   float64 // how far around Middle there is no field; 0 if nothing lies there
	Depth   float64 // how deep a road or river that ends on the tile runs, to a gate or church; 0 means to the middle
	Bow     float64 // how far a river bends south, to make room for what stands there
	Pennant *Point  // of a city: a wide place that leaves room for a figure
	Beside  string  // the half-edge near which Middle lies when the tile is drawn in characters; "" means none
}

// layouts are read once from the embedded file, by TileID.
var layouts = func() (all [table.TileKinds]layout) {
	var byLetter map[string]layout
	if err := json.Unmarshal(layoutFile, &byLetter); err != nil {
		panic("carcassonne: the embedded layout of tiles: " + err.Error())
	}
	for letter, l := range byLetter {
		all[state.MustTile(letter)] = l
	}
	return all
}()

// isJunction reports whether roads end in the tile's middle, in a village.
func isJunction(t *table.Tile) bool {
	ends := slices.DeleteFunc(slices.Clone(t.Parts), func(p table.Part) bool {
		return p.Kind != table.Road || len(p.At) != 1
	})
	return len(ends) >= 2
}

func tileHas(t *table.Tile, k table.Kind) bool {
	return slices.ContainsFunc(t.Parts, func(p table.Part) bool { return p.Kind == k })
}
