package rulebooks_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
)

// In the long run chance brings what was expected, and nobody's account knows more than everybody does.
func TestLuckComesToWhatWasToBeExpected(t *testing.T) {
	for _, rb := range rulebooks.All() {
		accounts := rb.Extras()
		if accounts.Chances == nil {
			continue
		}
		got, expected, times := map[string]float64{}, map[string]float64{}, map[string]int{}
		for seed := range uint64(12) {
			line, pick := domain.NewLine(rb, domain.NewThrowaway(seed)), domain.NewThrowaway(seed+100)
			choices, err := domain.Complete(rb, nil)
			require.NoError(t, err)
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
			require.NoError(t, err)
			line.Apply(&e)
			for range 300 {
				open := line.Awaited()
				if len(open) == 0 {
					break
				}
				luck := pick.Begin()
				var m domain.Move
				if pick := rb.Extras().PickLegal; pick != nil {
					m, _ = pick(line.State, open[0].Seat, func(n int) int { return luck.Draw("pick", n) })
				}
				pick.Commit(luck)
				require.NotNil(t, m, rb.Name())
				e, _, err := line.Decide(open[0].Seat, m)
				require.NoError(t, err)
				seen := e.Redact(domain.Spectator)
				list := accounts.Chances(line.State, &seen)
				require.Equal(t, accounts.Chances(line.State, &e), list, "%s: a stranger keeps the same account",
					rb.Name())
				for _, c := range list {
					require.GreaterOrEqual(t, c.Entry, -1)
					got[c.Name], expected[c.Name], times[c.Name] = got[c.Name]+c.Got, expected[c.Name]+c.Expected,
						times[c.Name]+1
				}
				line.Apply(&e)
			}
		}
		require.NotEmpty(t, got, rb.Name())
		for name, n := range times {
			require.Greater(t, n, 100, "%s: %s", rb.Name(), name)
			require.InDelta(t, expected[name], got[name],
				4*math.Sqrt(float64(n))*math.Max(1, expected[name]/float64(n)), "%s: %s of %d", rb.Name(), name, n)
			t.Logf("%s %s: %.0f came, %.1f were expected of %d", rb.Name(), name, got[name], expected[name], n)
		}
	}
}

// What points come from adds up to the points, at any time.
func TestEveryPointComesFromSomething(t *testing.T) {
	for _, rb := range rulebooks.All() {
		if rb.Extras().Sources == nil {
			continue
		}
		for seed := range uint64(6) {
			line, pick := domain.NewLine(rb, domain.NewThrowaway(seed)), domain.NewThrowaway(seed+100)
			choices, err := domain.Complete(rb, nil)
			require.NoError(t, err)
			seats := 2
			if low, high := rb.Seats(choices); seed == 0 {
				seats = low
			} else if seed == 1 {
				seats = high
			}
			e, _, err := line.Setup(domain.Game{Choices: choices, Seats: seats})
			require.NoError(t, err)
			line.Apply(&e)
			so := rb.Extras().Sources(line.State, &e, domain.Sources{})
			for n := 0; n < 400; n++ {
				open := line.Awaited()
				if len(open) == 0 {
					break
				}
				luck := pick.Begin()
				m, _ := rb.Extras().PickLegal(line.State, open[0].Seat, func(n int) int { return luck.Draw("pick", n) })
				pick.Commit(luck)
				e, _, err := line.Decide(open[0].Seat, m)
				require.NoError(t, err)
				line.Apply(&e)
				seen := e.Redact(domain.Spectator)
				so = rb.Extras().Sources(line.State, &seen, so)
			}
			standing := rb.Standing(line.State, domain.Referee)
			final := standing.Points()
			require.Len(t, so.Each, len(final))
			for i, row := range so.Each {
				require.Len(t, row, len(so.Kinds))
				sum := 0
				for _, n := range row {
					sum += n
				}
				require.Equal(t, final[i], sum, "%s: %v", rb.Name(), row)
			}
		}
	}
}
