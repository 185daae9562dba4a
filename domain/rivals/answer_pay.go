package rivals

import "posthorn/domain"

// A payment: goods leave the places that the seat chooses, perhaps fewer than the card says.

// answerPay pays all that is asked from the places named, in one answer.
func (g *deciding) answerPay(i int, t *Task) *domain.Refusal {
	if g.mv.Verb != PayFrom || g.mv.Pay[0] == 0 {
		return domain.Refuse("pay-first")
	}
	if open := g.s.stored(i); open != 0 {
		switch w := g.mv.Into[0]; {
		case w == 0:
			return domain.Refuse("store-first")
		case w.place() >= places || open&(1<<w.place()) == 0:
			return g.s.notThere(t.Seat, w.place())
		}
	}
	if t.Arg == fromOne {
		p := g.mv.Pay[0].place()
		if p >= places || g.s.payable(t)&(1<<p) == 0 {
			return domain.Refuse("cannot-pay-there", "place", p.Name())
		}
		return nil // run pays it
	}
	named := wordsIn(g.mv.Pay[:])
	x := g.s.paySpread(t)
	if p, wrong := x.wrong(named); wrong {
		return domain.Refuse("cannot-pay-there", "place", p.Name())
	}
	if asked := x.asked(named); len(named) < asked {
		return domain.Refuse("pay-all", "n", asked)
	}
	g.paid = len(named)
	for k, n := range runs(named) {
		g.payFrom(i, named[k].place(), n)
	}
	return nil
}

// pays lists the ways to pay: where one place pays all, that place.
func (l *lister) pays(t *Task) {
	into := l.s.stored(0)
	if t.Arg == fromOne || int(t.N)+t.Need.total() == 1 {
		for p := range in[Place](l.s.payable(t)) {
			l.payInto(Move{Verb: PayFrom, Pay: [8]placeWord{wordPlace(p)}}, into)
		}
		return
	}
	l.x = l.s.paySpread(t)
	l.x.ways(func(named []placeWord) {
		m := Move{Verb: PayFrom}
		copy(m.Pay[:], named)
		l.payInto(m, into)
	})
}

// payInto lists a payment, with each place for what comes for it.
func (l *lister) payInto(m Move, into uint64) {
	if into == 0 {
		l.add(m)
	}
	for p := range in[Place](into) {
		m.Into[0] = wordPlace(p)
		l.add(m)
	}
}

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

// paid tells whether nothing is owed, or nothing there to pay with: the demand finds nothing.
func (s *State) paid(t *Task) bool {
	return t.N == 0 && t.Need == (Goods{}) || s.payable(t) == 0
}

// autoPay pays what can only be paid in one way, and what the move named.
func (g *deciding) autoPay(i int) bool {
	t := &g.s.Tasks[i]
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
	if t.Arg == fromOne {
		if open&(open-1) != 0 {
			return false
		}
		g.payFrom(i, lowest(open), 1)
		return true
	}
	return g.forced(i, open, (*Realm).store, (*deciding).payFrom)
}

// forced pays from a place, or stores there, what must be because the others together cannot do
// it; all of it if there is only one way. What is left is asked.
func (g *deciding) forced(i int, open uint64, holds func(*Realm, Place) uint8, move func(*deciding, int, Place, uint8)) (some bool) {
	t := &g.s.Tasks[i]
	r := &g.s.Realms[t.Seat]
	var have Goods
	all := 0
	for p := range in[Place](open) {
		n := holds(r, p)
		have[r.yields(p)] += n
		all += int(n)
	}
	owed, need := int(t.N), t.Need
	for p := range in[Place](open) {
		n := int(holds(r, p))
		spare := all - owed
		if owed == 0 {
			res := r.yields(p)
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

func (g *deciding) payAny(i int, t *Task) {
	g.payFrom(i, g.s.pickPlace(t.Seat, g.s.payable(t), true), 1)
}

// answerSave leaves out the resources named, as many as the discounts allow.
func (g *deciding) answerSave(i int, t *Task) *domain.Refusal {
	want, r := g.wanted(Save)
	if r != nil {
		return r
	}
	if !g.s.maySave(t, want) {
		return domain.Refuse("cannot-save")
	}
	if asked := min(int(t.N), mostNamed); want.total() != asked {
		return domain.Refuse("save-all", "n", asked)
	}
	for res, n := range want {
		for range n {
			g.save(i, Res(res))
		}
	}
	return nil
}

func (l *lister) saves(t *Task) {
	l.goods(Save, t.Need, min(int(t.N), mostNamed), func(g Goods) bool { return l.s.maySave(t, g) })
}

// maySave tells whether a discount could leave out these resources, the rest being affordable.
func (s *State) maySave(t *Task, want Goods) bool {
	if !t.Need.covers(want) {
		return false
	}
	rest := t.Need
	for res, n := range want {
		rest[res] -= n
	}
	return s.Realms[t.Seat].stock().affords(rest, int8(t.N)-int8(want.total()))
}

// savable are the resources that a discount could leave out, the rest being affordable.
func (s *State) savable(t *Task) (m resMask) {
	for res := range Res(resources) {
		if s.maySave(t, just(res, 1)) {
			m |= only(res)
		}
	}
	return m
}

// autoSave leaves out the only resource that can be; where none can, all is paid.
func (g *deciding) autoSave(i int) bool {
	switch m := g.s.savable(&g.s.Tasks[i]); {
	case m == 0:
		g.drop(i)
	case m&(m-1) != 0:
		return false
	default:
		g.save(i, m.first())
	}
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

func (g *deciding) saveAny(i int, t *Task) { g.save(i, g.s.savable(t).first()) }
