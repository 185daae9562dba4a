package state

import (
	"iter"

	"posthorn/domain/carcassonne/table"
)

// Move is a turn: where the tile goes, how it is turned, what is done with a figure, and in which order completed
// features score. It is kept to 16 bytes, since every legal turn becomes one.
type Move struct {
	X, Y     int16
	Quarter  uint8 // clockwise quarter turns
	Follower table.Choice
	Order    Order // 0 leaves it open
}

// Order is a list of completed features, as the mover names them: a road or city by an edge of the tile placed, a
// cloister or garden by its position relative to that tile. It is packed in base 27 so that a move stays small and
// comparable; at most 13 entries, the first in the lowest digit.
type Order uint64

const (
	orderBase = 27
	OrderMost = 13 // four edges and nine cloisters: the most features that a tile can complete
)

// orderFirst is where the numbers of a kind of feature start: 1–4 roads and 5–8 cities by their edge, 9–17 cloisters
// and 18–26 gardens by rows around the tile.
var orderFirst = [...]uint8{table.Road: 1, table.City: 5, table.Cloister: 9, table.Garden: 18}

// All yields the numbers of the features, in order.
func (o Order) All() iter.Seq2[int, uint8] {
	return func(yield func(int, uint8) bool) {
		for i := 0; o > 0 && i < OrderMost && yield(i, uint8(o%orderBase)); i++ {
			o /= orderBase
		}
	}
}

// PackOrder packs a list into an order.
func PackOrder(codes []uint8) (o Order) {
	for i := len(codes) - 1; i >= 0; i-- {
		o = o*orderBase + Order(codes[i])
	}
	return o
}

// OrderCode returns a feature's number in an Order; dx, dy are -1, 0 or 1 for cloisters and gardens.
func OrderCode(k table.Kind, edge uint8, dx, dy int16) uint8 {
	if k.Shrine() {
		return orderFirst[k] + uint8((dy+1)*3+dx+1)
	}
	return orderFirst[k] + edge
}

// OrderNamed is the inverse of OrderCode.
func OrderNamed(code uint8) (k table.Kind, edge uint8, dx, dy int16) {
	for _, k = range [...]table.Kind{table.Garden, table.Cloister, table.City, table.Road} {
		if code >= orderFirst[k] {
			break
		}
	}
	n := code - orderFirst[k]
	if k.Shrine() {
		return k, 0, int16(n%3) - 1, int16(n/3) - 1
	}
	return k, n, 0, 0
}
