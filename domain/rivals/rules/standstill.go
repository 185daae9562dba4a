package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// mayClose tells what keeps a game from being closed by whoever is in turn.
func mayClose(s *state.State) check {
	if s.Still() < state.StillTurns {
		return "not-still"
	}
	return ""
}

// close ends a game that stands still.
func (g *deciding) close() *domain.Refusal {
	if wrong := mayClose(g.s); wrong != "" {
		return wrong.refusal("n", state.StillTurns-g.s.Still())
	}
	g.do(state.Op{Code: state.OpOver, Seat: g.s.Ahead()})
	return nil
}
