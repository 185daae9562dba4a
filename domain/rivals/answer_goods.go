package rivals

import "posthorn/domain"

// Answers that name resources: to take from the other, to buy, to give back.

// wanted are the resources that a move names with this verb.
func (g *deciding) wanted(v Verb) (Goods, *domain.Refusal) {
	if g.mv.Verb != v || g.mv.goods() == (Goods{}) {
		return Goods{}, domain.Refuse("name-a-resource")
	}
	return g.mv.goods(), nil
}

// goods lists the ways to name one or two resources of some.
func (l *lister) goods(v Verb, of Goods, n int, also func(Goods) bool) {
	for a := range Res(resources) {
		if of[a] == 0 {
			continue
		}
		if n == 1 {
			if also == nil || also(just(a, 1)) {
				l.add(Move{Verb: v, Res: wordRes(a)})
			}
			continue
		}
		for b := a; b < resources; b++ {
			g := just(a, 1).with(b)
			if n == 2 && of.covers(g) && (also == nil || also(g)) {
				l.add(Move{Verb: v, Res: wordRes(a), Res2: wordRes(b)})
			}
		}
	}
}

// answerTake names what the Trade face takes of the other.
func (g *deciding) answerTake(i int, t *Task) *domain.Refusal {
	want, r := g.wanted(Take)
	if r != nil {
		return r
	}
	if !g.s.Realms[other(t.Seat)].stock().covers(want) {
		return domain.Refuse("nothing-to-take")
	}
	if !g.s.storable(t.Seat).covers(want) {
		return domain.Refuse("cannot-store-that")
	}
	if asked := g.s.taken(t); want.total() != asked {
		return domain.Refuse("take-all", "n", asked)
	}
	g.takeGoods(i, want)
	return nil
}

func (l *lister) takes(t *Task) { l.goods(Take, l.s.storable(l.seat), l.s.taken(t), nil) }

// taken is how many resources the Trade face lets a seat name: no more than it can store.
func (s *State) taken(t *Task) int { return min(int(t.N), s.storable(t.Seat).total(), mostNamed) }

func (s *State) tookAll(t *Task) bool { return s.taken(t) == 0 }

// autoTake takes the only kind there is, or all there is.
func (g *deciding) autoTake(i int) bool {
	t := &g.s.Tasks[i]
	most := g.s.storable(t.Seat)
	n := g.s.taken(t)
	if kinds := maskOf(most); kinds&(kinds-1) != 0 && most.total() > n {
		return false
	}
	for res := range most {
		most[res] = min(most[res], uint8(n))
	}
	g.takeGoods(i, most)
	return true
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

// answerBuy buys of the Traveling Merchant, a gold for each, or nothing.
func (g *deciding) answerBuy(i int, t *Task) *domain.Refusal {
	if g.mv.Verb == Pass {
		g.drop(i)
		return nil
	}
	want, r := g.wanted(Buy)
	if r != nil {
		return r
	}
	if r := g.s.mayBuy(t, want); r != nil {
		return r
	}
	old := g.drop(i)
	g.push(Task{Kind: taskPay, Seat: old.Seat, Need: just(GoldRes, uint8(want.total())), Card: old.Card})
	g.push(Task{Kind: taskGain, Seat: old.Seat, Need: want, Card: old.Card})
	return nil
}

func (l *lister) buys(t *Task) {
	for n := range l.s.buyable(t) {
		l.goods(Buy, l.s.wares(l.seat), n+1, nil)
	}
	l.add(Move{Verb: Pass})
}

// wares are the resources worth a gold to a seat: what it can store, gold excepted.
func (s *State) wares(seat domain.Seat) Goods {
	g := s.Realms[seat].rooms()
	g[GoldRes] = 0
	return g
}

// buyable is how many resources a seat can buy of the Traveling Merchant.
func (s *State) buyable(t *Task) int {
	return min(int(t.N), mostNamed, int(s.Realms[t.Seat].stock()[GoldRes]), s.wares(t.Seat).total())
}

func (s *State) boughtAll(t *Task) bool { return s.buyable(t) == 0 }

// mayBuy refuses what the Traveling Merchant does not sell, what there is no gold for, and what
// cannot be stored.
func (s *State) mayBuy(t *Task, want Goods) *domain.Refusal {
	wares := s.wares(t.Seat)
	switch {
	case want[GoldRes] > 0:
		return domain.Refuse("no-gold-for-gold")
	case want.total() > int(t.N):
		return domain.Refuse("buy-most", "n", int(t.N))
	case want.total() > int(s.Realms[t.Seat].stock()[GoldRes]):
		return domain.Refuse("cannot-pay")
	}
	for res, n := range want {
		if n > wares[res] {
			return domain.Refuse("no-room", "resource", Res(res).say())
		}
	}
	return nil
}

// answerReturn gives one resource back; if the other cannot store it, it is lost.
func (g *deciding) answerReturn(i int, t *Task) *domain.Refusal {
	want, r := g.wanted(Give)
	if r != nil || want.total() != 1 {
		return domain.Refuse("name-a-resource")
	}
	if !g.s.Realms[t.Seat].stock().covers(want) {
		return domain.Refuse("cannot-pay")
	}
	old := g.drop(i)
	g.push(Task{Kind: taskPay, Seat: old.Seat, Need: want, Card: old.Card})
	g.push(Task{Kind: taskGain, Seat: other(old.Seat), N: 1, Res: maskOf(want), Card: old.Card})
	return nil
}

func (l *lister) returns(*Task) { l.goods(Give, l.r.stock(), 1, nil) }

func (s *State) emptyStores(t *Task) bool { return s.Realms[t.Seat].stock().total() == 0 }
