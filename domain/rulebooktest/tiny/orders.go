package tiny

import (
	"fmt"
	"strconv"
	"strings"

	"posthorn/domain"
)

// A standing order is a move with how often it is still to be made: "order keep",
// "order roll 2". Without a number it stands until it is taken back.

// ReadOrder reads an order, with or without the word before it.
func (r Rules) ReadOrder(text string, names []string) (string, error) {
	words := strings.Fields(text)
	if len(words) > 0 && strings.EqualFold(words[0], "order") {
		words = words[1:]
	}
	times := 0
	if n := len(words); n > 1 {
		if k, err := strconv.Atoi(words[n-1]); err == nil && k > 0 {
			times, words = k, words[:n-1]
		}
	}
	m, err := r.ParseMove(strings.Join(words, " "), names)
	if err != nil {
		return "", err
	}
	return order(r.FormatMove(m, nil), times), nil
}

func order(move string, times int) string {
	if times == 0 {
		return "order " + move
	}
	return fmt.Sprintf("order %s %d", move, times)
}

// parts of a canonical order: the move, and how often.
func parts(text string) (move string, times int) {
	move = strings.TrimPrefix(text, "order ")
	if i := strings.LastIndexByte(move, ' '); i > 0 {
		if n, err := strconv.Atoi(move[i+1:]); err == nil {
			return move[:i], n
		}
	}
	return move, 0
}

// ShowOrder writes an order with the seats' names.
func (r Rules) ShowOrder(text string, names []string) string {
	move, times := parts(text)
	m, err := r.ParseMove(move, nil)
	if err != nil {
		return text
	}
	return order(r.FormatMove(m, names), times)
}

// TellOrder says an order.
func (r Rules) TellOrder(text string) []domain.Say {
	move, times := parts(text)
	verb, _, _ := strings.Cut(move, " ")
	if times == 0 {
		return []domain.Say{domain.S("order", "step_word", "step."+verb)}
	}
	return []domain.Say{domain.S("order.times", "step_word", "step."+verb, "n", times)}
}

// Obey makes the move of the first order that is for the decision.
func (r Rules) Obey(orders []string, d domain.Decision, _ domain.View) (domain.Obeyed, bool) {
	for i, text := range orders {
		what, times := parts(text)
		m, err := r.ParseMove(what, nil)
		if err != nil || (m.(move).verb == "roll") != (d.Kind == "roll") {
			continue
		}
		left := text
		switch times {
		case 0:
		case 1:
			left = ""
		default:
			left = order(what, times-1)
		}
		return domain.Obeyed{Move: m, Order: i, Left: left}, true
	}
	return domain.Obeyed{}, false
}

// OrderForms offer the moves that need no name.
func (Rules) OrderForms(domain.View) []domain.Form {
	f := domain.Field{Name: "what", Label: domain.S("order.what"), Kind: domain.FieldChoice, Words: []string{"keep", "swap", "roll"}}
	for _, w := range f.Words {
		f.Labels = append(f.Labels, domain.S("step."+w))
	}
	return []domain.Form{{Key: "order", Label: domain.S("order.form"), Pattern: "order {what}", Fields: []domain.Field{f}}}
}
