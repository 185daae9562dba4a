package notation

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// A standing order gives a seat's answer in advance, so that nobody waits for a mail that could have been answered
// already. Orders are private to their seat and kept beside the line; this file reads and writes them. The move that an
// order makes for a decision is played, and may be refused, like any other.

// OrderKind is what a standing order is about.
type OrderKind int8

// The kinds of standing order, in the order in which they apply: a knight is played before the roll, an offer declined
// only if no other order takes it.
const (
	// order knight 9 Bo: at the start of the turn, if the robber is at a building of the seat's
	OrderKnight  OrderKind = iota
	OrderRoll              // order roll: when the turn starts
	OrderDiscard           // order discard wool ore: on a seven, these kinds first
	OrderRob               // order rob 9 Bo: when the seat must move the robber after a seven
	OrderGive              // order give 1 wool for 1 ore up to 2 not Bo counter
	OrderDecline           // order decline from Bo: every other offer
	OrderKinds
)

// OrderWords are the words of the orders in notation.
var OrderWords = [OrderKinds]string{"knight", "roll", "discard", "rob", "give", "decline"}

// Order is one standing order.
type Order struct {
	Kind       OrderKind
	Kinds      []table.Resource // to discard, in this order
	Give, Want table.Hand       // each time
	Times      int              // how many times remain; 0 is any number
	Seats      state.SeatSet    // whom to trade with; none is everybody
	Except     bool             // Seats lists those to leave out
	Counter    bool             // make a counter-offer if an offer wants the cards but gives too little
	Hex        int8
	Seat       domain.Seat // whom to rob, or Nobody
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
	for i, seat := range set.List() {
		if i > 0 && names != nil { // as people write a list of names
			dst = append(dst, ',')
		}
		dst = seatAfter(dst, seat, names)
	}
	return dst
}

// ReadOrder reads an order and returns its canonical form, seats by letter.
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

// longestOrder is the most bytes an order may have: enough for eight long names.
const longestOrder = 1_000

// ParseOrder reads an order as people type it, with or without the word order before it. It returns a *domain.Refusal
// if the text is unreadable.
func ParseOrder(text string, names []string) (Order, error) {
	if len(text) > longestOrder {
		return Order{}, domain.Refuse("order-unreadable", "text", strings.ToValidUTF8(text[:40], "")+"…")
	}
	r := read(text, names)
	r.dropPhrases()
	r.skip(wordsOrder)
	for r.skip(wordsPlay) {
	}
	verb := r.verb()
	o := Order{Kind: OrderKind(slices.Index(OrderWords[:], verb)), Hex: table.NoHex, Seat: domain.Nobody}
	switch verb {
	case "roll":
	case "discard":
		r.discardOrder(&o)
	case "give", "offer", "exchange", "counter":
		o.Kind, o.Counter = OrderGive, verb == "counter"
		r.giveOrder(&o)
	case "decline":
		for r.skip(wordsEvery) {
		}
		r.skip(wordsFrom)
		o.Seats = r.seatSet()
	case "rob", "knight":
		m := r.parts(state.KindRob)
		if o.Hex, o.Seat = m.A, m.Seat; !table.IsHex(o.Hex) {
			r.refuse("no-such-hex", "hex", int(o.Hex))
		}
	default:
		r.refuse("order-unreadable", "text", text)
	}
	if len(r.left) > 0 {
		r.refuse("order-unreadable", "text", text)
	}
	if r.err != nil {
		return Order{}, r.err
	}
	return o, nil
}

// dropPhrases removes the words that say when an order applies: its verb already says so.
func (r *reader) dropPhrases() {
	for _, phrase := range orderPhrases {
		for i := 0; i+len(phrase) <= len(r.left); i++ {
			if slices.EqualFunc(r.left[i:i+len(phrase)], phrase, func(typed, word string) bool {
				return domain.Fold(typed) == word
			}) {
				r.left = slices.Delete(r.left, i, i+len(phrase))
				i--
			}
		}
	}
}

func (r *reader) discardOrder(o *Order) {
	for len(r.left) > 0 && r.err == nil {
		if r.skip(wordsAnd) || r.skip(wordsThen) {
			continue
		}
		if k := r.resource(); !slices.Contains(o.Kinds, k) {
			o.Kinds = append(o.Kinds, k)
		}
	}
	if len(o.Kinds) == 0 {
		r.refuse("resource-missing")
	}
}

func (r *reader) giveOrder(o *Order) {
	if o.Give, o.Want = r.swap(); o.Give.Meets(o.Want) {
		r.refuse("trade-same")
	}
	for len(r.left) > 0 && r.err == nil {
		switch {
		case r.times(o):
		case r.skip(wordsNot):
			o.Except, o.Seats = true, r.seatSet()
		case r.skip(wordsCounter):
			o.Counter = true
		case !r.skip(wordsTo):
			r.refuse("unreadable-word", "text", r.left[0])
		case !r.skip(wordsAll): // "all but …" may follow
			o.Seats = r.seatSet()
		}
	}
	o.Except = o.Except && o.Seats != 0
}

// times reads how often: "up to 2", "2 times", "at most 2". It reports whether it found that.
func (r *reader) times(o *Order) bool {
	before := r.left
	r.skip(wordsAt)
	up := r.skip(wordsUp)
	r.skip(wordsTo)
	if !up && !r.isNumber() {
		r.left = before
		return false
	}
	o.Times = int(r.number())
	r.skip(wordsTimes)
	return true
}

// seatSet reads names up to a word that begins something else.
func (r *reader) seatSet() (set state.SeatSet) {
	for len(r.left) > 0 && r.err == nil {
		if r.article(r.left) {
			r.left = r.left[1:]
		}
		seat, named := r.seat()
		goesOn := r.goesOn(r.peek())
		switch {
		case named && set != 0 && goesOn:
			r.unclear(seat)
		case named:
			set = set.With(int8(seat))
			r.left = r.left[r.words:]
		case goesOn:
			return set
		case !r.skip(wordsAnd) && !r.skip(wordsThe):
			r.unknown()
		}
	}
	return set
}
