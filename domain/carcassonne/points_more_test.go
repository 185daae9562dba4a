package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

func TestPoint35OnlyTheAbbotMayGoToAGarden(t *testing.T) {
	plays(t, map[string]string{
		"garden": `
			option abbot on
			board D 0,0 0
			chance Eg
			chance B
			chance B
			chance B
			Ana: 0,-1 180 garden       # refused garden-abbot-only
			Ana: 0,-1 180 abbot city S # refused abbot-where
			Ana: 0,-1 180 abbot cloister # refused no-such-part
			Ana: 0,-1 180 abbot garden # abbots 0 1; hand 7 7; figures 1
			Bo: 1,-1 0 cloister        # abbots 0 1; hand 7 6
			Ana: 2,-1 0 abbot cloister # refused abbot-away
			Ana: 2,-1 0 cloister       # hand 6 6`,
		"without the option": `
			board D 0,0 0
			chance Eg
			chance E
			Ana: 0,-1 180 abbot garden # refused abbot-off
			Ana: 0,-1 180 recall       # refused abbot-off
			Ana: 0,-1 180 garden       # refused no-such-part
			Ana: 0,-1 180              # next E`,
	})
}

func TestPoint36AGardenScoresLikeACloister(t *testing.T) {
	play(t, `
		option abbot on
		board Eg 1,1 0 A* garden | E 1,0 180 | B 0,0 0 | B 2,0 0 | B 0,1 0 | B 2,1 0 | E 0,2 180 | E 1,2 180
		chance E
		Ana: 2,2 180 # scores 9 0; abbots 1 1; figures 0
	`)
}

func TestPoint37RecallScoresAtOnceWithTheNewTile(t *testing.T) {
	play(t, `
		option abbot on
		board Eg 1,1 0 A* garden | E 1,0 180 | B 0,1 0 | B 2,1 0 | B 0,2 0
		chance E
		chance U
		Ana: 1,2 180 recall          # scores 6 0; abbots 1 1; figures 0; hand 7 7
		Bo: 3,1 90 recall            # refused abbot-home
	`)
}

func TestPoint38RecallOnlyFromAnIncompleteFeature(t *testing.T) {
	play(t, `
		option abbot on
		board Eg 1,1 0 A* garden | E 1,0 180 | B 0,0 0 | B 2,0 0 | B 0,1 0 | B 2,1 0 | E 0,2 180 | E 1,2 180
		chance E
		Ana: 2,2 180 recall  # refused recall-complete; abbots 0 1
		Ana: 2,2 180 city S  # scores 9 0; abbots 1 1; hand 6 7
	`)
}

func TestPoint39AtTheEndAbbotsScoreLikeMonks(t *testing.T) {
	on := domain.Choices{"abbot": "on"}
	require.Equal(t, []int{4, 0}, endsWith(t, on, 2, "Eg 0,0 0 A* garden | B 1,0 0 | B 0,1 0 | B 1,1 0"))
	require.Equal(t, []int{0, 2}, endsWith(t, on, 2, "B 0,0 0 B* cloister | B 1,0 0"))
}

func TestPoint40ACloisterAfterARecallStaysEmpty(t *testing.T) {
	play(t, `
		option abbot on
		board B 0,0 0 A* cloister
		chance B
		chance U
		Ana: 1,0 0 recall # scores 2 0; final 2 0; figures 0
		Bo: 0,0 0 cloister # refused place-taken
	`)
}

func TestPoint41RecallIsTheSecondStepBeforeScoring(t *testing.T) {
	play(t, `
		option abbot on
		board D 0,0 0 | U 1,0 0 A road W | W 2,0 0 | B 0,1 0 A* cloister
		chance W
		Ana: -1,0 0 recall road W # refused move-unreadable
		Ana: -1,0 0 recall        # scores 8 0; hand 7 7; abbots 1 1
	`)
	p := newPlayout(t, domain.Choices{"abbot": "on"}, 2, 1)
	for !p.over() {
		e := p.random()
		for i := range e.Scores {
			require.True(t, i == 0 || !e.Scores[i].Recalled, "recalled first")
		}
	}
}

func TestPoint43TheRiverComesFirstFromSpringToLake(t *testing.T) {
	for _, bag := range []string{"box", "bag"} {
		p := newPlayout(t, domain.Choices{"river": "on", "river-start-tile": bag}, 2, 9)
		require.Equal(t, state.Spring, p.state().Tiles[0].ID)
		for i := 1; i <= 11; i++ {
			p.random()
			want := table.Middle
			if i == 11 {
				want = table.Lake
			}
			require.Equal(t, want, table.Shapes[p.state().Tiles[i].ID].Set, "tile %d", i)
		}
		require.Equal(t, state.PhaseLand, p.state().Phase())
		require.Equal(t, map[string]uint8{"box": 70, "bag": 71}[bag], p.state().NLand, "and one is drawn")
	}
}

