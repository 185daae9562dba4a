package show

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Asked names the awaited phase of a turn, or what must be chosen first.
func (Room) Asked(s *state.State, d domain.Decision) string {
	if d.Kind != "turn" {
		return "await." + d.Kind
	}
	if task := s.Asked(d.Seat); task != state.NoTask {
		return "await." + state.TaskNames[task]
	}
	return "await.turn." + s.Phase.String()
}
