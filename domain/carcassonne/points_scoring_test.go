package carcassonne

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/carcassonne/table"
)

func TestPoint18OthersCompletedFeaturesAreScoredToo(t *testing.T) {
	play(t, `
		board D 0,0 0 A city N | U 1,0 0 B road E | W 2,0 0 | W -2,0 0 | I 0,-2 180
		chance H
		chance W
		chance W
		Ana: 0,-1 0  # scores 4 0; hand 7 6
		Bo: -1,0 0   # scores 4 4
	`)
}

func TestPoint19WhatEndsARoad(t *testing.T) {
	plays(t, map[string]string{
		"junctions": `
			board U 0,0 0 A road E | W 1,0 0
			chance W
			Ana: -1,0 0 # scores 3 0`,
		"a city": `
			board U 0,0 0 A road E | W 1,0 0
			chance T
			Ana: -1,0 270 # scores 3 0`,
		"a cloister": `
			board U 0,0 0 A road E | W 1,0 0
			chance A
			Ana: -1,0 270 # scores 3 0`,
		"a loop": `
			board V 0,0 270 A road E | V 1,0 0 | V 1,1 90
			chance V
			Ana: 0,1 180 # scores 4 0; hand 7 7`,
		"the cloister of a river tile": `
			option river on
			board RH 0,0 0 A road S with "remaining":{"W":1}
			Ana: 0,1 180 # scores 2 0`,
		"the city gate of a river tile": `
			option river on
			board RB 0,0 0 A road S with "remaining":{"W":1}
			Ana: 0,1 180 # scores 2 0`,
	})
}

func TestPoint20ACityPaysTwoATileAndTwoAPennant(t *testing.T) {
	plays(t, map[string]string{
		"with a pennant": `
			board E 0,0 90 A city E | F 1,0 0
			chance E
			Ana: 2,0 270 # scores 8 0; hand 7 7`,
		"two tiles pay four": `
			chance E
			Ana: 0,-1 180 city S # scores 4 0`,
		"or two, by option": `
			option two-tile-city 2
			chance E
			Ana: 0,-1 180 city S # scores 2 0`,
		"three pay six with the option too": `
			option two-tile-city 2
			board E 0,0 90 A city E | G 1,0 0
			chance E
			Ana: 2,0 270 # scores 6 0`,
	})
}

func TestPoint21ATileCountsOnceHoweverOftenEntered(t *testing.T) {
	plays(t, map[string]string{
		"a city about two gates of one tile": `
			board I 0,0 0 | N 0,-1 270 A city W | N -1,-1 180
			chance N
			Ana: -1,0 90 # scores 8 0`,
		"its pennants once": `
			board I 0,0 0 | M 0,-1 270 A city W | N -1,-1 180
			chance N
			Ana: -1,0 90 # scores 10 0`,
	})
}

func TestPoint22RoadLoopCountsTileOnce(t *testing.T) {
	play(t, `
		board W 0,0 0 | V 1,0 0 A road W | V 1,1 90
		chance V
		Ana: 0,1 180 # scores 4 0; hand 7 7
	`)
}

func TestPoint23ACloisterNeedsItsEightNeighbours(t *testing.T) {
	plays(t, map[string]string{
		"nine points": `
			board B 1,1 0 A cloister | B 0,0 0 | B 1,0 0 | B 2,0 0 | E 0,1 270 | E 2,1 90 | E 0,2 180 | E 1,2 180
			chance E
			Ana: 2,2 180 # scores 9 0; hand 7 7; figures 0`,
		"several at once": `
			board B 1,1 0 A cloister | B 1,2 0 B cloister | E 0,0 0 | E 1,0 0 | V 2,0 180 | E 0,1 270 | E 2,1 90 | B 0,2 0 | B 0,3 0 | A 1,3 0 | A 2,3 0
			chance E
			Ana: 2,2 0  # refused edge-differs
			Ana: 2,2 90 # scores 9 9; hand 7 7`,
		"a ready hole completes itself": `
			board E 0,0 0 | E 1,0 0 | E 2,0 0 | E 0,1 270 | E 2,1 90 | B 0,2 0 | B 1,2 0 | B 2,2 0
			chance B
			Ana: 1,1 0 cloister # scores 9 0; hand 7 7`,
	})
}

func TestPoint24MajorityTakesAllAndATiePaysAllInFull(t *testing.T) {
	plays(t, map[string]string{
		"a tie": `
			board D 0,0 0 A road E | U 2,0 0 B road W | W 3,0 0 | W -1,0 180
			chance U
			Ana: 1,0 0 # scores 5 5`,
		"two against one": `
			board E 0,-1 180 A city S | E 1,0 270 A city W | E -1,0 90 B city E
			chance Q
			Ana: 0,0 0 city N # refused feature-claimed
			Ana: 0,0 0        # scores 10 0; hand 7 7`,
	})
}

func TestPoint25EverybodysFollowersGoHomeTheLosersToo(t *testing.T) {
	play(t, `
		board D 0,0 0 A road E | U 2,0 0 B road W | W 3,0 0 | W -1,0 180
		chance U
		Ana: 1,0 0 # hand 7 7; figures 0
	`)
}

func TestPoint26ACompletedEmptyFeatureIsDead(t *testing.T) {
	play(t, `
		chance E
		chance U
		Ana: 0,-1 180 # scores 0 0
		Bo: 1,0 0     # scores 0 0; final 0 0
	`)
}

func TestPoint27TheOrderOfScoringChangesNothing(t *testing.T) {
	plays(t, map[string]string{
		"left open": `
			board E 0,0 0 A city N | W 1,-1 90 | U -1,-1 0 B road E | W -2,-1 0
			chance L
			Ana: 0,-1 180 # scores 4 3`,
		"given": `
			board E 0,0 0 A city N | W 1,-1 90 | U -1,-1 0 B road E | W -2,-1 0
			chance L
			Ana: 0,-1 180 score road W, city S # scores 4 3`,
		"given the other way round": `
			board E 0,0 0 A city N | W 1,-1 90 | U -1,-1 0 B road E | W -2,-1 0
			chance L
			Ana: 0,-1 180 score city S, road W, road E # scores 4 3`,
		"naming what is not completed": `
			board E 0,0 0 A city N | W 1,-1 90 | U -1,-1 0 B road E | W -2,-1 0
			chance L
			Ana: 0,-1 180 score road N # refused order-not-scored
			Ana: 0,-1 180 score city S, city S # refused order-twice`,
	})
}

func TestPoint28FieldsAreNeverCompleted(t *testing.T) {
	p := newPlayout(t, nil, 2, 3)
	farmers := 0
	for !p.over() {
		p.random()
		now := 0
		for _, f := range p.state().Figures[:p.state().NFigures] {
			if p.state().Posted(&f).On.Kind == table.Field {
				now++
			}
		}
		require.GreaterOrEqual(t, now, farmers, "farmers never return")
		farmers = now
	}
	require.Positive(t, farmers)
}
