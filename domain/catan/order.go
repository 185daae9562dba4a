package catan

import (
	"strconv"

	"posthorn/domain"
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
	orderKinds
)

// orderWords are the words of the orders in notation.
var orderWords = [orderKinds]string{"knight", "roll", "discard", "rob", "give", "decline"}

// Order is one standing order.
type Order struct {
	Kind       OrderKind
	Kinds      []Resource // to discard, the first first
	Give, Want Hand       // for every time
	Times      int        // how often still; 0 is any number
	Seats      seatSet    // with whom; none is everybody
	Except     bool       // with everybody but these
	Counter    bool       // ask for it where an offer wants the cards but gives too little
	Hex        int8
	Seat       domain.Seat // to rob, or Nobody
}

// FormatOrder writes the one canonical form, "order give 1 wool for 1 ore up to 2 not Bo".
func FormatOrder(o Order, names []string) string {
	dst := append([]byte("order "), orderWords[o.Kind]...)
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
		dst = o.Give.append(append(dst, ' '))
		dst = o.Want.append(append(dst, " for "...))
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

func seatsAfter(dst []byte, set seatSet, names []string) []byte {
	for _, seat := range set.list() {
		dst = seatAfter(dst, seat, names)
	}
	return dst
}

// Say is the order in words.
func (o Order) Say() []domain.Say {
	with := seatsSay(o.Seats)
	switch o.Kind {
	case OrderRoll:
		return []domain.Say{domain.S("order.roll")}
	case OrderDiscard:
		var list []domain.Say
		for _, k := range o.Kinds {
			list = append(list, domain.S("resource."+k.String()))
		}
		return []domain.Say{domain.S("order.discard", "list", list)}
	case OrderDecline:
		if len(with) == 0 {
			return []domain.Say{domain.S("order.decline")}
		}
		return []domain.Say{domain.S("order.decline-of", "to", with)}
	case OrderRob, OrderKnight:
		if o.Seat == domain.Nobody {
			return []domain.Say{domain.S("order."+orderWords[o.Kind], "hex", int(o.Hex))}
		}
		return []domain.Say{domain.S("order."+orderWords[o.Kind]+"-of", "hex", int(o.Hex), "who", o.Seat)}
	}
	list := []domain.Say{domain.S("order.give", "give", handSay(o.Give), "want", handSay(o.Want))}
	if o.Counter {
		list = append(list, domain.S("order.counter", "give", handSay(o.Give), "want", handSay(o.Want)))
	}
	if o.Times > 0 {
		list = append(list, domain.S("order.times", "n", o.Times))
	}
	if o.Except {
		return append(list, domain.S("order.not", "to", with))
	}
	if len(with) > 0 {
		list = append(list, domain.S("order.to", "to", with))
	}
	return list
}
