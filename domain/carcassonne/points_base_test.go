package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/rules"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// The points are those of the checked reading of the rulebooks (facts, rules.md); each test is named after the point
// it checks.

func TestPoint01SeventyTwoTilesAndTwelveOfTheRiver(t *testing.T) {
	bag := state.FullBag((&table.Choices{}))
	land, river := bag.Sums()
	require.Equal(t, [2]uint8{72, 0}, [2]uint8{land, river})
	bag = state.FullBag((&table.Choices{River: true, Abbot: true}))
	land, river = bag.Sums()
	require.Equal(t, [2]uint8{72, 12}, [2]uint8{land, river})
}

func TestPoint02TwoToFivePlayersOfSevenFollowers(t *testing.T) {
	least, most := Rulebook.Seats(nil)
	require.Equal(t, []int{2, 5}, []int{least, most})
	v := newPlayout(t, nil, 5, 1).state().View()
	require.Equal(t, []int{7, 7, 7, 7, 7}, v.Followers)
	require.Equal(t, []int{0, 0, 0, 0, 0}, v.Abbots, "in first games the abbots stay in the box")
	v = newPlayout(t, domain.Choices{"abbot": "on"}, 2, 1).state().View()
	require.Equal(t, []int{1, 1}, v.Abbots)
}

func TestPoint03StartTileIsClaimedOnlyByExtension(t *testing.T) {
	play(t, `
		chance U
		chance E
		Ana: 0,0 0 road E  # refused place-taken
		Ana: 1,0 0 road W  # scores 0 0; final 2 0; next E
		Bo: 0,-1 180 city S # scores 0 4
	`)
}

func TestPoint04TurnsGoRoundAndTheVictoryIsShared(t *testing.T) {
	play(t, `
		seat Ana
		seat Bo
		seat Cy
		chance U
		chance U
		chance U
		chance U
		Ana: 1,0 0 # turn B
		Ana: 2,0 0 # refused not-awaited
		Bo: 2,0 0 # turn C
		Cy: 3,0 0 # turn A
	`)
	require.Equal(t, []int{1, 3, 1}, kit.Ranks([]int{30, 20, 30}), "no tie-break")
	require.Equal(t, "result.shared",
		rules.Result((&state.State{Choices: table.Choices{Owners: 2}}), []int{3, 3})[0].Key)
}

func TestPoint05PointsAreNeverLost(t *testing.T) {
	p := newPlayout(t, nil, 3, 11)
	for !p.over() {
		before := p.state().Scores
		p.random()
		for o, n := range p.state().Scores {
			require.GreaterOrEqual(t, n, before[o])
		}
	}
}

func TestPoint06PlaceThenFollowerThenScore(t *testing.T) {
	play(t, `
		chance E
		chance V
		Ana: city N          # refused move-unreadable
		Ana: 0,-1 180 city S # scores 4 0; hand 7 7; figures 0
	`)
}

func TestPoint07TouchByAnEdgeAndEveryEdgeMatches(t *testing.T) {
	play(t, `
		chance V
		chance V
		Ana: 1,1 0   # refused place-alone
		Ana: 5,5 0   # refused place-alone
		Ana: 0,0 0   # refused place-taken
		Ana: 1,0 180 # refused edge-differs
		Ana: 0,-1 0  # refused edge-differs
		Ana: 128,0 0 # refused place-alone
		Ana: 1,0 0
		Bo: 0,1 180  # refused edge-differs
		Bo: 1,1 90
	`)
}

func TestPoint08HolesAreFilledAndOthersFeaturesClosed(t *testing.T) {
	play(t, `
		board U 1,0 0 A road W | W 2,0 0 | B 1,-1 0 | B 0,-1 0 | B -1,-1 0 | B -1,0 0 | E 1,1 180 | V 0,1 0 with "to_move":"B"
		chance A
		Bo: 0,0 270 cloister # scores 3 0; hand 7 6
	`)
}

func TestPoint09ATileThatFitsNowhereIsReplaced(t *testing.T) {
	play(t, `
		board B 0,0 0
		chance C
		chance U
		chance B
		Ana: 1,0 0 # refused edge-differs
		Ana: 0,1 0  # turn B; aside C; next B
	`)
	// There is one C: a second one is impossible and ends the run.
	s := newLineFrom(t, `{"tiles":[{"tile":"B","x":0,"y":0,"turn":0}]}`, "C", "C")
	require.ErrorContains(t, s, "no such tile is left")
}

