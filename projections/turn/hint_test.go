package turn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/standin"
	"posthorn/events/desktest"
)

// Where there are more moves than there is room for, those that are shown are called as they are
// among all, and what the stand-in likes best comes first.
func TestTheBestMovesComeFirstWhereThereIsNoRoomForAll(t *testing.T) {
	h := newHouse(t)
	rnd := rand.New(rand.NewPCG(4, 5))
	table := h.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo))
	seen := 0
	for !h.Random(table, rnd, 3) {
		look := h.Sees(table)
		m := h.turn(table, asks(look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]))
		groups, all := m.Best(10)
		if m.Legal() <= 10 {
			require.True(t, all)
			require.Equal(t, m.Groups(), groups)
			continue
		}
		seen++
		require.False(t, all)
		names, shown := map[string]string{}, 0
		for _, g := range m.Groups() {
			for _, n := range g.Moves {
				names[n.Notation] = n.Name
			}
		}
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
