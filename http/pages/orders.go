package pages

import (
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"

	"posthorn/http/door"
)

// ordersPage is where a seat says beforehand what it answers.
type ordersPage struct {
	Table  string // address of the table's page
	Act    string // of the forms
	Orders *turn.Orders
	Blanks []blank
	NewID  string
	Typed  string // an order that was refused
}

// ordersForm shows the standing orders of a seat that the reader holds.
func (v *visit) ordersForm() error { return v.showOrders(nethttp.StatusOK, nil) }

func (v *visit) showOrders(status int, refused *domain.Refusal) error {
	m, err := v.ordering()
	if err != nil {
		return err
	}
	page := ordersPage{Table: tablePath(m.Table), Orders: m.Orders, Blanks: v.blanks(m, m.Orders.Forms),
		NewID: events.NewCommandID().String(), Typed: v.FormValue("typed")}
	page.Act = page.Table + "/orders?seat=" + strconv.Itoa(int(m.Orders.Seat))
	sh := sheet{Title: m.Title, Body: page}
	if refused != nil {
		sh.Error = m.Refusal(refused)
	} else if v.QueryParam("done") == "ordered" {
		sh.Notice = v.T("page.done.ordered")
	}
	return v.render(status, "orders", sh)
}

// ordering is the table as a signed-in reader who may give orders at it sees it.
func (v *visit) ordering() (*turn.Model, error) {
	name, err := v.TableName()
	if err != nil {
		return nil, err
	}
	if !v.SignedIn() {
		return nil, door.ErrSignIn
	}
	m, err := v.Maker.Turn(v.Ctx(), name, v.Asker())
	if err != nil {
		return nil, err
	}
	if m.Orders == nil {
		return nil, v.NoOrders(m)
	}
	return m, nil
}

// saveOrders gives one order more, takes one back, or gives all of them again.
func (v *visit) saveOrders() error {
	m, err := v.ordering()
	if err != nil {
		return err
	}
	id, err := v.commandID()
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
	_, err = v.Desk.SetOrders(v.Ctx(), v.actor(), m.Table, m.Orders.Seat, id, since, list, namesOf(m))
	if r, ok := domain.AsRefusal(err); ok {
		return v.showOrders(nethttp.StatusConflict, r)
	}
	if err != nil {
		return err
	}
	return v.see(tablePath(m.Table)+"/orders?seat="+strconv.Itoa(int(m.Orders.Seat)), "ordered")
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
		i := slices.Index(list, take)
		if i < 0 {
			return list, nil
		}
		return slices.Delete(list, i, i+1), nil
	}
	if typed := strings.TrimSpace(form.Get("typed")); typed != "" {
		return append(list, typed), nil
	}
	for _, f := range m.Orders.Forms {
		if f.Key == form.Get("form") {
			return append(list, filled(f, form)), nil
		}
	}
	return list, nil
}
