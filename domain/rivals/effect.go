package rivals

import (
	"math/bits"

	"posthorn/domain"
)

// mayPlay tells what keeps an action card from being played in the action phase, before its
// targets are named.
func (s *State) mayPlay(seat domain.Seat, c Card) check {
	row := c.Row()
	switch {
	case row.Kind != ActionCard:
		return "not-an-action"
	case len(row.play) == 0:
		return "not-by-itself"
	case !s.meets(seat, row):
		return "needs"
	}
	for i := range row.play {
		if wrong := s.mayEffect(seat, &row.play[i]); wrong != "" {
			return wrong
		}
	}
	return ""
}

// mayEffect tells what an effect lacks: goods to pay with, or something of the other to be hit.
func (s *State) mayEffect(seat domain.Seat, e *Effect) check {
	r, o := &s.Realms[seat], &s.Realms[other(seat)]
	switch e.Do {
	case "pay":
		have := r.stock()
		if e.What != "any" && have[e.goods.first()] < uint8(e.N) || have.total() < int(e.N) {
			return "cannot-pay"
		}
	case "demand":
		have := o.stock()
		switch {
		case e.What == "gold" && have[GoldRes] == 0, have.total() == 0:
			return "nothing-to-take"
		case e.What == "storable" && s.storable(seat).total() == 0:
			return "nothing-to-store"
		case e.What == "region" && s.brigandPlaces(seat) == 0:
			return "nothing-to-store"
		}
	case "unseat":
		if s.fighters(other(seat)) == 0 {
			return "no-target"
		}
	case "burn":
		if s.burnable(other(seat)) == 0 {
			return "no-target"
		}
	case "steal":
		if o.HandN == 0 {
			return "hand-empty"
		}
	case "fetch":
		if s.DiscardN == 0 {
			return "discard-empty"
		}
	}
	return ""
}

// storable is what a seat could take of the other and store, by resource.
func (s *State) storable(seat domain.Seat) (g Goods) {
	have, room := s.Realms[other(seat)].stock(), s.Realms[seat].rooms()
	for i := range g {
		g[i] = min(have[i], room[i])
	}
	return g
}

// brigandPlaces are the own places that the Brigands could fill; the Gold Cache is one only
// by option.
func (s *State) brigandPlaces(seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	have := s.Realms[other(seat)].stock()
	last := cachePlace - 1
	if s.Rules&BrigandsCache != 0 {
		last = cachePlace
	}
	for p := Place(0); p <= last; p++ {
		if res := r.yields(p); res != noRes && r.room(p) > 0 && have[res] > 0 {
			m |= 1 << p
		}
	}
	return m
}

// fighters are the sites of a seat's units with strength.
func (s *State) fighters(seat domain.Seat) uint64 { return s.Realms[seat].sites((*Row).fights) }

func (r *Row) fights() bool { return r.unit && r.Points.Strength > 0 }

// burnable are the sites of a seat's buildings that no Fire Brigade protects.
func (s *State) burnable(seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	safe := [columns]bool{}
	for at, c := range r.cards() {
		for _, e := range c.Row().Effects {
			if e.On == "burn" && e.Do == "protect" {
				safe[at.town()] = true
			}
		}
	}
	for at, c := range r.cards() {
		if c.Row().building && !safe[at.town()] {
			m |= 1 << at
		}
	}
	return m
}

// play plays an action card: it goes to the discard pile, and its effects follow in order.
func (g *deciding) play() *domain.Refusal {
	c, r := g.handCard(g.mv.Card)
	if r != nil {
		return r
	}
	if wrong := g.s.mayPlay(g.seat, c); wrong != "" {
		return wrong.refusal("card", c.word(), "what", c.Row().needSay())
	}
	g.use(c)
	row := c.Row()
	if row.Attack && g.guarded(row) {
		g.push(Task{Kind: taskReact, Seat: other(g.seat), Card: c})
		g.push(Task{Kind: taskHit, Seat: g.seat, Card: c})
		return nil
	}
	for i := range row.play {
		if refusal := g.perform(c, &row.play[i]); refusal != nil {
			return refusal
		}
	}
	return nil
}

