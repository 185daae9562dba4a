package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Thrown compares the dice that an event shows, those thrown again first.
func (*Room) Thrown(e *domain.Event, drawn []int) bool {
	var shown []int
	if b, ok := e.Body.(*state.Played); ok && b.Dice != [2]int8{} {
		for _, d := range append(slices.Clone(b.Again), b.Dice) {
			shown = append(shown, 6*int(d[0]-1)+int(d[1]-1))
		}
	}
	return slices.Equal(shown, drawn)
}
