package turn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/standin"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

// If there are more moves than room, those shown keep the names that they have among all moves, and the stand-in's
// favourites come first.
func TestTheBestMovesComeFirstWhereThereIsNoRoomForAll(t *testing.T) {
	h := newHouse(t)
	rnd := rand.New(rand.NewPCG(4, 5))
	table := h.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	seen := 0
	for !h.Random(table, rnd, 3) {
		look := h.Sees(table)
		m := h.turn(table, asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]))
		top, of := m.Top(10)
		names, different := map[string]string{}, 0
		for _, g := range m.Groups() {
			for _, n := range g.Moves {
				if names[n.Notation] = n.Name; !looksLikeAnother(n) {
					different++
				}
			}
		}
		require.Equal(t, different, of)
		require.False(t, slices.ContainsFunc(top, looksLikeAnother))
		require.Len(t, top, min(10, of))
		for _, n := range top {
			require.Equal(t, names[n.Notation], n.Name)
		}
		if of <= 10 {
			continue
		}
		seen++
		sight := standin.Look(look.Rulebook, look.Line.State, m.Seat, 1)
		best := standin.Steady{}.Ranked(sight)[0]
		require.Len(t, standin.Steady{}.Ranked(sight), m.Legal())
		notation := look.Rulebook.FormatMove(best, nil)
		require.Contains(t, names, notation)
	}
	require.NotZero(t, seen)
}

// looksLikeAnother reports whether a move turns its tile in a way that looks like an earlier one.
func looksLikeAnother(n turn.Named) bool {
	return slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Like != "" })
}
