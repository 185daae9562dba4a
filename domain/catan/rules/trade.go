package rules

import (
	"cmp"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Trade between players (Catan base game, 31 and 33): with the seat whose turn it is, cards for cards, no kind on both
// sides. One open offer per seat. It never shows whether somebody could pay: everybody named is asked.

func (d *decision) withdraw() error {
	if !d.s.Offers[d.by].Open {
		return domain.Refuse("no-offer-yours")
	}
	d.out.Closed = state.SeatSet(0).With(d.by)
	return nil
}

// fair refuses what is not a trade: an empty side, a kind on both, more than there is.
func (d *decision) fair() error {
	give, want := d.m.Give, d.m.Want
	switch {
	case give.Len() == 0 || want.Len() == 0:
		return domain.Refuse("trade-gift")
	case give.Meets(want):
		return domain.Refuse("trade-same")
	case slices.Min(give[:]) < 0 || slices.Min(want[:]) < 0:
		return domain.Refuse("unreadable")
	case slices.Max(want[:]) > table.CardsOfKind:
		return domain.Refuse("too-many-cards")
	case !d.s.Hand[d.by].Covers(give):
		return domain.Refuse("not-in-hand", "cards", table.HandSay(give))
	case tradeOver(d.s):
		return domain.Refuse("trade-over")
	}
	return nil
}

func (d *decision) offer() error {
	s := d.s
	if err := d.fair(); err != nil {
		return err
	}
	others := state.SeatSet(1<<s.Seats-1) &^ (1 << d.by)
	to := cmp.Or(d.m.To, others)
	if to&^others != 0 {
		return domain.Refuse("offer-to-whom")
	}
	d.open(to)
	return nil
}

func (d *decision) open(to state.SeatSet) {
	d.out.Opened = &state.Offer{
		Number: d.s.OfferNumber + 1, Give: d.m.Give, Want: d.m.Want, To: to, Ask: d.m.Ask,
	}
}

// answer judges an answer to the active seat's offer.
func (d *decision) answer() error {
	s := d.s
	if d.by == s.Active {
		return d.reply()
	}
	o := &s.Offers[s.Active]
	if !o.Unanswered().Has(d.by) || d.m.Seat >= 0 && int8(d.m.Seat) != s.Active {
		return domain.Refuse("no-offer")
	}
	switch {
	case d.m.Kind != state.KindAccept:
		if d.m.Kind == state.KindCounter {
			if err := d.fair(); err != nil {
				return err
			}
			d.open(1 << s.Active)
		}
		d.out.Answered = -1
		if o.To&^o.No == 1<<d.by { // everybody has declined
			d.out.Closed = d.out.Closed.With(s.Active)
		}
		return nil
	case !s.Hand[d.by].Covers(o.Want):
		return domain.Refuse("not-in-hand", "cards", table.HandSay(o.Want))
	case o.Ask:
		d.out.Answered = 1
		return nil
	}
	return d.execute(s.Active, d.by, o)
}

// reply judges the active seat's answer to a counter-offer.
func (d *decision) reply() error {
	s := d.s
	if d.m.Kind == state.KindCounter {
		return domain.Refuse("counter-own")
	}
	from := int8(d.m.Seat)
	counters := allOffers(s) &^ (1 << d.by)
	if from < 0 && counters&(counters-1) != 0 {
		return domain.Refuse("counter-whose")
	} else if from < 0 && counters != 0 {
		from = int8(counters.List()[0])
	}
	if from < 0 || from >= s.Seats || from == d.by || !s.Offers[from].Open {
		return domain.Refuse("no-offer")
	}
	o := &s.Offers[from]
	switch {
	case d.m.Kind == state.KindDecline:
		d.out.Closed = state.SeatSet(0).With(from)
		return nil
	case tradeOver(s):
		return domain.Refuse("trade-over")
	case !s.Hand[d.by].Covers(o.Want):
		return domain.Refuse("not-in-hand", "cards", table.HandSay(o.Want))
	}
	return d.execute(from, d.by, o)
}

// confirm picks one of those who would take an offer made with ask.
func (d *decision) confirm() error {
	s, with := d.s, int8(d.m.Seat)
	o := &s.Offers[d.by]
	switch {
	case !o.Open:
		return domain.Refuse("no-offer-yours")
	case o.Yes == 0:
		return domain.Refuse("nobody-accepted")
	case with < 0 && o.Yes&(o.Yes-1) != 0:
		return domain.Refuse("confirm-whom")
	case with < 0:
		with = int8(o.Yes.List()[0])
	case !o.Yes.Has(with):
		return domain.Refuse("not-accepted", "seat", d.m.Seat)
	}
	return d.execute(d.by, with, o)
}

// execute trades: it checks both hands again, and closes every open offer.
func (d *decision) execute(maker, taker int8, o *state.Offer) error {
	s := d.s
	if !s.Hand[maker].Covers(o.Give) || !s.Hand[taker].Covers(o.Want) {
		return domain.Refuse("offer-lapsed")
	}
	d.out.Hands[maker].Sub(o.Give)
	d.out.Hands[maker].Add(o.Want)
	d.out.Hands[taker].Sub(o.Want)
	d.out.Hands[taker].Add(o.Give)
	d.out.Closed = allOffers(s)
	d.out.Partner = state.OrNone(maker)
	if maker == d.by {
		d.out.Partner = state.OrNone(taker)
	}
	return nil
}
