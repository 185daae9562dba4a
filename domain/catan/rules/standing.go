package rules

import (
	"math"
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/kit"
)

// Standing is the points; the hidden ones count for their owner, the referee, and for
// everybody once the game is over (Catan base game, 39 and 51).
func (*Room) Standing(s *state.State, v domain.Viewer) domain.Standing {
	st := domain.Standing{Ended: s.Phase == state.PhaseOver}
	for c := range s.Seats {
		n := s.PointsFor(c, v)
		st.Scores = append(st.Scores, n)
		st.Final = append(st.Final, n)
	}
	if !st.Ended {
		return st
	}
	order := slices.Clone(st.Final) // the winner first, then by points
	if s.Winner != state.NoColour {
		order[s.Winner] = math.MaxInt
	}
	st.Ranks = kit.Ranks(order)
	if s.Winner == state.NoColour {
		st.Result = append(st.Result, domain.S("result.standstill"))
	} else {
		st.Result = append(st.Result, domain.S("result.won", "who", domain.Seat(s.Winner), "n", s.Points(s.Winner)))
	}
	for c := range s.Seats {
		st.Result = append(st.Result, domain.S("result.points", "who", domain.Seat(c), "n", s.Points(c), "causes", causes(s, c)))
	}
	return st
}

// causes is where a seat's points come from.
func causes(s *state.State, c int8) []domain.Say {
	var list []domain.Say
	add := func(key string, n int) {
		if n > 0 {
			list = append(list, domain.S(key, "n", n))
		}
	}
	add("cause.settlements", table.BitCount(s.Settlements[c]))
	add("cause.cities", table.BitCount(s.Cities[c]))
	add("cause.points", int(s.Cards[c][table.Point]))
	add("cause.longest", is(s.Longest == c)*int(s.Length[c]))
	add("cause.army", is(s.Army == c)*int(s.Knights[c]))
	return list
}
