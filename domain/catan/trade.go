package catan

import "posthorn/domain"

// Trade between players (Catan base game, 31 and 33): with the seat whose turn it is, cards
// for cards, no kind on both sides. One open offer a seat. Whether somebody could pay is
// never told: everybody named is asked.

func (d *decision) trade() error {
	switch d.m.Kind {
	case KindOffer:
		return d.offer()
	case KindWithdraw:
		if !d.s.offers[d.by].Open {
			return domain.Refuse("no-offer-yours")
		}
		d.out.Closed = seatSet(0).with(d.by)
		return nil
	case KindConfirm:
		return d.confirm()
	}
	if d.by == d.s.active {
		return d.reply()
	}
	return d.answer()
}

// fair refuses what is no trade: an empty side, a kind on both, more than there is.
func (d *decision) fair() error {
	give, want := d.m.Give, d.m.Want
	if give.Len() == 0 || want.Len() == 0 {
		return domain.Refuse("trade-gift")
	}
	for r := range give {
		if give[r] > 0 && want[r] > 0 {
			return domain.Refuse("trade-same")
		}
		if give[r] < 0 || want[r] < 0 {
			return domain.Refuse("unreadable")
		}
		if want[r] > cardsOfKind {
			return domain.Refuse("too-many-cards")
		}
	}
	if !d.s.hand[d.by].Covers(give) {
		return domain.Refuse("not-in-hand", "cards", handSay(give))
	}
	return d.s.mayTrade()
}

func (d *decision) offer() error {
	s := d.s
	if err := d.fair(); err != nil {
		return err
	}
	everybody := seatSet(1<<s.seats - 1)
	to := d.m.To
	if to == 0 {
		to = everybody
		to &^= 1 << d.by
	}
	if to.has(d.by) || to&^everybody != 0 {
		return domain.Refuse("offer-to-whom")
	}
	d.open(to)
	return nil
}

func (d *decision) open(to seatSet) {
	d.out.Opened = Offer{
		Open: true, Number: d.s.offerNumber + 1, Give: d.m.Give, Want: d.m.Want, To: to, Ask: d.m.Ask,
	}
}

// answer is what somebody asked makes of the active seat's offer.
func (d *decision) answer() error {
	s := d.s
	o := &s.offers[s.active]
	if !o.unanswered().has(d.by) || d.m.Seat >= 0 && int8(d.m.Seat) != s.active {
		return domain.Refuse("no-offer")
	}
	switch d.m.Kind {
	case KindCounter:
		if err := d.fair(); err != nil {
			return err
		}
		d.open(seatSet(0).with(s.active))
		d.refuse(o)
		return nil
	case KindDecline:
		d.refuse(o)
		return nil
	}
	if !s.hand[d.by].Covers(o.Want) {
		return domain.Refuse("not-in-hand", "cards", handSay(o.Want))
	}
	if o.Ask {
		d.out.Answered = 1
		return nil
	}
	return d.execute(s.active, d.by, o)
}

// refuse notes a no; an offer that everybody has refused is closed.
func (d *decision) refuse(o *Offer) {
	d.out.Answered = -1
	if o.To&^o.No == seatSet(0).with(d.by) {
		d.out.Closed |= seatSet(0).with(d.s.active)
	}
}

// reply is what the active seat makes of a counter-offer.
func (d *decision) reply() error {
	s := d.s
	if d.m.Kind == KindCounter {
		return domain.Refuse("counter-own")
	}
	from := int8(d.m.Seat)
	if from < 0 {
		if from = s.onlyCounter(); from < 0 && s.allOffers()&^seatSet(0).with(d.by) != 0 {
			return domain.Refuse("counter-whose")
		}
	}
	if from < 0 || from >= s.seats || from == d.by || !s.offers[from].Open {
		return domain.Refuse("no-offer")
	}
	o := &s.offers[from]
	if d.m.Kind == KindDecline {
		d.out.Closed = seatSet(0).with(from)
		return nil
	}
	if err := s.mayTrade(); err != nil {
		return err
	}
	if !s.hand[d.by].Covers(o.Want) {
		return domain.Refuse("not-in-hand", "cards", handSay(o.Want))
	}
	return d.execute(from, d.by, o)
}

// onlyCounter is who made the one counter-offer there is, or -1.
func (s *State) onlyCounter() int8 {
	who := int8(-1)
	for c := range s.seats {
		if c != s.active && s.offers[c].Open {
			if who >= 0 {
				return -1
			}
			who = c
		}
	}
	return who
}

// confirm takes one of those who would take an offer made with ask.
func (d *decision) confirm() error {
	s, with := d.s, int8(d.m.Seat)
	o := &s.offers[d.by]
	switch {
	case !o.Open:
		return domain.Refuse("no-offer-yours")
	case o.Yes == 0:
		return domain.Refuse("nobody-accepted")
	case with < 0 && o.Yes&(o.Yes-1) != 0:
		return domain.Refuse("confirm-whom")
	case with < 0:
		with = int8(o.Yes.list()[0])
	case !o.Yes.has(with):
		return domain.Refuse("not-accepted", "seat", d.m.Seat)
	}
	return d.execute(d.by, with, o)
}

// execute trades: both hands are checked again, and every open offer dies with it.
func (d *decision) execute(maker, taker int8, o *Offer) error {
	s := d.s
	if !s.hand[maker].Covers(o.Give) || !s.hand[taker].Covers(o.Want) {
		return domain.Refuse("offer-lapsed")
	}
	d.out.Hands[maker].sub(o.Give)
	d.out.Hands[maker].add(o.Want)
	d.out.Hands[taker].sub(o.Want)
	d.out.Hands[taker].add(o.Give)
	d.out.Closed = s.allOffers()
	d.out.Partner = maker
	if maker == d.by {
		d.out.Partner = taker
	}
	return nil
}
