package rivals

import "posthorn/domain"

// Value estimates how well a seat stands, in victory points: those it has, what its land and
// its stores promise, and how far it is from what it could build next.
func (Rulebook) Value(st domain.State, seat domain.Seat) float64 {
	s := st.(*State)
	if s.Phase == Over {
		if s.Winner == seat {
			return 1000
		}
		return -1000
	}
	return s.promise(seat) - 0.9*s.promise(other(seat)) - 0.02*float64(s.TasksN)
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
			v += [...]float64{0, 0.10, 0.17, 0.20}[min(3, r.Regions[p].Stored)]
		}
	}
	v += 0.04 * float64(r.CacheGold)
	v += 0.08 * float64(regions)
	v += 0.25 * float64(onesIn(uint64(r.Roads))-int(r.Right-r.Left)) // a road that waits for its settlement
	r.cards(func(_ Site, c Card) bool {
		v += 0.22 + 0.08*float64(len(c.Row().Effects))
		return true
	})
	v += 0.05 * float64(min(int(r.HandN), s.handLimit(seat)))
	return v + s.prospect(seat)
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
