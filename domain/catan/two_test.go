package catan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Section 9, Catan for two: the points by number, then the readings A1 to A20.

func TestTwo01TwoNeutralsAndTwentyTokensFiveEach(t *testing.T) {
	g := given(t, 2, "")
	require.Equal(t, [2]int8{5, 5}, g.state().Tokens)
	require.Equal(t, int8(10), g.state().TokensLeft())
	require.Len(t, g.state().View(domain.Spectator).Position().Neutrals, 2)
	require.Empty(t, given(t, 3, "").state().View(domain.Spectator).Position().Neutrals)
}

func TestTwo02PlayersFoundTwoSettlementsNeutralsOne(t *testing.T) {
	g := given(t, 2, "")
	g.play("Ana: settle 0 road 0").then("Bo found", g.awaits())
	g.play("Bo: settle 2 road 5", "Bo: settle 51 road 66").then("Ana found", g.awaits())
	g.play("Ana: settle 49 road 69").then("Ana turn", g.awaits())
	s := g.state()
	for c, want := range []int{2, 2, 1, 1} {
		require.Equal(t, want, table.BitCount(s.Settlements[c]))
	}
	require.True(t, s.Roads[2].Empty() && s.Roads[3].Empty())
}

func TestTwo03TheNeutralsStandAt13And40(t *testing.T) {
	require.Equal(t, [2]int8{13, 40}, table.Isle.Neutral)
	s := given(t, 2, "").state()
	require.Equal(t, uint64(1<<13), s.Settlements[2])
	require.Equal(t, uint64(1<<40), s.Settlements[3])
	given(t, 2, "").refuse("Ana: settle 13 road 13", "too-close").refuse("Ana: settle 8 road 12", "too-close")
}

const two = `{"players":[{"settlements":[19],"hand":{"wool":3}},{"settlements":[30],"hand":{"ore":2}}]}`

func TestTwo04TheDiceAreRolledTwiceWithDifferentTotals(t *testing.T) {
	g := given(t, 2, two)
	g.chance("dice", "1 2", "2 1", "1 2", "2 2")
	// three: hexes 10 and 13
	g.play("Ana: roll").then("roll", g.phase()).then("Ana turn", g.awaits()).then("1 lumber 3 wool", g.hand("Ana"))
	g.refuse("Ana: end", "not-now-roll").refuse("Ana: bank wool ore", "not-now-roll")
	g.play("Ana: roll").then("main", g.phase()).then("1 lumber 4 wool", g.hand("Ana")) // four: hexes 5 and 14
	g.then("1 lumber 1 grain 2 ore", g.hand("Bo"))
	require.Equal(t, [][2]int8{{2, 1}, {1, 2}}, g.last.Body.(*state.Played).Again)
}

func TestTwo04EachRollIsResolvedBeforeTheNext(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19]},{"settlements":[30],"hand":{"ore":9}}]}`)
	g.chance("dice", "3 4", "4 3", "1 1").chance("steal", "ore")
	g.play("Ana: roll").then("Bo discard", g.awaits())
	g.play("Bo: discard 4 ore", "Ana: rob 14 Bo").then("roll", g.phase()).then("1 ore", g.hand("Ana"))
	g.play("Ana: roll").then("main", g.phase()) // a second seven is thrown again
}

func TestTwo05TheRobberMayMoveBetweenTheRolls(t *testing.T) {
	g := given(t, 2, `{"robber":10,"players":[{"settlements":[19],"cards":{"knight":1}},{"settlements":[30],"hand":{"ore":2}}]}`)
	g.chance("dice", "1 1", "1 2")
	g.play("Ana: roll", "Ana: token desert").then("9", g.state().Robber)
	g.play("Ana: knight 14 Bo").then("14", g.state().Robber).then("roll", g.phase())
	g.play("Ana: roll").then("main", g.phase())
}

func TestTwo06NeutralsEarnNothingAndAreNeverRobbed(t *testing.T) {
	g := given(t, 2, `{"bank":{"brick":1},"players":[{"settlements":[8]},{"settlements":[30]}],"neutrals":[{"settlements":[18]},{"settlements":[17]}]}`)
	g.chance("dice", "2 4").play("Ana: roll").then("1 brick", g.hand("Ana")) // the neutrals at hex 4 claim nothing
	g = given(t, 2, `{"phase":"robber","rolls":1,"players":[{"settlements":[12]},{"settlements":[30]}],"neutrals":[{"settlements":[13]},{"settlements":[40]}]}`)
	require.Equal(t, []string{"rob 17"}, g.legal("Ana", "rob 17"))
	g.refuse("Ana: rob 17 Cy", "rob-nothing")
}

func TestTwo07NeutralPiecesObeyTheRulesAndBlock(t *testing.T) {
	const hand = `"hand":{"brick":3,"lumber":3,"wool":1,"grain":1}`
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[8],"roads":[12],`+hand+
		`}],"neutrals":[{"settlements":[17],"roads":[19]},{"settlements":[40]}]}`)
	g.refuse("Ana: road 19", "path-taken")
	g = given(t, 2, `{"phase":"main","players":[{"settlements":[8],"roads":[12,19],`+hand+
		`}],"neutrals":[{"settlements":[17]},{"settlements":[40]}]}`)
	g.refuse("Ana: road 25", "not-connected").refuse("Ana: settle 12", "too-close")
	// A neutral has only fifteen roads and five settlements.
	s := given(t, 2, `{"phase":"neutral","due":{"roads":1},"neutrals":[{"settlements":[0],"roads":[0,1,2,3,4,5,6,10,18,23,24,33,39,9,17]},{"settlements":[40]}]}`).state()
	for _, p := range rules.NeutralChoices(s) {
		require.Equal(t, state.NoPiece, p[0].Sort)
	}
}

