package catan

import (
	"iter"

	"posthorn/domain"
)

// Legal yields every legal move of a closed choice; offers and counter-offers are forms.
// What it reads is public or the seat's own.
func (rulesRoom) Legal(s *State, seat domain.Seat) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		if c := int8(seat); c >= 0 && c < s.seats {
			l := lister{s: s, c: c, yield: yield}
			l.all()
		}
	}
}

// lister goes through the legal moves and yields each until it is told to stop; or, for pick, it
// counts them and makes the one that is wanted.
type lister struct {
	s     *State
	c     int8
	yield func(Move) bool // nil: count
	done  bool

	n    int // counted so far
	want int // the number of the move to keep, or -1
	got  Move
	some [someMoves]Move // the first
}

// someMoves is how many moves are kept while counting: most lists are shorter.
const someMoves = 16

// put lists a move of places and a seat, each -1 for none.
func (l *lister) put(k Kind, a, b, seat int8) {
	l.putCards(&Move{Kind: k, A: a, B: b, Seat: domain.Seat(seat)})
}

// putCards lists a move that says more than places and a seat.
func (l *lister) putCards(m *Move) {
	switch {
	case l.yield != nil:
		l.done = l.done || !l.yield(*m)
	case l.n < someMoves:
		l.some[l.n] = *m
	case l.n == l.want:
		l.got, l.done = *m, true
	}
	l.n++
}

// plain lists a move that says nothing but its kind.
func (l *lister) plain(k Kind) { l.put(k, noPlace, noPlace, noColour) }

// PickLegal counts the legal moves of a seat, asks for a number and gives the move of this number.
// Where it was not kept while counting, the list is gone through once more.
func (rulesRoom) PickLegal(s *State, seat domain.Seat, pick func(n int) int) (domain.Move, int) {
	c := int8(seat)
	if c < 0 || c >= s.seats {
		return nil, 0
	}
	l := lister{s: s, c: c, want: -1}
	l.all()
	n := l.n
	if n == 0 {
		return nil, 0
	}
	i := pick(n)
	if i < someMoves {
		return l.some[i].value(), n
	}
	l.n, l.want = 0, i
	l.all()
	return l.got.value(), n
}

func (l *lister) all() {
	s := l.s
	if s.phase == PhaseDiscard {
		if n := s.owes[l.c]; n > 0 {
			l.hands(KindDiscard, int(n))
		}
		return
	}
	if l.c != s.active {
		l.answers()
		return
	}
	switch s.phase {
	case PhaseFound:
		l.founding()
	case PhaseRoll:
		l.plain(KindRoll)
		l.cards()
		l.tokens()
	case PhaseRobber:
		l.robber(KindRob)
	case PhaseMain:
		l.main()
	case PhaseNeutral:
		for _, p := range s.neutralChoices() {
			m := move(KindNeutral)
			m.Neutral = p
			l.putCards(&m)
		}
	case PhaseGive:
		l.hands(KindGive, 2)
	}
}

func (l *lister) founding() {
	s := l.s
	for free := ^s.shut & (1<<cornerCount - 1); free != 0 && !l.done; {
		at := nextCorner(&free)
		for _, p := range isle.pathList[at] {
			if !s.laid.has(p) {
				l.put(KindFound, at, p, noColour)
			}
		}
	}
}

// main lists what people look for first at the top: answers, buildings, cards, trade.
func (l *lister) main() {
	s, c := l.s, l.c
	hand := &s.hand[c]
	l.trades()
	if hand.Covers(cityCost) && s.citiesLeft(c) > 0 {
		for own := s.settlements[c]; own != 0; {
			l.put(KindCity, nextCorner(&own), noPlace, noColour)
		}
	}
	if hand.Covers(settlementCost) && s.settlementsLeft(c) > 0 {
		for open := s.openHomes(c); open != 0; {
			l.put(KindSettle, nextCorner(&open), noPlace, noColour)
		}
	}
	if hand.Covers(roadCost) && s.roadsLeft(c) > 0 {
		for open := s.openPaths(c); !open.empty(); {
			l.put(KindRoad, open.next(), noPlace, noColour)
		}
	}
	if hand.Covers(cardCost) && s.deck != (Cards{}) {
		l.plain(KindBuy)
	}
	l.cards()
	l.bank()
	l.tokens()
	l.plain(KindEnd)
}

func (l *lister) bank() {
	s, c := l.s, l.c
	if s.rules.apart && s.built {
		return
	}
	for give, n := range s.hand[c] {
		if n < 2 || n < s.rate(c, Resource(give)) {
			continue
		}
		for get, left := range s.bank {
			if get != give && left > 0 {
				l.put(KindBank, int8(give), int8(get), noColour)
			}
		}
	}
}

// trades are the answers to counter-offers, and what the seat may do with its own offer.
// Only the seat's own hand is looked at: that an offer's maker can pay is certain, since
// an offer ends as soon as its maker parts with such cards.
func (l *lister) trades() {
	s := l.s
	if o := &s.offers[l.c]; o.Open {
		l.plain(KindWithdraw)
		for with := range s.seats {
			if o.Yes.has(with) {
				l.put(KindConfirm, noPlace, noPlace, with)
			}
		}
	}
	for from := range s.seats {
		o := &s.offers[from]
		if from == l.c || !o.Open {
			continue
		}
		if s.hand[l.c].Covers(o.Want) {
			l.put(KindAccept, noPlace, noPlace, from)
		}
		l.put(KindDecline, noPlace, noPlace, from)
	}
}

