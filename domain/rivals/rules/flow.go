package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Goods that flow: a payment leaves the places that its seat chooses, a gain is stored at those. A
// demand that finds nothing more is over, and what finds no room is lost.

// isGain tells whether a task stores goods; others that flow take them away.
func isGain(t *state.Task) bool { return t.Kind == state.TaskGain }

// holds is how much of a task's goods a place can give, or has room for.
func holds(r *state.Realm, t *state.Task, p table.Place) uint8 {
	if isGain(t) {
		return r.Room(p)
	}
	return r.Store(p)
}

// flows are the resources that a task still pays or gains.
func flows(t *state.Task) table.ResMask {
	m := table.MaskOf(t.Need)
	switch {
	case t.N > 0 && isGain(t):
		m |= t.Res
	case t.N > 0:
		m = table.AnyRes
	}
	return m
}

// openTo are the places that a payment may come from next, or a gain go to.
func openTo(s *state.State, t *state.Task) (m uint64) {
	kinds, useless := flows(t), uint8(0)
	if kinds == 0 {
		return 0
	}
	if isGain(t) {
		useless = table.Capacity
	}
	r := &s.Realms[t.Seat]
	from, to := r.Span()
	for p := from; p < to; p++ {
		if q := &r.Regions[p]; q.Stored != useless && kinds&(1<<q.Terrain) != 0 && q.Number != 0 {
			m |= 1 << p
		}
	}
	if r.Cache != table.NoPlace && r.CacheGold != useless && kinds.Has(table.GoldRes) {
		m |= 1 << table.CachePlace
	}
	if t.Mask != 0 {
		m &= t.Mask
	}
	return m
}

// stored are the places of a single resource that comes for a payment, where one answer says
// both: the payment is the seat's own, and does not make room for what it brings. It is empty
// where the gain is a question of its own, or none.
func stored(s *state.State) uint64 {
	pay, gain := &s.Tasks[0], &s.Tasks[1]
	if s.TasksN < 2 || !isGain(gain) || gain.Seat != pay.Seat || pay.N > 0 || gain.Arg == state.OneKind || int(gain.N)+gain.Need.Total() != 1 ||
		flows(pay)&flows(gain) != 0 {
		return 0
	}
	open := openTo(s, gain)
	if open&(open-1) == 0 {
		return 0
	}
	return open
}

// flow lists the ways to pay or to store: where one place does it all, that place.
func (l *lister) flow(t *state.Task) {
	into := uint64(0)
	if !isGain(t) {
		into = stored(l.s)
	}
	put := func(named []state.PlaceWord) {
		m := state.Move{Verb: kinds[t.Kind].verb}
		if isGain(t) {
			copy(m.Into[:], named)
		} else {
			copy(m.Pay[:], named)
		}
		if into == 0 {
			l.add(m)
		}
		for p := range table.In[table.Place](into) {
			m.Into[0] = state.WordPlace(p)
			l.add(m)
		}
	}
	if int(t.N)+t.Need.Total() == 1 || !isGain(t) && t.Arg == state.FromOne {
		for p := range table.In[table.Place](openTo(l.s, t)) {
			l.x.buf[0] = state.WordPlace(p)
			put(l.x.buf[:1])
		}
		return
	}
	l.x = spreadOf(l.s, t)
	l.x.ways(put)
}

// answerPay pays all that is asked from the places named, in one answer.
func (g *deciding) answerPay(t state.Task) *domain.Refusal {
	if g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if open := stored(g.s); open != 0 {
		switch w := g.mv.Into[0]; {
		case w == 0:
			return domain.Refuse("store-first")
		case w.Place() >= table.Places || open&(1<<w.Place()) == 0:
			return notThere(g.s, &g.s.Tasks[1], w.Place())
		}
	}
	if t.Arg == state.FromOne {
		if p := g.mv.Pay[0].Place(); p >= table.Places || openTo(g.s, &t)&(1<<p) == 0 {
			return notThere(g.s, &t, p)
		}
		return nil // run pays it
	}
	named := state.WordsIn(g.mv.Pay[:])
	g.paid = len(named)
	return g.moveAll(&t, named, "pay-all")
}

