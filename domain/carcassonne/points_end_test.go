package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
)

// ends sets up a position of two players and returns the scores if the game ended there.
func ends(t *testing.T, short string) []int {
	t.Helper()
	return endsWith(t, nil, 2, short)
}

func endsWith(t *testing.T, o domain.Choices, seats int, short string) []int {
	t.Helper()
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	e, _, err := line.Setup(domain.Game{Choices: withDefaults(o), Seats: seats, Given: []byte(position(t, short))})
	require.NoError(t, err)
	line.Apply(&e)
	return Rulebook.Standing(line.State, domain.Referee).Final
}

func TestPoint29TheFinalScoringOfWhatIsNotFinished(t *testing.T) {
	for board, want := range map[string][]int{
		"U 0,0 0 A road E | U 1,0 0 | U 2,0 0":      {3, 0},
		"E 0,0 90 A city E | F 1,0 0":               {3, 0},
		"B 0,0 0 A cloister | B 1,0 0 B cloister":   {2, 2},
		"D 0,0 0 | E 0,-1 180 A field Nw":           {3, 0},
		"D 0,0 0 | U 1,0 0":                         {0, 0},
		"U 0,0 0 A road E | U 1,0 0 B road W":       {2, 2},
		"E 0,0 90 A city E | G 1,0 0 | E 0,1 180":   {2, 0},
		"A 0,0 0 A cloister | U 0,1 90 B road N":    {2, 2},
		"D 0,0 0 A field Es | U 1,0 0 | E 0,-1 180": {0, 0},
	} {
		require.Equal(t, want, ends(t, board), board)
	}
}

func TestPoint30FieldsEndAtRoadsCitiesRiversAndCorners(t *testing.T) {
	plays(t, map[string]string{
		"a road": `
			board U 0,0 0 A field Nw with "to_move":"B"
			chance U
			Bo: 1,0 0 field Ne # refused feature-claimed
			Bo: 1,0 0 field Se # figures 2`,
		"not across a corner": `
			board B 0,0 0 A field Nw | F 1,0 90 with "to_move":"B"
			chance E
			Bo: 1,1 0 field Se # figures 2`,
		"not under a bridge": `
			option river on
			board RK 0,0 0 A field Nw with "to_move":"B","remaining":{"U":2}
			Bo: -1,0 0 field Nw # refused feature-claimed
			Bo: 1,0 0 field Nw # figures 2`,
		"joined round the end of a road": `
			board A 0,0 0 A field Nw with "to_move":"B"
			chance U
			Bo: 0,1 90 field Nw # refused feature-claimed
			Bo: 0,1 90 field Ne # refused feature-claimed`,
	})
}

func TestPoint31EachCompletedCityOnceForEachField(t *testing.T) {
	for board, want := range map[string][]int{
		// One field around both tiles of a city touches it twice.
		"E 0,0 0 A field Se | E 0,-1 180 | B 1,0 0 | B 1,-1 0": {3, 0},
		// A city pays for both fields.
		"E 0,0 0 A field Se | E 0,-1 180 B field Nw": {3, 3},
		// An open city pays nothing.
		"E 0,0 0 A field Se": {0, 0},
	} {
		require.Equal(t, want, ends(t, board), board)
	}
}

