package show

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// Where the tiles' buildings stand: the few things that do not follow from the edges.

// isJunction tells whether roads end in the tile's middle, in a village.
func isJunction(t *table.Tile) bool {
	ends := slices.DeleteFunc(slices.Clone(t.Parts), func(p table.Part) bool { return p.Kind != table.Road || len(p.At) != 1 })
	return len(ends) >= 2
}

func tileHas(t *table.Tile, k table.Kind) bool {
	return slices.ContainsFunc(t.Parts, func(p table.Part) bool { return p.Kind == k })
}

// partPath is the line a road or river follows on its tile.
func partPath(t *table.Tile, p *table.Part) domain.Path {
	if len(p.At) == 2 {
		return wayPath(int(p.At[0]), int(p.At[1]), bowOf(t, p))
	}
	edge := int(p.At[0])
	switch {
	case p.Kind == table.River && t.Set == table.Lake:
		return stubPath(edge, 30)
	case p.Kind == table.River, isJunction(t):
		return stubPath(edge, HalfTile)
	case t.Cloister:
		return stubPath(edge, HalfTile+QuarterTurned(cloisterAt(t), 4-edge).Y+2)
	default: // to the gate of the city opposite
		return stubPath(edge, gateDepth(t))
	}
}

// gateDepth is how deep a road runs that ends at a city's gate: to the wall that bows
// towards it. It depends on how many edges the city has.
func gateDepth(t *table.Tile) float64 {
	if slices.ContainsFunc(t.Parts, func(p table.Part) bool { return p.Kind == table.City && len(p.At) == 3 }) {
		return 26
	}
	return 73
}

// bowOf makes room north of a river for what stands there.
func bowOf(t *table.Tile, p *table.Part) float64 {
	if p.Kind != table.River {
		return 0
	}
	switch {
	case t.Cloister:
		return 12
	case tileHas(t, table.City) && tileHas(t, table.Road):
		return 8
	}
	return 0
}

func cloisterAt(t *table.Tile) Point {
	switch {
	case tileHas(t, table.River):
		return Point{X: 0, Y: -24}
	case tileHas(t, table.Road):
		return Point{X: 0, Y: -6}
	}
	return Point{}
}

// lakeAt is the middle of the lake, which a river from the west enters.
var lakeAt = Point{X: 4, Y: 0}

// gardenAt is the roomiest place of each tile with a garden.
func gardenAt(t *table.Tile) Point {
	var cities [4]bool
	edges := 0
	joined := false
	for _, p := range t.Parts {
		if p.Kind == table.City {
			for _, e := range p.At {
				cities[e] = true
				edges++
			}
			joined = joined || len(p.At) > 1
		}
	}
	switch {
	case edges == 1:
		return Point{X: 0, Y: 16}
	case edges == 2 && cities[0] && cities[2]:
		return Point{}
	case edges == 2 && joined:
		return Point{X: 18, Y: 18}
	case edges == 2:
		return Point{X: 14, Y: 14}
	case edges == 3:
		return Point{X: 0, Y: 38}
	case t.Edges[1] == table.Road:
		return Point{X: 18, Y: 27}
	}
	return Point{X: 17, Y: -17}
}

func gardenWide(t *table.Tile) float64 {
	if gardenAt(t).Y == 38 {
		return 9.5
	}
	return 13.5
}

// pennantAt is a wide place of a city with a pennant, which leaves room for a figure.
func pennantAt(edges []uint8) Point {
	switch len(edges) {
	case 2:
		if (edges[0]+2)%4 == edges[1] {
			return QuarterTurned(Point{X: 0, Y: -27}, int(edges[0]))
		}
		if (edges[0]+1)%4 == edges[1] { // the corner clockwise of the first edge
			return QuarterTurned(Point{X: 33, Y: -33}, int(edges[0]))
		}
		return QuarterTurned(Point{X: 33, Y: -33}, int(edges[1]))
	case 4:
		return Point{X: -24, Y: -24}
	}
	return Point{X: -27, Y: -26}
}
