package state

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

func (s *State) drawTop(r *Realm, o *Op) {
	d := &s.Decks[o.Stack]
	c := d.TakeAt(int(d.N) - 1)
	c.Seen |= Bit(o.Seat & 1)
	r.HandAdd(c)
}

func (s *State) steal(r *Realm, o *Op) {
	victim := &s.Realms[Other(o.Seat&1)]
	victim.takeOut(o.Card)
	victim.forget(Other(o.Seat & 1))
	see(victim.Held(), Bit(o.Seat&1)) // the thief has seen every card
	r.HandAdd(Slot{o.Card, Bit(0) | Bit(1)})
}

func (s *State) fetch(r *Realm, o *Op) {
	if i := table.LastIndex(s.Discard[:s.DiscardN], func(c table.Card) bool { return c == o.Card }); i >= 0 {
		cut(s.Discard[:], &s.DiscardN, i)
	}
	r.HandAdd(Slot{o.Card, everybody})
}

// takeFromDeck takes the topmost copy of a card out of a stack. Where in the stack it lay is
// known to the taker alone, so whoever else knew the stack's order no longer does.
func (s *State) takeFromDeck(r *Realm, o *Op) {
	d := &s.Decks[o.Stack]
	at := table.LastIndex(d.All(), func(slot Slot) bool { return slot.Card == o.Card })
	r.HandAdd(Slot{d.TakeAt(at).Card, Bit(o.Seat & 1)})
	keepSeen(d.All(), Bit(o.Seat&1))
}

func (s *State) lookedThrough(o *Op) []Slot { return s.Decks[o.Stack].All() }

func (s *State) otherHand(o *Op) []Slot { return s.Realms[Other(o.Seat&1)].Held() }

func see(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen |= who
	}
}

func (s *State) showCard(r *Realm, o *Op) {
	if i := r.ShownFirst(o.Card); i >= 0 {
		r.Hand[i].Seen |= everybody
	}
}

// raze takes a card from its site: a Parish Hall is left where a Town Hall stood.
func (s *State) raze(r *Realm, o *Op) {
	left := table.NoCard
	if o.Card == table.TownHall {
		left = table.ParishHall
	}
	r.set(o.Site, left)
	switch o.To {
	case ToDiscard:
		s.LayDown(o.Card)
	case ToOpen:
		s.OpenN++
	default:
		s.Decks[o.To-1].under(Slot{o.Card, everybody})
	}
}

// layLand lays a region card of the stack.
func (s *State) layLand(r *Realm, o *Op) {
	if i := slices.Index(s.Lands[:s.LandsN], o.Land); i >= 0 {
		cut(s.Lands[:], &s.LandsN, i)
	}
	r.Regions[o.Place] = Region{Terrain: o.Land.Terrain(), Number: o.Land.Number()}
}

// raise makes a settlement or a city of a column.
func (s *State) raise(r *Realm, o *Op, level Level) {
	r.Towns[o.Column].Level = level
	r.recount()
	s.Since = s.Turn + 1
}

// set lays a card on a site.
func (r *Realm) set(at table.Site, c table.Card) {
	r.Towns[at.Town()].Sites[at.Side()][at.Slot()] = c
	r.recount()
}

// LayDown lays a card on the discard pile.
func (s *State) LayDown(c table.Card) {
	if int(s.DiscardN) < len(s.Discard) {
		s.Discard[s.DiscardN] = c
		s.DiscardN++
	}
}

// takeOut removes a card from the hand, the copy that most people know: who knew of one
// must not learn from its leaving that there is another.
func (r *Realm) takeOut(c table.Card) {
	if at := r.ShownFirst(c); at >= 0 {
		r.HandTake(at)
	}
}

// ShownFirst finds the copy of a hand card that most people know, or -1.
func (r *Realm) ShownFirst(c table.Card) int {
	at := -1
	for i, slot := range r.Held() {
		if slot.Card == c && (at < 0 || slot.Seen > r.Hand[at].Seen) {
			at = i
		}
	}
	return at
}

// forget: a card left this hand face down, so nobody but its owner still knows which cards
// are in it.
func (r *Realm) forget(owner domain.Seat) { keepSeen(r.Held(), Bit(owner)) }

// keepSeen lets everybody else forget which cards these are.
func keepSeen(slots []Slot, who Seen) {
	for i := range slots {
		slots[i].Seen &= who
	}
}
