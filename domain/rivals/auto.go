package rivals

import (
	"math/bits"

	"posthorn/domain"
)

// auto does what nobody needs to be asked about: the next step of an effect, and a choice
// that is none. It tells whether anything was done.
func (g *deciding) auto(i int) bool {
	t := &g.s.Tasks[i]
	switch t.Kind {
	case taskPay:
		return g.autoPay(i)
	case taskSave:
		return g.autoSave(i)
	case taskGain:
		return g.autoGain(i)
	case taskTake:
		return g.autoTake(i)
	case taskBuy:
		return g.autoBuy(i)
	case taskLose, taskSink, taskName, taskBurn:
		return g.autoCards(i)
	case taskReturn:
		if g.s.Realms[t.Seat].stock().total() == 0 {
			g.drop(i)
			return true
		}
	case taskFetch:
		if g.s.DiscardN <= 1 { // only the card just played
			g.drop(i)
			return true
		}
	case taskSearch:
		if !g.s.anyStack() {
			g.drop(i)
			return true
		}
	case taskCorners:
		if t.N == 0 {
			g.drop(i)
			return true
		}
	}
	if t.Kind < taskRoad {
		return false
	}
	g.stepOn(g.drop(i))
	return true
}

// stepOn does a step that is no choice.
func (g *deciding) stepOn(t Task) {
	switch t.Kind {
	case taskRoad:
		g.do(Op{Code: opRoad, Seat: t.Seat, Column: int8(t.Arg)})
	case taskSettle:
		g.newSettlement(t)
	case taskCity:
		g.do(Op{Code: opCity, Seat: t.Seat, Column: int8(t.Arg)})
	case taskPlace:
		g.place(t)
	case taskFace:
		g.face(t.Card)
	case taskEvent:
		g.resolveEvent()
	case taskEvtEnd:
		g.do(Op{Code: opEvtDone})
	case taskAct:
		g.do(Op{Code: opPhase, Seat: g.s.Active, Phase: Acting})
	case taskHit:
		if t.Card.Row().Kind == EventCard {
			g.feudHit(t)
		} else {
			g.hit(t)
		}
	case taskLook:
		g.look(t.Seat, int(t.Arg))
	case taskStart:
		g.do(Op{Code: opTurn, Seat: g.s.First, N: 1})
	}
}

// look shows a seat a whole stack.
func (g *deciding) look(seat domain.Seat, deck int) {
	g.do(Op{Code: opSeeDeck, Seat: seat, Stack: int8(deck)})
	d := &g.s.Decks[deck]
	saw := make([]Op, 0, d.N)
	for j := int(d.N) - 1; j >= 0; j-- {
		saw = append(saw, Op{Code: opSaw, Seat: seat, Card: d.Slots[j].Card, Stack: int8(deck)})
	}
	g.tell(domain.To(seat), saw...)
}

// autoPay pays what can only be paid in one way, and what the move named.
func (g *deciding) autoPay(i int) bool {
	t := &g.s.Tasks[i]
	if t.N == 0 && t.Need == (Goods{}) {
		g.drop(i)
		return true
	}
	open := g.s.payable(t)
	if t.Seat == g.seat && g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid] != 0 && open&(1<<g.mv.Pay[g.paid].place()) != 0 {
		p := g.mv.Pay[g.paid].place()
		g.paid++
		if t.Arg == fromOne {
			for g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid].place() == p {
				g.paid++
			}
		}
		g.payFrom(i, p, 1)
		return true
	}
	switch {
	case open == 0:
		g.drop(i) // nothing to pay with: the demand finds nothing
		return true
	case t.Arg == fromOne:
		if open&(open-1) != 0 {
			return false
		}
		g.payFrom(i, lowest(open), 1)
		return true
	}
	return g.payForced(i, open)
}

// payForced pays what a place must pay because the others together cannot; all of it if
// there is only one way. What is left is asked.
func (g *deciding) payForced(i int, open uint64) (some bool) {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	var have Goods
	all := 0
	for m := open; m != 0; m &= m - 1 {
		p := lowest(m)
		n := r.store(p)
		have[r.yields(p)] += n
		all += int(n)
	}
	owed, need := int(t.N), t.Need
	for m := open; m != 0; m &= m - 1 {
		p := lowest(m)
		n := int(r.store(p))
		spare := all - owed
		if owed == 0 {
			res := r.yields(p)
			spare = int(have[res]) - int(need[res])
		}
		if n > spare {
			g.payFrom(i, p, uint8(n-max(0, spare)))
			some = true
		}
	}
	return some
}

// lowest is the first place of a set.
func lowest(m uint64) Place { return Place(bits.TrailingZeros64(m)) }

// payable are the places that a payment may come from next.
func (s *State) payable(t *Task) (m uint64) {
	r := &s.Realms[t.Seat]
	from, to := r.span()
	for p := from; p < to; p++ {
		q := r.Regions[p]
		if q.Number != 0 && q.Stored > 0 && (t.N > 0 || t.Need[q.Terrain] > 0) {
			m |= 1 << p
		}
	}
	if t.Mask != 0 {
		return m & t.Mask
	}
	if r.Cache != noPlace && r.CacheGold > 0 && (t.N > 0 || t.Need[GoldRes] > 0) {
		m |= 1 << cachePlace
	}
	return m
}

