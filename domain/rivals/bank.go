package rivals

import "posthorn/domain"

// rates are a seat's better rates: how often Mints serve in a turn, the resources of its trade
// ships, and those that a Large Trade Ship has two of beside it.
func (s *State) rates(seat domain.Seat) (mints uint8, ships, near resMask) {
	r := &s.Realms[seat]
	if r.Marks&marksBank == 0 {
		return 0, 0, 0
	}
	for t := int(r.Left); t <= int(r.Right); t++ {
		for side := range 2 {
			for slot, c := range r.Towns[t].Sites[side] {
				row := printings[c].Row
				if row.bank == nil {
					continue
				}
				switch e := row.bank; {
				case e.What == "near":
					for _, p := range neighbours(siteAt(t, side, slot)) {
						if q := r.Regions[p]; q.Stored >= uint8(e.N) {
							near |= only(q.Terrain)
						}
					}
				case e.Times > 0:
					mints += uint8(e.Times)
				default:
					ships |= only(row.rate)
				}
			}
		}
	}
	return mints, ships, near
}

// rate is the best way to exchange a resource at n to 1: whether there is one, whether it
// uses a Mint, and which places may pay if not all (a Large Trade Ship's neighbours).
func (s *State) rate(seat domain.Seat, res Res, n uint8) (ok, mint bool, from uint64) {
	if n == 3 {
		return true, false, 0
	}
	mints, ships, near := s.rates(seat)
	switch {
	case n == 1:
		return res == GoldRes && mints > s.Mints, true, 0
	case ships.has(res):
		return true, false, 0
	case !near.has(res):
		return false, false, 0
	}
	r := &s.Realms[seat]
	for at, c := range r.cards() {
		if e := c.Row().bank; e != nil && e.What == "near" {
			for _, p := range neighbours(at) {
				if q := r.Regions[p]; q.Terrain == res && q.Stored >= n {
					from |= 1 << p
				}
			}
		}
	}
	return true, false, from
}

// mayBank tells what keeps an exchange from being made. An exchange whose gain could not be
// stored is none.
func (s *State) mayBank(seat domain.Seat, n uint8, give, want Res) check {
	r := &s.Realms[seat]
	switch {
	case give >= resources || n < 1 || n > 3:
		return "unreadable"
	case give == want:
		return "same-resource"
	case r.stock()[give] < n:
		return "cannot-pay"
	case r.roomFor(wanted(give, want)) == 0:
		return "no-room"
	}
	if ok, _, _ := s.rate(seat, give, n); !ok {
		return "no-such-rate"
	}
	return ""
}

// wanted are the resources an exchange may bring: the one named, or any other than given.
func wanted(give, want Res) resMask {
	if want < resources {
		return only(want)
	}
	return anyRes &^ only(give)
}

// roomFor is how much more of some resources could be stored.
func (r *Realm) roomFor(m resMask) (n int) {
	for res, room := range r.rooms() {
		if m.has(Res(res)) {
			n += int(room)
		}
	}
	return n
}

// bank exchanges resources: three of a kind for another always, two with a trade ship of
// that kind or from one region beside a Large Trade Ship, one gold with a Mint. What comes for
// it may be named at once, or is asked.
func (g *deciding) bank() *domain.Refusal {
	n, give, want := g.mv.N, g.mv.Res.res(), g.mv.Res2.res()
	if wrong := g.s.mayBank(g.seat, n, give, want); wrong != "" {
		what := domain.S("bank.any-other")
		if want < resources {
			what = domain.S("res." + want.String())
		}
		return wrong.refusal("n", int(n), "resource", what)
	}
	_, mint, from := g.s.rate(g.seat, give, n)
	t := Task{Kind: taskPay, Seat: g.seat, Mask: from}
	t.Need[give] = n
	if from != 0 {
		t.Arg = fromOne
	}
	if mint {
		g.do(Op{Code: opMint, Seat: g.seat})
	}
	g.push(t)
	g.push(Task{Kind: taskGain, Seat: g.seat, N: 1, Res: wanted(give, want)})
	return nil
}
