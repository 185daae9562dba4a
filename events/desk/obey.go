package desk

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// Obeying a standing order takes two appends: the move on the line, and a note in the seat's stream that the order
// was used. The id of the move's command follows from the version of the seat's stream. So an order makes only one
// move before its note is written; if a crash prevents the note, it is written before anything else is ordered or
// obeyed.

// obey makes one move, or writes one note, of a standing order, if there is one.
func (d *Desk) obey(ctx context.Context, table events.Name) (did bool, err error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return false, err
	}
	rb := r.rulebook.Extras().Orders
	t := r.table // standing orders wait while a proposal is open
	if rb == nil || r.line == nil || t.Status != domain.TableStarted || t.Due != "" || t.Proposal != nil {
		return false, nil
	}
	if until, err := d.held(ctx, r); err != nil || !until.IsZero() {
		return false, err
	}
	for _, o := range r.line.Awaited() {
		before, err := d.ordersOf(ctx, r, o.Seat)
		if err != nil {
			return false, err
		}
		now, err := d.settledOrders(ctx, r, o.Seat)
		if err != nil {
			return false, err
		}
		if now.Version != before.Version {
			return true, nil
		}
		if did, err := d.obeyOne(ctx, r, rb, o, now); did || err != nil {
			return did, err
		}
	}
	return false, nil
}

// follows makes one move that its seat need not be asked about, unless the house waits there.
func (d *Desk) follows(ctx context.Context, table events.Name) (did bool, err error) {
	if did, err = d.force(ctx, table); did || err != nil {
		return did, err
	}
	return d.obey(ctx, table)
}

// inForce reports whether a seat's orders may take a decision. The orders of a banned person rest until the person is
// let back in: they are not there to withdraw them.
func (d *Desk) inForce(ctx context.Context, orders *Orders, look Look, o domain.Open) (bool, error) {
	if len(orders.List) == 0 || !orders.HoldOn(look.Table, look.LineName) || look.mayMove(
		events.Actor{Person: orders.By, Door: domain.DoorOrder}, look.LineName, o.Seat, o) != nil {
		return false, nil
	}
	out, err := d.isBarred(ctx, orders.By)
	return !out, err
}

// obeyOne makes the move of the orders for a decision, if they make one.
func (d *Desk) obeyOne(ctx context.Context, r *folded, rb domain.StandingOrders, o domain.Open, orders *Orders) (bool,
	error) {
	if ok, err := d.inForce(ctx, orders, r.look(), o); !ok {
		return false, err
	}
	does, ok := rb.Obey(orders.List, o.Decision, r.rulebook.View(r.line.State, domain.ViewOf(o.Seat)))
	if !ok {
		return false, nil
	}
	m := Move{Table: r.name, Line: r.lineName, Seat: o.Seat, Decision: o, Move: does.Move}
	ans, err := d.play(ctx, r, events.Actor{Person: orders.By, Door: domain.DoorOrder}, m,
		d.orderID(r.name, o.Seat, orders.Version))
	note := obeyed{Line: r.lineName, Version: ans.Record.Version, Index: does.Order, Order: orders.List[does.Order],
		Left: does.Left}
	if _, refused := domain.AsRefusal(err); refused {
		note.Version, note.Left = 0, ""
	} else if err != nil {
		return false, err
	}
	return true, d.note(ctx, r, o.Seat, orders, note)
}

// orderID returns the command id of the move that a seat's orders make at a version of its stream.
func (d *Desk) orderID(table events.Name, seat domain.Seat, version uint64) events.CommandID {
	name := d.seatNameOf(table, seat)
	return d.keys.Own(events.Because("order", name[:], binary.BigEndian.AppendUint64(nil, version)))
}

func (d *Desk) note(ctx context.Context, r *folded, seat domain.Seat, orders *Orders, note obeyed) error {
	name := d.seatNameOf(r.name, seat)
	id := d.keys.Own(events.Because("obeyed", name[:], binary.BigEndian.AppendUint64(nil, orders.Version)))
	draft, err := d.draftSeat(ctx, r, seat, orders.Version, events.TypeObeyed, note)
	if err == nil {
		_, err = d.append(ctx, draft, id, d.meta(events.House, id, "obeyed"))
	}
	if err != nil && !retry(err) {
		return fmt.Errorf("note an order's move: %w", err)
	}
	return nil
}