// guarded tells whether the attack is one that a Lookout Tower or Heinrich may ward off, and
// one of them stands with the other.
func (g *deciding) guarded(row *Row) bool {
	do := row.play[0].Do
	return (do == "unseat" || do == "burn" || do == "steal") && g.s.guardFaces(other(g.seat)) != 0
}

// guardFaces are the faces of the die that ward an attack off, by all guards together.
func (s *State) guardFaces(seat domain.Seat) (m uint8) {
	if s.Realms[seat].Marks&marksGuard == 0 {
		return 0
	}
	for _, c := range s.Realms[seat].cards() {
		m |= c.Row().guard
	}
	return m
}

// perform is one effect of an action card.
func (g *deciding) perform(c Card, e *Effect) *domain.Refusal {
	seat := g.seat
	switch e.Do {
	case "pay":
		t := Task{Kind: taskPay, Seat: seat, Card: c}
		if e.What == "any" {
			t.N = uint8(e.N)
		} else {
			t.Need = just(e.goods.first(), uint8(e.N))
		}
		g.push(t)
	case "gain":
		g.push(Task{Kind: taskGain, Seat: seat, N: uint8(e.N), Res: e.goods, Card: c})
	case "demand":
		return g.demand(c, e)
	case "return":
		g.push(Task{Kind: taskReturn, Seat: seat, N: uint8(e.N), Card: c})
	case "relocate":
		g.push(Task{Kind: taskMove, Seat: seat, Card: c})
	case "produce":
		r := &g.s.Realms[seat]
		from, to := r.span()
		for p := from; p < to; p++ {
			if r.Regions[p].Number == g.s.Die {
				g.gain(seat, p, 1)
			}
		}
	case "heal":
		return g.heal()
	case "fetch":
		g.push(Task{Kind: taskFetch, Seat: seat, Card: c})
	default:
		g.push(Task{Kind: taskHit, Seat: seat, Card: c})
	}
	return nil
}

// hit is an attack, or a feud, that nobody warded off.
func (g *deciding) hit(t Task) {
	row := t.Card.Row()
	victim := other(t.Seat)
	switch e := &row.Effects[0]; e.Do {
	case "unseat":
		g.push(Task{Kind: taskLose, Seat: victim, Mask: g.s.fighters(victim), Card: t.Card})
	case "burn":
		g.push(Task{Kind: taskBurn, Seat: t.Seat, Mask: g.s.burnable(victim), Card: t.Card})
	case "steal":
		g.seeHand(t.Seat)
		g.push(Task{Kind: taskSteal, Seat: t.Seat, Card: t.Card})
	case "bury":
		g.seeHand(t.Seat)
		n := min(uint8(e.N), g.s.Realms[victim].HandN)
		g.push(Task{Kind: taskBury, Seat: t.Seat, N: n, Card: t.Card})
	case "name":
		if all := g.s.buildings(victim); bits.OnesCount64(all) <= int(e.N) {
			g.push(Task{Kind: taskLose, Seat: victim, Mask: all, Card: t.Card})
		} else {
			g.push(Task{Kind: taskName, Seat: t.Seat, N: uint8(e.N), Card: t.Card})
		}
	}
}

// transfer asks one side for goods and the other where to store them. What the taker cannot
// store stays with the giver, or is lost by option.
func (g *deciding) transfer(from domain.Seat, want Goods, c Card) {
	to := other(from)
	room := g.s.Realms[to].rooms()
	have := g.s.Realms[from].stock()
	pay := Task{Kind: taskPay, Seat: from, Card: c}
	for i := range want {
		pay.Need[i] = min(want[i], have[i])
		if g.s.Rules&UnstorableLost == 0 {
			pay.Need[i] = min(pay.Need[i], room[i])
		}
	}
	g.push(pay)
	gain := Task{Kind: taskGain, Seat: to, Card: c}
	for i, n := range pay.Need {
		gain.Need[i] = min(n, room[i])
	}
	g.push(gain)
}

