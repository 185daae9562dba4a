package catan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/state"
)

// Section 8: the reading chosen where the base rules allow two.

func TestAmbiguity8_1YearOfPlentyTakesWhatTheBankHas(t *testing.T) {
	const hand = `"players":[{"settlements":[8],"cards":{"plenty":1}}]}`
	g := given(t, 3, `{"bank":{"ore":2,"wool":1},`+hand)
	require.Equal(t, []string{"plenty wool ore", "plenty ore ore"}, g.legal("Ana", "plenty"))
	g.refuse("Ana: plenty wool wool", "plenty-short").refuse("Ana: plenty ore", "plenty-two")
	g = given(t, 3, `{"bank":{"ore":1},`+hand)
	require.Equal(t, []string{"plenty ore"}, g.legal("Ana", "plenty"))
	g.play("Ana: plenty ore").then("1 ore", g.hand("Ana"))
	g = given(t, 3, `{"bank":{},`+hand)
	require.Empty(t, g.legal("Ana", "plenty"))
}

func TestAmbiguity8_2AVictimWithoutCardsCannotBeChosen(t *testing.T) {
	g := given(t, 3, `{"phase":"robber","robber":0,"players":[{"settlements":[18]},{"settlements":[30]},{"settlements":[29],"hand":{"ore":1}}]}`)
	require.Equal(t, []string{"rob 9 Cy"}, g.legal("Ana", "rob 9"))
	g.refuse("Ana: rob 9 Bo", "rob-nothing")
	require.Equal(t, []string{"rob 14"}, g.legal("Ana", "rob 14"), "no theft where all are empty-handed")
}

func TestAmbiguity8_3RoadBuildingPlacesWhatItCan(t *testing.T) {
	fourteen := `0,1,2,3,4,5,6,10,18,23,24,33,39,9`
	g := given(t, 3, `{"players":[{"settlements":[0],"roads":[`+fourteen+`],"cards":{"roads":1}}]}`, "points", "15")
	g.refuse("Ana: roads 17 22", "one-road-left")
	g.play("Ana: roads 17").then("15", g.state().Roads[0].Len())
	g = given(t, 3, `{"players":[{"settlements":[0],"roads":[`+fourteen+`,17],"cards":{"roads":1}}]}`, "points", "15")
	require.Empty(t, g.legal("Ana", "roads"))
	g.refuse("Ana: roads 22", "no-roads-left")
	// Only one free path: 0 is hemmed in between opponents' roads and buildings.
	g = given(t, 3, `{"players":[{"settlements":[0],"cards":{"roads":1}},{"settlements":[8,7],"roads":[0,2,7]}]}`)
	require.Equal(t, []string{"roads 1"}, g.legal("Ana", "roads"))
	g.play("Ana: roads 1").refuse("Ana: roads 12", "no-card") // the second road is not kept for later
}

func TestAmbiguity8_4AnyCardMayBePlayedBeforeTheRoll(t *testing.T) {
	const hand = `{"players":[{"settlements":[8],"cards":{"plenty":1,"monopoly":1,"roads":1,"knight":1}}]}`
	for _, m := range []string{"Ana: plenty ore ore", "Ana: monopoly ore", "Ana: roads 13 14", "Ana: knight 0"} {
		g := given(t, 3, hand)
		g.play(m).then("roll", g.phase())
	}
}

func TestAmbiguity8_5AKnightThatWinsEndsTheGameAtOnce(t *testing.T) {
	g := given(t, 3, `{"players":[{"cities":[8,30,40,51],"knights":2,"cards":{"knight":1}},{"settlements":[0],"hand":{"ore":1}}]}`)
	g.play("Ana: knight 0 Bo").then("0", g.state().Winner).then("", g.awaits())
}

func TestAmbiguity8_6DiscardsRunInParallel(t *testing.T) {
	g := given(t, 4, seven4)
	g.chance("dice", "3 4").play("Ana: roll")
	require.Len(t, g.line.Awaited(), 3)
}

func TestAmbiguity8_7NeutralsCountLikePlayersInTies(t *testing.T) {
	g := given(t, 2, `{"phase":"main","longest":"B","players":[{"roads":[36],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}},
		{"roads":[26,27,28,29,30,37]}],"neutrals":[{"roads":[41,50,55,54,49]},{"roads":[56,63,67,66,62]}]}`, "points", "15")
	g.play("Ana: settle 24").then("", g.longest())
}

func TestAmbiguity8_8TheBestRateApplies(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[0,16],"hand":{"lumber":2}}]}`)
	g.play("Ana: bank lumber ore").then("1 ore", g.hand("Ana"))
}

func TestAmbiguity8_9TwoDiceAreThrownAndBothAreKept(t *testing.T) {
	g := given(t, 3, plain3)
	g.chance("dice", "6 1").play("Ana: roll")
	require.Equal(t, [2]int8{6, 1}, g.last.Body.(*state.Played).Dice)
	g = given(t, 3, plain3)
	g.play("Ana: roll")
	require.Equal(t, 36, g.last.Draws[0].Size)
}

func TestOptionFriendlyRobberSparesTwoPointsOrFewer(t *testing.T) {
	const before = `{"phase":"robber","players":[{"settlements":[18]},{"settlements":[30,40],"hand":{"ore":1}},{"cities":[0],"settlements":[2],"hand":{"wool":1}}]}`
	g := given(t, 3, before, "friendly-robber", "on")
	g.refuse("Ana: rob 10 Bo", "robber-friendly")
	require.Equal(t, []string{"rob 0 Cy", "rob 2 Cy"}, append(g.legal("Ana", "rob 0"), g.legal("Ana", "rob 2")...))
	require.Empty(t, g.legal("Ana", "rob 4"), "nor beside oneself")
	given(t, 3, before).play("Ana: rob 10 Bo")
	// If no other place is allowed the robber goes anywhere: the first game's positions touch every hex but the desert,
	// where it is.
	g = given(t, 4, `{"phase":"robber","players":[{"settlements":[8,28]},{"settlements":[41,39]},{"settlements":[17,31]},{"settlements":[14,40]}]}`, "friendly-robber", "on")
	require.Len(t, g.legal("Ana", "rob"), 18)
}
