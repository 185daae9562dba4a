package rivals

import (
	"strings"

	"posthorn/domain"
)

// answerTake chooses a stack or takes a card: of a stack looked through, the other's hand, or
// the discard pile.
func (g *deciding) answerTake(i int, t *Task) *domain.Refusal {
	switch t.Kind {
	case taskSteal:
		return g.steal(i, t)
	case taskFetch:
		return g.fetch(i, t)
	case taskPick:
		return g.pick(i, t)
	case taskHand:
		return g.firstHand(i, t)
	}
	if g.mv.Verb != Stack {
		return domain.Refuse("which-stack")
	}
	n := g.mv.N
	if wrong := g.s.mayLook(t, n); wrong != "" {
		return wrong.refusal("n", int(n))
	}
	old := g.drop(i)
	next := taskPick
	if old.Kind == taskStack {
		next = taskHand
	}
	g.push(Task{Kind: taskLook, Seat: old.Seat, Arg: int16(n - 1)})
	g.push(Task{Kind: next, Seat: old.Seat, Arg: int16(n - 1), Card: old.Card})
	return nil
}

// mayLook tells whether a stack may be looked through: any with cards for the Library, a
// basic one for the first hand, and not the one the other has taken theirs from.
func (s *State) mayLook(t *Task, n uint8) check {
	switch {
	case n < 1 || n > s.DecksN:
		return "no-stack"
	case s.Decks[n-1].N == 0:
		return "stack-empty"
	case t.Kind == taskStack && s.Decks[n-1].Set != Basic:
		return "basic-stack"
	case t.Kind == taskStack && s.Rules&SameStack == 0 && t.Arg == int16(n):
		return "other-stack"
	}
	return ""
}

// pick takes the card chosen from a stack.
func (g *deciding) pick(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Take || g.mv.Card == NoCard {
		return domain.Refuse("take-first")
	}
	c := g.s.inDeck(int(t.Arg), g.mv.Card)
	if c == NoCard {
		return domain.Refuse("not-in-stack", "card", g.mv.Card.word())
	}
	old := g.drop(i)
	g.do(Op{Code: opTook, Seat: old.Seat, Stack: int8(old.Arg)})
	g.hidden(domain.To(old.Seat), Op{Code: opTake, Seat: old.Seat, Card: c, Stack: int8(old.Arg)})
	g.hush = "take ?"
	if g.s.Phase == Exchanging {
		g.endTurn()
	}
	return nil
}

// inDeck finds a card in a stack: that printing, or another of the same card.
func (s *State) inDeck(deck int, c Card) Card {
	alike := NoCard
	d := &s.Decks[deck]
	for j := range int(d.N) {
		switch e := d.Slots[j].Card; {
		case e == c:
			return c
		case e.same(c):
			alike = e
		}
	}
	return alike
}

// firstHand takes the three cards of a first hand.
func (g *deciding) firstHand(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Hand {
		return domain.Refuse("hand-first")
	}
	deck := int(t.Arg)
	seat := t.Seat
	ops := make([]Op, 0, 3)
	var need [3]Card
	for k, c := range [3]Card{g.mv.Card, g.mv.Card2, g.mv.Card3} {
		if c == NoCard || g.s.countInDeck(deck, c) <= countOf(need[:k], c) {
			return domain.Refuse("not-in-stack", "card", c.word())
		}
		need[k] = c
		ops = append(ops, Op{Code: opTake, Seat: seat, Card: c, Stack: int8(deck)})
	}
	g.drop(i)
	for range 3 {
		g.do(Op{Code: opTook, Seat: seat, Stack: int8(deck)})
	}
	g.hidden(domain.To(seat), ops...)
	g.hush = "hand ? ? ?"
	for k := range int(g.s.TasksN) { // the other may not choose this stack
		if next := &g.s.Tasks[k]; next.Kind == taskStack {
			next.Arg = int16(deck + 1)
		}
	}
	return nil
}

func (s *State) countInDeck(deck int, c Card) (n int) {
	d := &s.Decks[deck]
	for j := range int(d.N) {
		if d.Slots[j].Card == c {
			n++
		}
	}
	return n
}

func countOf(cards []Card, c Card) (n int) {
	for _, d := range cards {
		if d == c {
			n++
		}
	}
	return n
}

// steal takes a card of the hand that was looked at, or none.
func (g *deciding) steal(i int, t *Task) *domain.Refusal {
	if g.mv.Verb == Pass {
		g.drop(i)
		return nil
	}
	victim := &g.s.Realms[other(t.Seat)]
	at := -1
	if g.mv.Verb == Take && g.mv.Card != NoCard {
		at = victim.inHand(g.mv.Card)
	}
	if at < 0 {
		return domain.Refuse("not-in-hand", "card", g.mv.Card.word())
	}
	c := victim.Hand[at].Card
	old := g.drop(i)
	g.do(Op{Code: opTook, Seat: old.Seat, Stack: otherHand})
	g.hidden(domain.To(0, 1), Op{Code: opSteal, Seat: old.Seat, Card: c})
	g.hush = "take ?"
	return nil
}

// fetch takes a card from the discard pile; not the one just played for it.
func (g *deciding) fetch(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != Take || g.mv.Card == NoCard {
		return domain.Refuse("take-first")
	}
	if c := g.s.fetchable(g.mv.Card); c != NoCard {
		old := g.drop(i)
		g.do(Op{Code: opFetch, Seat: old.Seat, Card: c})
		return nil
	}
	return domain.Refuse("not-in-discard", "card", g.mv.Card.word())
}

// fetchable finds a card in the discard pile below the top, which is the card being played.
func (s *State) fetchable(c Card) Card {
	alike := NoCard
	for j := range int(s.DiscardN) - 1 {
		switch d := s.Discard[j]; {
		case d == c:
			return c
		case d.same(c):
			alike = d
		}
	}
	return alike
}

// answerLand lays the two regions of a new settlement, lets two things change places, or
// arranges the six regions of the beginning.
func (g *deciding) answerLand(i int, t *Task) *domain.Refusal {
	switch {
	case t.Kind == taskCorners && g.mv.Verb == Corners:
		return g.corners(i, t)
	case t.Kind == taskMove && g.mv.Verb == SwapPlaces:
		return g.swapPlaces(i, t)
	case t.Kind == taskMove && g.mv.Verb == SwapCards:
		return g.swapCards(i, t)
	case t.Kind == taskArrange && g.mv.Verb == Arrange:
		return g.arrange(i, t)
	}
	switch t.Kind {
	case taskCorners:
		return domain.Refuse("corners-first")
	case taskMove:
		return domain.Refuse("move-first")
	}
	return domain.Refuse("arrange-first")
}

// cornerGap is the free gap beside a new settlement.
func (r *Realm) cornerGap(town int) int {
	if r.Regions[placeAt(town, 0)].Number == 0 {
		return town
	}
	return town + 1
}

func (g *deciding) corners(i int, t *Task) *domain.Refusal {
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

// arrange puts the six regions of the beginning in a new order: Order[k] is the region (of
// the six places, above from the left and then below) that comes to place k.
func (g *deciding) arrange(i int, t *Task) *domain.Refusal {
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
