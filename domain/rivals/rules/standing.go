package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Standing is the victory points; there is nothing to come at the end.
func (Room) Standing(s *state.State, _ domain.Viewer) domain.Standing {
	a, b := s.Victory(0), s.Victory(1)
	d := domain.Standing{Scores: []int{a, b}, Final: []int{a, b}}
	if s.Phase != state.Over {
		return d
	}
	d.Ended, d.Ranks = true, []int{2, 2}
	if s.Winner == domain.Nobody {
		d.Ranks, d.Result = []int{1, 1}, []domain.Say{domain.S("result.draw", "n", a)}
		return d
	}
	d.Ranks[s.Winner] = 1
	n, m := s.Victory(s.Winner), s.Victory(state.Other(s.Winner))
	d.Result = []domain.Say{domain.S("result.won", "seat", s.Winner, "n", n, "goal", int(s.Goal))}
	if n < int(s.Goal) {
		d.Result = []domain.Say{domain.S("result.closed", "seat", s.Winner, "n", n, "m", m)}
	}
	return d
}