const builder = `{"phase":"main","players":[{"settlements":[19],"roads":[29],"hand":{"brick":4,"lumber":4,"wool":1,"grain":3,"ore":3}}]}`

func TestTwo08ALikePieceIsBuiltForTheNeutralsAtOnce(t *testing.T) {
	g := given(t, 2, builder)
	g.play("Ana: road 30").then("neutral", g.phase()).then("Ana turn", g.awaits())
	g.refuse("Ana: road 37", "not-now-neutral").refuse("Ana: end", "not-now-neutral")
	g.refuse("Ana: neutral road 13", "neutral-count").refuse("Ana: neutral settle 8 road 57", "neutral-road-due")
	g.refuse("Ana: neutral road 13 road 30", "path-taken").
		refuse("Ana: neutral road 13 road 71", "neutral-not-connected").
		refuse("Ana: neutral road 13 road 99", "no-such-path")
	g.play("Ana: neutral road 13 road 57").then("main", g.phase())
	g.then("[13] [57]", fmt.Sprint(g.state().Roads[2].List(), g.state().Roads[3].List()))
	g.play("Ana: city 19").then("main", g.phase()) // a city, or a card, brings no duty
}

func TestTwo08ARoadReplacesASettlementOrTheDutyLapses(t *testing.T) {
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[19],"roads":[29,36,44,43],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}}],
		"neutrals":[{"settlements":[13],"roads":[13,12]},{"settlements":[40]}]}`)
	g.play("Ana: settle 29")
	require.NotEmpty(t, g.legal("Ana", "neutral settle 12 road"), "the first can settle, the second builds a road")
	require.Empty(t, g.legal("Ana", "neutral road"))
	g.refuse("Ana: neutral road 11 road 57", "neutral-settlement-due").
		refuse("Ana: neutral settle 13 road 57", "too-close").
		refuse("Ana: neutral settle 50 road 57", "neutral-no-road-there")
	g.play("Ana: neutral settle 12 road 57")
	// No neutral can build anything: they are hemmed in.
	g = given(t, 2, `{"phase":"main","players":[{"settlements":[19],"roads":[29,1,0,10],"hand":{"brick":1,"lumber":1}},{"roads":[70,71]}],
		"neutrals":[{"settlements":[0]},{"settlements":[53]}]}`)
	g.play("Ana: road 30").then("main", g.phase())
}

func TestTwo09ANeutralMayHoldTheLongestRoad(t *testing.T) {
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[19],"roads":[29],"hand":{"brick":1,"lumber":1}}],
		"neutrals":[{"settlements":[13],"roads":[13,12,19,25]},{"settlements":[40]}]}`)
	g.play("Ana: road 30", "Ana: neutral road 24 road 57").then("N", g.longest())
	require.Equal(t, 1, g.points("Ana"))
	require.Equal(t, []int{1, 0}, g.line.Rulebook.Standing(g.line.State, domain.Referee).Scores)
}