// settledOrders returns a seat's orders, once any move that one of them made is noted.
func (d *Desk) settledOrders(ctx context.Context, r *folded, seat domain.Seat) (*Orders, error) {
	orders, err := d.ordersOf(ctx, r, seat)
	if err != nil || len(orders.List) == 0 {
		return orders, err
	}
	rec, ok, err := d.orderMove(ctx, r.name, seat, orders)
	if err != nil || !ok {
		return orders, err
	}
	note, err := d.recall(ctx, r, seat, orders, &rec)
	if err != nil {
		return nil, err
	}
	if err := d.note(ctx, r, seat, orders, note); err != nil {
		return nil, err
	}
	return d.ordersOf(ctx, r, seat)
}

// orderMove finds the move that a seat's current orders have made, noted or not.
func (d *Desk) orderMove(ctx context.Context, table events.Name, seat domain.Seat, orders *Orders) (events.Record, bool,
	error) {
	rec, ok, err := d.found(ctx, table, d.orderID(table, seat, orders.Version))
	if err != nil {
		err = fmt.Errorf("the move of an order: %w", err)
	}
	return rec, ok, err
}

// recall works out again which order made a move, and what is left of that order.
func (d *Desk) recall(ctx context.Context, r *folded, seat domain.Seat, orders *Orders, rec *events.Record) (obeyed,
	error) {
	look := Look{Name: r.name, Table: r.table, Rulebook: r.rulebook}
	line, err := d.LineAt(ctx, look, rec.Stream, rec.Version-1)
	if err != nil {
		return obeyed{}, err
	}
	for _, o := range line.Awaited() {
		if o.Seat != seat {
			continue
		}
		does, ok := r.rulebook.Extras().
			Orders.Obey(orders.List, o.Decision, r.rulebook.View(line.State, domain.ViewOf(seat)))
		if ok {
			return obeyed{Line: rec.Stream, Version: rec.Version, Index: does.Order, Order: orders.List[does.Order],
				Left: does.Left}, nil
		}
	}
	return obeyed{}, fmt.Errorf("position %d: no order of seat %s makes this move", rec.Pos, seat.Letter())
}

// Obeys reports whether a standing order, or the house if there is only one move, is about to take a decision awaited
// on a look's line, so that nobody need be asked. If the game refuses the order's move, a note in the log says so,
// and the order is gone.
func (d *Desk) Obeys(ctx context.Context, look Look, o domain.Open) (bool, error) {
	if look.Line == nil || !slices.Contains(look.Line.Awaited(), o) {
		return false, nil
	}
	if _, ok, err := d.forced(ctx, look, o); ok || err != nil {
		return ok, err
	}
	rb := look.Rulebook.Extras().Orders
	if rb == nil {
		return false, nil
	}
	r := d.folded(look.Name)
	r.mu.Lock()
	orders, err := d.ordersOf(ctx, r, o.Seat)
	r.mu.Unlock()
	if err != nil {
		return false, err
	}
	if ok, err := d.inForce(ctx, orders, look, o); !ok {
		return false, err
	}
	_, ok := rb.Obey(orders.List, o.Decision, look.Rulebook.View(look.Line.State, domain.ViewOf(o.Seat)))
	return ok, nil
}

// OrdersUsed lists which moves of a line standing orders made, by version, and which orders, in canonical form: those
// of the viewer's own seat, and all of them once the table is open.
func (d *Desk) OrdersUsed(ctx context.Context, look Look, line events.Name, viewer domain.Viewer) (map[uint64]string,
	error) {
	r := d.folded(look.Name)
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[uint64]string{}
	for i := range look.Table.Places {
		seat := domain.Seat(i)
		if !domain.To(seat).Admits(viewer) {
			continue
		}
		orders, err := d.ordersOf(ctx, r, seat)
		if err != nil {
			return nil, err
		}
		if !look.Table.Open() && look.Table.Plays(orders.By, seat) != nil {
			continue
		}
		for _, u := range orders.Used {
			if u.Line == line {
				out[u.Version] = u.Order
			}
		}
	}
	return out, nil
}
