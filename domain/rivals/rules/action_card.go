package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// mayPlay tells what keeps an action card from being played in the action phase, before its
// targets are named.
func mayPlay(s *state.State, seat domain.Seat, c table.Card) check {
	row := c.Row()
	switch {
	case row.Kind != table.ActionCard:
		return "not-an-action"
	case len(row.Play) == 0:
		return "not-by-itself"
	case !meets(s, seat, row):
		return "needs"
	}
	for i := range row.Play {
		if wrong := mayEffect(s, seat, &row.Play[i]); wrong != "" {
			return wrong
		}
	}
	return ""
}

// mayEffect tells what an effect lacks: goods to pay with, or something of the other to be hit.
func mayEffect(s *state.State, seat domain.Seat, e *table.Effect) check {
	r, o := &s.Realms[seat], &s.Realms[state.Other(seat)]
	switch e.Do {
	case "pay":
		have := r.Stock()
		if e.What != "any" && have[e.Goods.First()] < uint8(e.N) || have.Total() < int(e.N) {
			return "cannot-pay"
		}
	case "demand":
		have := o.Stock()
		switch {
		case e.What == "gold" && have[table.GoldRes] == 0, have.Total() == 0:
			return "nothing-to-take"
		case e.What == "storable" && storable(s, seat).Total() == 0:
			return "nothing-to-store"
		case e.What == "region" && brigandPlaces(s, seat) == 0:
			return "nothing-to-store"
		}
	case "unseat":
		if fighters(s, state.Other(seat)) == 0 {
			return "no-target"
		}
	case "burn":
		if burnable(s, state.Other(seat)) == 0 {
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
func storable(s *state.State, seat domain.Seat) (g table.Goods) {
	have, room := s.Realms[state.Other(seat)].Stock(), s.Realms[seat].Rooms()
	for i := range g {
		g[i] = min(have[i], room[i])
	}
	return g
}

// brigandPlaces are the own places that the Brigands could fill; the Gold Cache is one only
// by option.
func brigandPlaces(s *state.State, seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	have := s.Realms[state.Other(seat)].Stock()
	last := table.CachePlace - 1
	if s.Rules&table.BrigandsCache != 0 {
		last = table.CachePlace
	}
	for p := table.Place(0); p <= last; p++ {
		if res := r.Yields(p); res != table.NoRes && r.Room(p) > 0 && have[res] > 0 {
			m |= 1 << p
		}
	}
	return m
}

// fighters are the sites of a seat's units with strength.
func fighters(s *state.State, seat domain.Seat) uint64 { return s.Realms[seat].Sites(fights) }

func fights(r *table.Row) bool { return r.Unit && r.Points.Strength > 0 }

// burnable are the sites of a seat's buildings that no Fire Brigade protects.
func burnable(s *state.State, seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	safe := [table.Columns]bool{}
	for at, c := range r.Cards() {
		for _, e := range c.Row().Effects {
			if e.On == "burn" && e.Do == "protect" {
				safe[at.Town()] = true
			}
		}
	}
	for at, c := range r.Cards() {
		if c.Row().Building && !safe[at.Town()] {
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
	if wrong := mayPlay(g.s, g.seat, c); wrong != "" {
		return wrong.refusal("card", c.Word(), "what", needSay(c.Row()))
	}
	g.use(c)
	row := c.Row()
	if row.Attack && g.guarded(row) {
		g.push(state.Task{Kind: state.TaskReact, Seat: state.Other(g.seat), Card: c})
		g.push(state.Task{Kind: state.TaskHit, Seat: g.seat, Card: c})
		return nil
	}
	for i := range row.Play {
		if refusal := g.perform(c, &row.Play[i]); refusal != nil {
			return refusal
		}
	}
	return nil
}

// guarded tells whether the attack is one that a Lookout Tower or Heinrich may ward off, and
// one of them stands with the other.
func (g *deciding) guarded(row *table.Row) bool {
	do := row.Play[0].Do
	return (do == "unseat" || do == "burn" || do == "steal") && guardFaces(g.s, state.Other(g.seat)) != 0
}

// guardFaces are the faces of the die that ward an attack off, by all guards together.
func guardFaces(s *state.State, seat domain.Seat) (m uint8) {
	if s.Realms[seat].Marks&table.MarksGuard == 0 {
		return 0
	}
	for _, c := range s.Realms[seat].Cards() {
		m |= c.Row().Guard
	}
	return m
}

// perform is one effect of an action card.
func (g *deciding) perform(c table.Card, e *table.Effect) *domain.Refusal {
	seat := g.seat
	switch e.Do {
	case "pay":
		t := state.Task{Kind: state.TaskPay, Seat: seat, Card: c}
		if e.What == "any" {
			t.N = uint8(e.N)
		} else {
			t.Need = table.Just(e.Goods.First(), uint8(e.N))
		}
		g.push(t)
	case "gain":
		g.push(state.Task{Kind: state.TaskGain, Seat: seat, N: uint8(e.N), Res: e.Goods, Card: c})
	case "demand":
		return g.demand(c, e)
	case "return":
		g.push(state.Task{Kind: state.TaskReturn, Seat: seat, N: uint8(e.N), Card: c})
	case "relocate":
		g.push(state.Task{Kind: state.TaskMove, Seat: seat, Card: c})
	case "produce":
		r := &g.s.Realms[seat]
		from, to := r.Span()
		for p := from; p < to; p++ {
			if r.Regions[p].Number == g.s.Die {
				g.gain(seat, p, 1)
			}
		}
	case "heal":
		return g.heal()
	case "fetch":
		g.push(state.Task{Kind: state.TaskFetch, Seat: seat, Card: c})
	default:
		g.push(state.Task{Kind: state.TaskHit, Seat: seat, Card: c})
	}
	return nil
}

// hit is an attack, or a feud, that nobody warded off.
func (g *deciding) hit(t state.Task) {
	row := t.Card.Row()
	victim := state.Other(t.Seat)
	switch e := &row.Effects[0]; e.Do {
	case "unseat":
		g.push(state.Task{Kind: state.TaskLose, Seat: victim, Mask: fighters(g.s, victim), Card: t.Card})
	case "burn":
		g.push(state.Task{Kind: state.TaskBurn, Seat: t.Seat, Mask: burnable(g.s, victim), Card: t.Card})
	case "steal":
		g.seeHand(t.Seat)
		g.push(state.Task{Kind: state.TaskSteal, Seat: t.Seat, Card: t.Card})
	case "bury":
		g.seeHand(t.Seat)
		n := min(uint8(e.N), g.s.Realms[victim].HandN)
		g.push(state.Task{Kind: state.TaskBury, Seat: t.Seat, N: n, Card: t.Card})
	case "name":
		if all := buildings(g.s, victim); bits.OnesCount64(all) <= int(e.N) {
			g.push(state.Task{Kind: state.TaskLose, Seat: victim, Mask: all, Card: t.Card})
		} else {
			g.push(state.Task{Kind: state.TaskName, Seat: t.Seat, N: uint8(e.N), Card: t.Card})
		}
	}
}

// transfer asks one side for goods and the other where to store them. What the taker cannot
// store stays with the giver, or is lost by option.
func (g *deciding) transfer(from domain.Seat, want table.Goods, c table.Card) {
	to := state.Other(from)
	room := g.s.Realms[to].Rooms()
	have := g.s.Realms[from].Stock()
	pay := state.Task{Kind: state.TaskPay, Seat: from, Card: c}
	for i := range want {
		pay.Need[i] = min(want[i], have[i])
		if g.s.Rules&table.UnstorableLost == 0 {
			pay.Need[i] = min(pay.Need[i], room[i])
		}
	}
	g.push(pay)
	gain := state.Task{Kind: state.TaskGain, Seat: to, Card: c}
	for i, n := range pay.Need {
		gain.Need[i] = min(n, room[i])
	}
	g.push(gain)
}

// mayDemand judges the resources named for a demand.
func mayDemand(s *state.State, seat domain.Seat, e *table.Effect, want table.Goods) check {
	have := s.Realms[state.Other(seat)].Stock()
	if e.What == "any" {
		switch n := want.Total(); {
		case n < 1 || n > int(e.N):
			return "name-resources"
		case !covers(have, want):
			return "nothing-to-take"
		}
		return ""
	}
	most := storable(s, seat)
	switch {
	case want.Total() != min(plunder(s, seat, e), most.Total()):
		return "name-resources"
	case !covers(have, want):
		return "nothing-to-take"
	case !covers(most, want):
		return "cannot-store-that"
	}
	return ""
}

// plunder is how many resources the Voyage of Plunder takes: more from who is ahead; equal
// points are not.
func plunder(s *state.State, seat domain.Seat, e *table.Effect) int {
	if s.Victory(state.Other(seat)) > s.Victory(seat) {
		return int(e.Behind)
	}
	return int(e.N)
}

func (g *deciding) demand(c table.Card, e *table.Effect) *domain.Refusal {
	s, victim := g.s, state.Other(g.seat)
	r := &s.Realms[g.seat]
	var want table.Goods
	switch e.What {
	case "gold":
		ships := r.CountCards(func(row *table.Row) bool { return row.ID == e.Per })
		want[table.GoldRes] = uint8(e.N * ships)
	case "region":
		return g.brigandCard(c)
	default:
		want = g.mv.Goods()
		if wrong := mayDemand(s, g.seat, e, want); wrong != "" {
			return wrong.refusal()
		}
	}
	g.transfer(victim, want, c)
	return nil
}

// brigandCard takes as much of one resource as one own region can still hold.
func (g *deciding) brigandCard(c table.Card) *domain.Refusal {
	r := &g.s.Realms[g.seat]
	allowed := brigandPlaces(g.s, g.seat)
	p := table.NoPlace
	switch {
	case g.mv.Place != 0:
		p = g.mv.Place.Place()
	case g.mv.Res != 0: // the emptiest region of that kind
		for q := table.Place(0); q < table.Places; q++ {
			if allowed&(1<<q) != 0 && r.Yields(q) == g.mv.Res.Res() && (p == table.NoPlace || r.Room(q) > r.Room(p)) {
				p = q
			}
		}
	}
	if p == table.NoPlace || p >= table.Places || allowed&(1<<p) == 0 {
		return domain.Refuse("nothing-to-store")
	}
	res := r.Yields(p)
	pay := state.Task{Kind: state.TaskPay, Seat: state.Other(g.seat), Card: c}
	pay.Need[res] = min(r.Room(p), g.s.Realms[state.Other(g.seat)].Stock()[res])
	g.push(pay)
	g.push(state.Task{Kind: state.TaskGain, Seat: g.seat, N: pay.Need[res], Res: table.Only(res), Mask: 1 << p, Card: c})
	return nil
}

// heal plays the Doctor for one Bath House: the two regions beside it, or by option all four
// of its city.
func (g *deciding) heal() *domain.Refusal {
	site, c := table.NoSite, table.NoCard
	if g.mv.Side == 0 { // only one Bath House need not be named
		m := bathHouses(&g.s.Realms[g.seat])
		if m == 0 || m&(m-1) != 0 {
			return domain.Refuse("which-bath-house")
		}
		site = table.Site(bits.TrailingZeros64(m))
	} else {
		var r *domain.Refusal
		if site, c, r = findCard(g.s, g.seat, table.BathHouse, g.mv.At, g.mv.Side); r != nil || c == table.NoCard {
			return domain.Refuse("which-bath-house")
		}
	}
	for _, p := range table.Neighbours(site) {
		g.gain(g.seat, p, 1)
		if g.s.Rules&table.DoctorFour != 0 {
			g.gain(g.seat, p^1, 1)
		}
	}
	return nil
}

func bathHouses(r *state.Realm) uint64 {
	return r.Sites(func(row *table.Row) bool { return row == table.BathHouse.Row() })
}
