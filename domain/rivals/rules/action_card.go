package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// mayPlay returns what prevents playing an action card in the action phase, before the player names its targets.
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

// mayEffect returns what an effect lacks: goods to pay with, or something of the other's to hit.
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
			return "other-has-none"
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

// storable returns what a seat could take from the other and store, by resource.
func storable(s *state.State, seat domain.Seat) table.Goods {
	return s.Realms[state.Other(seat)].Stock().Least(s.Realms[seat].Spaces())
}

// brigandPlaces returns the own places that the Brigands could fill; the Gold Cache is one only by option.
func brigandPlaces(s *state.State, seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	have := s.Realms[state.Other(seat)].Stock()
	for p := range table.Place(table.RegionsN + table.BoolInt(s.Rules&table.BrigandsCache != 0)) {
		if res := r.Yields(p); res != table.NoRes && r.Space(p) > 0 && have[res] > 0 {
			m |= 1 << p
		}
	}
	return m
}

// brigandMost returns how much the Brigands can take for a place.
func brigandMost(s *state.State, seat domain.Seat, p table.Place) uint8 {
	r := &s.Realms[seat]
	return min(r.Space(p), s.Realms[state.Other(seat)].Lies(r.Yields(p)))
}

// fighters returns the sites of a seat's units with strength.
func fighters(s *state.State, seat domain.Seat) uint64 { return s.Realms[seat].Sites(fights) }

func fights(r *table.Row) bool { return r.Unit && r.Points.Strength > 0 }

// burnable returns the sites of a seat's buildings that no Fire Brigade protects.
func burnable(s *state.State, seat domain.Seat) (m uint64) {
	r := &s.Realms[seat]
	safe := [table.Columns]bool{}
	for at, c := range r.Cards() {
		safe[at.Town()] = safe[at.Town()] || c.Row().On("burn")
	}
	for at, c := range r.Cards() {
		if c.Row().Building && !safe[at.Town()] {
			m |= 1 << at
		}
	}
	return m
}

// play plays an action card: it goes to the discard pile, then its effects happen in order.
func (g *deciding) play() *domain.Refusal {
	c, r := g.handCard(g.mv.Card)
	if r != nil {
		return r
	}
	if wrong := mayPlay(g.s, g.seat, c); wrong != "" {
		return wrong.ofCard(g.s, g.seat, c)
	}
	g.use(c)
	row := c.Row()
	do := row.Play[0].Do
	if row.Attack && (do == "unseat" || do == "burn" || do == "steal") && guardFaces(g.s, state.Other(g.seat)) != 0 {
		// a Lookout Tower or Heinrich may ward it off
		g.push(state.Task{Kind: state.TaskReact, Seat: state.Other(g.seat), Card: c})
		g.push(state.Task{Kind: state.TaskHit, Seat: g.seat, Card: c})
		return nil
	}
	var refusal *domain.Refusal
	for i := 0; i < len(row.Play) && refusal == nil; i++ {
		refusal = g.perform(c, &row.Play[i])
	}
	return refusal
}

// guardFaces returns the faces of the die that ward an attack off, for all guards together.
func guardFaces(s *state.State, seat domain.Seat) (m uint8) {
	if s.Realms[seat].Marks&table.MarksGuard == 0 {
		return 0
	}
	for _, c := range s.Realms[seat].Cards() {
		m |= c.Row().Guard
	}
	return m
}

// perform carries out one effect of an action card.
func (g *deciding) perform(c table.Card, e *table.Effect) *domain.Refusal {
	switch e.Do {
	case "demand":
		return g.demand(c, e)
	case "heal":
		return g.heal()
	case "produce":
		for p, q := range g.s.Realms[g.seat].Regions {
			if q.Number != 0 && q.Number == g.s.Die {
				g.yield(g.seat, table.Place(p), 1)
			}
		}
		return nil
	}
	t := state.Task{Kind: state.TaskHit, Seat: g.seat, Card: c}
	switch e.Do {
	case "pay":
		if t.Kind = state.TaskPay; e.What == "any" {
			t.N = uint8(e.N)
		} else {
			t.Need = table.Just(e.Goods.First(), uint8(e.N))
		}
	case "gain":
		t.Kind, t.N, t.Res = state.TaskGain, uint8(e.N), e.Goods
	case "return":
		t.Kind, t.N = state.TaskReturn, uint8(e.N)
	case "relocate":
		t.Kind = state.TaskMove
	case "fetch":
		t.Kind = state.TaskFetch
	}
	g.push(t)
	return nil
}

// hit carries out an attack, or a feud, that nobody warded off.
func (g *deciding) hit(t state.Task) {
	victim := state.Other(t.Seat)
	next := state.Task{Seat: t.Seat, Card: t.Card}
	switch e := &t.Card.Row().Effects[0]; e.Do {
	case "unseat":
		next.Kind, next.Seat, next.Mask = state.TaskLose, victim, fighters(g.s, victim)
	case "burn":
		next.Kind, next.Mask = state.TaskBurn, burnable(g.s, victim)
	case "steal":
		g.seeHand(t.Seat)
		next.Kind = state.TaskSteal
	case "bury":
		g.seeHand(t.Seat)
		next.Kind, next.N = state.TaskBury, min(uint8(e.N), g.s.Realms[victim].HandN)
	case "name":
		if all := buildings(g.s, victim); bits.OnesCount64(all) <= int(e.N) {
			next.Kind, next.Seat, next.Mask = state.TaskLose, victim, all
		} else {
			next.Kind, next.N = state.TaskName, uint8(e.N)
		}
	default:
		return
	}
	g.push(next)
}

