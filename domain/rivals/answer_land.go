package rivals

import (
	"strings"

	"posthorn/domain"
)

// Answers about the land: the two regions of a new settlement, two things that change places,
// the six regions of the beginning.

// cornerGap is the free gap beside a new settlement.
func (r *Realm) cornerGap(town int) int {
	if r.Regions[placeAt(town, 0)].Number == 0 {
		return town
	}
	return town + 1
}

// answerCorners lays the two regions of a new settlement.
func (g *deciding) answerCorners(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Corners {
		return domain.Refuse("corners-first")
	}
	up, down := g.mv.Land, g.mv.Land2
	if t.N >= 2 && (up == down || !g.s.offered(t, up) || !g.s.offered(t, down)) {
		return domain.Refuse("not-that-region")
	}
	old := g.drop(i)
	gap := g.s.Realms[old.Seat].cornerGap(int(old.Arg))
	g.do(Op{Code: opLand, Seat: old.Seat, Land: up, Place: placeAt(gap, 0)})
	g.do(Op{Code: opLand, Seat: old.Seat, Land: down, Place: placeAt(gap, 1)})
	if old.Card != NoCard { // Scout looked through the stack: it is shuffled again
		order := g.luck.Shuffle("regions", int(g.s.LandsN))
		lands := g.s.Lands
		g.dictateLands(lands, order)
		ops := make([]Op, len(order))
		for k, j := range order {
			ops[k] = Op{Code: opLandAt, Land: lands[j], At: int8(k)}
		}
		g.hidden(0, ops...)
	}
	return nil
}

func (l *lister) corners(t *Task) {
	offered := l.s.Lands[max(0, int(l.s.LandsN)-int(t.N)):l.s.LandsN]
	for i, up := range offered {
		for j, down := range offered {
			if i != j || t.N < 2 {
				l.add(Move{Verb: Corners, Land: up, Land2: down})
			}
		}
	}
}

func (s *State) noCorners(t *Task) bool { return t.N == 0 }

// dictateLands brings the region cards that a script names to the top of the stack just shuffled.
func (g *deciding) dictateLands(lands [12]Land, order []int) {
	o, ok := g.luck.Dictated("regions")
	if !ok {
		return
	}
	for k, name := range strings.Fields(o.Words) {
		at := len(order) - 1 - k
		land, ok := landNamed(fold(name))
		from := at
		for from >= 0 && lands[order[from]] != land {
			from--
		}
		if !ok || from < 0 {
			g.luck.Reject("regions", o, name+" is not in the region stack")
			return
		}
		order[at], order[from] = order[from], order[at]
	}
}

// offered tells whether a region card may be laid: one of the top ones, or any for Scout.
func (s *State) offered(t *Task, l Land) bool {
	for k := max(0, int(s.LandsN)-int(t.N)); k < int(s.LandsN); k++ {
		if s.Lands[k] == l && l != 0 {
			return true
		}
	}
	return false
}

// answerMove lets two regions or two cards change places.
func (g *deciding) answerMove(i int, t *Task) *domain.Refusal {
	switch g.mv.Verb {
	case SwapPlaces:
		return g.swapPlaces(i, t)
	case SwapCards:
		return g.swapCards(i, t)
	}
	return domain.Refuse("move-first")
}

func (l *lister) moves(*Task) {
	for a := range Place(regionsN) {
		for b := a + 1; b < regionsN; b++ {
			if l.r.Regions[a].Number != 0 && l.r.Regions[b].Number != 0 {
				l.add(Move{Verb: SwapPlaces, Place: wordPlace(a), Place2: wordPlace(b)})
			}
		}
	}
	seen := map[Move]bool{}
	for a, c := range l.r.cards() {
		for b, d := range l.r.cards() {
			if a >= b || c.same(d) || a/2 == b/2 || !l.s.maySwap(l.seat, a, b) {
				continue
			}
			m := Move{Verb: SwapCards, Card: c, At: int8(a.town() - origin), Side: uint8(a.side()) + 1,
				Card2: d, At2: int8(b.town() - origin), Side2: uint8(b.side()) + 1}
			if !seen[m] {
				seen[m] = true
				l.add(m)
			}
		}
	}
}

func (g *deciding) swapPlaces(i int, t *Task) *domain.Refusal {
	r := &g.s.Realms[t.Seat]
	a, b := g.mv.Place.place(), g.mv.Place2.place()
	if a >= cachePlace || b >= cachePlace || a == b || r.Regions[a].Number == 0 || r.Regions[b].Number == 0 {
		return domain.Refuse("no-region")
	}
	g.drop(i)
	g.do(Op{Code: opSwapReg, Seat: g.seat, Place: a, Place2: b})
	return nil
}

// maySwap tells whether two cards may change places: both still stand where they may.
func (s *State) maySwap(seat domain.Seat, a, b Site) bool {
	r := &s.Realms[seat]
	c, d := r.at(a), r.at(b)
	if a == b || c == NoCard || d == NoCard {
		return false
	}
	return (c.Row().Kind != CityCard || r.Towns[b.town()].Level == city) &&
		(d.Row().Kind != CityCard || r.Towns[a.town()].Level == city)
}

func (g *deciding) swapCards(i int, t *Task) *domain.Refusal {
	a, _, r := g.s.findCard(t.Seat, g.mv.Card, g.mv.At, g.mv.Side)
	if r != nil {
		return r
	}
	b, _, r := g.s.findCard(t.Seat, g.mv.Card2, g.mv.At2, g.mv.Side2)
	if r != nil {
		return r
	}
	if !g.s.maySwap(t.Seat, a, b) {
		return domain.Refuse("cannot-stand-there")
	}
	g.drop(i)
	g.do(Op{Code: opSwapCrd, Seat: g.seat, Site: a, Site2: b})
	return nil
}

// answerArrange puts the six regions of the beginning in a new order: Order[k] is the region (of
// the six places, above from the left and then below) that comes to place k.
func (g *deciding) answerArrange(i int, _ *Task) *domain.Refusal {
	if g.mv.Verb != Arrange {
		return domain.Refuse("arrange-first")
	}
	var seen uint8
	for _, k := range g.mv.Order {
		seen |= 1 << k
	}
	if seen != 1<<6-1 {
		return domain.Refuse("arrange-all")
	}
	seat := g.drop(i).Seat
	order := g.mv.Order
	for k := range order {
		for int(order[k]) != k {
			j := order[k]
			g.do(Op{Code: opSwapReg, Seat: seat, Place: startPlace(k), Place2: startPlace(int(j))})
			// what lay at k now lies at j, and the other way round
			for m := range order {
				if int(order[m]) == k {
					order[m] = j
					break
				}
			}
			order[k] = uint8(k)
		}
	}
	return nil
}

// startPlace is the k-th of the six places of the beginning: above from the left, then below.
func startPlace(k int) Place { return placeAt(origin+k%3, k/3) }

// orders is how many orders six regions have.
const orders = 720

// arrangement is the order of six regions that has that number, counted as words in a dictionary;
// the first changes nothing.
func arrangement(n int) Move {
	m := Move{Verb: Arrange}
	left := [6]uint8{0, 1, 2, 3, 4, 5}
	for k, ways := 0, orders; k < 6; k++ {
		ways /= 6 - k
		i := n / ways
		n %= ways
		m.Order[k] = left[i]
		copy(left[i:], left[i+1:])
	}
	return m
}