func TestPoint44RiverTilesContinueTheRiver(t *testing.T) {
	play(t, `
		option river on
		chance RD
		chance RD
		Ana: -1,0 0 # refused edge-differs
		Ana: 0,1 0  # refused river-apart
		Ana: 1,0 90 # refused edge-differs
		Ana: 1,0 0  # phase river
		Bo: 2,0 180 # phase river
	`)
}

func TestPoint45NoTwoTurnsOfTheRiverInARowTheSameWay(t *testing.T) {
	plays(t, map[string]string{
		"at once": `
			option river on
			chance RG
			chance RG
			Ana: 1,0 0
			Bo: 1,1 90 # refused river-turns-back
			Bo: 1,1 180`,
		"a straight between resets it": `
			option river on
			chance RG
			chance RD
			chance RJg
			Ana: 1,0 0
			Bo: 1,1 90
			Ana: 1,2 90`,
		"but not by the option": `
			option river on
			option river-turns any
			chance RG
			chance RD
			chance RE
			Ana: 1,0 0
			Bo: 1,1 90
			Ana: 1,2 180 # refused river-turns-back
			Ana: 1,2 270`,
	})
}

func TestPoint46ARiverTileThatFitsNowhereIsSetAside(t *testing.T) {
	plays(t, map[string]string{
		"only the lake fits": `
			option river on
			board RA 0,0 0 | B 0,1 0 | B 1,1 0 | B 2,1 0 | B 2,0 0 | E 0,-1 0 | E 1,-1 0 with "remaining":{"RD":1,"RG":1,"RL":1,"V":1}
			chance RD
			chance RG
			Ana: 1,0 0 # aside RD RG; next V; phase land; turn B`,
		"not even the lake": `
			option river on
			board RA 0,0 0 | B 0,1 0 | U 1,1 90 | B 2,1 0 | B 2,0 0 | E 0,-1 0 | E 1,-1 0 with "remaining":{"RD":1,"RG":1,"RL":1,"V":2}
			chance RD
			chance RG
			Ana: 1,0 0  # refused edge-differs
			Ana: 1,2 90 # aside RD RG RL; next V`,
	})
}

func TestPoint47NobodyStandsOnTheRiver(t *testing.T) {
	play(t, `
		option river on
		chance RD
		chance RH
		Ana: 1,0 0 river E  # refused river-unclaimed
		Ana: 1,0 0 field Nw # figures 1; final 0 0
		Bo: 2,0 0 cloister  # figures 2
	`)
}

func TestPoint48TheFieldRunsRoundTheSpringAndTheLake(t *testing.T) {
	play(t, `
		option river on
		board RA 0,0 0 | RD 1,0 0 A field Nw with "to_move":"B","remaining":{"RL":1,"E":1}
		Bo: 2,0 0 field Nw # refused feature-claimed
		Bo: 2,0 0 field Se # refused feature-claimed
		Bo: 2,0 0
	`)
	play(t, `
		option river on
		board RD 1,0 0 A field Nw with "to_move":"B","remaining":{"RD":1,"E":1}
		Bo: 2,0 0 field Ne # refused feature-claimed
		Bo: 2,0 0 field Se # figures 2
	`)
}

func TestPoint49PlacingTheLakeIsATurnLikeAnyOther(t *testing.T) {
	play(t, `
		option river on
		board RA 0,0 0 with "remaining":{"RL":1,"E":2}
		Ana: 1,0 0 field Nw # turn B; next E; figures 1
	`)
}

func TestPoint49TheLakeMayBeNamedInAScriptAndNeedNot(t *testing.T) {
	plays(t, map[string]string{
		"named": `
			option river on
			board RA 0,0 0 with "remaining":{"RD":1,"RL":1,"E":1,"V":1}
			chance RD
			chance RL
			chance V
			Ana: 1,0 0 # next RL
			Bo: 2,0 0  # next V`,
		"not named": `
			option river on
			board RA 0,0 0 with "remaining":{"RD":1,"RL":1,"E":1,"V":1}
			chance RD
			chance V
			Ana: 1,0 0 # next RL
			Bo: 2,0 0  # next V`,
	})
}
