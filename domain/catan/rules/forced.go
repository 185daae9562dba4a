package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Forced returns the roll of a seat that holds no development card and can use no trade token: everybody sees how many
// of either it has. After the roll a hand may allow much, so nothing is forced, even if everybody sees that the hand is
// empty: a player who has just built may want to take that back, and it is up to them to end the turn.
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
