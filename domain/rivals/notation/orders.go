package notation

import (
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Standing orders say in advance what a seat answers. An order stands until its seat takes it back; if several would
// answer, the earliest one does.

// OrderWords are the orders without arguments, with what people type for them.
var OrderWords = table.WordsFor("orders", func(w string) string { return w })

// ReadOrder reads an order and returns its canonical form. "gain" and "buy" name resources, the most wanted first;
// "lose" names cards, the first to give up first.
func (Room) ReadOrder(text string, _ []string) (string, error) {
	w := table.Tokens(text)
	if len(w) > 0 && (w[0] == "order" || w[0] == "ordem" || w[0] == "rozkaz" || w[0] == "polecenie") {
		w = w[1:]
	}
	if order, ok := OrderWords[strings.Join(w, " ")]; ok {
		return order, nil
	}
	if len(w) < 2 {
		return "", domain.Refuse("order-unreadable")
	}
	switch verbWords[w[0]] {
	case state.Take:
		return readWishes("gain", w[1:])
	case state.Buy:
		return readWishes("buy", w[1:])
	case state.Lose:
		return readLosses(w[1:])
	}
	return "", domain.Refuse("order-unreadable")
}

// readLosses reads the cards to give up before others.
func readLosses(w []string) (string, error) {
	out := "lose"
	seen := map[*table.Row]bool{}
	for r := (&Reader{Words: w}); r.More(); {
		c := r.Card()
		if r.Bad || seen[c.Row()] || c.Row().Kind == table.EventCard || c.Row().Kind == table.ActionCard {
			return "", domain.Refuse("order-unreadable")
		}
		seen[c.Row()] = true
		out += " " + c.Row().ID
	}
	return out, nil
}

// readWishes reads resources, each at most once.
func readWishes(out string, w []string) (string, error) {
	var seen table.ResMask
	for _, word := range w {
		res, ok := resWords[word]
		if !ok || seen.Has(res) {
			return "", domain.Refuse("order-unreadable")
		}
		seen |= table.Only(res)
		out += " " + res.String()
	}
	return out, nil
}

// ShowOrder returns the order unchanged: orders never name a seat.
func (Room) ShowOrder(order string, _ []string) string { return order }
