package state

import "posthorn/domain/carcassonne/table"

// RiverEdge is the edge by which an open place touches the river.
func RiverEdge(c *Cell) (e int, ok bool) {
	for e := range 4 {
		if c.Asks.Edge(e) == table.River {
			return e, true
		}
	}
	return 0, false
}

// Cell is an empty place beside a tile: what its neighbours ask of its edges, and which of
// their parts it touches, by link (see turned.links).
type Cell struct {
	X, Y  int16
	Asks  table.Asks
	there uint16 // bits of the links that touch something
	node  [12]uint16
}
