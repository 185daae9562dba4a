package pages

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/projections/turn"

	"posthorn/http/door"
)

// ordersPage is where a seat says beforehand what it answers.
type ordersPage struct {
	Act   string // of the forms
	M     *turn.Model
	Typed string // an order that was refused
}

// ordersForm shows the standing orders of a seat that the reader holds.
func (v *visit) ordersForm() error {
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

// saveOrders gives one order more, takes one back, or gives all of them again.
func (v *visit) saveOrders() error {
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
	return v.after(err, ordersPath(m), "ordered")
}

// newOrders is the list as a form would have it.
func (v *visit) newOrders(m *turn.Model) ([]string, error) {
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
