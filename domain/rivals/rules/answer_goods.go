package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers that name resources: to take from the other, to buy, to give back.

// wanted are the resources that a move names with this verb.
func (g *deciding) wanted(v state.Verb) (table.Goods, *domain.Refusal) {
	if g.mv.Verb != v || g.mv.Goods() == (table.Goods{}) {
		return table.Goods{}, domain.Refuse("name-a-resource")
	}
	return g.mv.Goods(), nil
}

// goods lists the ways to name one or two resources of some.
func (l *lister) goods(v state.Verb, of table.Goods, n int, also func(table.Goods) bool) {
	for a := range table.Res(table.Resources) {
		if of[a] == 0 {
			continue
		}
		if n == 1 {
			if also == nil || also(table.Just(a, 1)) {
				l.add(state.Move{Verb: v, Res: state.WordRes(a)})
			}
			continue
		}
		for b := a; b < table.Resources; b++ {
			g := table.Just(a, 1).With(b)
			if n == 2 && covers(of, g) && (also == nil || also(g)) {
				l.add(state.Move{Verb: v, Res: state.WordRes(a), Res2: state.WordRes(b)})
			}
		}
	}
}

// answerTake names what the Trade face takes of the other.
func (g *deciding) answerTake(i int, t *state.Task) *domain.Refusal {
	want, r := g.wanted(state.Take)
	if r != nil {
		return r
	}
	if !covers(g.s.Realms[state.Other(t.Seat)].Stock(), want) {
		return domain.Refuse("nothing-to-take")
	}
	if !covers(storable(g.s, t.Seat), want) {
		return domain.Refuse("cannot-store-that")
	}
	if asked := taken(g.s, t); want.Total() != asked {
		return domain.Refuse("take-all", "n", asked)
	}
	g.takeGoods(i, want)
	return nil
}

func (l *lister) takes(t *state.Task) { l.goods(state.Take, storable(l.s, l.seat), taken(l.s, t), nil) }

// taken is how many resources the Trade face lets a seat name: no more than it can store.
func taken(s *state.State, t *state.Task) int {
	return min(int(t.N), storable(s, t.Seat).Total(), mostNamed)
}

func tookAll(s *state.State, t *state.Task) bool { return taken(s, t) == 0 }

// autoTake takes the only kind there is, or all there is.
func (g *deciding) autoTake(i int) bool {
	t := &g.s.Tasks[i]
	most := storable(g.s, t.Seat)
	n := taken(g.s, t)
	if kinds := table.MaskOf(most); kinds&(kinds-1) != 0 && most.Total() > n {
		return false
	}
	for res := range most {
		most[res] = min(most[res], uint8(n))
	}
	g.takeGoods(i, most)
	return true
}

// takeGoods takes resources of the other; who gives them chooses the regions.
func (g *deciding) takeGoods(i int, want table.Goods) {
	t := g.drop(i)
	for res, n := range want {
		if n > 0 {
			g.do(state.Op{Code: state.OpWant, Seat: t.Seat, Res: table.Res(res), N: int16(n)})
		}
	}
	g.transfer(state.Other(t.Seat), want, t.Card)
}

// answerBuy buys of the Traveling Merchant, a gold for each, or nothing.
func (g *deciding) answerBuy(i int, t *state.Task) *domain.Refusal {
	if g.mv.Verb == state.Pass {
		g.drop(i)
		return nil
	}
	want, r := g.wanted(state.Buy)
	if r != nil {
		return r
	}
	if r := mayBuy(g.s, t, want); r != nil {
		return r
	}
	old := g.drop(i)
	g.push(state.Task{Kind: state.TaskPay, Seat: old.Seat, Need: table.Just(table.GoldRes, uint8(want.Total())), Card: old.Card})
	g.push(state.Task{Kind: state.TaskGain, Seat: old.Seat, Need: want, Card: old.Card})
	return nil
}

func (l *lister) buys(t *state.Task) {
	for n := range buyable(l.s, t) {
		l.goods(state.Buy, wares(l.s, l.seat), n+1, nil)
	}
	l.add(state.Move{Verb: state.Pass})
}

// wares are the resources worth a gold to a seat: what it can store, gold excepted.
func wares(s *state.State, seat domain.Seat) table.Goods {
	g := s.Realms[seat].Rooms()
	g[table.GoldRes] = 0
	return g
}

// buyable is how many resources a seat can buy of the Traveling Merchant.
func buyable(s *state.State, t *state.Task) int {
	return min(int(t.N), mostNamed, int(s.Realms[t.Seat].Stock()[table.GoldRes]), wares(s, t.Seat).Total())
}

func boughtAll(s *state.State, t *state.Task) bool { return buyable(s, t) == 0 }

// mayBuy refuses what the Traveling Merchant does not sell, what there is no gold for, and what
// cannot be stored.
func mayBuy(s *state.State, t *state.Task, want table.Goods) *domain.Refusal {
	wares := wares(s, t.Seat)
	switch {
	case want[table.GoldRes] > 0:
		return domain.Refuse("no-gold-for-gold")
	case want.Total() > int(t.N):
		return domain.Refuse("buy-most", "n", int(t.N))
	case want.Total() > int(s.Realms[t.Seat].Stock()[table.GoldRes]):
		return domain.Refuse("cannot-pay")
	}
	for res, n := range want {
		if n > wares[res] {
			return domain.Refuse("no-room", "resource", table.Res(res).Say())
		}
	}
	return nil
}

// answerReturn gives one resource back; if the other cannot store it, it is lost.
func (g *deciding) answerReturn(i int, t *state.Task) *domain.Refusal {
	want, r := g.wanted(state.Give)
	if r != nil || want.Total() != 1 {
		return domain.Refuse("name-a-resource")
	}
	if !covers(g.s.Realms[t.Seat].Stock(), want) {
		return domain.Refuse("cannot-pay")
	}
	old := g.drop(i)
	g.push(state.Task{Kind: state.TaskPay, Seat: old.Seat, Need: want, Card: old.Card})
	g.push(state.Task{Kind: state.TaskGain, Seat: state.Other(old.Seat), N: 1, Res: table.MaskOf(want), Card: old.Card})
	return nil
}

func (l *lister) returns(*state.Task) { l.goods(state.Give, l.r.Stock(), 1, nil) }

func emptyStores(s *state.State, t *state.Task) bool { return s.Realms[t.Seat].Stock().Total() == 0 }
