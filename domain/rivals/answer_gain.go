package rivals

import (
	"slices"

	"posthorn/domain"
)

// A gain: goods are stored at the places that the seat chooses; what finds no room is lost.

// answerGain stores all that is asked at the places named, in one answer.
func (g *deciding) answerGain(i int, t *Task) *domain.Refusal {
	var named []placeWord
	switch {
	case g.mv.Verb == Into && g.mv.Into[0] != 0:
		named = wordsIn(g.mv.Into[:])
		g.stored = len(named)
	case g.mv.Verb == Take && g.mv.Res != 0: // the resources, where only one place can hold each
		var r *domain.Refusal
		want := g.mv.goods()
		if t.Arg == oneKind && want.total() == 1 { // the kind is enough: all of it is gained
			want[g.mv.Res.res()] = min(t.N, mostGains)
		}
		if named, r = g.s.placesFor(t, want); r != nil {
			return r
		}
	default:
		return domain.Refuse("store-first")
	}
	x := g.s.gainSpread(t)
	if p, wrong := x.wrong(named); wrong {
		return g.s.notThere(t.Seat, p)
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("store-all", "n", asked)
	}
	for k, n := range runs(named) {
		g.gainAt(i, named[k].place(), n)
	}
	return nil
}

// placesFor are the places of resources that are gained by name.
func (s *State) placesFor(t *Task, want Goods) (named []placeWord, r *domain.Refusal) {
	open := s.gainable(t)
	for res, n := range want {
		if n == 0 {
			continue
		}
		at := noPlace
		for p := range in[Place](open) {
			if s.Realms[t.Seat].yields(p) != Res(res) {
				continue
			}
			if at != noPlace {
				return nil, domain.Refuse("which-place", "resource", Res(res).say())
			}
			at = p
		}
		switch {
		case at == noPlace && !t.brings(Res(res)):
			return nil, domain.Refuse("not-gained", "resource", Res(res).say())
		case at == noPlace || s.Realms[t.Seat].room(at) < n && t.Arg != oneKind:
			return nil, domain.Refuse("no-room", "resource", Res(res).say())
		}
		if t.Arg == oneKind {
			n = min(n, s.Realms[t.Seat].room(at))
		}
		for range n {
			named = append(named, wordPlace(at))
		}
	}
	slices.Sort(named)
	return named, nil
}

// notThere says why a gain cannot be stored at a place: there is none, it is full, or something
// else belongs there.
func (s *State) notThere(seat domain.Seat, p Place) *domain.Refusal {
	r := &s.Realms[seat]
	switch {
	case p >= places || r.yields(p) == noRes:
		return domain.Refuse("no-place-there", "place", p.Name())
	case r.room(p) == 0:
		return domain.Refuse("place-full", "place", p.Name())
	}
	return domain.Refuse("cannot-store-there", "place", p.Name())
}

func (l *lister) gains(t *Task) {
	if t.N == 1 && t.Need == (Goods{}) {
		for p := range in[Place](l.s.gainable(t)) {
			l.add(Move{Verb: Into, Into: [4]placeWord{wordPlace(p)}})
		}
		return
	}
	l.x = l.s.gainSpread(t)
	l.x.ways(func(named []placeWord) {
		m := Move{Verb: Into}
		copy(m.Into[:], named)
		l.add(m)
	})
}

// brings tells whether a resource is among those that a task gains.
func (t *Task) brings(res Res) bool { return t.N > 0 && t.Res.has(res) || t.Need[res] > 0 }

// gainable are the places that a gain may go to.
func (s *State) gainable(t *Task) (m uint64) {
	r := &s.Realms[t.Seat]
	var wanted [resources]bool
	for res := range wanted {
		wanted[res] = t.brings(Res(res))
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

// gained tells whether nothing comes any more, or nothing that there is room for.
func (s *State) gained(t *Task) bool {
	return t.N == 0 && t.Need == (Goods{}) || s.gainable(t) == 0
}

// autoGain stores what can only go to one place, and what the move named.
func (g *deciding) autoGain(i int) bool {
	t := &g.s.Tasks[i]
	open := g.s.gainable(t)
	if t.Seat == g.seat && g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 && open&(1<<g.mv.Into[g.stored].place()) != 0 {
		p := g.mv.Into[g.stored].place()
		g.stored++
		g.gainAt(i, p, 1)
		return true
	}
	if t.Arg == oneKind {
		if open&(open-1) != 0 {
			return false
		}
		g.gainAt(i, lowest(open), min(t.N, g.s.Realms[t.Seat].room(lowest(open))))
		return true
	}
	return g.forced(i, open, (*Realm).room, (*deciding).gainAt)
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

func (g *deciding) gainAny(i int, t *Task) {
	g.gainAt(i, g.s.pickPlace(t.Seat, g.s.gainable(t), false), 1)
}