func (l *lister) answers() {
	s := l.s
	o := &s.offers[s.active]
	if !o.unanswered().has(l.c) {
		return
	}
	if s.hand[l.c].Covers(o.Want) {
		l.plain(KindAccept)
	}
	l.plain(KindDecline)
}

func (l *lister) robber(k Kind) {
	s := l.s
	may := s.robberMay()
	for h := range int8(hexCount) {
		if may>>h&1 == 0 {
			continue
		}
		victims := s.victims(l.c, h)
		if victims == 0 {
			l.put(k, h, noPlace, noColour)
			continue
		}
		for c := range s.seats {
			if victims.has(c) {
				l.put(k, h, noPlace, c)
			}
		}
	}
}

func (l *lister) cards() {
	s, c := l.s, l.c
	if s.cardPlayed || s.cards[c] == (Cards{}) {
		return
	}
	if s.playable(c, Knight) {
		l.robber(KindKnight)
	}
	if s.playable(c, Roads) {
		l.freeRoads()
	}
	if s.playable(c, Plenty) {
		l.plenty()
	}
	if s.playable(c, Monopoly) {
		for r := range int8(kinds) {
			l.put(KindMonopoly, r, noPlace, noColour)
		}
	}
}

func (l *lister) freeRoads() {
	s, c := l.s, l.c
	if s.roadsLeft(c) == 0 {
		return
	}
	firsts := s.openPaths(c)
	for left := firsts; !left.empty() && !l.done; {
		a := left.next()
		second := s.secondRoads(c, a)
		if second.empty() {
			l.put(KindRoads, a, noPlace, noColour)
			continue
		}
		for !second.empty() {
			b := second.next()
			if b > a {
				l.put(KindRoads, a, b, noColour)
			} else if !firsts.has(b) {
				l.put(KindRoads, b, a, noColour) // b comes second on the board, first in the notation
			}
		}
	}
}

func (l *lister) plenty() {
	s := l.s
	for a := range int8(kinds) {
		if s.bank[a] == 0 {
			continue
		}
		if s.bank.Len() == 1 {
			l.put(KindPlenty, a, noPlace, noColour)
			return
		}
		for b := a; b < kinds; b++ {
			if b != a && s.bank[b] > 0 || s.bank[a] > 1 && b == a {
				l.put(KindPlenty, a, b, noColour)
			}
		}
	}
}

func (l *lister) tokens() {
	s, c := l.s, l.c
	if !s.two() {
		return
	}
	if s.tokenReady(c) {
		if s.mayForce(c) {
			l.plain(KindTokenTrade)
		}
		if s.lay.desert >= 0 && s.robber != s.lay.desert {
			l.plain(KindTokenDesert)
		}
	}
	if !s.refilled && s.knights[c] > 0 {
		l.plain(KindRefill)
	}
}

// hands yields every way to take n cards out of the seat's hand.
func (l *lister) hands(k Kind, n int) {
	m := move(k)
	l.choose(&m, 0, int8(n))
}

func (l *lister) choose(m *Move, r Resource, n int8) {
	have := l.s.hand[l.c][r]
	if r == kinds-1 {
		if have >= n {
			m.Give[r] = n
			l.putCards(m)
		}
		return
	}
	for take := int8(0); take <= min(have, n) && !l.done; take++ {
		m.Give[r] = take
		l.choose(m, r+1, n-take)
	}
	m.Give[r] = 0
}

// Awaited lists the decisions. It reads nothing that is hidden: who owes discards and whom
// an offer names is known to all.
func (rulesRoom) Awaited(s *State) []domain.Decision {
	if s.seats == 0 {
		return nil
	}
	switch s.phase {
	case PhaseOver:
		return nil
	case PhaseFound:
		return []domain.Decision{{Seat: domain.Seat(s.active), Kind: "found", Serial: int(s.founded)}}
	case PhaseDiscard:
		list := make([]domain.Decision, 0, maxColours)
		for c, n := range s.owes {
			if n > 0 {
				list = append(list, domain.Decision{Seat: domain.Seat(c), Kind: "discard", Serial: int(s.turn)})
			}
		}
		return list
	}
	turn := domain.Decision{Seat: domain.Seat(s.active), Kind: "turn", Serial: int(s.stint)}
	if s.offerNumber == 0 {
		return []domain.Decision{turn}
	}
	return s.awaitedTrades([]domain.Decision{turn})
}

func (s *State) awaitedTrades(list []domain.Decision) []domain.Decision {
	mine := &s.offers[s.active]
	if mine.Yes != 0 {
		list = append(list, domain.Decision{Seat: domain.Seat(s.active), Kind: "confirm", Serial: int(mine.Number)})
	}
	asked := mine.unanswered()
	for c := range s.seats {
		if asked.has(c) {
			list = append(list, domain.Decision{Seat: domain.Seat(c), Kind: "answer", Serial: int(mine.Number)})
		}
		if o := &s.offers[c]; c != s.active && o.Open {
			list = append(list, domain.Decision{Seat: domain.Seat(s.active), Kind: "counter", Serial: int(o.Number)})
		}
	}
	return list
}
