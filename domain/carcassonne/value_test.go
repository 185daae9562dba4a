package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/simulate"
	"posthorn/domain/standin"
)

// winRate plays games of steady, seat A, against random players; each seat begins in turn.
func winRate(t *testing.T, o domain.Choices, seats, games int) float64 {
	t.Helper()
	cfg := simulate.Config{Rulebook: Rulebook, Choices: withDefaults(o), Seats: seats, Seed: 5}
	cfg.Standins = []standin.Standin{standin.Steady{}}
	for len(cfg.Standins) < seats {
		cfg.Standins = append(cfg.Standins, standin.Random{})
	}
	sum, p := simulate.NewTally(), simulate.NewPlayer(cfg)
	for i := range games {
		g, err := p.Play(i)
		require.NoError(t, err)
		require.Zero(t, g.Refused)
		sum.Add(g)
	}
	t.Logf("%d games of %d seats: steady wins %.3f, scores %v", games, seats, sum.WinRates()[0], sum.MeanScores())
	return sum.WinRates()[0]
}

func TestTheSteadyStandinBeatsTheRandomOne(t *testing.T) {
	require.GreaterOrEqual(t, winRate(t, nil, 2, long(4, 200)), 0.95)
	require.GreaterOrEqual(t, winRate(t, domain.Choices{"river": "on", "abbot": "on"}, 2, long(1, 100)), 0.95)
}

func TestTheSteadyStandinPlaysSoundlyAlone(t *testing.T) {
	mean := func(s standin.Standin) (lowest float64) {
		cfg := simulate.Config{Rulebook: Rulebook, Choices: withDefaults(domain.Choices{"solo": "on"}), Seats: 1,
			Seed: 5}
		cfg.Standins = []standin.Standin{s}
		p := simulate.NewPlayer(cfg)
		games := long(5, 60)
		for i := range games {
			g, err := p.Play(i)
			require.NoError(t, err)
			lowest += float64(min(g.Scores[0], g.Scores[1], g.Scores[2])) / float64(games)
		}
		return lowest
	}
	steady, random := mean(standin.Steady{}), mean(standin.Random{})
	t.Logf("lowest colour: steady %.1f, random %.1f", steady, random)
	require.Greater(t, steady, random+5)
}
