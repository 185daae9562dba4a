package rivals

import "posthorn/domain"

func (s *State) drawTop(r *Realm, o *Op) {
	d := &s.Decks[o.Stack]
	c := d.takeAt(int(d.N) - 1)
	c.Seen |= bit(o.Seat & 1)
	r.handAdd(c)
}

func (s *State) steal(r *Realm, o *Op) {
	victim := &s.Realms[other(o.Seat&1)]
	victim.takeOut(o.Card)
	victim.forget(other(o.Seat & 1))
	see(victim.hand(), bit(o.Seat&1)) // the thief has seen every card
	r.handAdd(Slot{o.Card, bit(0) | bit(1)})
}

func (s *State) fetch(r *Realm, o *Op) {
	for i := int(s.DiscardN) - 1; i >= 0; i-- {
		if s.Discard[i] == o.Card {
			copy(s.Discard[i:s.DiscardN-1], s.Discard[i+1:s.DiscardN])
			s.DiscardN--
			s.Discard[s.DiscardN] = NoCard
			break
		}
	}
	r.handAdd(Slot{o.Card, everybody})
}

// takeFromDeck takes the topmost copy of a card out of a stack. Where in the stack it lay is
// known to the taker alone, so whoever else knew the stack's order no longer does.
func (s *State) takeFromDeck(r *Realm, o *Op) {
	d := &s.Decks[o.Stack]
	for i := int(d.N) - 1; i >= 0; i-- {
		if d.Slots[i].Card == o.Card {
			r.handAdd(Slot{d.takeAt(i).Card, bit(o.Seat & 1)})
			break
		}
	}
	keepSeen(d.all(), bit(o.Seat&1))
}

func (s *State) lookedThrough(o *Op) []Slot { return s.Decks[o.Stack].all() }

func (s *State) otherHand(o *Op) []Slot { return s.Realms[other(o.Seat&1)].hand() }

func see(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen |= who
	}
}

func (s *State) showCard(r *Realm, o *Op) {
	if i := r.shownFirst(o.Card); i >= 0 {
		r.Hand[i].Seen |= everybody
	}
}

// raze takes a card from its site: a Parish Hall is left where a Town Hall stood.
func (s *State) raze(r *Realm, o *Op) {
	left := NoCard
	if o.Card == townHall {
		left = parishHall
	}
	r.set(o.Site, left)
	switch o.To {
	case toDiscard:
		s.discard(o.Card)
	case toOpen:
		s.OpenN++
	default:
		s.Decks[o.To-1].under(Slot{o.Card, everybody})
	}
}

// layLand lays a region card of the stack.
func (s *State) layLand(r *Realm, o *Op) {
	for i := range int(s.LandsN) {
		if s.Lands[i] == o.Land {
			copy(s.Lands[i:s.LandsN-1], s.Lands[i+1:s.LandsN])
			s.LandsN--
			s.Lands[s.LandsN] = 0
			break
		}
	}
	r.Regions[o.Place] = Region{Terrain: o.Land.terrain(), Number: o.Land.number()}
}

// raise makes a settlement or a city of a column.
func (s *State) raise(r *Realm, o *Op, level Level) {
	r.Towns[o.Column].Level = level
	r.recount()
	s.Since = s.Turn + 1
}

// set lays a card on a site.
func (r *Realm) set(at Site, c Card) {
	r.Towns[at.town()].Sites[at.side()][at.slot()] = c
	r.recount()
}

func (s *State) discard(c Card) {
	if int(s.DiscardN) == len(s.Discard) {
		return
	}
	s.Discard[s.DiscardN] = c
	s.DiscardN++
}

// takeOut removes a card from the hand, the copy that most people know: who knew of one
// must not learn from its leaving that there is another.
func (r *Realm) takeOut(c Card) {
	if at := r.shownFirst(c); at >= 0 {
		r.handTake(at)
	}
}

// shownFirst finds the copy of a hand card that most people know, or -1.
func (r *Realm) shownFirst(c Card) int {
	at := -1
	for i := range int(r.HandN) {
		if r.Hand[i].Card == c && (at < 0 || r.Hand[i].Seen > r.Hand[at].Seen) {
			at = i
		}
	}
	return at
}

// forget: a card left this hand face down, so nobody but its owner still knows which cards
// are in it.
func (r *Realm) forget(owner domain.Seat) { keepSeen(r.hand(), bit(owner)) }

// keepSeen lets everybody else forget which cards these are.
func keepSeen(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen &= who
	}
}
