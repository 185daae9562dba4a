package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Answers about resources: to take from the other, buy, give back, leave out, pay and store.

func namesGoods(m *state.Move) bool { return m.Goods() != (table.Goods{}) }

// goods lists the ways to name one or two resources out of some.
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
			g := table.Just(a, 1)
			g[b]++
			if n == 2 && covers(of, g) && (also == nil || also(g)) {
				l.add(state.Move{Verb: v, Res: state.WordRes(a), Res2: state.WordRes(b)})
			}
		}
	}
}

// answerTake names what the Trade face takes from the other.
func (g *deciding) answerTake(t state.Task) *domain.Refusal {
	want, asked := g.mv.Goods(), taken(g.s, &t)
	switch {
	case !covers(g.s.Realms[state.Other(t.Seat)].Stock(), want):
		return domain.Refuse("nothing-to-take")
	case !covers(storable(g.s, t.Seat), want):
		return domain.Refuse("cannot-store-that")
	case want.Total() > asked && mayTakeFewer(g.s):
		return domain.Refuse("take-most", "n", asked)
	case want.Total() != asked && !mayTakeFewer(g.s):
		return domain.Refuse("take-all", "n", asked)
	}
	g.takeGoods(t, want)
	return nil
}

// mayTakeFewer reports whether the Moneylender, Brigands and the Library may take fewer than they could.
func mayTakeFewer(s *state.State) bool { return s.Rules&table.TakeFewer != 0 }

func (l *lister) takes(t *state.Task) {
	most := taken(l.s, t)
	least := most
	if mayTakeFewer(l.s) {
		least = 1
	}
	for n := least; n <= most; n++ {
		l.goods(state.Take, storable(l.s, l.seat), n, nil)
	}
}

// taken returns how many resources the Trade face lets a seat name: no more than it can store.
func taken(s *state.State, t *state.Task) int {
	return min(int(t.N), storable(s, t.Seat).Total(), mostNamed)
}

// autoTake takes the only kind there is, or everything there is.
func (g *deciding) autoTake() bool {
	t := &g.s.Tasks[0]
	most := storable(g.s, t.Seat)
	n := taken(g.s, t)
	if n > 1 && mayTakeFewer(g.s) {
		return false
	}
	if kinds := table.MaskOf(most); kinds&(kinds-1) != 0 && most.Total() > n {
		return false
	}
	for res := range most {
		most[res] = min(most[res], uint8(n))
	}
	g.takeGoods(g.drop(), most)
	return true
}

// takeGoods takes resources from the other, who chooses the regions.
func (g *deciding) takeGoods(t state.Task, want table.Goods) {
	for res, n := range want {
		if n > 0 {
			g.do(state.Op{Code: state.OpWant, Seat: t.Seat, Res: table.Res(res), N: int16(n)})
		}
	}
	g.transfer(state.Other(t.Seat), want, t.Card)
}

// answerBuy buys from the Traveling Merchant for a gold each, or buys nothing.
func (g *deciding) answerBuy(t state.Task) *domain.Refusal {
	want, wares, have := g.mv.Goods(), wares(g.s, t.Seat), g.s.Realms[t.Seat].Stock()
	switch {
	case want[table.GoldRes] > 0:
		return domain.Refuse("no-gold-for-gold")
	case want.Total() > int(t.N):
		return domain.Refuse("buy-most", "n", int(t.N))
	case want.Total() > int(have[table.GoldRes]):
		return tooDear(have, table.Just(table.GoldRes, uint8(want.Total())), 0)
	}
	for res, n := range want {
		if n > wares[res] {
			return domain.Refuse("no-room", "resource", table.Res(res).Say())
		}
	}
	g.push(state.Task{Kind: state.TaskPay, Seat: t.Seat, Need: table.Just(table.GoldRes, uint8(want.Total())),
		Card: t.Card})
	g.push(state.Task{Kind: state.TaskGain, Seat: t.Seat, Need: want, Card: t.Card})
	return nil
}

func (l *lister) buys(t *state.Task) {
	for n := range buyable(l.s, t) {
		l.goods(state.Buy, wares(l.s, l.seat), n+1, nil)
	}
}

// wares returns the resources that a seat might pay a gold for: what it can store, except gold.
func wares(s *state.State, seat domain.Seat) table.Goods {
	g := s.Realms[seat].Spaces()
	g[table.GoldRes] = 0
	return g
}

// buyable returns how many resources a seat can buy from the Traveling Merchant.
func buyable(s *state.State, t *state.Task) int {
	return min(int(t.N), mostNamed, int(s.Realms[t.Seat].Lies(table.GoldRes)), wares(s, t.Seat).Total())
}

// answerReturn gives one resource back; if the other cannot store it, it is lost.
func (g *deciding) answerReturn(t state.Task) *domain.Refusal {
	want, have := g.mv.Goods(), g.s.Realms[t.Seat].Stock()
	switch {
	case want.Total() != 1:
		return domain.Refuse("name-a-resource")
	case !covers(have, want):
		return tooDear(have, want, 0)
	}
	g.push(state.Task{Kind: state.TaskPay, Seat: t.Seat, Need: want, Card: t.Card})
	g.push(state.Task{Kind: state.TaskGain, Seat: state.Other(t.Seat), N: 1, Res: table.MaskOf(want), Card: t.Card})
	return nil
}

