package inbound

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"posthorn/domain"
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
	now, err := w.d.Desk.Orders(ctx, w.l.table, w.l.Seat, w.l.person)
	if err == nil {
		all := slices.Clone(now.List)
		for _, o := range orders {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
		if _, err = w.d.Desk.SetOrders(ctx, w.actor, w.l.table, w.l.Seat, w.id("orders", 0), now.Version, all,
			w.v.names); err == nil {
			line := w.l.look.Line
			view := w.v.rulebook.View(line.State, domain.ViewOf(w.l.Seat))
			var told []string
			for _, o := range all {
				told = append(told, w.p.Lines(w.v.rulebook.Extras().Orders.TellOrder(o, view))...)
			}
			w.achieved("ordered", w.text("orders", "orders", strings.Join(told, " ")))
			_ = w.d.Desk.Settle(ctx, w.l.table) // the runner tells the host
			return nil
		}
	}
	return w.refused(err)
}
