package rivals

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
	"posthorn/domain/simulate"
	"posthorn/domain/standin"
)

// estimated returns what the finer value gives seat A for a given position.
func estimated(t *testing.T, play, position string) float64 {
	t.Helper()
	line, err := setUpGiven(play, position)
	require.NoError(t, err)
	return Rulebook.Extras().Estimate(line.State, 0)
}

// What one seat's chances gain, the other's lose, whatever is asked, and the end is worth more than anything before.
func TestTheEstimateIsEvenHanded(t *testing.T) {
	e := Rulebook.Extras()
	for _, play := range []string{"intro", "duel"} {
		choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
		require.NoError(t, err)
		line := domain.NewLine(Rulebook, domain.NewThrowaway(3))
		setup, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
		require.NoError(t, err)
		line.Apply(&setup)
		luck := domain.NewThrowaway(4)
		for range 600 {
			open := line.Awaited()
			if len(open) == 0 {
				break
			}
			if play == "intro" {
				require.InDelta(t, 0, e.Estimate(line.State, 0)+e.Estimate(line.State, 1), 1e-6)
			} else {
				require.InDelta(t, Rulebook.Value(line.State, 0), e.Estimate(line.State, 0), 0,
					"nothing was fitted to the other plays")
			}
			over := Rulebook.Clone(line.State).(*state.State)
			over.Phase, over.Winner = state.Over, 0
			require.Greater(t, e.Estimate(over, 0), e.Estimate(line.State, 0))
			require.Less(t, e.Estimate(over, 1), e.Estimate(line.State, 1))

			moves := slices.Collect(Rulebook.Legal(line.State, open[0].Seat))
			pick := luck.Begin()
			m := moves[pick.Draw("move", len(moves))]
			luck.Count(pick.Used())
			next, _, err := line.Decide(open[0].Seat, m)
			require.NoError(t, err)
			line.Apply(&next)
		}
	}
}

func TestTheEstimateKnowsWhatMatters(t *testing.T) {
	worth := func(mine string) float64 {
		return estimated(t, "intro", `{"phase":"act","seats":[`+mine+`,{"hand":[]}]}`)
	}
	plain := worth(`{"hand":[]}`)
	require.Greater(t, worth(`{"hand":[],"towns":["0 city","1 settlement"]}`), plain, "a city")
	require.Greater(t, worth(`{"hand":[],"towns":["0 settlement above abbey","1 settlement"]}`), plain,
		"a card that is built")
	ahead := worth(`{"hand":[],"towns":["0 settlement above marketplace below toll_bridge","1 settlement above gold_ship"]}`)
	require.Greater(t, ahead-plain,
		3*(worth(`{"hand":[],"towns":["0 settlement above gold_ship","1 settlement"]}`)-plain),
		"and the trade advantage most of all")
	require.Greater(t, worth(`{"hand":["toll_bridge"]}`), worth(`{"hand":["relocation"]}`),
		"what a card in the hand will be good for")
}

// A turn belongs to its seat as long as nothing is asked in between.
func TestATurnIsWhoseItIsOnceNothingIsAsked(t *testing.T) {
	line := domain.NewLine(Rulebook, domain.NewThrowaway(8))
	choices, err := domain.Complete(Rulebook, nil)
	require.NoError(t, err)
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2})
	require.NoError(t, err)
	line.Apply(&e)
	last, asked := 0, 0
	for range 400 {
		open := line.Awaited()
		if len(open) == 0 {
			break
		}
		n, whose := Rulebook.Extras().Turn(line.State)
		require.GreaterOrEqual(t, n, last)
		last = n
		if s := line.State.(*state.State); s.TasksN > 0 {
			require.Equal(t, domain.Nobody, whose)
			asked++
		} else {
			require.Equal(t, open[0].Seat, whose)
		}
		next, _, err := line.Decide(open[0].Seat, slices.Collect(Rulebook.Legal(line.State, open[0].Seat))[0])
		require.NoError(t, err)
		line.Apply(&next)
	}
	require.Positive(t, asked)
	require.Greater(t, last, 2)
}

// The short form has too few games to show how often one wins, but enough that no move is refused and all games end.
func TestTheThoughtfulStandinBeatsTheSteadyOne(t *testing.T) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": table.PlayNames[table.Intro]})
	require.NoError(t, err)
	p := simulate.NewPlayer(simulate.Config{Rulebook: Rulebook, Choices: choices, Seats: 2, Seed: 5,
		Standins: []standin.Standin{standin.Thoughtful{}, standin.Steady{}}})
	games := 1
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 200
	}
	sum := simulate.NewTally()
	for i := range games {
		g, err := p.Play(i)
		require.NoError(t, err)
		require.True(t, g.Finished)
		require.Zero(t, g.Refused)
		sum.Add(g)
	}
	t.Logf("thoughtful wins %v, scores %v", sum.WinRates()[0], sum.MeanScores())
	if games > 1 {
		require.GreaterOrEqual(t, sum.WinRates()[0], 0.7)
	}
}
