package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Standing is the victory points; there is nothing to come at the end.
func (Room) Standing(s *state.State, _ domain.Viewer) domain.Standing {
	a, b := s.Victory(0), s.Victory(1)
	d := domain.Standing{Scores: []int{a, b}, Final: []int{a, b}}
	if s.Phase == state.Over {
		d.Ended = true
		d.Ranks, d.Result = result(s)
	}
	return d
}

// result is the ranks of a game that is over, and what is said of it.
func result(s *state.State) (ranks []int, say []domain.Say) {
	if s.Winner == domain.Nobody {
		return []int{1, 1}, []domain.Say{domain.S("result.draw", "n", s.Victory(0))}
	}
	ranks = []int{2, 2}
	ranks[s.Winner] = 1
	n, m := s.Victory(s.Winner), s.Victory(state.Other(s.Winner))
	if n < int(s.Goal) {
		return ranks, []domain.Say{domain.S("result.closed", "seat", s.Winner, "n", n, "m", m)}
	}
	return ranks, []domain.Say{domain.S("result.won", "seat", s.Winner, "n", n, "goal", int(s.Goal))}
}
