package rules

import (
	"math/bits"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Value estimates how well a seat stands, in victory points: those it has, what its land and its stores promise, and
// how far it is from what it could build next.
func (*Room) Value(s *state.State, seat domain.Seat) float64 {
	if s.Phase == state.Over {
		switch s.Winner {
		case seat:
			return 1000
		case domain.Nobody:
			return 0
		}
		return -1000
	}
	if s.TasksN > 0 {
		s = settled(s)
	}
	return promise(s, seat) - 0.9*promise(s, state.Other(seat))
}

// settled returns the state after making the payments and gains still in question in some simple way, so that
// anything begun counts as done.
func settled(s *state.State) *state.State {
	c := *s
	g := &deciding{s: &c, seat: domain.Nobody, mv: &state.Move{}, kept: &kept{}}
	for range 40 {
		if c.TasksN == 0 {
			break
		}
		t := &c.Tasks[0]
		k := &kinds[t.Kind]
		if k.any == nil && !k.done {
			break
		}
		if !g.auto() {
			k.any(g, t)
		}
	}
	return &c
}

func promise(s *state.State, seat domain.Seat) float64 {
	r := &s.Realms[seat]
	o := &s.Realms[state.Other(seat)]
	v := float64(s.Victory(seat))
	v += lead(r.Points.Commerce, o.Points.Commerce) + lead(r.Points.Strength, o.Points.Strength)
	v += 0.06*float64(r.Points.Skill) + 0.15*float64(r.Points.Progress)
	regions := 0
	for _, q := range r.Regions {
		if q.Number != 0 {
			regions++
			v += [...]float64{0, 0.05, 0.08, 0.09}[min(3, q.Stored)]
		}
	}
	v += 0.03 * float64(r.CacheGold)
	v += 0.08 * float64(regions)
	v += 0.25 * float64(bits.OnesCount16(r.Roads)-int(r.Right-r.Left)) // a road still waiting for its settlement
	for _, c := range r.Cards() {
		v += 0.28 + 0.06*float64(len(c.Row().Effects))
	}
	return v + 0.06*float64(freeCitySites(r)) + handWorth(s, seat) + prospect(s, seat)
}

// freeCitySites counts the sites kept for the cards that are worth points, up to four.
func freeCitySites(r *state.Realm) (n int) {
	for _, town := range r.EachTown() {
		n += 4 * table.BoolInt(town.Level == state.CityTown)
	}
	for at := range r.Cards() {
		n -= table.BoolInt(r.Towns[at.Town()].Level == state.CityTown)
	}
	return min(n, 4)
}

// handWorth returns what the hand promises: little for a card that cannot be used as things are, so that it is
// exchanged; a card not yet taken counts as average.
func handWorth(s *state.State, seat domain.Seat) (v float64) {
	r := &s.Realms[seat]
	const middling = 0.12
	for i := range min(int(r.HandN), s.HandLimit(seat)) {
		c := r.Hand[i].Card
		row := c.Row()
		switch {
		case row.Kind == table.ActionCard && mayPlay(s, seat, c) == "":
			v += 0.15
		case row.Kind == table.ActionCard && len(row.Needs) == 0:
			v += 0.08
		case row.Kind == table.ActionCard || row.One && r.Has(c) || !meets(s, seat, row):
			v += 0.01
		case row.Kind == table.CityCard:
			v += 0.10 + 0.15*float64(row.Points.Victory+row.Points.Progress)
		default:
			v += 0.10 + 0.02*float64(row.Points.Commerce+row.Points.Strength)
		}
	}
	if kind := s.Asked(seat); kind == state.TaskPick || s.Phase == state.Exchanging &&
		(kind == state.TaskSearch || kind == state.TaskPay) {
		v += middling + 0.1 // it is chosen, not drawn blind
	}
	return v
}

// lead returns what points towards an advantage are worth beyond the token itself.
func lead(mine, theirs int8) float64 {
	return 0.12*float64(min(mine, 3)) + 0.04*float64(mine) - 0.02*float64(theirs)
}

// prospect returns how near the best thing to build is, by what is still missing for it.
func prospect(s *state.State, seat domain.Seat) float64 {
	r := &s.Realms[seat]
	have := r.Stock()
	best := 0.0
	try := func(cost table.Goods, worth float64) {
		total := max(1, cost.Total())
		best = max(best, worth*float64(total-lacks(have, cost).Total())/float64(total))
	}
	for t := r.Left; t <= r.Right; t++ {
		if r.Towns[t].Level == state.SettlementTown && s.Cities > 0 {
			try(table.CityCost, 0.8)
		}
	}
	for _, right := range [2]bool{false, true} {
		if _, wrong := settleTown(s, seat, right); wrong == "" {
			try(table.SettlementCost, 0.8)
		} else if _, wrong := roadGap(s, seat, right); wrong == "" && s.Settlements > 0 {
			try(table.RoadCost, 0.35)
		}
	}
	for i := range int(r.HandN) {
		if row := r.Hand[i].Card.Row(); row.Kind == table.SettlementCard || row.Kind == table.CityCard && r.HasCity() {
			try(row.Cost, 0.2+0.4*float64(row.Points.Victory))
		}
	}
	return best
}
