package carcassonne

import (
	"slices"

	"posthorn/domain"
)

// Where the tiles' buildings stand: the few things that do not follow from the edges.

// isJunction tells whether roads end in the tile's middle, in a village.
func isJunction(t *Tile) bool {
	ends := slices.DeleteFunc(slices.Clone(t.Parts), func(p Part) bool { return p.Kind != Road || len(p.At) != 1 })
	return len(ends) >= 2
}

func tileHas(t *Tile, k Kind) bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Kind == k })
}

// partPath is the line a road or river follows on its tile.
func partPath(t *Tile, p *Part) domain.Path {
	if len(p.At) == 2 {
		return wayPath(int(p.At[0]), int(p.At[1]), bowOf(t, p))
	}
	edge := int(p.At[0])
	switch {
	case p.Kind == River && t.Set == Lake:
		return stubPath(edge, 30)
	case p.Kind == River, isJunction(t):
		return stubPath(edge, halfTile)
	case t.Cloister:
		return stubPath(edge, halfTile+quarterTurned(cloisterAt(t), 4-edge).Y+2)
	default: // to the gate of the city opposite
		return stubPath(edge, gateDepth(t))
	}
}

// gateDepth is how deep a road runs that ends at a city's gate: to the wall that bows
// towards it. It depends on how many edges the city has.
func gateDepth(t *Tile) float64 {
	if slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Kind == City && len(p.At) == 3 }) {
		return 26
	}
	return 73
}

// bowOf makes room north of a river for what stands there.
func bowOf(t *Tile, p *Part) float64 {
	if p.Kind != River {
		return 0
	}
	switch {
	case t.Cloister:
		return 12
	case tileHas(t, City) && tileHas(t, Road):
		return 8
	}
	return 0
}

func cloisterAt(t *Tile) point {
	switch {
	case tileHas(t, River):
		return point{X: 0, Y: -24}
	case tileHas(t, Road):
		return point{X: 0, Y: -6}
	}
	return point{}
}

// lakeAt is the middle of the lake, which a river from the west enters.
var lakeAt = point{X: 4, Y: 0}

// gardenAt is the roomiest place of each tile with a garden.
func gardenAt(t *Tile) point {
	var cities [4]bool
	edges := 0
	joined := false
	for _, p := range t.Parts {
		if p.Kind == City {
			for _, e := range p.At {
				cities[e] = true
				edges++
			}
			joined = joined || len(p.At) > 1
		}
	}
	switch {
	case edges == 1:
		return point{X: 0, Y: 16}
	case edges == 2 && cities[0] && cities[2]:
		return point{}
	case edges == 2 && joined:
		return point{X: 18, Y: 18}
	case edges == 2:
		return point{X: 14, Y: 14}
	case edges == 3:
		return point{X: 0, Y: 38}
	case t.Edges[1] == Road:
		return point{X: 18, Y: 27}
	}
	return point{X: 17, Y: -17}
}

func gardenWide(t *Tile) float64 {
	if gardenAt(t).Y == 38 {
		return 9.5
	}
	return 13.5
}

// pennantAt is a wide place of a city with a pennant, which leaves room for a figure.
func pennantAt(edges []uint8) point {
	switch len(edges) {
	case 2:
		if (edges[0]+2)%4 == edges[1] {
			return quarterTurned(point{X: 0, Y: -27}, int(edges[0]))
		}
		if (edges[0]+1)%4 == edges[1] { // the corner clockwise of the first edge
			return quarterTurned(point{X: 33, Y: -33}, int(edges[0]))
		}
		return quarterTurned(point{X: 33, Y: -33}, int(edges[1]))
	case 4:
		return point{X: -24, Y: -24}
	}
	return point{X: -27, Y: -26}
}
