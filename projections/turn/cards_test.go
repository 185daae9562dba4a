package turn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

func TestCardsAreToldByPlaceToThoseWhoSeeThem(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("rivals", nil, desktest.Player(ana), desktest.Player(bo))
	rnd := rand.New(rand.NewPCG(3, 4))
	chose := func(who domain.PersonID) bool {
		return slices.ContainsFunc(h.turn(table, asks(who)).Cards(), func(g turn.CardGroup) bool { return g.Hand })
	}
	for n := 0; !chose(ana) || !chose(bo); n++ {
		require.False(t, n > 40 || h.Random(table, rnd, 1), "both choose their hands at the beginning")
	}
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

func TestWhatOnesMoveDidIsToldUntilSomethingHappens(t *testing.T) {
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
