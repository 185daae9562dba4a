package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Asked names the step of a turn that is awaited.
func (Room) Asked(s *state.State, d domain.Decision) string {
	if d.Kind != "turn" {
		return "await." + d.Kind
	}
	return "await.turn." + s.Phase.String()
}
