package pages

import (
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// sketchOrders are the standing orders that a line's own first moves would make; nil if none can be given for it.
type sketchOrders struct {
	Since uint64 // the version of the seat's stream
	New   []turn.Order
	Given []turn.Order // orders that already stand
}

// sketchOrdered finds out which moves of a line may be ordered: those that begin now, while the game asks nothing of
// its seat.
func (v sketchPages) sketchOrdered(p *sketchPage, look desk.Look) error {
	if p.Over || p.Gone != 0 || p.MyTurn || len(p.S.Orders) == 0 {
		return nil
	}
	now, err := v.Desk.Orders(v.Ctx(), v.Table, p.L.Seat, v.Me)
	if _, refused := domain.AsRefusal(err); refused { // a stand-in keeps the seat
		return nil
	}
	if err != nil {
		return err
	}
	p.Orders = &sketchOrders{Since: now.Version}
	for _, o := range p.S.Orders {
		if slices.Contains(now.List, o.Text) && now.Line == look.LineName {
			p.Orders.Given = append(p.Orders.Given, o)
		} else {
			p.Orders.New = append(p.Orders.New, o)
		}
	}
	return nil
}

// sketchOrder turns a line's own first moves into standing orders, after the existing ones.
func (v sketchPages) sketchOrder() error {
	s, look, _, err := v.tries()
	if err != nil {
		return err
	}
	l, at, err := v.sketchAt(&s)
	if err != nil {
		return err
	}
	command, err := v.at(v.Me)
	if err != nil {
		return err
	}
	since, err := strconv.ParseUint(v.FormValue("since"), 10, 64)
	if err != nil {
		return door.ErrMalformed
	}
	m, err := v.Maker.Sketch(v.Ctx(), look, l, len(l.Plies), domain.Nobody, v.Asker())
	if err != nil {
		return err
	}
	now, err := v.Desk.Orders(v.Ctx(), v.Table, l.Seat, v.Me)
	if err != nil {
		return err
	}
	p := &sketchPage{S: m, L: l}
	if err := v.since(p, look); err != nil {
		return err
	}
	if p.Over || p.Gone != 0 || p.MyTurn || len(m.Orders) == 0 {
		return domain.Refuse("sketch-changed")
	}
	list := slices.Clone(now.List)
	for _, o := range m.Orders {
		if !slices.Contains(list, o.Text) {
			list = append(list, o.Text)
		}
	}
	_, err = v.Desk.SetOrders(v.Ctx(), v.Actor(v.Me), v.Table, l.Seat, command.ID, since, list, nil)
	return v.after(err, v.sketchPath(l.ID, at), "ordered")
}