// mayDemand judges the resources named for a demand.
func (s *State) mayDemand(seat domain.Seat, e *Effect, want Goods) check {
	have := s.Realms[other(seat)].stock()
	if e.What == "any" {
		switch n := want.total(); {
		case n < 1 || n > int(e.N):
			return "name-resources"
		case !have.covers(want):
			return "nothing-to-take"
		}
		return ""
	}
	most := s.storable(seat)
	switch {
	case want.total() != min(s.plunder(seat, e), most.total()):
		return "name-resources"
	case !have.covers(want):
		return "nothing-to-take"
	case !most.covers(want):
		return "cannot-store-that"
	}
	return ""
}

// plunder is how many resources the Voyage of Plunder takes: more from who is ahead; equal
// points are not.
func (s *State) plunder(seat domain.Seat, e *Effect) int {
	if s.victory(other(seat)) > s.victory(seat) {
		return int(e.Behind)
	}
	return int(e.N)
}

func (m *Move) goods() (want Goods) {
	for _, w := range [2]resWord{m.Res, m.Res2} {
		if w != 0 {
			want[w.res()]++
		}
	}
	return want
}

func (g *deciding) demand(c Card, e *Effect) *domain.Refusal {
	s, victim := g.s, other(g.seat)
	r := &s.Realms[g.seat]
	var want Goods
	switch e.What {
	case "gold":
		ships := r.countCards(func(row *Row) bool { return row.ID == e.Per })
		want[GoldRes] = uint8(e.N * ships)
	case "region":
		return g.brigandCard(c)
	default:
		want = g.mv.goods()
		if wrong := s.mayDemand(g.seat, e, want); wrong != "" {
			return wrong.refusal()
		}
	}
	g.transfer(victim, want, c)
	return nil
}

// brigandCard takes as much of one resource as one own region can still hold.
func (g *deciding) brigandCard(c Card) *domain.Refusal {
	r := &g.s.Realms[g.seat]
	allowed := g.s.brigandPlaces(g.seat)
	p := noPlace
	switch {
	case g.mv.Place != 0:
		p = g.mv.Place.place()
	case g.mv.Res != 0: // the emptiest region of that kind
		for q := Place(0); q < places; q++ {
			if allowed&(1<<q) != 0 && r.yields(q) == g.mv.Res.res() && (p == noPlace || r.room(q) > r.room(p)) {
				p = q
			}
		}
	}
	if p == noPlace || p >= places || allowed&(1<<p) == 0 {
		return domain.Refuse("nothing-to-store")
	}
	res := r.yields(p)
	pay := Task{Kind: taskPay, Seat: other(g.seat), Card: c}
	pay.Need[res] = min(r.room(p), g.s.Realms[other(g.seat)].stock()[res])
	g.push(pay)
	g.push(Task{Kind: taskGain, Seat: g.seat, N: pay.Need[res], Res: only(res), Mask: 1 << p, Card: c})
	return nil
}

// heal plays the Doctor for one Bath House: the two regions beside it, or by option all four
// of its city.
func (g *deciding) heal() *domain.Refusal {
	site, c := noSite, NoCard
	if g.mv.Side == 0 { // only one Bath House need not be named
		m := g.s.Realms[g.seat].bathHouses()
		if m == 0 || m&(m-1) != 0 {
			return domain.Refuse("which-bath-house")
		}
		site = Site(bits.TrailingZeros64(m))
	} else {
		var r *domain.Refusal
		if site, c, r = g.s.findCard(g.seat, bathHouse, g.mv.At, g.mv.Side); r != nil || c == NoCard {
			return domain.Refuse("which-bath-house")
		}
	}
	for _, p := range neighbours(site) {
		g.gain(g.seat, p, 1)
		if g.s.Rules&DoctorFour != 0 {
			g.gain(g.seat, p^1, 1)
		}
	}
	return nil
}

func (r *Realm) bathHouses() uint64 {
	return r.sites(func(row *Row) bool { return row == bathHouse.Row() })
}
