package pages

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// ordersPage is where a seat says in advance what it will answer.
type ordersPage struct {
	Act   string // where its forms go
	M     *turn.Model
	Typed string // an order that was refused
}

// ordersForm shows the standing orders of a seat that the reader holds.
func (v tablePages) ordersForm() error {
	m, err := v.Ordering()
	if err != nil {
		return err
	}
	page := ordersPage{M: m, Act: ordersPath(m), Typed: v.FormValue("typed")}
	return v.render("orders", sheet{Title: m.Title, Body: page, say: m.Say})
}

func ordersPath(m *turn.Model) string {
	return tablePath(m.Table) + "/orders?seat=" + strconv.Itoa(int(m.Orders.Seat))
}

// saveOrders adds one order, takes one back, or replaces all of them.
func (v tablePages) saveOrders() error {
	m, err := v.Ordering()
	if err != nil {
		return err
	}
	at, err := v.at(v.Me)
	if err != nil {
		return err
	}
	since, err := strconv.ParseUint(v.FormValue("since"), 10, 64)
	if err != nil {
		return door.ErrMalformed
	}
	list, err := v.newOrders(m)
	if err != nil {
		return err
	}
	_, err = v.Desk.SetOrders(v.Ctx(), v.Actor(v.Me), m.Table, m.Orders.Seat, at.ID, since, list, m.Names())
	if err == nil {
		_ = v.Desk.Settle(v.Ctx(), m.Table) // the order stands; the runner retries, and tells the host
		if v.FormValue("here") != "" {      // it was given next to the move that it makes
			p, err := v.Desk.PlayRest(v.Ctx(), v.Actor(at.By), desk.Move{ID: at.ID, Table: at.Table,
				Seat: m.Orders.Seat, Rest: v.FormValue("then")})
			to, done := v.afterPress(p)
			if done != "part" {
				done = "always"
			}
			return v.after(err, to, done)
		}
	}
	return v.after(err, ordersPath(m), "ordered")
}

// newOrders returns the list as the form would have it.
func (v tablePages) newOrders(m *turn.Model) ([]string, error) {
	form, err := v.FormParams()
	if err != nil {
		return nil, door.ErrMalformed
	}
	var list []string
	for _, o := range m.Orders.List {
		list = append(list, o.Text)
	}
	if take := form.Get("take"); take != "" {
		if i := slices.Index(list, take); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
		return list, nil
	}
	if typed := strings.TrimSpace(form.Get("typed")); typed != "" {
		return append(list, typed), nil
	}
	if text, ok := formOf(m.Orders.Forms, form); ok {
		list = append(list, text)
	}
	return list, nil
}

// always is a button, next to a question, that gives a standing order to answer it.
type always struct{ Label, Field, Value string }

// orders finds the standing orders that answer what is asked, if the reader may give any: those that the choices name,
// and the form named like the one move in the bar.
func (g *gamePage) orders(p *pick) {
	m := g.M
	if g.As != "" || m.Orders == nil || m.Orders.Rests || m.Orders.Seat != m.Decision.Seat {
		return
	}
	for _, o := range p.Options {
		if a := (always{o.Every, "typed", o.Order}); o.Order != "" && !slices.Contains(g.Always, a) {
			g.Always = append(g.Always, a)
		}
		if i := slices.IndexFunc(m.Orders.Forms, func(f domain.Form) bool {
			return f.Key == "order-"+o.Key && len(f.Fields) == 0
		}); i >= 0 && o.Main {
			g.Always = append(g.Always, always{
				m.Text("page.orders.always", "what", lowered(m.Say(m.Orders.Forms[i].Label))), "form",
				m.Orders.Forms[i].Key})
		}
	}
}

// lowered makes the first letter lower case, for text after a colon.
func lowered(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}