func TestTwo10TokenActionsCostOneTokenUnlessOneIsAhead(t *testing.T) {
	g := given(t, 2, `{"robber":0,"players":[{"settlements":[19],"hand":{"wool":3}},{"settlements":[30],"hand":{"ore":1,"brick":1,"grain":1}}]}`)
	g.chance("take", "brick ore")
	g.play("Ana: token trade")
	taken := g.last.Secrets[0].To
	g.then("1 brick 3 wool 1 ore", g.hand("Ana")).then("1 grain", g.hand("Bo")).then("[4 5]", g.state().Tokens)
	g.then("give", g.phase()).refuse("Ana: roll", "not-now-give").refuse("Ana: give 1 wool", "give-two").
		refuse("Ana: give 2 grain", "give-held")
	require.Equal(t, domain.To(0, 1), taken)
	g.play("Ana: give 1 wool 1 brick").then("2 wool 1 ore", g.hand("Ana")).then("1 brick 1 wool 1 grain", g.hand("Bo")).
		then("roll", g.phase())
	conserved(t, g.state())
	// An opponent with one card: it is taken, and two are given.
	g = given(t, 2, `{"players":[{"settlements":[19],"cities":[0],"hand":{"wool":3}},{"settlements":[30],"hand":{"ore":1}}]}`)
	g.play("Ana: token trade", "Ana: give 2 wool").then("1 wool 1 ore", g.hand("Ana")).then("2 wool", g.hand("Bo"))
	g.then("[3 5]", g.state().Tokens) // ahead in points: two tokens
	// Moving the robber to the desert robs nobody, though the opponent has a building there.
	g = given(t, 2, `{"robber":0,"players":[{"settlements":[19]},{"settlements":[30],"hand":{"ore":1}}]}`)
	g.play("Ana: token desert").then("", g.hand("Ana")).then("9", g.state().Robber)
	g = given(t, 2, `{"robber":0,"players":[{"settlements":[19],"cities":[2],"tokens":1},{"settlements":[30],"hand":{"ore":1}}]}`)
	g.refuse("Ana: token desert", "token-price")
	require.Empty(t, g.legal("Ana", "token"))
}

func TestTwo11KnightsTheDesertAndTheCoastRefillTokens(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19],"knights":2}]}`)
	g.play("Ana: refill").then("[7 5]", g.state().Tokens).then("1", g.state().Knights[0])
	g.refuse("Ana: refill", "refill-once")
	g = given(t, 2, `{"players":[{"settlements":[19]}]}`)
	g.refuse("Ana: refill", "no-knight-lies")
	// Founding: 18 lies by the desert, 0 on the coast, 8 on neither.
	g = given(t, 2, "")
	g.play("Ana: settle 30 road 44").then("[7 5]", g.state().Tokens)
	g.play("Bo: settle 0 road 0").then("[7 6]", g.state().Tokens)
	g.play("Bo: settle 20 road 32").then("[7 7]", g.state().Tokens)
	// During play, and both at once if the desert lies by the sea.
	const words = "desert wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 ore10 lumber3 ore8 lumber8 " +
		"ore3 grain4 wool5 brick5 grain6 wool11"
	b, err := table.ParseBoard(words)
	require.NoError(t, err)
	text, err := b.MarshalJSON()
	require.NoError(t, err)
	g = given(t, 2, `{"phase":"main","board":`+string(text)+
		`,"players":[{"roads":[0],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}}]}`)
	g.play("Ana: settle 0").then("[8 5]", g.state().Tokens)
}

func TestTwo12ADiscardedKnightMayLoseTheLargestArmy(t *testing.T) {
	lost := func(ana, bo, holder string) *game {
		return given(t, 2, `{"army":"`+holder+`","players":[{"settlements":[19],"knights":`+ana+
			`},{"settlements":[0],"knights":`+bo+`}]}`)
	}
	g := lost("3", "2", "A")
	g.play("Ana: refill").then("", g.army()) // two are left
	g = lost("4", "4", "A")
	g.play("Ana: refill").then("B", g.army()) // the other now has more
	g = lost("5", "3", "A")
	g.play("Ana: refill").then("A", g.army())
}

func TestTwo13ItIsTheGameOfTwoSeatsWhateverTheOptions(t *testing.T) {
	for _, o := range [][]string{{"points", "12"}, {"tokens", "random", "board", "variable"},
		{"friendly-robber", "on"}} {
		g := given(t, 2, "", o...)
		require.True(t, g.state().Two())
	}
	least, _ := Rulebook.Seats(choices(t, "founding", "beginner"))
	require.Equal(t, 3, least, "the beginner's positions are not for two")
}

func TestA1NeutralBuildingEachOrOne(t *testing.T) {
	g := given(t, 2, builder)
	g.play("Ana: road 30")
	for _, m := range g.legal("Ana", "neutral") {
		require.Regexp(t, `^neutral road \d+ road \d+$`, m)
	}
	g = given(t, 2, builder, "neutral-building", "one")
	g.play("Ana: road 30")
	require.Equal(t, []string{"neutral N road 13", "neutral N road 14", "neutral N road 20", "neutral M road 51",
		"neutral M road 57", "neutral M road 58"},
		g.legal("Ana", "neutral"))
	g.play("Ana: neutral road 58").then("main", g.phase()) // the place decides whose it is
}

func TestA2ARoadCallsForRoadsAlone(t *testing.T) {
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[19],"roads":[29],"hand":{"brick":1,"lumber":1}}],"neutrals":[{"settlements":[13],"roads":[13,12]},{"settlements":[40]}]}`)
	g.play("Ana: road 30")
	require.NotEmpty(t, g.legal("Ana", "neutral"))
	for _, m := range g.legal("Ana", "neutral") {
		require.NotContains(t, m, "settle")
	}
}

