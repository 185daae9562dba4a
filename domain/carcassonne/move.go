package carcassonne

// Move is a turn: where the tile goes, how it is turned, what is done with a figure, and in which
// order completed features are scored. It is kept to 16 bytes, since every legal turn becomes one.
type Move struct {
	X, Y     int16
	Quarter  uint8 // clockwise quarter turns
	Follower Choice
	Order    Order // 0 leaves it open
}

// Choice is the second step of a turn: nobody, a follower or abbot on a place, a recall.
type Choice uint8

// The choices that are no place of a road, city or field.
const (
	Nobody Choice = 0

	onRoad  Choice = 1  // and the edge
	onCity  Choice = 5  // and the edge
	onField Choice = 9  // and the half-edge
	onRiver Choice = 17 // and the edge: never legal, but it can be said

	OnCloister      Choice = 21
	OnGarden        Choice = 22 // never legal: a follower may not, only the abbot (point 35)
	AbbotOnCloister Choice = 23
	AbbotOnGarden   Choice = 24
	Recall          Choice = 25
)

// Put is the choice of a figure on a place.
func Put(abbot bool, p Place) Choice {
	switch p.Kind {
	case Road:
		return onRoad + Choice(p.At)
	case City:
		return onCity + Choice(p.At)
	case Field:
		return onField + Choice(p.At)
	case River:
		return onRiver + Choice(p.At)
	case Cloister:
		if abbot {
			return AbbotOnCloister
		}
		return OnCloister
	case Garden:
		if abbot {
			return AbbotOnGarden
		}
		return OnGarden
	}
	return Nobody
}

// shrine tells whether the choice puts a figure in a cloister or garden.
func (c Choice) shrine() bool { return c >= OnCloister && c <= AbbotOnGarden }

// Place is where the choice puts a figure, and whether it is the abbot; ok is false for
// nobody and a recall.
func (c Choice) Place() (p Place, abbot, ok bool) {
	switch {
	case c == AbbotOnCloister || c == OnCloister:
		return Place{Kind: Cloister}, c == AbbotOnCloister, true
	case c == AbbotOnGarden || c == OnGarden:
		return Place{Kind: Garden}, c == AbbotOnGarden, true
	case c >= onRoad && c < onCity:
		return Place{Road, uint8(c - onRoad)}, false, true
	case c >= onCity && c < onField:
		return Place{City, uint8(c - onCity)}, false, true
	case c >= onField && c < onRiver:
		return Place{Field, uint8(c - onField)}, false, true
	case c >= onRiver && c < OnCloister:
		return Place{River, uint8(c - onRiver)}, false, true
	}
	return Place{}, false, false
}

// Order is a list of completed features, as the mover names them: a road or city by an edge
// of the tile placed, a cloister or garden by where it lies from that tile. Packed in base
// 27 so that a move stays small and comparable; at most 13 entries, the first the lowest digit.
type Order uint64

// due features are numbered 1–4 roads, 5–8 cities, 9–17 cloisters, 18–26 gardens.
const (
	orderBase     = 27
	orderMost     = 13
	orderRoad     = 1
	orderCity     = 5
	orderCloister = 9
	orderGarden   = 18
)

func (o Order) list() (codes [orderMost]uint8, n int) {
	for ; o > 0 && n < orderMost; o /= orderBase {
		codes[n] = uint8(o % orderBase)
		n++
	}
	return codes, n
}

func packOrder(codes []uint8) (o Order) {
	for i := len(codes) - 1; i >= 0; i-- {
		o = o*orderBase + Order(codes[i])
	}
	return o
}

// orderCode numbers a feature for an Order: dx, dy are -1, 0 or 1 for cloisters and gardens.
func orderCode(k Kind, edge uint8, dx, dy int16) uint8 {
	near := uint8((dy+1)*3 + dx + 1)
	switch k {
	case Road:
		return orderRoad + edge
	case City:
		return orderCity + edge
	case Cloister:
		return orderCloister + near
	default:
		return orderGarden + near
	}
}

// orderNamed is orderCode backwards.
func orderNamed(code uint8) (k Kind, edge uint8, dx, dy int16) {
	switch {
	case code >= orderGarden:
		n := int16(code - orderGarden)
		return Garden, 0, n%3 - 1, n/3 - 1
	case code >= orderCloister:
		n := int16(code - orderCloister)
		return Cloister, 0, n%3 - 1, n/3 - 1
	case code >= orderCity:
		return City, code - orderCity, 0, 0
	default:
		return Road, code - orderRoad, 0, 0
	}
}
