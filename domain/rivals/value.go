package rivals

import (
	"math/bits"

	"posthorn/domain"
)

// Value estimates how well a seat stands, in victory points: those it has, what its land and
// its stores promise, and how far it is from what it could build next.
func (rulesRoom) Value(s *State, seat domain.Seat) float64 {
	if s.Phase == Over {
		switch s.Winner {
		case seat:
			return 1000
		case domain.Nobody:
			return 0
		}
		return -1000
	}
	if s.TasksN > 0 {
		s = s.settled()
	}
	return s.promise(seat) - 0.9*s.promise(other(seat))
}

// settled is the state once the payments and gains that are still asked about are made in
// some plain way, so that what was begun counts as done.
func (s *State) settled() *State {
	c := *s
	g := &deciding{s: &c, seat: domain.Nobody, mv: &Move{}}
	for range 40 {
		if c.TasksN == 0 {
			break
		}
		t := &c.Tasks[0]
		k := &kinds[t.Kind]
		if k.any == nil && !k.done {
			break
		}
		if !g.auto(0) {
			k.any(g, 0, t)
		}
	}
	return &c
}

// pickPlace is the fullest of some places, or the emptiest.
func (s *State) pickPlace(seat domain.Seat, m uint64, fullest bool) Place {
	best := noPlace
	for p := Place(0); p < places; p++ {
		if m&(1<<p) == 0 {
			continue
		}
		if n := s.Realms[seat].store(p); best == noPlace || fullest && n > s.Realms[seat].store(best) || !fullest && n < s.Realms[seat].store(best) {
			best = p
		}
	}
	return best
}

func (s *State) promise(seat domain.Seat) float64 {
	r := &s.Realms[seat]
	o := &s.Realms[other(seat)]
	v := float64(s.victory(seat))
	v += lead(r.Points.Commerce, o.Points.Commerce) + lead(r.Points.Strength, o.Points.Strength)
	v += 0.06*float64(r.Points.Skill) + 0.15*float64(r.Points.Progress)
	regions := 0
	from, to := r.span()
	for p := from; p < to; p++ {
		if r.Regions[p].Number != 0 {
			regions++
			v += [...]float64{0, 0.05, 0.08, 0.09}[min(3, r.Regions[p].Stored)]
		}
	}
	v += 0.03 * float64(r.CacheGold)
	v += 0.08 * float64(regions)
	v += 0.25 * float64(bits.OnesCount16(r.Roads)-int(r.Right-r.Left)) // a road that waits for its settlement
	for _, c := range r.cards() {
		v += 0.28 + 0.06*float64(len(c.Row().Effects))
	}
	return v + 0.06*float64(r.freeCitySites()) + s.handWorth(seat) + s.prospect(seat)
}

// freeCitySites are kept for the cards that are worth points, up to four.
func (r *Realm) freeCitySites() (n int) {
	for t := r.Left; t <= r.Right; t++ {
		town := &r.Towns[t]
		if town.Level != city {
			continue
		}
		for side := range 2 {
			for slot := range 2 {
				if town.Sites[side][slot] == NoCard {
					n++
				}
			}
		}
	}
	return min(n, 4)
}

// handWorth is what the hand promises: little for a card that cannot be used as things are,
// so that it is exchanged; a card still to be taken counts as a middling one.
func (s *State) handWorth(seat domain.Seat) (v float64) {
	r := &s.Realms[seat]
	const middling = 0.12
	for i := range min(int(r.HandN), s.handLimit(seat)) {
		c := r.Hand[i].Card
		row := c.Row()
		switch {
		case row.Kind == ActionCard && s.mayPlay(seat, c) == "":
			v += 0.15
		case row.Kind == ActionCard && len(row.needs) == 0:
			v += 0.08
		case row.Kind == ActionCard || row.One && r.has(c) || !s.meets(seat, row):
			v += 0.01
		case row.Kind == CityCard:
			v += 0.10 + 0.15*float64(row.Points.Victory+row.Points.Progress)
		default:
			v += 0.10 + 0.02*float64(row.Points.Commerce+row.Points.Strength)
		}
	}
	if i := s.openTask(seat); i >= 0 && (s.Tasks[i].Kind == taskPick || s.Tasks[i].Kind == taskSearch && s.Phase == Exchanging || s.Tasks[i].Kind == taskPay && s.Phase == Exchanging) {
		v += middling + 0.1 // it is chosen, not drawn blind
	}
	return v
}

// lead is what points towards an advantage are worth beyond the token itself.
func lead(mine, theirs int8) float64 {
	return 0.12*float64(min(mine, 3)) + 0.04*float64(mine) - 0.02*float64(theirs)
}

// prospect is how near the best thing to build is, by what is still missing for it.
func (s *State) prospect(seat domain.Seat) float64 {
	r := &s.Realms[seat]
	have := r.stock()
	best := 0.0
	try := func(cost Goods, worth float64) {
		missing, total := 0, max(1, cost.total())
		for i, n := range cost {
			if have[i] < n {
				missing += int(n - have[i])
			}
		}
		best = max(best, worth*float64(total-missing)/float64(total))
	}
	for t := r.Left; t <= r.Right; t++ {
		if r.Towns[t].Level == settlement && s.Cities > 0 {
			try(cityCost, 0.8)
		}
	}
	for _, right := range [2]bool{false, true} {
		if _, wrong := s.settleTown(seat, right); wrong == "" {
			try(settlementCost, 0.8)
		} else if _, wrong := s.roadGap(seat, right); wrong == "" && s.Settlements > 0 {
			try(roadCost, 0.35)
		}
	}
	for i := range int(r.HandN) {
		if row := r.Hand[i].Card.Row(); row.Kind == SettlementCard || row.Kind == CityCard && r.hasCity() {
			try(row.Cost, 0.2+0.4*float64(row.Points.Victory))
		}
	}
	return best
}