func TestPoint32TouchingIsDecidedInsideTiles(t *testing.T) {
	for board, want := range map[string][]int{
		"D 0,0 0 A field En | E 0,-1 180":                                    {3, 0},
		"D 0,0 0 A field Sw | E 0,-1 180":                                    {0, 0},
		"S 0,0 0 A field Se | E 0,-1 180 | E 1,0 270 | E -1,0 90":            {3, 0},
		"T 0,0 0 A field Sw | E 0,-1 180 | E 1,0 270 | E -1,0 90":            {3, 0},
		"J 0,0 0 A field Es | E 0,-1 180":                                    {0, 0},
		"J 0,0 0 A field Sw | E 0,-1 180":                                    {3, 0},
		"O 0,0 0 A field Se | E 0,-1 180 | E -1,0 90":                        {0, 0},
		"P 0,0 0 A field En | E 0,-1 180 | E -1,0 90":                        {3, 0},
		"L 0,0 0 A field Wn | E 0,-1 180":                                    {3, 0},
		"L 0,0 0 A field Ws | E 0,-1 180":                                    {0, 0},
		"H 0,0 0 A field En | E 0,-1 180 | E 0,1 0":                          {6, 0},
		"K 0,0 0 A field Se | E 0,-1 180":                                    {3, 0},
		"F 0,0 0 A field Nw | E 1,0 270 | E -1,0 90":                         {3, 0},
		"I 0,0 0 A field Se | E 0,-1 180 | E -1,0 90":                        {6, 0},
		"Q 0,0 0 A field Se | E 0,-1 180 | E 1,0 270 | E -1,0 90 B field Nw": {3, 3},
	} {
		require.Equal(t, want, ends(t, board), board)
	}
}

func TestPoint33JunctionsPartFieldsCloisterRoadsDoNot(t *testing.T) {
	fields := func(letter string) (n int) {
		id, ok := table.TileNamed(letter)
		require.True(t, ok)
		for _, p := range id.Tile().Parts {
			if p.Kind == table.Field {
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, fields("A"))
	require.Equal(t, 3, fields("W"))
	require.Equal(t, 4, fields("X"))
}

func TestPoint34WhatOtherEditionsDoIsNotDone(t *testing.T) {
	// On a tie everybody gets the full amount; a field pays 3 a city, not 4, and each field pays.
	require.Equal(t, []int{3, 3}, ends(t, "E 0,0 0 A field Se | E 0,-1 180 | E 1,0 90 B field Nw"))
	play(t, `
		board D 0,0 0 A road E
		chance U
		Ana: 1,0 0 road W # refused feature-claimed
	`)
}

// The worked examples of the rulebook (S1), one test each; the scripts in testdata play them.

func TestWorkedOpenCityOfFiveTilesAndThreePennants(t *testing.T) {
	require.Equal(t, []int{8, 0}, ends(t,
		"E -1,0 90 A city E | F 0,0 0 B city E | F 1,0 0 | G 2,0 0 A city E | C 3,0 0"))
}

func TestWorkedCloisterWithThreeNeighbours(t *testing.T) {
	require.Equal(t, []int{4, 0}, ends(t, "B 0,0 0 A cloister | B 1,0 0 | B 0,1 0 | B 1,1 0"))
}

func TestWorkedOpenCityOfTwoTilesAndAPennant(t *testing.T) {
	require.Equal(t, []int{3, 0}, ends(t, "E 0,0 90 A city E | F 1,0 0"))
}

func TestWorkedOpenRoadOfThreeTiles(t *testing.T) {
	require.Equal(t, []int{3, 0}, ends(t, "U 0,0 0 | U 1,0 0 A road E | V 2,0 0"))
}

func TestWorkedFieldOfThreeCitiesShared(t *testing.T) {
	require.Equal(t, []int{9, 9}, ends(t, `E 0,0 0 A field Se | E 1,0 0 | E 2,0 0 B field Se
		| D 0,-1 180 | D 1,-1 180 | D 2,-1 180 | E 3,0 0`))
}

func TestWorkedFieldOfFourCitiesToTheMajority(t *testing.T) {
	require.Equal(t, []int{12, 0}, ends(t, `E 0,0 0 A field Se | E 1,0 0 A field Se | E 2,0 0 B field Se | E 3,0 0
		| D 0,-1 180 | D 1,-1 180 | D 2,-1 180 | D 3,-1 180`))
}

func TestWorkedFieldOfTwoCities(t *testing.T) {
	require.Equal(t, []int{6, 0}, ends(t, "E 0,0 0 A field Se | E 1,0 0 | D 0,-1 180 | D 1,-1 180"))
}