// transfer asks one side for goods and the other where to store them. What the taker cannot store stays with the
// giver or, by option, is lost.
func (g *deciding) transfer(from domain.Seat, want table.Goods, c table.Card) {
	to := state.Other(from)
	room := g.s.Realms[to].Spaces()
	have := g.s.Realms[from].Stock()
	paid := want.Least(have)
	if g.s.Rules&table.UnstorableLost == 0 {
		paid = paid.Least(room)
	}
	g.push(state.Task{Kind: state.TaskPay, Seat: from, Card: c, Need: paid})
	g.push(state.Task{Kind: state.TaskGain, Seat: to, Card: c, Need: paid.Least(room)})
}

// demand is what a player may name where an effect demands resources from the other: how many, out of what the other
// has and what can be stored.
type demand struct {
	least, most    int
	have, storable table.Goods
	any            bool // also what the taker cannot store
}

func demandOf(s *state.State, seat domain.Seat, e *table.Effect) demand {
	d := demand{least: 1, most: int(e.N), have: s.Realms[state.Other(seat)].Stock(), any: e.What == "any"}
	if d.any {
		return d
	}
	if s.Victory(state.Other(seat)) > s.Victory(seat) {
		// the Voyage takes more from the player ahead; equal points do not count
		d.most = int(e.Behind)
	}
	d.storable = storable(s, seat)
	d.most = min(d.most, d.storable.Total())
	d.least = d.most
	return d
}

// wrong returns what is wrong with the resources named for a demand.
func (d *demand) wrong(want table.Goods) check {
	n := want.Total()
	switch {
	case n == 0, d.least < d.most && n > d.most:
		return "name-resources"
	case n < d.least || n > d.most:
		return "demand-count"
	case table.MaskOf(want)&^table.MaskOf(d.have) != 0:
		return "nothing-to-take"
	case !covers(d.have, want):
		return "not-so-much"
	case !d.any && !covers(d.storable, want):
		return "cannot-store-that"
	}
	return ""
}

func (g *deciding) demand(c table.Card, e *table.Effect) *domain.Refusal {
	s, victim := g.s, state.Other(g.seat)
	r := &s.Realms[g.seat]
	var want table.Goods
	switch e.What {
	case "gold":
		ships := r.CountCards(func(row *table.Row) bool { return row.ID == e.Per })
		want[table.GoldRes] = min(uint8(e.N*ships), r.Spaces()[table.GoldRes]) // whatever becomes of other demands
	case "region":
		return g.brigandCard(c)
	default:
		want = g.mv.Goods()
		d := demandOf(s, g.seat, e)
		if wrong := d.wrong(want); wrong != "" {
			return wrong.refusal("n", d.most)
		}
	}
	g.transfer(victim, want, c)
	return nil
}

// brigandCard takes as much of one resource as one of the player's regions can still hold; by option fewer, if the move
// names both the region and the resources.
func (g *deciding) brigandCard(c table.Card) *domain.Refusal {
	r := &g.s.Realms[g.seat]
	allowed := brigandPlaces(g.s, g.seat)
	p := table.NoPlace
	switch {
	case g.mv.Place != 0:
		p = g.mv.Place.Place()
	case g.mv.Res != 0: // the emptiest region of that kind
		for q := table.Place(0); q < table.Places; q++ {
			if allowed&(1<<q) != 0 && r.Yields(q) == g.mv.Res.Res() && (p == table.NoPlace || r.Space(q) > r.Space(p)) {
				p = q
			}
		}
	}
	switch {
	case p == table.NoPlace && g.mv.Res == 0:
		return domain.Refuse("which-region")
	case p < table.NoPlace && (p >= table.Places || r.Yields(p) == table.NoRes):
		return domain.Refuse("no-region")
	case !has(allowed, p):
		return domain.Refuse("nothing-to-store")
	}
	res := r.Yields(p)
	pay := state.Task{Kind: state.TaskPay, Seat: state.Other(g.seat), Card: c}
	pay.Need[res] = brigandMost(g.s, g.seat, p)
	if want := g.mv.Goods(); g.mv.Place != 0 && want.Total() > 0 {
		switch {
		case !mayTakeFewer(g.s):
			return domain.Refuse("brigands-all")
		case !covers(pay.Need, want):
			return domain.Refuse("cannot-store-there", "place", table.PlaceSay(p))
		}
		pay.Need = want
	}
	g.push(pay)
	g.push(state.Task{Kind: state.TaskGain, Seat: g.seat, N: pay.Need[res], Res: table.Only(res), Mask: 1 << p,
		Card: c})
	return nil
}

// heal plays the Doctor for one Bath House: the two regions beside it or, by option, all four of its city.
func (g *deciding) heal() *domain.Refusal {
	m := bathHouses(&g.s.Realms[g.seat])
	site, _, r := findCard(g.s, g.seat, table.BathHouse, g.mv.At, g.mv.Side)
	if g.mv.Side == 0 && bits.OnesCount64(m) == 1 { // with only one, the move need not name it
		site, r = table.Site(bits.TrailingZeros64(m)), nil
	}
	if r != nil {
		return domain.Refuse("which-bath-house")
	}
	for _, p := range table.Neighbours(site) {
		g.gain(g.seat, p, 1)
		if g.s.Rules&table.DoctorFour != 0 {
			g.gain(g.seat, p^1, 1)
		}
	}
	return nil
}

// sitesNear are the sites beside towns, each before the one beyond it.
const sitesNear = 0x5555555555555555

func bathHouses(r *state.Realm) uint64 {
	return r.Sites(func(row *table.Row) bool { return row == table.BathHouse.Row() })
}
