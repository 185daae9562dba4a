package carcassonne

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/rules"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func solo(more ...string) domain.Choices {
	o := domain.Choices{"solo": "on"}
	for i := 0; i+1 < len(more); i += 2 {
		o[more[i]] = more[i+1]
	}
	return o
}

func TestPoint50ASoloGameHasOneSeatForOneOrForATeam(t *testing.T) {
	least, most := Rulebook.Seats(solo())
	require.Equal(t, []int{1, 1}, []int{least, most})
	p := newPlayout(t, solo(), 1, 1)
	for !p.over() {
		require.Equal(t, domain.Seat(0), p.line.Awaited()[0].Seat)
		p.random()
	}
}

func TestPoint51ThreeColoursBeginWithOneTwoAndThree(t *testing.T) {
	v := newPlayout(t, solo(), 1, 1).state().View()
	require.Equal(t, []int{1, 2, 3}, v.Scores)
	require.Equal(t, []int{4, 4, 4}, v.Followers)
	v = newPlayout(t, solo("colours", "4", "followers", "3"), 1, 1).state().View()
	require.Equal(t, []int{1, 2, 3, 4}, v.Scores)
	require.Equal(t, []int{3, 3, 3, 3}, v.Followers)
}

func TestPoint52PilesOf24And24And23(t *testing.T) {
	for _, c := range []struct {
		o    domain.Choices
		want []int // after drawing the first colour's first tile
	}{{solo(), []int{23, 24, 23}}, {solo("colours", "4"), []int{17, 18, 18, 17}},
		{solo("river", "on"), []int{24, 24, 23}}} {
		require.Equal(t, c.want, newPlayout(t, c.o, 1, 1).state().View().Piles)
	}
}

func TestPoint54ColoursTakeTurnsWithTheirOwnPiles(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		chance U
		chance U
		chance U
		chance U
		Ana: 1,0 0 road E  # turn B; piles 23 23 23; hand 3 4 4
		Ana: -1,0 0        # turn C; hand 3 4 4
	`)
	p := newPlayout(t, solo(), 1, 2)
	for !p.over() {
		b := p.random()
		if !b.Over() {
			require.Equal(t, (b.By+1)%3, b.NextBy)
		}
	}
}

func TestPoint55AFollowerIsDueInAFreeZoneNeverAFarmer(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		board D 0,0 0 C road E with "to_move":"C"
		chance L
		chance V
		Ana: 1,0 0          # refused follower-due
		Ana: 1,0 0 field Se # refused solo-no-farmer
		Ana: 1,0 0 road W   # refused feature-claimed
		Ana: 1,0 0 city N   # hand 4 4 2
	`)
	play(t, `
		option solo on
		seat Ana
		board D 0,0 0 B road E with "to_move":"C"
		chance U
		Ana: 1,0 0 # hand 4 3 4; figures 1
	`)
}

func TestPoint56AFreeZoneWithoutAFollowerEndsTheGame(t *testing.T) {
	plays(t, map[string]string{
		"at once, though followers come back": `
			option solo on
			seat Ana
			board D 0,0 0 A city N | U 5,5 0 with "followers":[0,4,4]
			chance K
			Ana: 0,-1 180 # ended; scores 5 2 3; hand 1 4 4`,
		"not where no zone is free": `
			option solo on
			seat Ana
			board D 0,0 0 A road E with "followers":[0,4,4]
			chance U
			Ana: 1,0 0 # turn B`,
	})
}

func TestPoint57FeaturesAreScoredInTheOrderChosen(t *testing.T) {
	board := `
		option solo on
		seat Ana
		board W -2,0 0 | U -1,0 0 A road E | E 0,-1 180 C city S | U 1,0 0 B road W | U 2,0 0 | W 3,0 0 with "scores":[10,12,13],"to_move":"C"
		chance L
		`
	plays(t, map[string]string{
		"the order is asked for": board + `
			Ana: 0,0 0 road S                               # refused order-needed
			Ana: 0,0 0 road S score city N                  # refused order-needed
			Ana: 0,0 0 road S score road S, city N          # refused order-not-scored`,
		"yellow, red, green: all score": board + `
			Ana: 0,0 0 road S score road W, road E, city N  # scores 13 16 17`,
		"green first": board + `
			Ana: 0,0 0 road S score city N, road W, road E  # scores 13 16 13`,
		"red first": board + `
			Ana: 0,0 0 road S score road E, road W, city N  # scores 13 12 13`,
		"what it leaves open must not matter": board + `
			Ana: 0,0 0 road S score road W                  # refused order-needed
			Ana: 0,0 0 road S score road W, road E          # scores 13 16 17`,
	})
}

