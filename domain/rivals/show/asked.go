package show

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Asked names the phase of a turn that is awaited, or what is to be paid or gained first.
func (Room) Asked(s *state.State, d domain.Decision) string {
	if d.Kind != "turn" {
		return "await." + d.Kind
	}
	switch s.Asked(d.Seat) {
	case state.TaskPay:
		return "await.pay"
	case state.TaskGain:
		return "await.gain"
	}
	return "await.turn." + s.Phase.String()
}
