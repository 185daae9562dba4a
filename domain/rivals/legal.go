package rivals

import (
	"iter"
	"math/bits"
	"sync"

	"posthorn/domain"
)

// Legal yields every legal move of a seat that is awaited: moves are listed without `pay` and
// `into`, an exchange without what comes for it. Where it matters, that is asked next, all
// resources at once. Writing it into the move itself (`bank 3 ore wool pay 1a 1a 2b`) saves
// the questions and means the same, so the list stays short enough to be read in a mail.
// Taking an own card away (`remove`) is a form, see Forms.
func (rulesRoom) Legal(s *State, seat domain.Seat) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		l := listers.Get().(*lister)
		defer l.close()
		l.list(s, seat)
		for i := range l.all {
			if !yield(l.all[i]) {
				return
			}
		}
	}
}

// PickLegal gives one of the legal moves by its number, without making the others values.
func (rulesRoom) PickLegal(s *State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	if i := s.openTask(seat); i >= 0 {
		if k := &kinds[s.Tasks[i].Kind]; k.ways > 0 {
			return k.nth(pick(k.ways)), k.ways
		}
	}
	l := listers.Get().(*lister)
	defer l.close()
	l.list(s, seat)
	if len(l.all) == 0 {
		return nil, 0
	}
	return l.all[pick(len(l.all))].value(), len(l.all)
}

// lister gathers the legal moves of a seat. Listers are used again, for the sake of their lists.
type lister struct {
	s    *State
	r    *Realm
	seat domain.Seat
	all  []Move
	x    spread
}

var listers = sync.Pool{New: func() any { return &lister{} }}

func (l *lister) close() {
	l.s, l.r = nil, nil
	listers.Put(l)
}

func (l *lister) list(s *State, seat domain.Seat) {
	l.all = l.all[:0]
	if seat < 0 || seat > 1 || !s.awaits(seat) {
		return
	}
	l.s, l.r, l.seat = s, &s.Realms[seat], seat
	if i := s.openTask(seat); i >= 0 {
		l.task(&s.Tasks[i])
		return
	}
	switch s.Phase {
	case Rolling:
		l.rolling()
	case Acting:
		l.acting()
	case Drawing:
		l.drawing()
	case Exchanging:
		l.exchanging()
	}
}

func (l *lister) add(m Move) { l.all = append(l.all, m) }

// hand yields every different card of the hand, in its order, in which equal ones are neighbours.
func (l *lister) hand() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		last := NoCard
		for i := range int(l.r.HandN) {
			if c := l.r.Hand[i].Card; c != last {
				if !yield(c) {
					return
				}
				last = c
			}
		}
	}
}

func (l *lister) rolling() {
	l.add(Move{Verb: RollDice})
	for c := range l.hand() {
		row := c.Row()
		if !row.fixes {
			continue
		}
		if row.Effects[0].Do != "die" {
			l.add(Move{Verb: PlayCard, Card: c})
			continue
		}
		for n := range 6 {
			l.add(Move{Verb: PlayCard, Card: c, N: uint8(n) + 1})
		}
		for also := range l.hand() {
			if !also.Row().fixes || also.same(c) {
				continue
			}
			for n := range 6 {
				m := Move{Verb: PlayCard, Card: c, Card2: also, N: uint8(n) + 1}
				m.tidy()
				l.add(m)
			}
		}
	}
}

func (l *lister) acting() {
	s, seat := l.s, l.seat
	stock := l.r.stock()
	for _, right := range [2]bool{false, true} {
		if _, wrong := s.roadGap(seat, right); wrong == "" && stock.covers(roadCost) {
			l.add(Move{Verb: Road, Right: right})
		}
		if _, wrong := s.settleTown(seat, right); wrong == "" && stock.covers(settlementCost) {
			l.add(Move{Verb: Settle, Right: right})
			for c := range l.hand() {
				if c.same(scout) {
					l.add(Move{Verb: Settle, Right: right, Card: c})
				}
			}
		}
	}
	if stock.covers(cityCost) {
		for t := int(l.r.Left); t <= int(l.r.Right); t++ {
			if s.mayCity(seat, t) == "" {
				l.add(Move{Verb: City, At: int8(t - origin)})
			}
		}
	}
	for c := range l.hand() {
		if c.Row().Kind == ActionCard {
			l.play(c)
		} else {
			l.build(c, stock)
		}
	}
	if s.OpenN > 0 {
		l.build(s.Open, stock)
	}
	l.bank(stock)
	l.add(Move{Verb: End})
	if s.mayClose() == "" {
		l.add(Move{Verb: Close})
	}
}

