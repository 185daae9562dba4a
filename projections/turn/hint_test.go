package turn_test

import (
	"cmp"
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
		groups, of := m.Best(10)
		names, order, different, shown := map[string]string{}, map[string]int{}, 0, 0
		for _, g := range m.Groups() {
			for i, n := range g.Moves {
				names[n.Notation], order[n.Notation] = n.Name, i
				if !looksLikeAnother(n) {
					different++
				}
			}
		}
		require.Equal(t, different, of)
		for _, g := range groups {
			require.False(t, slices.ContainsFunc(g.Moves, looksLikeAnother))
			require.True(t, slices.IsSortedFunc(g.Moves, func(a, b turn.Named) int {
				return cmp.Compare(order[a.Notation], order[b.Notation])
			}), "letters in their order")
		}
		if of <= 10 {
			require.Len(t, groups, len(m.Groups()))
			continue
		}
		seen++
		for _, g := range groups {
			for _, n := range g.Moves {
				require.Equal(t, names[n.Notation], n.Name)
				shown++
			}
		}
		require.Equal(t, 10, shown)
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