func TestA3WithOneASettlementIsBuiltWhileAnyNeutralCan(t *testing.T) {
	const before = `{"phase":"main","players":[{"settlements":[19],"roads":[29,36,44,43],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}}],
		"neutrals":[{"settlements":[13],"roads":[13,12]},{"settlements":[40]}]}`
	g := given(t, 2, before, "neutral-building", "one")
	g.play("Ana: settle 29")
	require.Equal(t, []string{"neutral N settle 12"}, g.legal("Ana", "neutral"))
}

func TestA4OneTokenActionATurnOrAny(t *testing.T) {
	const before = `{"robber":0,"players":[{"settlements":[19],"hand":{"wool":3}},{"settlements":[30],"hand":{"ore":3}}]}`
	g := given(t, 2, before)
	g.play("Ana: token desert").refuse("Ana: token trade", "token-used")
	require.Empty(t, g.legal("Ana", "token"))
	g = given(t, 2, before, "token-actions", "any")
	g.play("Ana: token desert", "Ana: token trade", "Ana: give 2 ore").then("[3 5]", g.state().Tokens)
}

func TestA5TokenActionsBeforeBetweenAndAfterTheRolls(t *testing.T) {
	const before = `"players":[{"settlements":[19],"hand":{"wool":3}},{"settlements":[30],"hand":{"ore":3}}]}`
	for _, position := range []string{`{"robber":0,`, `{"robber":0,"rolls":1,"dice":[[1,1]],`,
		`{"robber":0,"phase":"main",`} {
		g := given(t, 2, position+before)
		require.Equal(t, []string{"token trade", "token desert"}, g.legal("Ana", "token"))
		phase := g.phase()
		g.play("Ana: token trade", "Ana: give 2 wool").then(phase, g.phase())
	}
}

func TestA6ThePriceGoesByPublicPoints(t *testing.T) {
	g := given(t, 2, `{"robber":0,"players":[{"settlements":[19],"cards":{"point":3}},{"settlements":[30]}]}`)
	g.play("Ana: token desert").then("[4 5]", g.state().Tokens)
}

