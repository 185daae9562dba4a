package domain

import "slices"

// A seat of a running game may be handed to somebody else: by its holder, or by the others once its time is over. The
// former holder may come back.

// Offered asks somebody to take over a seat.
type Offered struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
	By     PersonID `json:"by"` // who asks
}

// Withdrawn takes back the offer of a seat, or declines it.
type Withdrawn struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"` // who withdrew or declined
}

// Substituted seats the person who took over an offered seat.
type Substituted struct {
	Seat   Seat       `json:"seat"`
	Person PersonID   `json:"person"`
	Due    []Deadline `json:"due,omitempty"` // of its open decisions
}

// Offer is the person asked to take over a seat.
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

// OfferSeat asks somebody to take over a seat. Its holder may do so at any time, the other players once its time is
// over; overdue says that it is, for a seat that no stand-in keeps.
func (t *Table) OfferSeat(by PersonID, seat Seat, to PersonID, overdue bool) (TableEvent, error) {
	p, err := t.inPlay(seat)
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
	}
	if err := t.mayTakeOver(to, seat); err != nil {
		return nil, err
	}
	return &Offered{Seat: seat, Person: to, By: by}, nil
}

// sat reports whether somebody holds or held a seat, or is asked to take one over.
func (t *Table) sat(id PersonID) bool { return t.mayTakeOver(id, Nobody) != nil }

// mayTakeOver refuses to give a seat to somebody who sat at the table, or is asked to take a seat over: they have seen
// a hand that another seat must not know.
func (t *Table) mayTakeOver(id PersonID, seat Seat) error {
	for i, p := range t.Places {
		own := Seat(i) == seat
		switch {
		case own && p.Holds(id):
			return Refuse("seated-already", "seat", seat)
		case p.Holds(id):
			return Refuse("seated-elsewhere", "seat", seat)
		case p.Offer != nil && p.Offer.Person == id:
			return Refuse("seated-asked", "seat", seat)
		case own && slices.Contains(p.Former, id):
			return Refuse("seated-former", "seat", seat)
		case slices.Contains(p.Former, id) || slices.Contains(p.Gone, id):
			return Refuse("seated-before", "seat", seat)
		}
	}
	return nil
}

// HasSeen reports whether somebody took over another seat and gave it back to its former holder: they have seen its
// hand. Older programs still offered them other seats, so callers check it separately from [Table.OfferSeat], which
// must also accept what those programs wrote.
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
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	if p.Offer == nil || p.Offer.Person != by && len(t.SeatsOf(by)) == 0 {
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Withdrawn{Seat: seat, Person: by}, nil
}

// TakeOver seats the person asked to take over a seat; due are the deadlines of its open decisions.
func (t *Table) TakeOver(by PersonID, seat Seat, due []Deadline) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	if p.Offer == nil || p.Offer.Person != by || !p.stays() {
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Substituted{Seat: seat, Person: by, Due: due}, nil
}
