package notation

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// longestOrder is how many bytes an order may have: enough for eight long names.
const longestOrder = 1_000

// ParseOrder reads an order as people type it, with or without the word order before it. A
// *domain.Refusal if it cannot be read.
func ParseOrder(text string, names []string) (Order, error) {
	if len(text) > longestOrder {
		return Order{}, domain.Refuse("order-unreadable", "text", strings.ToValidUTF8(text[:40], "")+"…")
	}
	r := reader{names: names}
	r.split(text)
	r.dropPhrases()
	r.skip(wordsOrder)
	for r.skip(wordsPlay) {
	}
	bad := domain.Refuse("order-unreadable", "text", text)
	if len(r.left) == 0 {
		return Order{}, bad
	}
	verb := verbs[r.peek()]
	r.left = r.left[1:]
	o := Order{Hex: table.NoHex, Seat: domain.Nobody}
	var err error
	switch verb {
	case "roll":
		o.Kind = OrderRoll
	case "discard":
		err = r.discardOrder(&o)
	case "give", "offer", "counter":
		o.Counter = verb == "counter"
		err = r.giveOrder(&o)
	case "decline":
		err = r.declineOrder(&o)
	case "rob":
		o.Kind = OrderRob
		err = r.robOrder(&o)
	case "knight":
		o.Kind = OrderKnight
		err = r.robOrder(&o)
	default:
		return Order{}, bad
	}
	if err != nil {
		return Order{}, err
	}
	if len(r.left) > 0 {
		return Order{}, bad
	}
	return o, nil
}

// dropPhrases takes out the words that say when an order is for: its verb says so already.
func (r *reader) dropPhrases() {
	folded := make([]string, len(r.left))
	for i, typed := range r.left {
		folded[i] = domain.Fold(typed)
	}
	for _, phrase := range orderPhrases {
		for i := 0; i+len(phrase) <= len(folded); i++ {
			if slices.Equal(folded[i:i+len(phrase)], phrase) {
				r.left, folded = slices.Delete(r.left, i, i+len(phrase)), slices.Delete(folded, i, i+len(phrase))
				i--
			}
		}
	}
}

func (r *reader) discardOrder(o *Order) error {
	o.Kind = OrderDiscard
	for len(r.left) > 0 {
		if r.skip(wordsAnd) || r.skip(wordsThen) {
			continue
		}
		k, err := r.resource()
		if err != nil {
			return err
		}
		if !slices.Contains(o.Kinds, k) {
			o.Kinds = append(o.Kinds, k)
		}
	}
	if len(o.Kinds) == 0 {
		return domain.Refuse("resource-missing")
	}
	return nil
}

func (r *reader) giveOrder(o *Order) error {
	o.Kind = OrderGive
	var m state.Move
	if err := r.swap(&m); err != nil {
		return err
	}
	o.Give, o.Want = m.Give, m.Want
	for k := range o.Give {
		if o.Give[k] > 0 && o.Want[k] > 0 {
			return domain.Refuse("trade-same")
		}
	}
	for len(r.left) > 0 {
		read, err := r.times(o)
		switch {
		case read:
		case r.skip(wordsNot):
			o.Except = true
			o.Seats, err = r.seatSet()
		case r.skip(wordsCounter):
			o.Counter = true
		case r.skip(wordsTo):
			if r.skip(wordsAll) {
				continue // but not so and so may follow
			}
			o.Seats, err = r.seatSet()
		default:
			err = domain.Refuse("unreadable-word", "text", r.left[0])
		}
		if err != nil {
			return err
		}
	}
	o.Except = o.Except && o.Seats != 0
	return nil
}

// times reads how often: "up to 2", "2 times", "at most 2".
func (r *reader) times(o *Order) (read bool, err error) {
	before := r.left
	r.skip(wordsAt)
	up := r.skip(wordsUp)
	r.skip(wordsTo)
	if !up && !r.isNumber() {
		r.left = before
		return false, nil
	}
	n, err := r.number()
	r.skip(wordsTimes)
	o.Times = int(n)
	return true, err
}

func (r *reader) declineOrder(o *Order) (err error) {
	o.Kind = OrderDecline
	for r.skip(wordsEvery) {
	}
	r.skip(wordsFrom)
	o.Seats, err = r.seatSet()
	return err
}

func (r *reader) robOrder(o *Order) error {
	for r.skip(wordsHex) {
	}
	m, err := r.parts(state.KindRob)
	if err != nil {
		return err
	}
	o.Hex, o.Seat = m.A, m.Seat
	if !table.IsHex(o.Hex) {
		return domain.Refuse("no-such-hex", "hex", int(o.Hex))
	}
	return nil
}

// SeatSet reads names up to a word that goes on with something else.
func (r *reader) seatSet() (state.SeatSet, error) {
	var set state.SeatSet
	for len(r.left) > 0 {
		seat, err := r.seat()
		word := r.peek()
		if err == nil && set != 0 && r.goesOn(word) {
			return set, r.unclear(seat)
		}
		if err == nil {
			set = set.With(int8(seat))
			r.left = r.left[r.words:]
			continue
		}
		if r.goesOn(word) {
			break
		}
		if !r.skip(wordsAnd) && !r.skip(wordsThe) {
			return set, err
		}
	}
	return set, nil
}
