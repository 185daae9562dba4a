package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
	"posthorn/domain/simulate"
)

// BenchmarkDuel plays whole random duels through Legal, Decide and Evolve.
func BenchmarkDuel(b *testing.B) {
	for _, play := range table.PlayNames {
		b.Run(play, func(b *testing.B) {
			choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
			require.NoError(b, err)
			p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices, Seats: 2, Seed: 1})
			moves, finished, offered := 0, 0, 0
			for i := range b.N {
				g, err := p.Play(i)
				require.NoError(b, err)
				require.Zero(b, g.Refused)
				moves += g.Moves
				offered += g.Choices
				if g.Finished {
					finished++
				}
			}
			b.ReportMetric(float64(moves)/float64(b.N), "moves/game")
			b.ReportMetric(float64(offered)/float64(moves), "choices/move")
			b.ReportMetric(float64(b.N-finished), "unfinished")
		})
	}
}
