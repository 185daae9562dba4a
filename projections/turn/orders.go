package turn

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// Orders are the standing orders of the asker's own seat.
type Orders struct {
	Seat    domain.Seat
	Version uint64 // of the seat's stream: a change must name it
	List    []Order
	Rests   bool   // given before the game was taken back: they wait to be given again
	Refused string // the order removed last, because the game refused its move; "" if none was
	Forms   []domain.Form
}

// Order is a standing order as its seat reads it.
type Order struct {
	Text      string // canonical, seats by letter
	Shown     string // seats by name
	Sentences []string
}

// orders fills in the orders of the asker's seat, if the game has any.
func (m *Maker) orders(ctx context.Context, mod *Model, look desk.Look) error {
	rb := look.Rulebook.Extras().Orders
	if rb == nil || !mod.Main || mod.Version != mod.Last || mod.Status != domain.TableStarted || look.Table.Due != "" ||
		!mod.mayMove(mod.Seat) {
		return nil
	}
	now, err := m.desk.Orders(ctx, look.Name, mod.Seat, mod.me)
	if err != nil {
		return err
	}
	names := seatNames(mod.printer, look)
	mod.Orders = &Orders{Seat: mod.Seat, Version: now.Version, Rests: len(now.List) > 0 &&
		!now.HoldOn(look.Table, look.LineName)}
	for _, text := range now.List {
		mod.Orders.List = append(mod.Orders.List,
			Order{text, rb.ShowOrder(text, names), mod.printer.Lines(rb.TellOrder(text, mod.view))})
	}
	if now.Refused != "" {
		mod.Orders.Refused = rb.ShowOrder(now.Refused, names)
	}
	mod.Orders.Forms = rb.OrderForms(mod.view)
	return nil
}

// byOrders marks the happenings that a standing order caused, with the order where the viewer may read it.
func (m *Maker) byOrders(ctx context.Context, p words.Printer, look desk.Look, line events.Name, viewer domain.Viewer,
	list []Happening) error {
	rb := look.Rulebook.Extras().Orders
	if rb == nil || !slices.ContainsFunc(list, func(h Happening) bool { return h.ByOrder }) {
		return nil
	}
	if look.Table.Open() {
		// what a seat knew then belongs to the game; what it told the house is its own, now as before
		viewer = domain.Referee
	}
	used, err := m.desk.OrdersUsed(ctx, look, line, viewer)
	if err != nil {
		return err
	}
	names := seatNames(p, look)
	for i := range list {
		if order, known := used[list[i].Version]; known && list[i].ByOrder {
			list[i].Order = rb.ShowOrder(order, names)
		}
	}
	return nil
}

// seatNames returns the names of the table's seats, in order.
func seatNames(p words.Printer, look desk.Look) []string {
	names := make([]string, len(look.Table.Places))
	for i := range names {
		names[i] = p.Name(domain.Seat(i))
	}
	return names
}
