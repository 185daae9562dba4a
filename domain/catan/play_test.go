package catan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/simulate"
)

// choices completes the options of a game; pairs alternate key and value.
func choices(t testing.TB, pairs ...string) domain.Choices {
	t.Helper()
	given := domain.Choices{}
	for i := 0; i+1 < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	full, err := domain.Complete(Rulebook{}, given)
	require.NoError(t, err)
	return full
}

func TestSimQuick(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook{}, Choices: choices(t), Seats: seats, Seed: 1})
		moves, ch, un := 0, 0, 0
		for i := range 100 {
			g, err := p.Play(i)
			require.NoError(t, err)
			require.Zero(t, g.Refused)
			moves += g.Moves
			ch += g.Choices
			if !g.Finished {
				un++
			}
		}
		t.Log(seats, moves/100, float64(ch)/float64(moves), un)
	}
}

func BenchmarkGame4(b *testing.B) {
	p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook{}, Choices: choices(b), Seats: 4, Seed: 1})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := p.Play(i); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
