package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// The most orders a seat may have, and the longest order, in bytes.
const (
	MaxOrders   = 24
	MaxOrderLen = 200
)

// Orders are a seat's standing orders, folded from its stream.
type Orders struct {
	List    []string    // in their canonical form
	Line    events.Name // the line they were given for; see HoldOn
	By      domain.PersonID
	Version uint64 // of the seat's stream; 0 if it never had orders
	Refused string // the last order removed because the game refused its move, or ""
	Used    []UsedOrder
}

// HoldOn reports whether orders apply on a line of play of their table: on the line they were given for, and on lines
// reached from it only by steps that somebody took back. They rest after a rewind, and after a step back over a move
// that one of them made, or they would at once repeat what was just taken back.
func (o *Orders) HoldOn(t *domain.Table, line events.Name) bool {
	for line != o.Line {
		i := slices.IndexFunc(t.Lines, func(l domain.TableLine) bool { return l.Name == line.String() })
		if i < 0 || !t.Lines[i].Undo {
			return false
		}
		parent, err := events.ParseName(t.Lines[i].Parent)
		if err != nil || slices.ContainsFunc(o.Used, func(u UsedOrder) bool {
			return u.Line == parent && u.Version > t.Lines[i].Fork
		}) {
			return false
		}
		line = parent
	}
	return true
}

// UsedOrder is an order that made a move.
type UsedOrder struct {
	Line    events.Name
	Version uint64 // of the move
	Order   string
}

// ordered is the secret part of TypeOrdered.
type ordered struct {
	Line   events.Name `json:"line"`
	Orders []string    `json:"orders"`
}

// obeyed is the secret part of TypeObeyed.
type obeyed struct {
	Line    events.Name `json:"line"`
	Version uint64      `json:"version,omitempty"` // of the move; 0 if it was refused
	Index   int         `json:"index"`             // of the order in the list
	Order   string      `json:"order"`
	Left    string      `json:"left,omitempty"` // what is left of it
}

func (o *Orders) apply(e any) {
	switch e := e.(type) {
	case *ordered:
		o.Line, o.List, o.Refused = e.Line, e.Orders, ""
	case *obeyed:
		if e.Version > 0 {
			o.Used = append(o.Used, UsedOrder{Line: e.Line, Version: e.Version, Order: e.Order})
		} else {
			o.Refused = e.Order
		}
		if e.Index >= len(o.List) {
			return
		}
		o.List = slices.Clone(o.List)
		if o.List[e.Index] = e.Left; e.Left == "" {
			o.List = slices.Delete(o.List, e.Index, e.Index+1)
		}
	}
}

// seatNameOf names the stream of what a seat does in private.
func (d *Desk) seatNameOf(table events.Name, seat domain.Seat) events.Name {
	return d.keys.SeatStream(table, seat)
}

// ordersOf folds a seat's orders from where they were last folded.
func (d *Desk) ordersOf(ctx context.Context, r *folded, seat domain.Seat) (*Orders, error) {
	o, ok := r.orders[seat]
	if !ok {
		o = &Orders{}
	}
	stream := d.seatNameOf(r.name, seat)
	head, err := d.log.Head(ctx, stream)
	if errors.Is(err, events.ErrNoStream) || err == nil && head.Version == o.Version {
		return o, nil
	}
	if err != nil {
		return nil, fmt.Errorf("orders of seat %s: %w", seat.Letter(), err)
	}
	recs, err := d.log.Load(ctx, stream, o.Version, head.Version)
	if err != nil {
		return nil, fmt.Errorf("orders of seat %s: %w", seat.Letter(), err)
	}
	next := *o
	for i := range recs {
		if err := reading(r.name, &recs[i], func() error { return next.fold(&recs[i], d.keys) }); err != nil {
			return nil, err
		}
	}
	if r.orders == nil {
		r.orders = map[domain.Seat]*Orders{}
	}
	r.orders[seat] = &next
	return &next, nil
}

func (o *Orders) fold(rec *events.Record, keys *events.Keys) error {
	var e any
	switch rec.Type {
	case events.TypeOrdered:
		e = &ordered{}
	case events.TypeObeyed:
		e = &obeyed{}
	default:
		return fmt.Errorf("position %d: no event of a seat %q", rec.Pos, rec.Type)
	}
	if len(rec.Parts) != 1 {
		return fmt.Errorf("position %d: %s has %d parts", rec.Pos, rec.Type, len(rec.Parts))
	}
	_, text, err := keys.Unseal(rec, 0)
	if err != nil {
		return fmt.Errorf("position %d: %w", rec.Pos, err)
	}
	if err := json.Unmarshal(text, e); err != nil {
		return fmt.Errorf("position %d: %w", rec.Pos, err)
	}
	if rec.Type == events.TypeOrdered {
		meta, err := events.ReadMeta(rec)
		if err != nil {
			return err
		}
		o.By = meta.By
	}
	o.Version = rec.Version
	o.apply(e)
	return nil
}