// answerSave leaves out the named resources, up to what the discounts allow.
func (g *deciding) answerSave(t state.Task) *domain.Refusal {
	want := g.mv.Goods()
	if !maySave(g.s, &t, want) {
		return domain.Refuse("cannot-save")
	}
	if asked := min(int(t.N), mostNamed); want.Total() != asked {
		return domain.Refuse("save-all", "n", asked)
	}
	for res, n := range want {
		for range n {
			g.save(table.Res(res))
		}
	}
	return nil
}

func (l *lister) saves(t *state.Task) {
	l.goods(state.Save, t.Need, min(int(t.N), mostNamed), func(g table.Goods) bool { return maySave(l.s, t, g) })
}

// maySave reports whether a discount could leave out these resources, with the rest affordable.
func maySave(s *state.State, t *state.Task, want table.Goods) bool {
	if !covers(t.Need, want) {
		return false
	}
	rest := t.Need
	for res, n := range want {
		rest[res] -= n
	}
	return affords(s.Realms[t.Seat].Stock(), rest, int8(t.N)-int8(want.Total()))
}

// savable returns the resources that a discount could leave out, with the rest affordable.
func savable(s *state.State, t *state.Task) (m table.ResMask) {
	for res := range table.Res(table.Resources) {
		if maySave(s, t, table.Just(res, 1)) {
			m |= table.Only(res)
		}
	}
	return m
}

// autoSave leaves out the only resource possible; if there is none, the player pays everything.
func (g *deciding) autoSave() bool {
	switch m := savable(g.s, &g.s.Tasks[0]); {
	case m == 0:
		g.drop()
	case m&(m-1) != 0:
		return false
	default:
		g.save(m.First())
	}
	return true
}

func (g *deciding) save(res table.Res) {
	t := &g.s.Tasks[0]
	t.Need[res]--
	if t.N--; t.N == 0 {
		t.Kind = state.TaskPay
	}
	g.queued = true
}

// answerPay pays everything due from the named places, in one answer.
func (g *deciding) answerPay(t state.Task) *domain.Refusal {
	if g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if open := stored(g.s); open != 0 {
		switch w := g.mv.Into[0]; {
		case w == 0:
			return domain.Refuse("store-first")
		case !has(open, w.Place()):
			return notThere(g.s, &g.s.Tasks[1], w.Place())
		}
	}
	if t.Arg == state.FromOne {
		if p := g.mv.Pay[0].Place(); !has(openTo(g.s, &t), p) {
			return notThere(g.s, &t, p)
		}
		return nil // run pays it
	}
	named := state.WordsIn(g.mv.Pay[:])
	g.paid = len(named)
	return g.moveAll(&t, named, "pay-all")
}

// answerGain stores everything due at the named places, in one answer.
func (g *deciding) answerGain(t state.Task) *domain.Refusal {
	var named []state.PlaceWord
	switch {
	case g.mv.Verb == state.Into && g.mv.Into[0] != 0:
		named = state.WordsIn(g.mv.Into[:])
		g.stored = len(named)
	case g.mv.Verb == state.Take && g.mv.Res != 0: // the resources, if only one place can hold each
		var r *domain.Refusal
		want := g.mv.Goods()
		if t.Arg == state.OneKind && want.Total() == 1 { // the kind is enough: the player gains all of it
			want[g.mv.Res.Res()] = min(t.N, mostGains)
		}
		if named, r = placesFor(g.s, &t, want); r != nil {
			return r
		}
	default:
		return domain.Refuse("store-first")
	}
	return g.moveAll(&t, named, "store-all")
}

// placesFor returns the places of resources gained by name.
func placesFor(s *state.State, t *state.Task, want table.Goods) (named []state.PlaceWord, r *domain.Refusal) {
	realm, open := &s.Realms[t.Seat], openTo(s, t)
	lost, may := 0, has(open, table.LostPlace)
	for res := range table.Res(table.Resources) {
		n := want[res]
		if n == 0 {
			continue
		}
		at := table.NoPlace
		for p := range table.In[table.Place](open &^ (1 << table.LostPlace)) {
			if realm.Yields(p) != res {
				continue
			}
			if at != table.NoPlace {
				return nil, domain.Refuse("which-place", "resource", res.Say())
			}
			at = p
		}
		switch {
		case !flows(t).Has(res):
			return nil, domain.Refuse("not-gained", "resource", res.Say())
		case may && at == table.NoPlace:
			if t.Arg == state.OneKind {
				n = 1
			}
			lost += int(n)
			continue
		case may && t.Arg != state.OneKind && realm.Space(at) < n:
			lost += int(n - realm.Space(at))
		case at == table.NoPlace || realm.Space(at) < n && t.Arg != state.OneKind:
			return nil, domain.Refuse("no-room", "resource", res.Say())
		}
		named = append(named, slices.Repeat([]state.PlaceWord{state.WordPlace(at)}, int(min(n, realm.Space(at))))...)
	}
	slices.Sort(named)
	return append(named, slices.Repeat([]state.PlaceWord{state.WordPlace(table.LostPlace)}, lost)...), nil
}

// notThere says why goods of a task cannot be paid from a place, or stored there: it does not exist, it is full, or
// something else belongs there.
func notThere(s *state.State, t *state.Task, p table.Place) *domain.Refusal {
	why, r := "cannot-store-there", &s.Realms[t.Seat]
	switch {
	case isGain(t) && p == table.LostPlace:
		why = "nothing-is-lost"
	case !isGain(t):
		why = "cannot-pay-there"
	case p >= table.Places || r.Yields(p) == table.NoRes:
		why = "no-place-there"
	case r.Space(p) == 0:
		why = "place-full"
	}
	return domain.Refuse(why, "place", table.PlaceSay(p))
}
