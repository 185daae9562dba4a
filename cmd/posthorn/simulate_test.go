package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func simulated(t *testing.T, args ...string) summary {
	t.Helper()
	r := program("", append([]string{"simulate", "carcassonne", "--json"}, args...)...)
	require.Zero(t, r.status, r.err)
	var s summary
	require.NoError(t, json.Unmarshal([]byte(r.out), &s))
	return s
}

func TestSimulatePrintsItsResultAsOneLineInOneOrder(t *testing.T) {
	r := program("", "simulate", "carcassonne", "--games", "3", "--seats", "2", "--seed", "5", "--json")
	require.Zero(t, r.status, r.err)
	require.Equal(t, 1, strings.Count(r.out, "\n"))
	at := -1
	for _, key := range []string{"game", "seats", "games", "moves", "refused_moves", "unfinished", "mean_choices",
		"digest", "digest_of", "cpu_seconds", "games_per_cpu_second", "mean_scores"} {
		next := strings.Index(r.out, `"`+key+`":`)
		require.Greater(t, next, at, key)
		at = next
	}
	s := simulated(t, "--games", "3", "--seats", "2", "--seed", "5")
	require.Equal(t, 3, s.Games)
	require.Zero(t, s.RefusedMoves)
	require.Zero(t, s.Unfinished)
	require.Greater(t, s.Moves, 3*60)
	require.Len(t, s.MeanScores, 2)
}

func TestTheResultDependsOnTheSeedAloneNotOnTheWorkers(t *testing.T) {
	one := simulated(t, "--games", "8", "--seed", "9")
	two := simulated(t, "--games", "8", "--seed", "9", "--workers", "3")
	other := simulated(t, "--games", "8", "--seed", "10")
	require.Equal(t, one.Digest, two.Digest)
	require.Equal(t, one.MeanScores, two.MeanScores)
	require.NotEqual(t, one.Digest, other.Digest)
}

func TestTheDigestIsOfChoicesOrOfEvents(t *testing.T) {
	events, choices := simulated(t, "--games", "2"), simulated(t, "--games", "2", "--digest", "choices")
	require.Equal(t, "choices", choices.DigestOf)
	require.Equal(t, "events", events.DigestOf)
	require.NotEqual(t, choices.Digest, events.Digest)
	require.Equal(t, choices.MeanScores, events.MeanScores)
}

func TestOptionsAndStandinsAreTaken(t *testing.T) {
	farmers := simulated(t, "--games", "4")
	none := simulated(t, "--games", "4", "--option", "farmers=off", "--option", "two-tile-city=2")
	require.NotEqual(t, farmers.Digest, none.Digest)

	s := simulated(t, "--games", "1", "--seats", "3", "--standin", "random,random,random")
	require.Equal(t, []string{"random", "random", "random"}, s.Standins)
	require.Len(t, s.WinRates, 3)
	require.Len(t, s.WinIntervals, 3)
	for i, w := range s.WinIntervals {
		require.Less(t, w[0], w[1])
		require.GreaterOrEqual(t, s.WinRates[i], w[0])
		require.LessOrEqual(t, s.WinRates[i], w[1])
	}
}

// Over 200 games steady won all of them. Six, with each seat starting, take no time, and a broken steady would lose
// some.
func TestSteadyBeatsRandomFromEitherSeat(t *testing.T) {
	s := simulated(t, "--games", "6", "--standin", "steady,random", "--workers", "2")
	require.Equal(t, []float64{1, 0}, s.WinRates)
	require.Greater(t, s.MeanScores[0], 2*s.MeanScores[1])
}

func TestWhatCannotBeSimulatedEndsWithStatusTwo(t *testing.T) {
	for _, args := range [][]string{
		{"chess"}, {"carcassonne", "--seats", "9"}, {"carcassonne", "--option", "cows=on"},
		{"carcassonne", "--option", "farmers=maybe"},
		{"carcassonne", "--games", "0"}, {"carcassonne", "--standin", "clever,random"},
		{"carcassonne", "--standin", "random"}, {"carcassonne", "--digest", "moves"}, {},
	} {
		r := program("", append([]string{"simulate"}, args...)...)
		require.Equal(t, 2, r.status, "%v: %s", args, r.err)
		require.NotEmpty(t, r.err)
	}
}

func TestSimulateForPeopleSaysTheDigest(t *testing.T) {
	r := program("", "simulate", "carcassonne", "--games", "1", "--standin", "random,random")
	require.Zero(t, r.status, r.err)
	require.Contains(t, r.out, "digest ")
	require.Contains(t, r.out, "won ")
}