func TestA7AForcedTradeMayGiveTheTakenCardsBack(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19]},{"settlements":[30],"hand":{"ore":3}}]}`)
	g.play("Ana: token trade")
	require.Equal(t, []string{"give 2 ore"}, g.legal("Ana", ""))
	g.play("Ana: give 2 ore").then("3 ore", g.hand("Bo"))
}

func TestA8AForcedTradeNeedsACardToTakeAndTwoToGive(t *testing.T) {
	for _, hands := range []string{`{"settlements":[19],"hand":{"wool":3}},{"settlements":[30]}`,
		`{"settlements":[19]},{"settlements":[30],"hand":{"ore":1}}`} {
		g := given(t, 2, `{"players":[`+hands+`]}`)
		g.refuse("Ana: token trade", "force-nothing")
		require.Empty(t, g.legal("Ana", "token trade"))
	}
}

func TestA9TheRobberInTheDesertStays(t *testing.T) {
	g := given(t, 2, two)
	g.refuse("Ana: token desert", "robber-in-desert")
	require.Empty(t, g.legal("Ana", "token desert"))
}

func TestA10ATieAfterADiscardKeepsTheArmy(t *testing.T) {
	g := given(t, 2, `{"army":"A","players":[{"settlements":[19],"knights":4},{"knights":3}]}`)
	g.play("Ana: refill").then("A", g.army())
}

func TestA11WithTwoKnightsLeftTheArmyIsSetAside(t *testing.T) {
	g := given(t, 2, `{"army":"A","players":[{"settlements":[19],"knights":3},{"knights":1}]}`)
	g.play("Ana: refill").then("", g.army())
}

func TestA12SetAsideItGoesToWhoeverAloneHasMost(t *testing.T) {
	g := given(t, 2, `{"army":"","players":[{"settlements":[19],"knights":3,"cards":{"knight":1}},{"knights":3}]}`)
	g.then("", g.army())
	g.play("Ana: knight 17").then("A", g.army())
}

func TestA13TheSupplyPaysWhatIsLeft(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19],"knights":1,"tokens":9},{"tokens":10}]}`)
	g.play("Ana: refill").then("[10 10]", g.state().Tokens)
	g = given(t, 2, `{"phase":"found","players":[{"tokens":10},{"tokens":10}]}`)
	g.play("Ana: settle 30 road 44").then("[10 10]", g.state().Tokens)
}

func TestA14FreeRoadsButNotFoundingCallForNeutralRoads(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19],"cards":{"roads":1}}]}`)
	g.play("Ana: roads 29 30").then("neutral", g.phase())
	g.play("Ana: neutral road 13 road 57").then("neutral", g.phase()) // one duty for each road
	g.play("Ana: neutral road 14 road 58").then("roll", g.phase())
	g = given(t, 2, "")
	g.play("Ana: settle 0 road 0").then("found", g.phase())
}

func TestA15ADiscardedKnightIsOutOfTheGame(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19],"knights":1}]}`)
	deck := g.state().Deck
	g.play("Ana: refill")
	require.Equal(t, deck, g.state().Deck)
	conserved(t, g.state())
}

func TestA16ACityEarnsNoTokens(t *testing.T) {
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[30,0],"hand":{"grain":4,"ore":6}}]}`)
	g.play("Ana: city 30", "Ana: city 0").then("[5 5]", g.state().Tokens)
}

func TestA17TheWholeIslandIsPlayed(t *testing.T) {
	g := given(t, 2, "", "board", "variable")
	require.True(t, g.state().Board.Complete())
}

func TestA18TheTwoMayTrade(t *testing.T) {
	g := given(t, 2, `{"phase":"main","players":[{"settlements":[19],"hand":{"wool":1}},{"hand":{"ore":1}}]}`)
	g.play("Ana: offer 1 wool for 1 ore to Bo", "Bo: accept").then("1 ore", g.hand("Ana"))
}

func TestA19OneDevelopmentCardATurnInSpiteOfTwoRolls(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19],"cards":{"knight":2}}]}`)
	g.chance("dice", "1 1")
	g.play("Ana: knight 0", "Ana: roll").refuse("Ana: knight 1", "card-played")
}

func TestA20TotalsAreComparedNotDice(t *testing.T) {
	g := given(t, 2, two)
	g.chance("dice", "1 4", "3 2", "1 1").play("Ana: roll", "Ana: roll")
	require.Equal(t, [][2]int8{{3, 2}}, g.last.Body.(*state.Played).Again)
	require.Equal(t, [2]int8{1, 1}, g.last.Body.(*state.Played).Dice)
}

// A game's story compares the sevens with what was to be expected. In Catan for two the second roll is thrown until it
// differs from the first: after a four, 33 of the 36 throws are left, and six of them are sevens.
func TestTwoTheStoryExpectsSevensOfTheThrowsLeft(t *testing.T) {
	g := given(t, 2, `{"players":[{"settlements":[19]},{"settlements":[30]}]}`)
	sevens := func() (expected float64) {
		m, err := g.line.Parse("roll", nil)
		require.NoError(t, err)
		e, _, err := g.line.Decide(g.line.Awaited()[0].Seat, m)
		require.NoError(t, err)
		for _, c := range Rulebook.Extras().Chances(g.state(), &e) {
			if c.Name == "sevens" {
				expected += c.Expected
			}
		}
		return expected
	}
	require.InDelta(t, 6.0/36, sevens(), 1e-9)
	g.chance("dice", "2 2").play("Ana: roll")
	require.InDelta(t, 6.0/33, sevens(), 1e-9)
}
