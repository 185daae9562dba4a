package inbound

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/mail/reply"
)

// standingOrders returns the lines that can only be standing orders, if the writer may give any now, and why the first
// is none that reads like one.
func (w *writer) standingOrders(lines []string) (out []string, why string) {
	if w.l.look.Line == nil || w.l.look.LineName != w.l.stream || w.l.look.Table.Plays(w.l.person, w.l.Seat) != nil {
		return nil, ""
	}
	for _, text := range lines {
		r := w.v.read(text, w.l.look.Line)
		if r.order != "" {
			out = append(out, r.order)
		}
		why = cmp.Or(why, r.unorder)
	}
	return out, why
}

// always returns the standing order that a text is which says that it always holds: in an order's words, or as a move;
// "" if it is none.
func (v *vocabulary) always(text string, orders domain.StandingOrders) string {
	rest := reply.Always(text)
	said := []string{rest}
	if m, err := v.parse(rest); err == nil && rest != "" {
		said = append(said, v.rulebook.FormatMove(m, nil))
	}
	for _, text := range said {
		if order, err := orders.ReadOrder("order "+text, v.names); err == nil && text != "" {
			return order
		}
	}
	return ""
}

// ordered returns a standing order written so that it can be nothing else.
func (w *writer) ordered(order string) string {
	return "order " + strings.TrimPrefix(w.v.rulebook.Extras().Orders.ShowOrder(order, w.v.names), "order ")
}

// order adds standing orders to those that stand.
func (w *writer) order(ctx context.Context, orders []string) error {
	now, again, err := w.ordersBy(ctx, "orders")
	if again {
		return nil
	}
	if err == nil {
		all := slices.Clone(now.List)
		for _, o := range orders {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
		if _, err = w.d.Desk.SetOrders(ctx, w.actor, w.l.table, w.l.Seat, w.id("orders", 0), now.Version, all,
			w.v.names); err == nil {
			w.achieved("ordered", w.text("orders", "orders", w.tellOrders(all)))
			_ = w.d.Desk.Settle(ctx, w.l.table) // the runner tells the host
			return nil
		}
	}
	return w.refused(err)
}

// ordersBy returns the orders that stand. If this mail's command of a name has changed them before, as the program
// stopped before its answer, it says which stand now.
func (w *writer) ordersBy(ctx context.Context, command string) (now desk.Orders, again bool, err error) {
	if now, err = w.d.Desk.Orders(ctx, w.l.table, w.l.Seat, w.l.person); err != nil {
		return now, false, err
	}
	if _, again, err = w.d.Desk.Done(ctx, w.l.table, w.id(command, 0)); again {
		what := w.text("orders.none")
		if len(now.List) > 0 {
			what = w.text("orders", "orders", w.tellOrders(now.List))
		}
		w.achieved("ordered", what)
	}
	return now, again, err
}

// tellOrders tells orders in sentences.
func (w *writer) tellOrders(orders []string) string {
	view := w.v.rulebook.View(w.l.look.Line.State, domain.ViewOf(w.l.Seat))
	var told []string
	for _, o := range orders {
		told = append(told, w.p.Lines(w.v.rulebook.Extras().Orders.TellOrder(o, view))...)
	}
	return strings.Join(told, " ")
}

// unorder takes back the standing orders of which lines say so, and returns the other lines.
func (w *writer) unorder(ctx context.Context, lines []string) (rest []string, err error) {
	if w.l.look.Line == nil || w.l.look.LineName != w.l.stream || w.v.rulebook.Extras().Orders == nil || !w.alive ||
		w.l.look.Table.Plays(w.l.person, w.l.Seat) != nil ||
		!slices.ContainsFunc(lines, func(text string) bool { _, _, ok := reply.Revokes(text); return ok }) {
		return lines, nil
	}
	now, again, err := w.ordersBy(ctx, "unorder")
	if err != nil {
		return lines, w.refused(err)
	}
	var of []string // what each of them says
	for _, text := range lines {
		if what, ok := w.revokes(text, now.List, again); ok {
			of = append(of, what)
			continue
		}
		rest = append(rest, text)
	}
	switch {
	case len(of) == 0:
		return lines, nil
	case again:
	case len(now.List) == 0:
		w.told("refused", w.text("orders.none"))
	default:
		return rest, w.takesBack(ctx, now, of)
	}
	return rest, nil
}

// revokes returns what a line says of standing orders that it takes back. One that names no orders takes back what it
// has a word of, or did if it comes again; one that can be read as an order gives it.
func (w *writer) revokes(text string, orders []string, again bool) (what string, ok bool) {
	what, named, ok := reply.Revokes(text)
	if !ok || !named && !again && !w.speaksOfOne(what, orders) {
		return "", false
	}
	r := w.v.read(text, w.l.look.Line)
	return what, r.order == "" && r.also == ""
}

// takesBack takes back those of some orders of which words speak.
func (w *writer) takesBack(ctx context.Context, now desk.Orders, of []string) error {
	var gone []string
	left := slices.DeleteFunc(slices.Clone(now.List), func(order string) bool {
		told := w.tellOrders([]string{order})
		is := slices.ContainsFunc(of, func(what string) bool { return w.v.speaksOf(what, order, told) })
		if is {
			gone = append(gone, order)
		}
		return is
	})
	if len(gone) == 0 {
		w.told(mail.OutcomeAsked, w.text("orders.which", "orders", w.tellOrders(now.List)))
		return nil
	}
	if _, err := w.d.Desk.SetOrders(ctx, w.actor, w.l.table, w.l.Seat, w.id("unorder", 0), now.Version, left,
		w.v.names); err != nil {
		return w.refused(err)
	}
	w.achieved("ordered", w.text("orders.back", "orders", w.tellOrders(gone)))
	if len(left) > 0 {
		w.did = append(w.did, w.text("orders", "orders", w.tellOrders(left)))
	}
	return nil
}

// speaksOfOne reports whether words have a word of one of some orders.
func (w *writer) speaksOfOne(what string, orders []string) bool {
	return len(w.v.counting(what)) > 0 && slices.ContainsFunc(orders, func(order string) bool {
		return w.v.speaksOf(what, order, w.tellOrders([]string{order}))
	})
}

// counting returns the words of a text but the little ones.
func (v *vocabulary) counting(text string) []string {
	return slices.DeleteFunc(tokens(text), func(word string) bool {
		return v.littleWords()[word] || reply.Article(word) || reply.Every(word)
	})
}

// speaksOf reports whether words that take orders back are about one: they name none, or they have a word of it.
func (v *vocabulary) speaksOf(what, order, told string) bool {
	said := v.counting(what)
	is := tokens(order + " " + told)
	return len(said) == 0 || slices.ContainsFunc(said, func(word string) bool {
		return slices.ContainsFunc(is, func(w string) bool {
			return v.alike(w, word) || utf8.RuneCountInString(w) > leastStem && strings.HasPrefix(word, w)
		})
	})
}
