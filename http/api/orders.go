package api

import (
	nethttp "net/http"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// ordersJSON is the standing orders of a seat that the caller holds.
type ordersJSON struct {
	Table   string      `json:"table"`
	Seat    int         `json:"seat"`
	Version uint64      `json:"version"` // what a change must name
	Orders  []orderJSON `json:"orders"`
	Rests   bool        `json:"rests"`
	Refused string      `json:"refused,omitempty"`
	Forms   []formJSON  `json:"forms"`
}

type orderJSON struct {
	Order     string   `json:"order"` // seats by letter
	Sentences []string `json:"sentences"`
}

// ordering is the table as a caller who may give orders at it sees it.
func (c *call) ordering() (*turn.Model, error) {
	_, m, err := c.model()
	if err != nil {
		return nil, err
	}
	if m.Orders == nil {
		return nil, c.NoOrders(m)
	}
	return m, nil
}

// orders lists the standing orders of the caller's seat.
func orders(c *call) error {
	m, err := c.ordering()
	if err != nil {
		return err
	}
	o := m.Orders
	return c.json(nethttp.StatusOK, ordersJSON{Table: m.Table.String(), Seat: int(o.Seat), Version: o.Version, Rests: o.Rests, Refused: o.Refused,
		Orders: each(o.List, func(o turn.Order) orderJSON { return orderJSON{o.Text, list(o.Sentences)} }), Forms: formsOf(m, o.Forms)})
}

// setOrders puts a list of standing orders in place of the one before.
func setOrders(c *call) error {
	var in struct {
		ID     string   `json:"id"`
		Seat   *int     `json:"seat"`
		Since  uint64   `json:"since"`
		Orders []string `json:"orders"`
	}
	if err := c.read(&in); err != nil {
		return err
	}
	name, err := c.TableName()
	if err != nil {
		return err
	}
	id, err := c.key(in.ID)
	if err != nil {
		return err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return err
	}
	_, names, err := c.Maker.Printer(c.Ctx(), look, c.Lang)
	if err != nil {
		return err
	}
	ans, err := c.Desk.SetOrders(c.Ctx(), c.actor(), name, seatNumber(in.Seat), id, in.Since, in.Orders, names)
	if err != nil {
		return err
	}
	return c.done(ans)
}

// formsOf writes a rulebook's forms.
func formsOf(m *turn.Model, forms []domain.Form) []formJSON {
	return each(forms, func(f domain.Form) formJSON {
		form := formJSON{Key: f.Key, Label: m.Say(f.Label), Pattern: f.Pattern, Fields: []fieldJSON{}}
		for _, b := range f.Fields {
			field := fieldJSON{Name: b.Name, Label: m.Say(b.Label), Kind: string(b.Kind), Words: []wordJSON{}, Max: b.Max,
				Seats: each(b.Seats, func(s domain.Seat) string { return s.Letter() })}
			for i, w := range b.Words {
				word := wordJSON{w, w}
				if i < len(b.Labels) {
					word.Label = m.Say(b.Labels[i])
				}
				field.Words = append(field.Words, word)
			}
			form.Fields = append(form.Fields, field)
		}
		return form
	})
}