func newLineFrom(t *testing.T, given string, chance ...string) error {
	t.Helper()
	src := domain.NewThrowaway(1)
	for i, c := range chance {
		src.Dictate(table.DrawKind, domain.Outcome{Words: c, Line: i + 1})
	}
	_, _, err := domain.NewLine(Rulebook, src).Setup(domain.Game{Seats: 2, Given: []byte(given)})
	return err
}

func TestPoint10TurnsThatLookAlikeCountEachForItself(t *testing.T) {
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	line.Luck.Dictate(table.DrawKind, domain.Outcome{Words: "B"})
	e, _, err := line.Setup(domain.Game{Seats: 2, Given: []byte(`{"tiles":[{"tile":"B","x":0,"y":0,"turn":0}]}`)})
	require.NoError(t, err)
	line.Apply(&e)
	n, different := 0, 0
	for m := range Rulebook.Legal(line.State, 0) {
		n++
		if Rulebook.Steps(line.State, m)[1].Like == "" {
			different++
		}
	}
	require.Equal(t, 4*4*3, n, "four places, four turns; nobody, a farmer, a monk")
	require.Equal(t, 4*3, different, "a list has one of the four")
}

func TestPoint11TheEndIsWhenNoTileIsLeftThatFits(t *testing.T) {
	plays(t, map[string]string{
		"last tile": `
			board B 0,0 0 with "remaining":{"E":1}
			Ana: 1,0 0 city N # ended; scores 0 0; final 1 0; phase over
			Bo: 2,0 0         # refused table-ended; ended`,
		"the rest set aside": `
			board B 0,0 0 with "remaining":{"B":1,"C":1}
			chance B
			Ana: 1,0 0 # ended; aside C`,
	})
}

func TestPoint12OneFollowerFromTheHandOnTheNewTile(t *testing.T) {
	play(t, `
		board D 0,0 0 with "followers":[0,7]
		chance U
		chance U
		Ana: 1,0 0 road E # refused no-follower
		Ana: 1,0 0        # hand 0 7
		Bo: 2,0 0 city N  # refused no-such-part
		Bo: 2,0 0 road W field Nw # refused move-unreadable
		Bo: 2,0 0 road W  # hand 0 6; figures 1
	`)
}

func TestPoint13NobodyJoinsAFeatureNotEvenTheirOwn(t *testing.T) {
	plays(t, map[string]string{
		"another's": `
			board D 0,0 0 A road E with "to_move":"B"
			chance U
			Bo: 1,0 0 road W # refused feature-claimed
			Bo: 1,0 0 road E # refused feature-claimed`,
		"one's own": `
			board D 0,0 0 A road E
			chance U
			Ana: -1,0 0 road W # refused feature-claimed`,
		"far away": `
			board D 0,0 0 A road W | U 1,0 0 | U 2,0 0 with "to_move":"B"
			chance V
			Bo: 3,0 0 road S # refused feature-claimed
			Bo: 3,0 0 field Sw # scores 0 0`,
		"joined outside by the other road of the same tile": `
			board V 1,0 0 | V 1,1 90 | V 0,1 180 | U 2,2 0 A road E
			chance W
			Ana: 0,0 0 road E # scores 4 0`,
		"joined outside to a claimed one": `
			board V 1,0 0 A road W | V 1,1 90 | V 0,1 180 with "to_move":"B"
			chance W
			Bo: 0,0 0 road S # refused feature-claimed
			Bo: 0,0 0 road W # scores 4 0`,
	})
}

func TestPoint14AFeatureThisTileCompletesMayBeClaimed(t *testing.T) {
	play(t, `
		chance E
		Ana: 0,-1 180 city S # scores 4 0; hand 7 7
	`)
}

func TestPoint15ScoredFollowersReturnTooLateForTheTurn(t *testing.T) {
	play(t, `
		board D 0,0 0 A city N with "followers":[0,7]
		chance E
		Ana: 0,-1 180 field Nw # refused no-follower
		Ana: 0,-1 180          # scores 4 0; hand 1 7
	`)
}

func TestPoint16AFollowerStandsOnOnePartAndFarmersStay(t *testing.T) {
	play(t, `
		chance E
		chance U
		Ana: 0,-1 180 field Nw # hand 6 7; figures 1
		Bo: 1,0 0 road W       # figures 2
	`)
}

func TestPoint17SeveralShareAFeatureOnlyByJoining(t *testing.T) {
	play(t, `
		board D 0,0 0 A road E | U 2,0 0 B road W
		chance U
		chance W
		chance W
		chance W
		Ana: 1,0 0 # figures 2
		Bo: 3,0 0 road W # refused feature-claimed
		Bo: 3,0 0
		Ana: -1,0 180 # scores 5 5; hand 7 7
	`)
}
