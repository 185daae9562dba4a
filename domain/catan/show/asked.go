package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Asked names the awaited step of a turn.
func (Room) Asked(s *state.State, d domain.Decision) string {
	if d.Kind != "turn" {
		return "await." + d.Kind
	}
	if again(s) {
		return "await.turn.roll-again"
	}
	return "await.turn." + s.Phase.String()
}

// again reports whether the dice are rolled a second time in a turn (Catan for two, the course of a turn).
func again(s *state.State) bool { return s.Phase == state.PhaseRoll && s.Rolls > 0 }
