package rivals

import (
	"iter"

	"posthorn/domain"
)

// Legal yields every legal move of a seat that is awaited, in steps: moves are listed without
// `pay` and `into`, an exchange without what comes for it, the exchange of a card without
// what is taken. Where it matters, that is asked next, one resource at a time. Writing it into
// the move itself (`bank 3 ore wool pay 1a 1a 2b`, `swap abbey 1 2`) saves the questions and
// means the same, so the list stays short enough to be read in a mail. Taking an
// own card away (`remove`) is a form, see Forms.
func (Rulebook) Legal(st domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	return func(yield func(domain.Move) bool) {
		s := st.(*State)
		if seat < 0 || seat > 1 || !s.awaits(seat) {
			return
		}
		l := &lister{s: s, r: &s.Realms[seat], seat: seat, yield: yield}
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
}

type lister struct {
	s     *State
	r     *Realm
	seat  domain.Seat
	yield func(domain.Move) bool
	done  bool
}

func (l *lister) add(m Move) {
	if !l.done && !l.yield(m) {
		l.done = true
	}
}

// box adds a move that was made ready beforehand: the many that are listed again and again
// cost no allocation.
func (l *lister) box(m domain.Move) {
	if !l.done && !l.yield(m) {
		l.done = true
	}
}

// ready are the moves of a turn that do not depend on a card.
var ready = func() (r struct {
	roll, end, pass domain.Move
	pay, into       [places]domain.Move
	bank            [4][resources]domain.Move
	look            [decksN]domain.Move
	draw            [decksN]domain.Move
	layOff          [][decksN]domain.Move // by card
	take            []domain.Move         // by card
}) {
	r.roll, r.end, r.pass = Move{Verb: RollDice}, Move{Verb: End}, Move{Verb: Pass}
	for p := range Place(places) {
		r.pay[p], r.into[p] = Move{Verb: PayFrom, Pay: [8]placeWord{wordPlace(p)}}, Move{Verb: Into, Into: [4]placeWord{wordPlace(p)}}
	}
	for n := range r.bank {
		for a := range Res(resources) {
			r.bank[n][a] = Move{Verb: Bank, N: uint8(n), Res: wordRes(a)}
		}
	}
	for k := range r.draw {
		r.draw[k], r.look[k] = Move{Verb: Draw, N: uint8(k) + 1}, Move{Verb: Stack, N: uint8(k) + 1}
	}
	for c := range Card(len(printings)) {
		var under [decksN]domain.Move
		for k := range under {
			under[k] = Move{Verb: LayOff, Card: c, N: uint8(k) + 1}
		}
		r.layOff = append(r.layOff, under)
		r.take = append(r.take, Move{Verb: Take, Card: c})
	}
	return r
}()

// hand calls f with every different card of the hand, in its order.
func (l *lister) hand(f func(Card)) {
	for i := range int(l.r.HandN) {
		c := l.r.Hand[i].Card
		again := false
		for j := range i {
			again = again || l.r.Hand[j].Card == c
		}
		if !again {
			f(c)
		}
	}
}

func (l *lister) rolling() {
	l.box(ready.roll)
	l.hand(func(c Card) {
		row := c.Row()
		if len(row.Effects) == 0 || row.Effects[0].On != "before" {
			return
		}
		if row.Effects[0].Do != "die" {
			l.add(Move{Verb: PlayCard, Card: c})
			return
		}
		for n := range 6 {
			l.add(Move{Verb: PlayCard, Card: c, N: uint8(n) + 1})
		}
	})
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
			l.hand(func(c Card) {
				if c.same(scout) {
					l.add(Move{Verb: Settle, Right: right, Card: c})
				}
			})
		}
	}
	if stock.covers(cityCost) {
		for t := int(l.r.Left); t <= int(l.r.Right); t++ {
			if s.mayCity(seat, t) == "" {
				l.add(Move{Verb: City, At: int8(t - origin)})
			}
		}
	}
	l.hand(func(c Card) {
		if c.Row().Kind == ActionCard {
			l.play(c)
		} else {
			l.build(c)
		}
	})
	if s.OpenN > 0 {
		l.build(s.Open)
	}
	l.bank(stock)
	l.box(ready.end)
}

func (l *lister) build(c Card) {
	if l.s.mayBuild(l.seat, c) != "" {
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
		m := l.s.brigandPlaces(l.seat)
		for p := Place(0); p < places; p++ {
			if m&(1<<p) != 0 {
				l.add(Move{Verb: PlayCard, Card: c, Place: wordPlace(p)})
			}
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
	n := l.r.countCards(func(row *Row) bool { return row == bathHouse.Row() })
	if n == 1 {
		l.add(Move{Verb: PlayCard, Card: c})
		return
	}
	last := noSite
	l.r.cards(func(at Site, d Card) bool {
		if d.same(bathHouse) && (last == noSite || at.town() != last.town() || at.side() != last.side()) {
			l.add(Move{Verb: PlayCard, Card: c, At: int8(at.town() - origin), Side: uint8(at.side()) + 1})
			last = at
		}
		return true
	})
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
			l.box(ready.bank[n][give])
		}
	}
}

// named lists cards in play by town and side, each once.
func (l *lister) named(v Verb, owner domain.Seat, allowed uint64, stack uint8) {
	r := &l.s.Realms[owner]
	r.cards(func(at Site, c Card) bool {
		if allowed&(1<<at) == 0 {
			return true
		}
		first := siteAt(at.town(), at.side(), 0)
		if at != first && allowed&(1<<first) != 0 && r.at(first).same(c) {
			return true
		}
		m := Move{Verb: v, Card: c, At: int8(at.town() - origin), Side: uint8(at.side()) + 1}
		if v == Lose && stack > 0 {
			l.losses(m, c)
		} else {
			l.add(m)
		}
		return true
	})
}

// losses lists the stacks that a lost card may go under.
func (l *lister) losses(m Move, c Card) {
	if _, r := l.s.loseTo(c, 0); r == nil {
		l.add(m)
		return
	}
	for k := range int(l.s.DecksN) {
		if l.s.Decks[k].Set == c.Set() {
			m.N = uint8(k) + 1
			l.add(m)
		}
	}
}

func (l *lister) drawing() {
	if int(l.r.HandN) >= l.s.handLimit(l.seat) {
		l.layOffs()
		return
	}
	for k := range int(l.s.DecksN) {
		if l.s.Decks[k].N > 0 {
			l.box(ready.draw[k])
		}
	}
}

func (l *lister) exchanging() {
	l.box(ready.pass)
	l.layOffs()
}

// layOffs lists the hand's cards with the stacks they may go under.
func (l *lister) layOffs() {
	l.hand(func(c Card) {
		for k := range int(l.s.DecksN) {
			if l.s.Decks[k].Set == c.Set() {
				l.box(ready.layOff[c][k])
			}
		}
	})
}

// swaps lists what may be had for the card laid off: the top of a stack, or a search.
func (l *lister) swaps() {
	can := l.r.stock().total() >= l.r.searchPrice()
	for k := range int(l.s.DecksN) {
		if l.s.Decks[k].N > 0 {
			l.box(ready.draw[k])
			if can {
				l.box(ready.look[k])
			}
		}
	}
}
