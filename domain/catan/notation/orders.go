package notation

import (
	"strconv"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// A standing order says beforehand what a seat answers, so that nobody waits for a mail that
// could have been answered already. Orders are private to their seat and kept beside the
// line; what is here reads and writes them, and tells which move one makes for a decision.
// That move is played like any other, and refused like any other.

// OrderKind is what a standing order is about.
type OrderKind int8

// The kinds of standing order, in the order in which they are asked: a knight is played
// before the roll, an offer declined only if no other order takes it.
const (
	OrderKnight  OrderKind = iota // order knight 9 Bo: at the start of the turn, if the robber is at one's building
	OrderRoll                     // order roll: when the turn starts
	OrderDiscard                  // order discard wool ore: on a seven, these kinds first
	OrderRob                      // order rob 9 Bo: when the robber is to be moved after a seven
	OrderGive                     // order give 1 wool for 1 ore up to 2 not Bo counter
	OrderDecline                  // order decline from Bo: every other offer
	OrderKinds
)

// OrderWords are the words of the orders in notation.
var OrderWords = [OrderKinds]string{"knight", "roll", "discard", "rob", "give", "decline"}

// Order is one standing order.
type Order struct {
	Kind       OrderKind
	Kinds      []table.Resource // to discard, the first first
	Give, Want table.Hand       // for every time
	Times      int              // how often still; 0 is any number
	Seats      state.SeatSet    // with whom; none is everybody
	Except     bool             // with everybody but these
	Counter    bool             // ask for it where an offer wants the cards but gives too little
	Hex        int8
	Seat       domain.Seat // to rob, or Nobody
}

// FormatOrder writes the one canonical form, "order give 1 wool for 1 ore up to 2 not Bo".
func FormatOrder(o Order, names []string) string {
	dst := append([]byte("order "), OrderWords[o.Kind]...)
	switch o.Kind {
	case OrderDiscard:
		for _, k := range o.Kinds {
			dst = append(append(dst, ' '), k.String()...)
		}
	case OrderRob, OrderKnight:
		dst = seatAfter(place(dst, " ", o.Hex), o.Seat, names)
	case OrderDecline:
		if o.Seats != 0 {
			dst = seatsAfter(append(dst, " from"...), o.Seats, names)
		}
	case OrderGive:
		dst = appendSwap(dst, o.Give, o.Want)
		if o.Times > 0 {
			dst = strconv.AppendInt(append(dst, " up to "...), int64(o.Times), 10)
		}
		switch {
		case o.Except:
			dst = seatsAfter(append(dst, " not"...), o.Seats, names)
		case o.Seats != 0:
			dst = seatsAfter(append(dst, " to"...), o.Seats, names)
		}
		if o.Counter {
			dst = append(dst, " counter"...)
		}
	}
	return string(dst)
}

func seatsAfter(dst []byte, set state.SeatSet, names []string) []byte {
	for _, seat := range set.List() {
		dst = seatAfter(dst, seat, names)
	}
	return dst
}

// ReadOrder reads an order and gives its canonical form, seats by letter.
func (Room) ReadOrder(text string, names []string) (string, error) {
	o, err := ParseOrder(text, names)
	if err != nil {
		return "", err
	}
	return FormatOrder(o, nil), nil
}

// ShowOrder writes a canonical order with the seats' names.
func (Room) ShowOrder(order string, names []string) string {
	o, err := ParseOrder(order, nil)
	if err != nil {
		return order
	}
	return FormatOrder(o, names)
}
