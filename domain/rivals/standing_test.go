package rivals

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// If a game ended at any point, the causes of each seat's points would add up to them, with the better seat first.
func TestTheResultSaysWhereEveryPointIsFrom(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(4) {
		choices, err := domain.Complete(Rulebook, domain.Choices{"play": table.PlayNames[len(table.PlayNames)-1]})
		require.NoError(t, err)
		line := domain.NewLine(Rulebook, domain.NewThrowaway(seed))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
		require.NoError(t, err)
		line.Apply(&e)
		luck := domain.NewThrowaway(seed + 100)
		for range 500 {
			open := line.Awaited()
			if len(open) == 0 {
				break
			}
			moves := slices.Collect(Rulebook.Legal(line.State, open[0].Seat))
			pick := luck.Begin()
			m := moves[pick.Draw("move", len(moves))]
			luck.Count(pick.Used())
			e, _, err := line.Decide(open[0].Seat, m)
			require.NoError(t, err)
			line.Apply(&e)
			over := Rulebook.Clone(line.State).(*state.State)
			over.Phase, over.Winner = state.Over, over.Ahead()
			st := Rulebook.Standing(over, domain.Spectator)
			require.Len(t, st.Result, 1)
			require.Len(t, st.Causes, 2)
			require.False(t, st.Adds())
			for seat, said := range st.Causes {
				sum := 0
				for _, c := range said[0].Args["list"].([]domain.Say) {
					n, err := strconv.Atoi(c.Args["points"].(string))
					require.NoError(t, err)
					kinds[c.Args["what"].(domain.Say).Key] = true
					sum += n
				}
				require.Equal(t, st.Final[seat], sum)
			}
		}
	}
	require.Greater(t, len(kinds), 3, "%v", kinds)
}
