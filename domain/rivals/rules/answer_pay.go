package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// A payment: goods leave the places that the seat chooses, perhaps fewer than the card says.

// answerPay pays all that is asked from the places named, in one answer.
func (g *deciding) answerPay(i int, t *state.Task) *domain.Refusal {
	if g.mv.Verb != state.PayFrom || g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if open := stored(g.s, i); open != 0 {
		switch w := g.mv.Into[0]; {
		case w == 0:
			return domain.Refuse("store-first")
		case w.Place() >= table.Places || open&(1<<w.Place()) == 0:
			return notThere(g.s, t.Seat, w.Place())
		}
	}
	if t.Arg == state.FromOne {
		p := g.mv.Pay[0].Place()
		if p >= table.Places || payable(g.s, t)&(1<<p) == 0 {
			return domain.Refuse("cannot-pay-there", "place", p.Name())
		}
		return nil // run pays it
	}
	named := state.WordsIn(g.mv.Pay[:])
	x := paySpread(g.s, t)
	if p, wrong := x.wrong(named); wrong {
		return domain.Refuse("cannot-pay-there", "place", p.Name())
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("pay-all", "n", asked)
	}
	g.paid = len(named)
	for k, n := range runs(named) {
		g.payFrom(i, named[k].Place(), n)
	}
	return nil
}

// pays lists the ways to pay: where one place pays all, that place.
func (l *lister) pays(t *state.Task) {
	into := stored(l.s, 0)
	if t.Arg == state.FromOne || int(t.N)+t.Need.Total() == 1 {
		for p := range table.In[table.Place](payable(l.s, t)) {
			l.payInto(state.Move{Verb: state.PayFrom, Pay: [8]state.PlaceWord{state.WordPlace(p)}}, into)
		}
		return
	}
	l.x = paySpread(l.s, t)
	l.x.ways(func(named []state.PlaceWord) {
		m := state.Move{Verb: state.PayFrom}
		copy(m.Pay[:], named)
		l.payInto(m, into)
	})
}

// payInto lists a payment, with each place for what comes for it.
func (l *lister) payInto(m state.Move, into uint64) {
	if into == 0 {
		l.add(m)
	}
	for p := range table.In[table.Place](into) {
		m.Into[0] = state.WordPlace(p)
		l.add(m)
	}
}

// payable are the places that a payment may come from next.
func payable(s *state.State, t *state.Task) (m uint64) {
	r := &s.Realms[t.Seat]
	from, to := r.Span()
	for p := from; p < to; p++ {
		q := r.Regions[p]
		if q.Number != 0 && q.Stored > 0 && (t.N > 0 || t.Need[q.Terrain] > 0) {
			m |= 1 << p
		}
	}
	if t.Mask != 0 {
		return m & t.Mask
	}
	if r.Cache != table.NoPlace && r.CacheGold > 0 && (t.N > 0 || t.Need[table.GoldRes] > 0) {
		m |= 1 << table.CachePlace
	}
	return m
}

// paid tells whether nothing is owed, or nothing there to pay with: the demand finds nothing.
func paid(s *state.State, t *state.Task) bool {
	return t.N == 0 && t.Need == (table.Goods{}) || payable(s, t) == 0
}

// autoPay pays what can only be paid in one way, and what the move named.
func (g *deciding) autoPay(i int) bool {
	t := &g.s.Tasks[i]
	open := payable(g.s, t)
	if t.Seat == g.seat && g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid] != 0 && open&(1<<g.mv.Pay[g.paid].Place()) != 0 {
		p := g.mv.Pay[g.paid].Place()
		g.paid++
		if t.Arg == state.FromOne {
			for g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid].Place() == p {
				g.paid++
			}
		}
		g.payFrom(i, p, 1)
		return true
	}
	if t.Arg == state.FromOne {
		if open&(open-1) != 0 {
			return false
		}
		g.payFrom(i, table.Lowest(open), 1)
		return true
	}
	return g.forced(i, open, (*state.Realm).Store, (*deciding).payFrom)
}

// forced pays from a place, or stores there, what must be because the others together cannot do
// it; all of it if there is only one way. What is left is asked.
func (g *deciding) forced(i int, open uint64, holds func(*state.Realm, table.Place) uint8, move func(*deciding, int, table.Place, uint8)) (some bool) {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	var have table.Goods
	all := 0
	for p := range table.In[table.Place](open) {
		n := holds(r, p)
		have[r.Yields(p)] += n
		all += int(n)
	}
	owed, need := int(t.N), t.Need
	for p := range table.In[table.Place](open) {
		n := int(holds(r, p))
		spare := all - owed
		if owed == 0 {
			res := r.Yields(p)
			spare = int(have[res]) - int(need[res])
		}
		if n > spare {
			move(g, i, p, uint8(n-max(0, spare)))
			some = true
		}
	}
	return some
}

// payFrom pays some from a place (all that is owed where one place must pay all).
func (g *deciding) payFrom(i int, p table.Place, n uint8) {
	t := &g.s.Tasks[i]
	res := g.s.Realms[t.Seat].Yields(p)
	switch {
	case t.Arg == state.FromOne:
		n = t.Need[res]
		t.Need[res] = 0
	case t.N > 0:
		t.N -= min(n, t.N)
	default:
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(state.Op{Code: state.OpPay, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

func (g *deciding) payAny(i int, t *state.Task) {
	g.payFrom(i, pickPlace(g.s, t.Seat, payable(g.s, t), true), 1)
}

// answerSave leaves out the resources named, as many as the discounts allow.
func (g *deciding) answerSave(i int, t *state.Task) *domain.Refusal {
	want, r := g.wanted(state.Save)
	if r != nil {
		return r
	}
	if !maySave(g.s, t, want) {
		return domain.Refuse("cannot-save")
	}
	if asked := min(int(t.N), mostNamed); want.Total() != asked {
		return domain.Refuse("save-all", "n", asked)
	}
	for res, n := range want {
		for range n {
			g.save(i, table.Res(res))
		}
	}
	return nil
}

func (l *lister) saves(t *state.Task) {
	l.goods(state.Save, t.Need, min(int(t.N), mostNamed), func(g table.Goods) bool { return maySave(l.s, t, g) })
}

// maySave tells whether a discount could leave out these resources, the rest being affordable.
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

// savable are the resources that a discount could leave out, the rest being affordable.
func savable(s *state.State, t *state.Task) (m table.ResMask) {
	for res := range table.Res(table.Resources) {
		if maySave(s, t, table.Just(res, 1)) {
			m |= table.Only(res)
		}
	}
	return m
}

// autoSave leaves out the only resource that can be; where none can, all is paid.
func (g *deciding) autoSave(i int) bool {
	switch m := savable(g.s, &g.s.Tasks[i]); {
	case m == 0:
		g.drop(i)
	case m&(m-1) != 0:
		return false
	default:
		g.save(i, m.First())
	}
	return true
}

func (g *deciding) save(i int, res table.Res) {
	t := &g.s.Tasks[i]
	t.Need[res]--
	if t.N--; t.N == 0 {
		t.Kind = state.TaskPay
	}
	g.queued = true
}

func (g *deciding) saveAny(i int, t *state.Task) { g.save(i, savable(g.s, t).First()) }
