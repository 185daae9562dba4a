package kit

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// Repeats are standing orders for a game whose orders are its moves: "order keep" stands until the seat takes it back,
// "order roll 2" works twice. It is all three parts for [Orders].
type Repeats[M comparable, V any] struct {
	Notation Notation[M]
	Label    func(m M) domain.Say              // the text of a button for the move
	Answers  func(m M, d domain.Decision) bool // whether the move can answer such a decision at all
	Offered  []M                               // the moves that a page offers for orders
}

// read splits an order into the move and how many times it remains to be made; 0 is forever.
func (r Repeats[M, V]) read(text string, names []string) (m M, times int, err error) {
	words := strings.Fields(text)
	if len(words) > 0 && strings.EqualFold(words[0], "order") {
		words = words[1:]
	}
	m, err = r.Notation.ParseMove(strings.Join(words, " "), names)
	if last := len(words) - 1; err != nil && last > 0 { // otherwise the number is part of the move
		if k, bad := strconv.Atoi(words[last]); bad == nil && k > 0 {
			times = k
			m, err = r.Notation.ParseMove(strings.Join(words[:last], " "), names)
		}
	}
	return m, times, err
}

func (r Repeats[M, V]) write(m M, times int, names []string) string {
	text := "order " + r.Notation.FormatMove(m, names)
	if times > 0 {
		text += " " + strconv.Itoa(times)
	}
	return text
}

// ReadOrder implements [OrderNotation].
func (r Repeats[M, V]) ReadOrder(text string, names []string) (string, error) {
	m, times, err := r.read(text, names)
	if err != nil {
		return "", err
	}
	return r.write(m, times, nil), nil
}

// ShowOrder implements [OrderNotation].
func (r Repeats[M, V]) ShowOrder(order string, names []string) string {
	m, times, err := r.read(order, nil)
	if err != nil {
		return order
	}
	return r.write(m, times, names)
}

// TellOrder implements [OrderShow].
func (r Repeats[M, V]) TellOrder(order string, _ V) []domain.Say {
	m, times, err := r.read(order, nil)
	switch {
	case err != nil:
		return nil
	case times == 0:
		return []domain.Say{domain.S("order", "step", r.Label(m))}
	}
	return []domain.Say{domain.S("order.times", "step", r.Label(m), "n", times)}
}

// Obey implements [OrderRules]: it carries out the first order that answers the decision.
func (r Repeats[M, V]) Obey(orders []string, d domain.Decision, _ V) (domain.Obeyed, bool) {
	for i, text := range orders {
		m, times, err := r.read(text, nil)
		if err != nil || !r.Answers(m, d) {
			continue
		}
		left := ""
		if times != 1 {
			left = r.write(m, max(times-1, 0), nil)
		}
		return domain.Obeyed{Move: m, Order: i, Left: left}, true
	}
	return domain.Obeyed{}, false
}

// OrderFor implements [OrderRules]: the move, once.
func (r Repeats[M, V]) OrderFor(m M, _ domain.Decision, _ V) string { return r.write(m, 1, nil) }

// OrderForms implements [OrderRules].
func (r Repeats[M, V]) OrderForms(V) []domain.Form {
	f := domain.Field{Name: "what", Label: domain.S("order.what"), Kind: domain.FieldChoice}
	for _, m := range r.Offered {
		f.Words, f.Labels = append(f.Words, r.Notation.FormatMove(m, nil)), append(f.Labels, r.Label(m))
	}
	return []domain.Form{{Key: "order", Label: domain.S("order.form"), Pattern: "order {what}",
		Fields: []domain.Field{f}}}
}
