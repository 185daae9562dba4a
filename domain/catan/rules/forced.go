package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Forced is the roll of a seat that holds no development card and can use no trade token: how many of either it has everybody
// sees. After the roll a hand may allow much, so nothing is forced then, even if everybody sees that it is empty: whoever
// has just built may want to take that back, and the end of a turn is theirs to say.
func (r *Room) Forced(v *state.View, d domain.Decision) (domain.Move, bool) {
	c := int8(d.Seat)
	if v.Phase != state.PhaseRoll || c != v.Active || d.Kind != "turn" || v.CardCount[c] > 0 {
		return nil, false
	}
	s := v.State
	n := 0
	for range r.Legal(&s, d.Seat) {
		n++
	}
	return state.NewMove(state.KindRoll), n == 1
}
