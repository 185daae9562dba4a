package state

import "posthorn/domain/carcassonne/table"

// Move is a turn: where the tile goes, how it is turned, what is done with a figure, and in which
// order completed features are scored. It is kept to 16 bytes, since every legal turn becomes one.
type Move struct {
	X, Y     int16
	Quarter  uint8 // clockwise quarter turns
	Follower table.Choice
	Order    Order // 0 leaves it open
}

// Order is a list of completed features, as the mover names them: a road or city by an edge
// of the tile placed, a cloister or garden by where it lies from that tile. Packed in base
// 27 so that a move stays small and comparable; at most 13 entries, the first the lowest digit.
type Order uint64

// due features are numbered 1–4 roads, 5–8 cities, 9–17 cloisters, 18–26 gardens.
const (
	orderBase     = 27
	OrderMost     = 13
	orderRoad     = 1
	orderCity     = 5
	orderCloister = 9
	orderGarden   = 18
)

// List is the order as a list.
func (o Order) List() (codes [OrderMost]uint8, n int) {
	for ; o > 0 && n < OrderMost; o /= orderBase {
		codes[n] = uint8(o % orderBase)
		n++
	}
	return codes, n
}

// PackOrder makes an order of a list.
func PackOrder(codes []uint8) (o Order) {
	for i := len(codes) - 1; i >= 0; i-- {
		o = o*orderBase + Order(codes[i])
	}
	return o
}

// OrderCode numbers a feature for an Order: dx, dy are -1, 0 or 1 for cloisters and gardens.
func OrderCode(k table.Kind, edge uint8, dx, dy int16) uint8 {
	near := uint8((dy+1)*3 + dx + 1)
	switch k {
	case table.Road:
		return orderRoad + edge
	case table.City:
		return orderCity + edge
	case table.Cloister:
		return orderCloister + near
	default:
		return orderGarden + near
	}
}

// OrderNamed is OrderCode backwards.
func OrderNamed(code uint8) (k table.Kind, edge uint8, dx, dy int16) {
	switch {
	case code >= orderGarden:
		n := int16(code - orderGarden)
		return table.Garden, 0, n%3 - 1, n/3 - 1
	case code >= orderCloister:
		n := int16(code - orderCloister)
		return table.Cloister, 0, n%3 - 1, n/3 - 1
	case code >= orderCity:
		return table.City, code - orderCity, 0, 0
	default:
		return table.Road, code - orderRoad, 0, 0
	}
}