// answerGain stores all that is asked at the places named, in one answer.
func (g *deciding) answerGain(t state.Task) *domain.Refusal {
	var named []state.PlaceWord
	switch {
	case g.mv.Verb == state.Into && g.mv.Into[0] != 0:
		named = state.WordsIn(g.mv.Into[:])
		g.stored = len(named)
	case g.mv.Verb == state.Take && g.mv.Res != 0: // the resources, where only one place can hold each
		var r *domain.Refusal
		want := g.mv.Goods()
		if t.Arg == state.OneKind && want.Total() == 1 { // the kind is enough: all of it is gained
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

// moveAll pays from the places named or stores there, one each time that it is named; fewer than are
// asked are refused.
func (g *deciding) moveAll(t *state.Task, named []state.PlaceWord, fewer string) *domain.Refusal {
	x := spreadOf(g.s, t)
	if p, wrong := x.wrong(named); wrong {
		return notThere(g.s, t, p)
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse(fewer, "n", asked)
	}
	for len(named) > 0 {
		n := 1
		for n < len(named) && named[n] == named[0] {
			n++
		}
		g.move(named[0].Place(), uint8(n))
		named = named[n:]
	}
	return nil
}

// placesFor are the places of resources that are gained by name.
func placesFor(s *state.State, t *state.Task, want table.Goods) (named []state.PlaceWord, r *domain.Refusal) {
	realm, open := &s.Realms[t.Seat], openTo(s, t)
	for res := range table.Res(table.Resources) {
		n := want[res]
		if n == 0 {
			continue
		}
		at := table.NoPlace
		for p := range table.In[table.Place](open) {
			if realm.Yields(p) != res {
				continue
			}
			if at != table.NoPlace {
				return nil, domain.Refuse("which-place", "resource", res.Say())
			}
			at = p
		}
		switch {
		case at == table.NoPlace && !flows(t).Has(res):
			return nil, domain.Refuse("not-gained", "resource", res.Say())
		case at == table.NoPlace || realm.Room(at) < n && t.Arg != state.OneKind:
			return nil, domain.Refuse("no-room", "resource", res.Say())
		}
		named = append(named, slices.Repeat([]state.PlaceWord{state.WordPlace(at)}, int(min(n, realm.Room(at))))...)
	}
	slices.Sort(named)
	return named, nil
}

// notThere says why goods of a task cannot be paid from a place, or stored there: there is none, it is
// full, or something else belongs there.
func notThere(s *state.State, t *state.Task, p table.Place) *domain.Refusal {
	why, r := "cannot-store-there", &s.Realms[t.Seat]
	switch {
	case !isGain(t):
		why = "cannot-pay-there"
	case p >= table.Places || r.Yields(p) == table.NoRes:
		why = "no-place-there"
	case r.Room(p) == 0:
		why = "place-full"
	}
	return domain.Refuse(why, "place", p.Name())
}

// autoFlow pays or stores what can only be in one way, and what the move named.
func (g *deciding) autoFlow() bool {
	t := &g.s.Tasks[0]
	open := openTo(g.s, t)
	if open == 0 {
		g.drop()
		return true
	}
	named, used := g.mv.Pay[:], &g.paid
	if isGain(t) {
		named, used = g.mv.Into[:], &g.stored
	}
	if t.Seat == g.seat && *used < len(named) && named[*used] != 0 && open&(1<<named[*used].Place()) != 0 {
		word := named[*used]
		for *used++; !isGain(t) && t.Arg == state.FromOne && *used < len(named) && named[*used] == word; {
			*used++
		}
		g.move(word.Place(), 1)
		return true
	}
	if t.Arg != state.FromOne { // and not of OneKind, which is the same number
		return g.forced(open)
	}
	if open&(open-1) != 0 {
		return false
	}
	p := table.Place(bits.TrailingZeros64(open))
	g.move(p, min(t.N, holds(&g.s.Realms[t.Seat], t, p)))
	return true
}

// forced pays from a place, or stores there, what must be because the others together cannot do
// it; all of it if there is only one way. What is left is asked.
func (g *deciding) forced(open uint64) (some bool) {
	t := &g.s.Tasks[0]
	r := &g.s.Realms[t.Seat]
	var have table.Goods
	all := 0
	for p := range table.In[table.Place](open) {
		n := holds(r, t, p)
		have[r.Yields(p)] += n
		all += int(n)
	}
	owed, need := int(t.N), t.Need
	for p := range table.In[table.Place](open) {
		spare := all - owed
		if owed == 0 {
			spare = int(have[r.Yields(p)]) - int(need[r.Yields(p)])
		}
		if n := int(holds(r, t, p)); n > spare {
			g.move(p, uint8(n-max(0, spare)))
			some = true
		}
	}
	return some
}

// move pays some from a place (all that is owed where one place must pay all), or stores some there.
func (g *deciding) move(p table.Place, n uint8) {
	t := &g.s.Tasks[0]
	res, code := g.s.Realms[t.Seat].Yields(p), state.OpPay
	switch {
	case isGain(t):
		if code = state.OpGain; t.Arg == state.OneKind {
			t.Res, t.Arg = table.Only(res), 0
		}
	case t.Arg == state.FromOne:
		n = t.Need[res]
	}
	if t.N > 0 {
		t.N -= min(n, t.N)
	} else {
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(state.Op{Code: code, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

// moveAny pays from the fullest place, or stores at the emptiest.
func (g *deciding) moveAny(t *state.Task) {
	best, most := table.NoPlace, uint8(0)
	for p := range table.In[table.Place](openTo(g.s, t)) {
		if n := holds(&g.s.Realms[t.Seat], t, p); n > most {
			best, most = p, n
		}
	}
	g.move(best, 1)
}
