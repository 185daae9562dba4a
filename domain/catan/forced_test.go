package catan

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// A forced move is its seat's only one, and anybody can see it: it is the same whatever the hands and the stack hold,
// dealt anew from what a spectator knows. A seat that holds any development card is asked.
func TestAForcedMoveIsTheOnlyOneAndSeenByAll(t *testing.T) {
	only := Rulebook.Extras().Forced
	rolls, forced := 0, 0
	for seats := 2; seats <= 4; seats++ {
		choices, err := domain.Complete(Rulebook, nil)
		require.NoError(t, err)
		for seed := range uint64(4) {
			luck := domain.NewThrowaway(seed + 100)
			line := domain.NewLine(Rulebook, luck)
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: seats, First: domain.Seat(int(seed) % seats)})
			require.NoError(t, err)
			line.Apply(&e)
			for n := 0; n < 400 && len(line.Awaited()) > 0; n++ {
				s := line.State.(*state.State)
				dealt := Rulebook.Clone(s)
				again := domain.NewThrowaway(seed<<16 + uint64(n)).Begin()
				anew := Rulebook.Blind(s, domain.Spectator, again)
				anew.Seat, anew.Draws = domain.Nobody, again.Used()
				Rulebook.Evolve(dealt, &anew)
				for _, o := range line.Awaited() {
					move, ok := only(Rulebook.View(s, domain.Spectator), o.Decision)
					other, same := only(Rulebook.View(dealt, domain.Spectator), o.Decision)
					require.Equal(t, ok, same)
					require.Equal(t, move, other)
					own, knows := only(Rulebook.View(s, domain.ViewOf(o.Seat)), o.Decision)
					require.Equal(t, ok, knows, "its seat sees no more of it")
					require.Equal(t, move, own)
					if s.Phase == state.PhaseRoll {
						rolls++
						require.False(t, ok && s.Cards[o.Seat].Len() > 0)
					}
					if !ok {
						continue
					}
					forced++
					require.Equal(t, []domain.Move{move}, slices.Collect(Rulebook.Legal(s, o.Seat)))
					require.Equal(t, []domain.Move{move}, slices.Collect(Rulebook.Legal(dealt, o.Seat)))
					require.Empty(t, Rulebook.Forms(s, o.Seat))
				}
				o := line.Awaited()[0]
				begun := luck.Begin()
				moves := slices.Collect(Rulebook.Legal(line.State, o.Seat))
				m := moves[begun.Draw("move", len(moves))]
				luck.Count(begun.Used())
				e, _, err := line.Decide(o.Seat, m)
				require.NoError(t, err)
				line.Apply(&e)
			}
		}
	}
	t.Logf("%d of %d rolls are forced", forced, rolls)
	require.Greater(t, forced, 100)
	require.Greater(t, rolls-forced, 20)
}