// Orders returns a seat's standing orders for somebody who holds the seat, as long as the person who gave them holds
// it too: orders are private to the people of the seat, and end with them.
func (d *Desk) Orders(ctx context.Context, table events.Name, seat domain.Seat, who domain.PersonID) (Orders, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return Orders{}, err
	}
	if err := r.table.Plays(who, seat); err != nil {
		return Orders{}, err
	}
	o, err := d.ordersOf(ctx, r, seat)
	if err != nil {
		return Orders{}, err
	}
	if r.table.Plays(o.By, seat) != nil {
		return Orders{Version: o.Version}, nil
	}
	return *o, nil
}

// SetOrders replaces the list of standing orders at a version of the seat's stream (0: there never was one) with
// another, as people type it. It refuses with "orders-changed" if another list has replaced that one since, with
// "orders-many", or for what the rulebook cannot read.
func (d *Desk) SetOrders(ctx context.Context, a events.Actor, table events.Name, seat domain.Seat, id events.CommandID,
	since uint64, texts,
	names []string) (Answer, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return Answer{}, err
	}
	if err := r.table.Plays(a.Person, seat); err != nil {
		return Answer{}, err
	}
	list, err := readOrders(r.rulebook, texts, names)
	if err != nil {
		return Answer{}, err
	}
	logged, wish := d.keys.Asked(id), "orders "+seat.Letter()+" "+strconv.FormatUint(since, 10)+"\n"+
		strings.Join(list, "\n")
	return d.run(ctx, r, a, logged, wish, false, new([]events.Due), func(first bool) (events.Draft, error) {
		if r.table.Status != domain.TableStarted || r.table.Due != "" || r.line == nil {
			return events.Draft{}, domain.Refuse("not-running")
		}
		now, err := d.settledOrders(ctx, r, seat)
		if err != nil {
			return events.Draft{}, err
		}
		if now.Version != since && r.table.Plays(now.By, seat) == nil {
			return events.Draft{}, domain.Refuse("orders-changed")
		}
		if first {
			if err := d.admitAct(a); err != nil {
				return events.Draft{}, err
			}
		}
		return d.draftSeat(ctx, r, seat, now.Version, events.TypeOrdered, ordered{Line: r.lineName, Orders: list})
	})
}

// readOrders returns the canonical forms of orders, each once.
func readOrders(rb domain.Rulebook, texts, names []string) ([]string, error) {
	reads := rb.Extras().Orders
	if reads == nil {
		return nil, domain.Refuse("orders-none")
	}
	list := []string{}
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if len(text) > MaxOrderLen {
			return nil, domain.Refuse("order-long", "n", MaxOrderLen)
		}
		o, err := reads.ReadOrder(text, nil)
		if err != nil {
			o, err = reads.ReadOrder(text, names)
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	if len(list) > MaxOrders {
		return nil, domain.Refuse("orders-many", "n", MaxOrders)
	}
	return list, nil
}

// draftSeat drafts an event of what a seat does in private.
func (d *Desk) draftSeat(ctx context.Context, r *folded, seat domain.Seat, expect uint64, typ string,
	body any) (events.Draft,
	error) {
	text, err := json.Marshal(body)
	if err != nil {
		return events.Draft{}, fmt.Errorf("marshal %s: %w", typ, err)
	}
	name := d.seatNameOf(r.name, seat)
	draft := events.Draft{Stream: name, Expect: expect,
		Guards: []events.Guard{{Stream: r.name, Version: r.tableHead.Version}},
		Type:   typ, Data: []byte("{}"),
		Parts: []events.Part{d.keys.SealIn(events.PadOf(nil, typ), name, expect+1, 0, domain.To(seat), text)}}
	if expect == 0 {
		first, err := events.LoadOne(ctx, d.log, r.name, 1)
		if err != nil {
			return events.Draft{}, err
		}
		draft.Open = &events.Stream{Name: name, Kind: events.KindSeat, Rulebook: r.rulebook.Name(), Table: r.name,
			Origin: first.Hash}
	}
	return draft, nil
}
