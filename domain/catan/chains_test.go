package catan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// What a page offers as one press begins with a legal move and goes on with legal ones: to the next player's turn, or
// until the neutrals have built away from the players.
func TestOnePressLeadsToWhatItSays(t *testing.T) {
	bought, aside, ended := 0, 0, 0
	for seats := 2; seats <= 3; seats++ {
		for seed := range uint64(6) {
			playOut(t, seats, seed, rand.New(rand.NewPCG(seed, 7)), func(s *state.State) {
				if s.Phase != state.PhaseMain && s.Phase != state.PhaseNeutral {
					return
				}
				seat := domain.Seat(s.Active)
				for _, c := range Rulebook.Extras().Chains(s, seat) {
					require.Contains(t, slices.Collect(Rulebook.Legal(s, seat)), c.Moves[0])
					after := Rulebook.Clone(s).(*state.State)
					for _, m := range c.Moves {
						if after.Phase == state.PhaseOver { // the card just bought has won
							break
						}
						thrown := domain.NewThrowaway(seed).Begin()
						e, err := Rulebook.Decide(after, seat, m, thrown)
						require.NoError(t, err, "%v", m)
						e.Seat, e.Draws, e.Move = seat, thrown.Used(), Rulebook.FormatMove(m, nil)
						Rulebook.Evolve(after, &e)
					}
					if last := c.Moves[len(c.Moves)-1].(state.Move); last.Kind == state.KindEnd {
						ended++
						require.True(t, after.Phase == state.PhaseOver || after.Active != s.Active, "%v", c.Moves)
					}
					if s.Phase == state.PhaseMain {
						bought++
						require.Equal(t, s.Cards[seat].Len()+1, after.Cards[seat].Len())
						continue
					}
					aside++
					for i, x := range c.Moves[0].(state.Move).Neutral {
						if x.Sort == state.RoadPiece {
							require.Zero(t, table.EndsOf(x.At)&(s.Reach[0]|s.Reach[1]|s.Buildings(0)|s.Buildings(1)),
								"neutral %d", i)
						}
					}
					for c := range int8(2) {
						require.Equal(t, s.OpenHomes(c), after.OpenHomes(c), "nobody loses a place")
						require.Equal(t, s.OpenPaths(c), after.OpenPaths(c))
					}
				}
			})
		}
	}
	require.Greater(t, bought, 30)
	require.Greater(t, aside, 10)
	require.Greater(t, ended, 30)
}
