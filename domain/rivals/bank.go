package rivals

import "posthorn/domain"

// rate is the best way to exchange a resource at n to 1: whether there is one, whether it
// uses a Mint, and which places may pay if not all (a Large Trade Ship's neighbours).
func (s *State) rate(seat domain.Seat, res Res, n uint8) (ok, mint bool, from uint64) {
	r := &s.Realms[seat]
	if n == 3 {
		return true, false, 0
	}
	var mints uint8
	r.cards(func(at Site, c Card) bool {
		for _, e := range c.Row().Effects {
			if e.On != "bank" || e.N != int8(n) {
				continue
			}
			switch {
			case e.What == "near":
				for _, p := range neighbours(at) {
					if q := r.Regions[p]; q.Terrain == res && q.Stored >= n {
						from |= 1 << p
					}
				}
			case e.Times > 0 && e.What == res.String():
				mints += uint8(e.Times)
			case e.What == res.String():
				ok = true
			}
		}
		return true
	})
	if n == 1 {
		return mints > s.Mints, true, 0
	}
	if ok {
		return true, false, 0
	}
	return from != 0, false, from
}

// mayBank tells what keeps an exchange from being made. An exchange whose gain could not be
// stored is none.
func (s *State) mayBank(seat domain.Seat, n uint8, give, want Res) check {
	r := &s.Realms[seat]
	switch {
	case give >= resources || want >= resources || n < 1 || n > 3:
		return "unreadable"
	case give == want:
		return "same-resource"
	case r.stock()[give] < n:
		return "cannot-pay"
	case r.rooms()[want] == 0:
		return "no-room"
	}
	if ok, _, _ := s.rate(seat, give, n); !ok {
		return "no-such-rate"
	}
	return ""
}

// bank exchanges resources: three of a kind for another always, two with a trade ship of
// that kind or from one region beside a Large Trade Ship, one gold with a Mint.
func (g *deciding) bank() *domain.Refusal {
	n, give, want := g.mv.N, g.mv.Res.res(), g.mv.Res2.res()
	if wrong := g.s.mayBank(g.seat, n, give, want); wrong != "" {
		return wrong.refusal("n", int(n))
	}
	_, mint, from := g.s.rate(g.seat, give, n)
	t := Task{Kind: taskPay, Seat: g.seat, Mask: from}
	t.Need[give] = n
	if from != 0 {
		t.Arg = fromOne
	}
	if mint {
		g.do(opMint, int(g.seat))
	}
	g.push(t)
	g.push(Task{Kind: taskGain, Seat: g.seat, N: 1, Res: only(want)})
	return nil
}

// fromOne marks a payment that must come from one place alone.
const fromOne = 1
