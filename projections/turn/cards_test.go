package turn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
)

func TestCardsAreToldByPlaceToThoseWhoSeeThem(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("rivals", nil, desktest.Player(ana), desktest.Player(bo))
	h.Random(table, rand.New(rand.NewPCG(3, 4)), 8) // both have just chosen their hands
	held := map[domain.PersonID][]string{}
	for _, who := range []domain.PersonID{ana, bo} {
		for _, g := range h.turn(table, asks(who)).Cards() {
			require.NotEmpty(t, g.Cards)
			for _, c := range g.Cards {
				require.NotEmpty(t, c.Label)
				require.NotEmpty(t, c.Lines, c.Label)
				if g.Hand {
					require.Equal(t, "In your hand", g.Place)
					held[who] = append(held[who], c.Label)
				}
			}
		}
		require.NotEmpty(t, held[who])
	}
	require.NotEqual(t, held[ana], held[bo])
	for _, g := range h.turn(table, asks(cid)).Cards() {
		require.False(t, g.Hand, "a spectator holds nothing")
	}
	require.Empty(t, h.turn(h.Starts("carcassonne", nil, desktest.Player(ana), desktest.Player(bo)), asks(ana)).Cards())
}

func TestWhatOnesOwnMoveDidIsToldUntilSomethingElseHappens(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.Plays(table, 0, "keep")
	m := h.turn(table, asks(ana))
	require.True(t, m.Own)
	require.Len(t, m.Since, 1)
	require.Equal(t, domain.Seat(0), m.Since[0].Seat)
	require.False(t, h.turn(table, asks(bo)).Own)
	h.Plays(table, 1, "keep")
	m = h.turn(table, asks(ana))
	require.False(t, m.Own)
	require.Len(t, m.Since, 1)
	require.Equal(t, domain.Seat(1), m.Since[0].Seat)
}