func (l *lister) build(c Card, stock Goods) {
	if l.s.mayBuildOf(l.seat, c, stock) != "" {
		return
	}
	if c.same(goldCache) {
		for p := range Place(regionsN) {
			if l.r.Regions[p].Number != 0 {
				l.add(Move{Verb: Build, Card: c, At: int8(p.gap() - origin), Side: uint8(p.side()) + 1})
			}
		}
		return
	}
	for t := int(l.r.Left); t <= int(l.r.Right); t++ {
		for side := range 2 {
			if _, wrong := l.s.freeSite(l.seat, c, t, side); wrong == "" {
				l.add(Move{Verb: Build, Card: c, At: int8(t - origin), Side: uint8(side) + 1})
			}
		}
	}
}

func (l *lister) play(c Card) {
	if l.s.mayPlay(l.seat, c) != "" {
		return
	}
	e := &c.Row().play[0]
	switch {
	case e.Do == "demand" && e.What == "region":
		for p := range in[Place](l.s.brigandPlaces(l.seat)) {
			l.add(Move{Verb: PlayCard, Card: c, Place: wordPlace(p)})
		}
	case e.Do == "demand" && e.What != "gold":
		l.demands(c, e)
	case e.Do == "heal":
		l.heals(c)
	default:
		l.add(Move{Verb: PlayCard, Card: c})
	}
}

// demands lists the resources that may be named, one or two.
func (l *lister) demands(c Card, e *Effect) {
	for a := range Res(resources) {
		var want Goods
		want[a] = 1
		if l.s.mayDemand(l.seat, e, want) == "" {
			l.add(Move{Verb: PlayCard, Card: c, Res: wordRes(a)})
		}
		for b := a; b < resources; b++ {
			two := want
			two[b]++
			if l.s.mayDemand(l.seat, e, two) == "" {
				l.add(Move{Verb: PlayCard, Card: c, Res: wordRes(a), Res2: wordRes(b)})
			}
		}
	}
}

func (l *lister) heals(c Card) {
	m := l.r.bathHouses()
	if bits.OnesCount64(m) == 1 {
		l.add(Move{Verb: PlayCard, Card: c})
		return
	}
	last := noSite
	for at := range in[Site](m) {
		if last == noSite || at/2 != last/2 {
			l.add(Move{Verb: PlayCard, Card: c, At: int8(at.town() - origin), Side: uint8(at.side()) + 1})
		}
		last = at
	}
}

// bank lists the exchanges; what comes for them is asked next.
func (l *lister) bank(stock Goods) {
	rooms := l.r.rooms()
	all := rooms.total()
	mints, ships, near := l.s.rates(l.seat)
	for give := range Res(resources) {
		if all == int(rooms[give]) {
			continue
		}
		for n := uint8(1); n <= 3 && n <= stock[give]; n++ {
			if n == 1 && (give != GoldRes || mints <= l.s.Mints) || n == 2 && !ships.has(give) && !near.has(give) {
				continue
			}
			l.add(Move{Verb: Bank, N: n, Res: wordRes(give)})
		}
	}
}

// named lists cards in play by town and side, each once.
func (l *lister) named(v Verb, owner domain.Seat, allowed uint64, stack uint8) {
	r := &l.s.Realms[owner]
	for at, c := range r.cards() {
		if allowed&(1<<at) == 0 {
			continue
		}
		first := siteAt(at.town(), at.side(), 0)
		if at != first && allowed&(1<<first) != 0 && r.at(first).same(c) {
			continue
		}
		m := Move{Verb: v, Card: c, At: int8(at.town() - origin), Side: uint8(at.side()) + 1}
		if v == Lose && stack > 0 {
			l.losses(m, c)
		} else {
			l.add(m)
		}
	}
}

// losses lists the stacks that a lost card may go under.
func (l *lister) losses(m Move, c Card) {
	if _, r := l.s.loseTo(c, 0); r == nil {
		l.add(m)
		return
	}
	for m.N = range l.s.stacksFor(c) {
		l.add(m)
	}
}

func (l *lister) drawing() {
	if int(l.r.HandN) >= l.s.handLimit(l.seat) {
		l.layOffs()
		return
	}
	for k := range int(l.s.DecksN) {
		if l.s.Decks[k].N > 0 {
			l.add(Move{Verb: Draw, N: uint8(k) + 1})
		}
	}
}

// exchanging lists what one card of the hand may be exchanged for: the top of a stack, or a
// card that is chosen out of one.
func (l *lister) exchanging() {
	l.add(Move{Verb: Pass})
	can := l.r.stock().total() >= l.r.searchPrice()
	for c := range l.hand() {
		for k := range l.s.stacksFor(c) {
			for q := uint8(1); q <= l.s.DecksN; q++ {
				if l.s.Decks[q-1].N > 0 || q == k {
					l.add(Move{Verb: Swap, Card: c, N: k, N2: q})
				}
			}
			if can {
				l.add(Move{Verb: Search, Card: c, N: k})
			}
		}
	}
}

// layOffs lists the hand's cards with the stacks they may go under.
func (l *lister) layOffs() {
	for c := range l.hand() {
		for k := range l.s.stacksFor(c) {
			l.add(Move{Verb: LayOff, Card: c, N: k})
		}
	}
}