// payFrom pays some from a place (all that is owed where one place must pay all).
func (g *deciding) payFrom(i int, p Place, n uint8) {
	t := &g.s.Tasks[i]
	res := g.s.Realms[t.Seat].yields(p)
	switch {
	case t.Arg == fromOne:
		n = t.Need[res]
		t.Need[res] = 0
	case t.N > 0:
		t.N -= min(n, t.N)
	default:
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(Op{Code: opPay, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

// savable are the resources that a discount could leave out, the rest being affordable.
func (s *State) savable(t *Task) (m resMask) {
	have := s.Realms[t.Seat].stock()
	for res, n := range t.Need {
		if n > 0 {
			rest := t.Need
			rest[res]--
			if have.affords(rest, int8(t.N)-1) {
				m |= only(Res(res))
			}
		}
	}
	return m
}

func (g *deciding) autoSave(i int) bool {
	t := &g.s.Tasks[i]
	m := g.s.savable(t)
	if m&(m-1) != 0 {
		return false
	}
	for res := range Res(resources) {
		if m.has(res) {
			g.save(i, res)
			return true
		}
	}
	g.drop(i)
	return true
}

func (g *deciding) save(i int, res Res) {
	t := &g.s.Tasks[i]
	t.Need[res]--
	if t.N--; t.N == 0 {
		t.Kind = taskPay
	}
	g.queued = true
}

// gainable are the places that a gain may go to.
func (s *State) gainable(t *Task) (m uint64) {
	r := &s.Realms[t.Seat]
	var wanted [len(t.Need)]bool
	for res := range wanted {
		wanted[res] = t.N > 0 && t.Res.has(Res(res)) || t.Need[res] > 0
	}
	from, to := r.span()
	for p := from; p < to; p++ {
		if q := &r.Regions[p]; q.Number != 0 && q.Stored < capacity && wanted[q.Terrain] {
			m |= 1 << p
		}
	}
	if r.Cache != noPlace && r.CacheGold < capacity && wanted[GoldRes] {
		m |= 1 << cachePlace
	}
	if t.Mask != 0 {
		m &= t.Mask
	}
	return m
}

// autoGain stores what can only go to one place, and what the move named; what finds no room
// is lost.
func (g *deciding) autoGain(i int) bool {
	t := &g.s.Tasks[i]
	open := g.s.gainable(t)
	if open == 0 || t.N == 0 && t.Need == (Goods{}) {
		g.drop(i)
		return true
	}
	if t.Seat == g.seat && g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 && open&(1<<g.mv.Into[g.stored].place()) != 0 {
		p := g.mv.Into[g.stored].place()
		g.stored++
		g.gainAt(i, p, 1)
		return true
	}
	return g.gainForced(i, open)
}

// gainForced stores what must go to a place because the others together cannot hold it.
func (g *deciding) gainForced(i int, open uint64) (some bool) {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	if t.Arg == oneKind {
		if open&(open-1) != 0 {
			return false
		}
		g.gainAt(i, lowest(open), min(t.N, r.room(lowest(open))))
		return true
	}
	var room Goods
	all := 0
	for m := open; m != 0; m &= m - 1 {
		p := lowest(m)
		n := r.room(p)
		room[r.yields(p)] += n
		all += int(n)
	}
	owed, need := int(t.N), t.Need
	for m := open; m != 0; m &= m - 1 {
		p := lowest(m)
		n := int(r.room(p))
		spare := all - owed
		if owed == 0 {
			res := r.yields(p)
			spare = int(room[res]) - int(need[res])
		}
		if n > spare {
			g.gainAt(i, p, uint8(n-max(0, spare)))
			some = true
		}
	}
	return some
}

// gainAt stores some at a place.
func (g *deciding) gainAt(i int, p Place, n uint8) {
	t := &g.s.Tasks[i]
	res := g.s.Realms[t.Seat].yields(p)
	if t.Arg == oneKind {
		t.Res, t.Arg = only(res), 0
	}
	if t.N > 0 {
		t.N -= min(n, t.N)
	} else {
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(Op{Code: opGain, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

// taken is how many resources the Trade face lets a seat name: no more than it can store.
func (s *State) taken(t *Task) int { return min(int(t.N), s.storable(t.Seat).total(), mostNamed) }

// autoTake ends the Trade face where nothing can be taken, or takes the only kind there is.
func (g *deciding) autoTake(i int) bool {
	t := &g.s.Tasks[i]
	most := g.s.storable(t.Seat)
	n := g.s.taken(t)
	if n == 0 {
		g.drop(i)
		return true
	}
	if kinds := maskOf(most); kinds&(kinds-1) == 0 || most.total() <= n {
		for res := range most {
			most[res] = min(most[res], uint8(n))
		}
		g.takeGoods(i, most)
		return true
	}
	return false
}

// takeGoods takes resources of the other; who gives them chooses the regions.
func (g *deciding) takeGoods(i int, want Goods) {
	t := g.drop(i)
	for res, n := range want {
		if n > 0 {
			g.do(Op{Code: opWant, Seat: t.Seat, Res: Res(res), N: int16(n)})
		}
	}
	g.transfer(other(t.Seat), want, t.Card)
}

// autoBuy ends the Traveling Merchant where nothing can be bought.
func (g *deciding) autoBuy(i int) bool {
	t := &g.s.Tasks[i]
	if g.s.buyable(t) == 0 {
		g.drop(i)
		return true
	}
	return false
}
