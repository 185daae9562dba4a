package catan

import (
	"iter"

	"posthorn/domain"
)

// legal yields every legal move of a closed choice; offers and counter-offers are forms.
// What it reads is public or the seat's own.
func (s *State) legal(seat domain.Seat) iter.Seq[domain.Move] {
	return func(yield func(domain.Move) bool) {
		c := int8(seat)
		if c < 0 || c >= s.seats {
			return
		}
		l := lister{s: s, c: c, yield: yield}
		l.all()
	}
}

// lister goes through the legal moves and yields each until it is told to stop; or, for pick, it
// counts them and makes the one that is wanted.
type lister struct {
	s     *State
	c     int8
	yield func(domain.Move) bool // nil: count
	done  bool

	n    int // counted so far
	want int // the number of the move to make, or -1
	got  domain.Move
	some [someMoves]domain.Move // the first that were there without being made
}

// someMoves is how many moves are kept while counting: most lists are shorter.
const someMoves = 32

// put lists a move that lies ready.
func (l *lister) put(m domain.Move) {
	if l.yield == nil {
		if l.n < someMoves {
			l.some[l.n] = m
		}
		if l.n == l.want {
			l.got, l.done = m, true
		}
		l.n++
		return
	}
	if !l.done && !l.yield(m) {
		l.done = true
	}
}

// putNew lists a move that must be made an interface value first, if anybody wants it.
func (l *lister) putNew(m *Move) {
	if l.yield != nil || l.n == l.want {
		l.put(*m)
		return
	}
	l.n++
}

// pick counts the legal moves of a seat, asks for a number and gives the move of this number.
// Where it was not kept while counting, the list is gone through once more.
func (s *State) pick(seat domain.Seat, pick func(n int) int) (domain.Move, int) {
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
	if i < someMoves && l.some[i] != nil {
		return l.some[i], n
	}
	l.n, l.want = 0, i
	l.all()
	return l.got, n
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
		l.put(ready.plain[KindRoll])
		l.cards()
		l.tokens()
	case PhaseRobber:
		l.robber(&ready.rob)
	case PhaseMain:
		l.main()
	case PhaseNeutral:
		for _, p := range s.neutralChoices() {
			m := move(KindNeutral)
			m.Neutral = p
			l.putNew(&m)
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
				l.put(ready.found[p][is(isle.ends[p][1] == at)])
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
			l.put(ready.city[nextCorner(&own)])
		}
	}
	if hand.Covers(settlementCost) && s.settlementsLeft(c) > 0 {
		for open := s.openHomes(c); open != 0; {
			l.put(ready.settle[nextCorner(&open)])
		}
	}
	if hand.Covers(roadCost) && s.roadsLeft(c) > 0 {
		for open := s.openPaths(c); !open.empty(); {
			l.put(ready.road[open.next()])
		}
	}
	if hand.Covers(cardCost) && s.deck != (Cards{}) {
		l.put(ready.plain[KindBuy])
	}
	l.cards()
	l.bank()
	l.tokens()
	l.put(ready.plain[KindEnd])
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
				l.put(ready.bank[give][get])
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
		l.put(ready.plain[KindWithdraw])
		for with := range s.seats {
			if o.Yes.has(with) {
				l.put(ready.conf[with])
			}
		}
	}
	for from := range s.seats {
		o := &s.offers[from]
		if from == l.c || !o.Open {
			continue
		}
		if s.hand[l.c].Covers(o.Want) {
			l.put(ready.accept[from])
		}
		l.put(ready.decline[from])
	}
}

func (l *lister) answers() {
	s := l.s
	o := &s.offers[s.active]
	if !o.unanswered().has(l.c) {
		return
	}
	if s.hand[l.c].Covers(o.Want) {
		l.put(ready.plain[KindAccept])
	}
	l.put(ready.plain[KindDecline])
}

func (l *lister) robber(moves *[hexCount][maxColours + 1]domain.Move) {
	s := l.s
	may := s.robberMay()
	for h := range int8(hexCount) {
		if may>>h&1 == 0 {
			continue
		}
		victims := s.victims(l.c, h)
		if victims == 0 {
			l.put(moves[h][0])
			continue
		}
		for c := range s.seats {
			if victims.has(c) {
				l.put(moves[h][c+1])
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
		l.robber(&ready.knight)
	}
	if s.playable(c, Roads) {
		l.freeRoads()
	}
	if s.playable(c, Plenty) {
		l.plenty()
	}
	if s.playable(c, Monopoly) {
		for r := range ready.monopoly {
			l.put(ready.monopoly[r])
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
			l.pair(a, noPlace)
			continue
		}
		for !second.empty() {
			b := second.next()
			if b > a {
				l.pair(a, b)
			} else if !firsts.has(b) {
				l.pair(b, a) // b comes second on the board, first in the notation
			}
		}
	}
}

// pair lists two free roads.
func (l *lister) pair(a, b int8) {
	m := moveAt(KindRoads, a, b)
	l.putNew(&m)
}

func (l *lister) plenty() {
	s := l.s
	for a := range int8(kinds) {
		if s.bank[a] == 0 {
			continue
		}
		if s.bank.Len() == 1 {
			m := moveAt(KindPlenty, a, noPlace)
			l.putNew(&m)
			return
		}
		for b := a; b < kinds; b++ {
			if b != a && s.bank[b] > 0 || s.bank[a] > 1 && b == a {
				l.put(ready.plenty[a][b])
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
			l.put(ready.plain[KindTokenTrade])
		}
		if s.lay.desert >= 0 && s.robber != s.lay.desert {
			l.put(ready.plain[KindTokenDesert])
		}
	}
	if !s.refilled && s.knights[c] > 0 {
		l.put(ready.plain[KindRefill])
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
			l.putNew(m)
		}
		return
	}
	for take := int8(0); take <= min(have, n) && !l.done; take++ {
		m.Give[r] = take
		l.choose(m, r+1, n-take)
	}
	m.Give[r] = 0
}

// awaited lists the decisions. It reads nothing that is hidden: who owes discards and whom
// an offer names is known to all.
func (s *State) awaited() []domain.Decision {
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
