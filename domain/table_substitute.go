package domain

import "slices"

// A seat of a game that is being played may be handed to somebody else: by who holds it, or by the
// others once its time is over. Whoever held it may come back.

// Offered asks somebody to take over a seat.
type Offered struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
	By     PersonID `json:"by"`
}

// Withdrawn takes back the offer of a seat, or is the no to it.
type Withdrawn struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"` // who did
}

// Substituted seats whoever took an offered seat over.
type Substituted struct {
	Seat   Seat       `json:"seat"`
	Person PersonID   `json:"person"`
	Due    []Deadline `json:"due,omitempty"` // of what is open there
}

// Offer is who is asked to take over a seat.
type Offer struct {
	Person PersonID
	Since  uint64 // the table's version that asked
}

func (e *Offered) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Offer = &Offer{Person: e.Person, Since: t.Version} })
}

func (e *Withdrawn) apply(t *Table) { t.edit(e.Seat, func(p *TablePlace) { p.Offer = nil }) }

func (e *Substituted) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		p.Former = append(slices.Clone(p.Former), p.Holders...)
		p.Holders, p.Offer, p.Turn = []PersonID{e.Person}, nil, nil
		if p.Lent {
			p.Lent, p.StandIn = false, ""
		}
	})
	t.move(e.Due)
}

// OfferSeat asks somebody to take over a seat: its holder may at any time, and the other players once its
// time is over, which overdue says of a seat that no stand-in keeps.
func (t *Table) OfferSeat(by PersonID, seat Seat, to PersonID, overdue bool) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	p, err := t.place(seat)
	if err != nil {
		return nil, err
	}
	_, passed := t.passed[seat]
	silent := passed && (p.Lent || overdue)
	switch {
	case !p.stays() || !p.Holds(by) && (!silent || len(t.SeatsOf(by)) == 0):
		return nil, Refuse("not-your-seat", "seat", seat)
	case len(p.Holders) != 1:
		return nil, Refuse("one-player", "seat", seat)
	case p.Offer != nil:
		return nil, Refuse("seat-offered", "seat", seat)
	case t.sat(to):
		return nil, Refuse("seated-already", "seat", seat)
	}
	return &Offered{Seat: seat, Person: to, By: by}, nil
}

// sat reports whether somebody holds a seat or held one, or is asked to take one over: they have seen a
// hand that another seat must not know.
func (t *Table) sat(id PersonID) bool {
	return slices.ContainsFunc(t.Places, func(p TablePlace) bool {
		return p.Holds(id) || slices.Contains(p.Former, id) || slices.Contains(p.Gone, id) || p.Offer != nil && p.Offer.Person == id
	})
}

// HasSeen reports whether somebody took another seat over and gave it back to whom it was: they have seen its hand. Older
// programs offered them other seats all the same, so it is asked beside [Table.OfferSeat], which judges what these wrote, too.
func (t *Table) HasSeen(id PersonID, but Seat) bool {
	for i, p := range t.Places {
		if Seat(i) != but && slices.Contains(p.Seen, id) {
			return true
		}
	}
	return false
}

// WithdrawOffer takes back the offer of a seat, or says no to it.
func (t *Table) WithdrawOffer(by PersonID, seat Seat) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	p, err := t.place(seat)
	if err != nil {
		return nil, err
	}
	if p.Offer == nil || p.Offer.Person != by && len(t.SeatsOf(by)) == 0 {
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Withdrawn{Seat: seat, Person: by}, nil
}

// TakeOver seats whoever was asked to take over a seat; due are the deadlines of what is open there.
func (t *Table) TakeOver(by PersonID, seat Seat, due []Deadline) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	p, err := t.place(seat)
	if err != nil {
		return nil, err
	}
	if p.Offer == nil || p.Offer.Person != by || !p.stays() {
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Substituted{Seat: seat, Person: by, Due: due}, nil
}