func TestPoint57NoOrderIsAskedForWhereItChangesNothing(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		board W -2,0 0 | U -1,0 0 A road E | U 1,0 0 A road W | U 2,0 0 | W 3,0 0 with "scores":[1,20,30],"to_move":"C"
		chance L
		Ana: 0,0 0 road S # scores 8 20 30
	`)
}

func TestPoint58OneColourAloneScoresOnlyIfLowest(t *testing.T) {
	board := `
		option solo on
		seat Ana
		board U 0,0 0 A road E | W 1,0 0 with "to_move":"B","scores":`
	plays(t, map[string]string{
		"lowest":        board + "[4,7,9]\nchance W\nAna: -1,0 0 road W # scores 7 7 9; hand 4 3 4",
		"lowest, tied":  board + "[4,4,4]\nchance W\nAna: -1,0 0 road W # scores 7 4 4",
		"not lowest":    board + "[5,4,4]\nchance W\nAna: -1,0 0 road W # scores 5 4 4; hand 4 3 4",
		"before it all": board + "[4,3,9]\nchance W\nAna: -1,0 0 road W # scores 4 3 9",
	})
}

func TestPoint59ATieOfColoursScoresIfOneOfThemIsLowest(t *testing.T) {
	board := `
		option solo on
		seat Ana
		board E 0,-1 180 A city S | E 1,0 270 B city W | E -1,0 90 with "to_move":"C","scores":`
	plays(t, map[string]string{
		"one of them lowest": board + "[5,9,7]\nchance R\nAna: 0,0 0 # scores 13 17 7; hand 4 4 4",
		"neither":            board + "[8,9,7]\nchance R\nAna: 0,0 0 # scores 8 9 7; hand 4 4 4",
	})
}

func TestPoint59AStrictMajorityIsTreatedLikeOneColour(t *testing.T) {
	board := `
		option solo on
		seat Ana
		board E 0,-1 180 A city S | E 1,0 270 A city W | E -1,0 90 B city E with "to_move":"C","scores":`
	plays(t, map[string]string{
		"it is lowest":        board + "[5,9,7]\nchance R\nAna: 0,0 0 # scores 13 9 7",
		"the other is lowest": board + "[9,5,7]\nchance R\nAna: 0,0 0 # scores 9 5 7",
	})
}

func TestPoint60AllWhoShareTheLowestPlaceCountAsLowest(t *testing.T) {
	s := &state.State{Choices: table.Choices{Solo: true, Owners: 3}}
	require.Equal(t, uint8(0b111), rules.Lowest(s, &rules.Points{4, 4, 4}))
	require.Equal(t, uint8(0b101), rules.Lowest(s, &rules.Points{4, 5, 4}))
}

func TestPoint61WithoutPointsTheFollowersStillReturn(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		board U 0,0 0 A road E | W 1,0 0 with "to_move":"B","scores":[9,1,1]
		chance W
		Ana: -1,0 0 road W # scores 9 1 1; hand 4 3 4; figures 1
	`)
}

func TestPoint62TheEndAfterTheLastTile(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		board U 0,0 0 with "remaining":{"U":1}
		Ana: 1,0 0 road W # ended; scores 1 2 3; final 3 2 3
	`)
}

func TestPoint62AColourWhosePileIsEmptyIsPassedOver(t *testing.T) {
	play(t, `
		option solo on
		seat Ana
		board U 0,0 0 with "remaining":{"U":3},"piles":[2,0,1]
		Ana: 1,0 0 road W # turn C; piles 1 0 0
		Ana: 2,0 0        # turn A; piles 0 0 0
		Ana: 3,0 0        # ended
	`)
}

func TestPoint63FollowersLeftPayTwoToALowestColour(t *testing.T) {
	board := "U 0,0 0 A road E | E 0,1 180 A city S | E 1,1 180 B city S | B 2,1 0 C cloister"
	for scores, want := range map[string][]int{
		"[1,2,3]":   {5, 4, 5}, // A 3, B 4, A 5, C 5; then B is lowest, and has nobody left
		"[10,1,10]": {10, 3, 10},
		"[1,9,9]":   {5, 9, 9},
	} {
		require.Equal(t, want, endsWith(t, solo(), 1, board+` with "scores":`+scores), scores)
	}
}

func TestPoint64TheResultIsTheLowestColour(t *testing.T) {
	s := &state.State{Choices: table.Choices{Solo: true, Owners: 3}}
	require.Equal(t, domain.S("result.solo", "n", 17), rules.Result(s, []int{20, 17, 31})[0])
}

func TestPoint65FourColoursAndThreeToSevenFollowers(t *testing.T) {
	for _, n := range []string{"3", "4", "5", "6", "7"} {
		for _, c := range []string{"3", "4"} {
			p := newPlayout(t, solo("followers", n, "colours", c), 1, 3)
			for !p.over() {
				p.random()
			}
			st := Rulebook.Standing(p.state(), domain.Spectator)
			require.True(t, st.Ended)
			require.Len(t, st.Labels, len(st.Scores))
		}
	}
}

// A move that ends a solo game, because a colour must place a follower and has none left, says so before it is played.
func TestAMoveThatEndsASoloGameSaysSo(t *testing.T) {
	said := 0
	for seed := range uint64(long(12, 60)) {
		p := newPlayout(t, domain.Choices{"solo": "on", "abbot": []string{"on", "off"}[seed%2]}, 1, seed)
		for !p.over() {
			for m := range Rulebook.Legal(p.state(), 0) {
				e, err := Rulebook.Decide(p.state(), 0, m, domain.NewThrowaway(seed).Begin())
				if err != nil {
					continue // the order of scoring is still to be chosen
				}
				stops := slices.ContainsFunc(Rulebook.Steps(p.state(), m), func(s domain.Step) bool {
					return strings.HasSuffix(s.Label.Key, "-ends")
				})
				require.Equal(t, e.Body.(*state.Played).Stopped, stops, Rulebook.FormatMove(m, nil))
				if stops {
					said++
				}
			}
			p.random()
		}
	}
	require.Positive(t, said)
}
