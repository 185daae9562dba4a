package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// rates are a seat's better rates: how often Mints serve in a turn, the resources of its trade ships,
// and, of each resource, the regions beside a Large Trade Ship that can pay two.
func rates(s *state.State, seat domain.Seat) (mints uint8, ships table.ResMask, near [table.Resources]uint64) {
	r := &s.Realms[seat]
	if r.Marks&table.MarksBank == 0 {
		return mints, ships, near
	}
	for at, c := range r.Cards() {
		switch e := c.Row().Bank; {
		case e == nil:
		case e.What == "near":
			for _, p := range table.Neighbours(at) {
				if q := r.Regions[p]; q.Stored >= uint8(e.N) {
					near[q.Terrain] |= 1 << p
				}
			}
		case e.Times > 0:
			mints += uint8(e.Times)
		default:
			ships |= table.Only(c.Row().Rate)
		}
	}
	return mints, ships, near
}

// rate is the best way to exchange a resource at n to 1: whether there is one, and which places may pay
// if not all.
func rate(s *state.State, seat domain.Seat, res table.Res, n uint8) (ok bool, from uint64) {
	mints, ships, near := rates(s, seat)
	switch {
	case n == 3 || n == 2 && ships.Has(res):
		return true, 0
	case n == 1:
		return res == table.GoldRes && mints > s.Mints, 0
	}
	return near[res] != 0, near[res]
}

// mayBank tells what keeps an exchange from being made. An exchange whose gain could not be
// stored is none.
func mayBank(s *state.State, seat domain.Seat, n uint8, give, want table.Res) check {
	r := &s.Realms[seat]
	switch {
	case give >= table.Resources || n < 1 || n > 3:
		return "unreadable"
	case give == want:
		return "same-resource"
	case r.Stock()[give] < n:
		return "cannot-pay"
	case table.MaskOf(r.Rooms())&wanted(give, want) == 0:
		return "no-room"
	}
	if ok, _ := rate(s, seat, give, n); !ok {
		return "no-such-rate"
	}
	return ""
}

// wanted are the resources an exchange may bring: the one named, or any other than given.
func wanted(give, want table.Res) table.ResMask {
	if want < table.Resources {
		return table.Only(want)
	}
	return table.AnyRes &^ table.Only(give)
}

// bank exchanges resources: three of a kind for another always, two with a trade ship of
// that kind or from one region beside a Large Trade Ship, one gold with a Mint. What comes for
// it may be named at once, or is asked.
func (g *deciding) bank() *domain.Refusal {
	n, give, want := g.mv.N, g.mv.Res.Res(), g.mv.Res2.Res()
	if wrong := mayBank(g.s, g.seat, n, give, want); wrong != "" {
		what := domain.S("bank.any-other")
		if want < table.Resources {
			what = domain.S("res." + want.String())
		}
		return wrong.refusal("n", int(n), "resource", what)
	}
	_, from := rate(g.s, g.seat, give, n)
	t := state.Task{Kind: state.TaskPay, Seat: g.seat, Mask: from, Need: table.Just(give, n)}
	if from != 0 {
		t.Arg = state.FromOne
	}
	if n == 1 {
		g.do(state.Op{Code: state.OpMint, Seat: g.seat})
	}
	g.push(t)
	g.push(state.Task{Kind: state.TaskGain, Seat: g.seat, N: 1, Res: wanted(give, want)})
	return nil
}
