package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// A gain: goods are stored at the places that the seat chooses; what finds no room is lost.

// answerGain stores all that is asked at the places named, in one answer.
func (g *deciding) answerGain(i int, t *state.Task) *domain.Refusal {
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
		if named, r = placesFor(g.s, t, want); r != nil {
			return r
		}
	default:
		return domain.Refuse("store-first")
	}
	x := gainSpread(g.s, t)
	if p, wrong := x.wrong(named); wrong {
		return notThere(g.s, t.Seat, p)
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("store-all", "n", asked)
	}
	for k, n := range runs(named) {
		g.gainAt(i, named[k].Place(), n)
	}
	return nil
}

// placesFor are the places of resources that are gained by name.
func placesFor(s *state.State, t *state.Task, want table.Goods) (named []state.PlaceWord, r *domain.Refusal) {
	open := gainable(s, t)
	for res, n := range want {
		if n == 0 {
			continue
		}
		at := table.NoPlace
		for p := range table.In[table.Place](open) {
			if s.Realms[t.Seat].Yields(p) != table.Res(res) {
				continue
			}
			if at != table.NoPlace {
				return nil, domain.Refuse("which-place", "resource", table.Res(res).Say())
			}
			at = p
		}
		switch {
		case at == table.NoPlace && !brings(t, table.Res(res)):
			return nil, domain.Refuse("not-gained", "resource", table.Res(res).Say())
		case at == table.NoPlace || s.Realms[t.Seat].Room(at) < n && t.Arg != state.OneKind:
			return nil, domain.Refuse("no-room", "resource", table.Res(res).Say())
		}
		if t.Arg == state.OneKind {
			n = min(n, s.Realms[t.Seat].Room(at))
		}
		for range n {
			named = append(named, state.WordPlace(at))
		}
	}
	slices.Sort(named)
	return named, nil
}

// notThere says why a gain cannot be stored at a place: there is none, it is full, or something
// else belongs there.
func notThere(s *state.State, seat domain.Seat, p table.Place) *domain.Refusal {
	r := &s.Realms[seat]
	switch {
	case p >= table.Places || r.Yields(p) == table.NoRes:
		return domain.Refuse("no-place-there", "place", p.Name())
	case r.Room(p) == 0:
		return domain.Refuse("place-full", "place", p.Name())
	}
	return domain.Refuse("cannot-store-there", "place", p.Name())
}

func (l *lister) gains(t *state.Task) {
	if t.N == 1 && t.Need == (table.Goods{}) {
		for p := range table.In[table.Place](gainable(l.s, t)) {
			l.add(state.Move{Verb: state.Into, Into: [4]state.PlaceWord{state.WordPlace(p)}})
		}
		return
	}
	l.x = gainSpread(l.s, t)
	l.x.ways(func(named []state.PlaceWord) {
		m := state.Move{Verb: state.Into}
		copy(m.Into[:], named)
		l.add(m)
	})
}

// brings tells whether a resource is among those that a task gains.
func brings(t *state.Task, res table.Res) bool { return t.N > 0 && t.Res.Has(res) || t.Need[res] > 0 }

// gainable are the places that a gain may go to.
func gainable(s *state.State, t *state.Task) (m uint64) {
	r := &s.Realms[t.Seat]
	var wanted [table.Resources]bool
	for res := range wanted {
		wanted[res] = brings(t, table.Res(res))
	}
	from, to := r.Span()
	for p := from; p < to; p++ {
		if q := &r.Regions[p]; q.Number != 0 && q.Stored < table.Capacity && wanted[q.Terrain] {
			m |= 1 << p
		}
	}
	if r.Cache != table.NoPlace && r.CacheGold < table.Capacity && wanted[table.GoldRes] {
		m |= 1 << table.CachePlace
	}
	if t.Mask != 0 {
		m &= t.Mask
	}
	return m
}

// gained tells whether nothing comes any more, or nothing that there is room for.
func gained(s *state.State, t *state.Task) bool {
	return t.N == 0 && t.Need == (table.Goods{}) || gainable(s, t) == 0
}

// autoGain stores what can only go to one place, and what the move named.
func (g *deciding) autoGain(i int) bool {
	t := &g.s.Tasks[i]
	open := gainable(g.s, t)
	if t.Seat == g.seat && g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 && open&(1<<g.mv.Into[g.stored].Place()) != 0 {
		p := g.mv.Into[g.stored].Place()
		g.stored++
		g.gainAt(i, p, 1)
		return true
	}
	if t.Arg == state.OneKind {
		if open&(open-1) != 0 {
			return false
		}
		g.gainAt(i, table.Lowest(open), min(t.N, g.s.Realms[t.Seat].Room(table.Lowest(open))))
		return true
	}
	return g.forced(i, open, (*state.Realm).Room, (*deciding).gainAt)
}

// gainAt stores some at a place.
func (g *deciding) gainAt(i int, p table.Place, n uint8) {
	t := &g.s.Tasks[i]
	res := g.s.Realms[t.Seat].Yields(p)
	if t.Arg == state.OneKind {
		t.Res, t.Arg = table.Only(res), 0
	}
	if t.N > 0 {
		t.N -= min(n, t.N)
	} else {
		t.Need[res] -= min(n, t.Need[res])
	}
	g.do(state.Op{Code: state.OpGain, Seat: t.Seat, Place: p, N: int16(n)})
	g.queued = true
}

func (g *deciding) gainAny(i int, t *state.Task) {
	g.gainAt(i, pickPlace(g.s, t.Seat, gainable(g.s, t), false), 1)
}
