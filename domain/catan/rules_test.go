package catan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/codec"
)

// The points of the base rules, sections 2 to 4 and 6 to 7: each test is named after its point's number.

func Test13TheBoxHolds95ResourcesAnd25DevelopmentCards(t *testing.T) {
	s := given(t, 4, "").state()
	require.Equal(t, table.Hand{19, 19, 19, 19, 19}, s.Bank)
	require.Equal(t, table.Cards{table.Knight: 14, table.Point: 5, table.Roads: 2, table.Plenty: 2, table.Monopoly: 2},
		s.Deck)
	require.Equal(t, 25, s.Deck.Len())
}

func Test14PiecesAreLimitedAndCitiesFreeSettlements(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[0,2,11,15,21],"hand":{"brick":5,"lumber":5,"wool":5,"grain":9,"ore":9},
		"roads":[0,1,2,3,4,5,6,10,18,23,24,33,39,9,17]}]}`, "points", "15")
	g.refuse("Ana: settle 33", "no-settlements-left")
	g.refuse("Ana: road 22", "no-roads-left")
	g.play("Ana: city 0", "Ana: settle 33")
	g.play("Ana: city 2", "Ana: city 11")
	g.then("3", table.BitCount(g.state().Cities[0]))
	g = given(t, 3, `{"phase":"main","players":[{"settlements":[0],"cities":[2,11,15,21],"hand":{"grain":2,"ore":3}}]}`)
	g.refuse("Ana: city 0", "no-cities-left")
	require.Empty(t, g.legal("Ana", "city"))
}

func Test15Costs(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[0],"roads":[0,6],"hand":{"brick":2,"lumber":2,"wool":2,"grain":4,"ore":4}}]}`)
	g.chance("card", "knight")
	g.play("Ana: road 10").then("1 brick 1 lumber 2 wool 4 grain 4 ore", g.hand("Ana"))
	g.play("Ana: settle 7").then("1 wool 3 grain 4 ore", g.hand("Ana"))
	g.play("Ana: city 0").then("1 wool 1 grain 1 ore", g.hand("Ana"))
	g.play("Ana: buy").then("", g.hand("Ana"))
	conserved(t, g.state())
	g.refuse("Ana: road 18", "cannot-pay").refuse("Ana: city 7", "cannot-pay").refuse("Ana: buy", "cannot-pay")
}

func Test16TheSeatThatWasDrawnBegins(t *testing.T) {
	g := &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(1))}
	e, _, err := g.line.Setup(domain.Game{Choices: choices(t, "board", "beginner"), Seats: 3, First: 2})
	require.NoError(t, err)
	g.line.Apply(&e)
	g.then("Cy found", g.awaits())
}

func Test17FoundingGoesRoundAndBackWithARoadEach(t *testing.T) {
	g := given(t, 3, "")
	g.refuse("Ana: settle 13 road 11", "found-apart").refuse("Ana: roll", "not-now-found").
		refuse("Bo: settle 0 road 0", "not-awaited")
	for _, half := range []string{"Ana: settle 13", "Ana: road 11"} {
		// the refusal says what goes with it, and that can be played
		g.refuse(half, "found-both")
		r, _ := domain.AsRefusal(g.try(half))
		given(t, 3, "").play(fmt.Sprintf("Ana: settle %d road %d", r.Args["at"], r.Args["path"]))
	}
	g.refuse("Ana: settle 99", "no-such-corner").refuse("Ana: road 99", "no-such-path")
	g.play("Ana: settle 0 road 0").then("Bo found", g.awaits())
	g.refuse(fmt.Sprintf("Bo: settle %d", table.Isle.Ends[0][0]+table.Isle.Ends[0][1]), "too-close").
		refuse("Bo: road 0", "path-taken")
	g.play("Bo: settle 2 road 5").then("Cy found", g.awaits())
	g.play("Cy: settle 51 road 66").then("Cy found", g.awaits())
	g.refuse("Cy: settle 49 road 66", "found-apart")
	g.play("Cy: settle 49 road 69").then("Bo found", g.awaits())
	g.play("Bo: settle 30 road 44").then("Ana found", g.awaits())
	g.play("Ana: settle 18 road 28").then("Ana turn", g.awaits())
}

func Test18TheDistanceRuleHoldsAgainstEverybody(t *testing.T) {
	g := given(t, 3, "")
	g.play("Ana: settle 8 road 7")
	for _, move := range []string{"Bo: settle 8 road 12", "Bo: settle 4 road 1", "Bo: settle 12 road 11",
		"Bo: settle 13 road 14"} {
		g.refuse(move, "too-close")
	}
	g.play("Bo: settle 0 road 0")
	g = given(t, 3, `{"phase":"main","players":[{"settlements":[8],"roads":[12],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}}]}`)
	g.refuse("Ana: settle 12", "too-close")
}

func Test19TheSecondSettlementPaysOneCardForEachHex(t *testing.T) {
	g := given(t, 3, "")
	g.play("Ana: settle 8 road 7", "Bo: settle 0 road 0", "Cy: settle 51 road 66")
	g.then("", g.hand("Ana"))
	g.play("Cy: settle 49 road 69").then("1 wool 1 grain", g.hand("Cy"))
	g.play("Bo: settle 18 road 28").then("1 brick 1 wool", g.hand("Bo")) // the desert pays nothing
	g.play("Ana: settle 36 road 45").then("1 lumber 1 wool 1 grain", g.hand("Ana"))
	conserved(t, g.state())
}

func Test20WhoeverFoundedFirstHasTheFirstTurn(t *testing.T) {
	g := &game{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(1))}
	e, _, err := g.line.Setup(domain.Game{Choices: choices(t, "board", "beginner"), Seats: 3, First: 1})
	require.NoError(t, err)
	g.line.Apply(&e)
	g.play("Bo: settle 0 road 0", "Cy: settle 2 road 5", "Ana: settle 51 road 66", "Ana: settle 49 road 69",
		"Cy: settle 18 road 28", "Bo: settle 30 road 44")
	g.then("Bo turn", g.awaits()).then("1", g.state().Turn).then("roll", g.phase())
}

const plain3 = `{"players":[{"settlements":[8],"roads":[7],"hand":{"brick":4,"lumber":4,"wool":4,"grain":4,"ore":4},"cards":{"knight":2,"plenty":1}},
	{"settlements":[30],"hand":{"wool":1}},{"settlements":[51]}]}`

func Test21TheRollComesBeforeAllButOneDevelopmentCard(t *testing.T) {
	g := given(t, 3, plain3)
	for _, move := range []string{"Ana: road 12", "Ana: settle 13", "Ana: city 8", "Ana: buy", "Ana: bank wool ore",
		"Ana: offer 1 wool for 1 ore", "Ana: end"} {
		g.refuse(move, "not-now-roll")
	}
	g.chance("steal", "wool").chance("dice", "1 1")
	g.play("Ana: knight 10 Bo").then("roll", g.phase())
	g.refuse("Ana: plenty ore ore", "card-played")
	g.play("Ana: roll").then("main", g.phase())
	g.refuse("Ana: roll", "not-now-main").refuse("Bo: roll", "not-awaited")
	g.play("Ana: end").then("Bo turn", g.awaits())
}

func Test22TradeAndBuildingMixUnlessTradeComesFirst(t *testing.T) {
	const main = `{"phase":"main","players":[{"settlements":[0],"roads":[0,6,10],"hand":{"brick":2,"lumber":2,"wool":5,"grain":5}},{"hand":{"ore":1}}]}`
	g := given(t, 3, main)
	g.play("Ana: road 18", "Ana: bank wool ore", "Ana: settle 11", "Ana: bank grain ore")
	g.then("1 wool 1 grain 2 ore", g.hand("Ana")) // three for one, by the harbour

	g = given(t, 3, main, "trade-first", "on")
	g.play("Ana: offer 1 wool for 1 ore to Bo", "Ana: bank wool ore", "Ana: road 18")
	g.then("Ana turn", g.awaits()) // the open offer ends with the trade
	g.refuse("Ana: bank grain ore", "trade-over").refuse("Ana: offer 1 wool for 1 ore to Bo", "trade-over")
	require.Empty(t, g.legal("Ana", "bank"))
	require.Empty(t, g.line.Rulebook.Forms(g.line.State, 0))
}

func Test22AHarbourServesInTheTurnItsSettlementIsBuilt(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[17],"roads":[24,25],"hand":{"brick":1,"lumber":3,"wool":1,"grain":1}}]}`)
	g.refuse("Ana: bank lumber ore", "bank-pay")
	g.play("Ana: settle 16").then("2 lumber", g.hand("Ana"))
	g.play("Ana: bank lumber ore").then("1 ore", g.hand("Ana"))
}

func Test23ProductionPaysSettlementsOneAndCitiesTwo(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[8],"cities":[18]},{"settlements":[40,36]},{"settlements":[17]}]}`)
	g.chance("dice", "1 3", "2 4")
	g.play("Ana: roll") // four: wool hex 5, grain hex 14
	g.then("2 wool", g.hand("Ana")).then("2 grain", g.hand("Bo"))
	g.play("Ana: end", "Bo: roll") // six: brick hex 4, grain hex 17
	g.then("3 brick 2 wool", g.hand("Ana")).then("3 grain", g.hand("Bo")).then("1 brick", g.hand("Cy"))
	conserved(t, g.state())
	g = given(t, 3, `{"robber":4,"players":[{"settlements":[8],"cities":[17]},{"settlements":[40]}]}`)
	g.chance("dice", "2 4").play("Ana: roll").then("", g.hand("Ana")).then("1 grain", g.hand("Bo"))
}

func Test24AShortBankPaysAKindOnlyToASingleClaimant(t *testing.T) {
	// Six pays brick at hex 4 and grain at hex 17.
	g := given(t, 3, `{"bank":{"brick":2,"grain":1,"wool":19},"players":[{"cities":[8]},{"settlements":[23]},{"cities":[40],"settlements":[49]}]}`)
	g.chance("dice", "2 4").play("Ana: roll")
	g.then("", g.hand("Ana")).then("", g.hand("Bo")) // two seats claim three bricks, but there are two
	g.then("1 grain", g.hand("Cy"))                  // a single seat gets what is left
	g.then("2 brick 19 wool", g.state().Bank)
	require.Equal(t, uint8(1<<table.Brick|1<<table.Grain), g.last.Body.(*state.Played).Short)
	g = given(t, 3, `{"bank":{"brick":3},"players":[{"cities":[8]},{"settlements":[23]}]}`)
	g.chance("dice", "2 4").play("Ana: roll").then("2 brick", g.hand("Ana")).then("1 brick", g.hand("Bo"))
}

func Test25TheBankPaysNoMoreThanItHas(t *testing.T) {
	g := given(t, 3, `{"phase":"main","bank":{"wool":1},"players":[{"settlements":[8],"hand":{"brick":8},"cards":{"plenty":1}}]}`)
	g.refuse("Ana: bank brick ore", "bank-short").refuse("Ana: plenty wool wool", "plenty-short").
		refuse("Ana: plenty wool ore", "plenty-short")
	g.play("Ana: bank brick wool").refuse("Ana: bank brick wool", "bank-short")
	// Starting cards also come from the bank.
	g = given(t, 3, `{"phase":"found","bank":{"wool":1},"players":[{"settlements":[0],"roads":[0]},{"settlements":[2],"roads":[5]},{"settlements":[51],"roads":[66]}]}`)
	g.play("Cy: settle 49 road 69").then("1 wool", g.hand("Cy"))
}

const seven4 = `{"players":[{"settlements":[8],"hand":{"wool":8}},{"settlements":[30],"hand":{"ore":9}},{"settlements":[51],"hand":{"brick":7},"cards":{"knight":3}},{"hand":{"grain":4,"lumber":4}}]}`

func Test26ASevenMakesLargeHandsDiscardHalfRoundedDown(t *testing.T) {
	g := given(t, 4, seven4)
	g.chance("dice", "3 4").play("Ana: roll")
	g.then("Ana discard, Bo discard, Di discard", g.awaits()).then("[4 4 0 4]", g.state().Owes)
	g.then("8 wool", g.hand("Ana")) // nobody produced
	g.refuse("Bo: discard 5 ore", "discard-count").refuse("Bo: discard 4 wool", "discard-held").
		refuse("Cy: discard 3 brick", "not-awaited")
	require.Len(t, g.legal("Di", "discard"), 5)
	g.play("Di: discard 3 grain 1 lumber").then("3 lumber 1 grain", g.hand("Di"))
}

func Test27DiscardsComeInAnyOrderAndTheRobberWaits(t *testing.T) {
	g := given(t, 4, seven4)
	g.chance("dice", "3 4").play("Ana: roll")
	g.play("Di: discard 4 grain").refuse("Ana: rob 10", "not-now-discard").refuse("Di: discard 2 lumber", "not-awaited")
	g.play("Ana: discard 4 wool").then("Bo discard", g.awaits())
	g.play("Bo: discard 4 ore").then("Ana turn", g.awaits()).then("robber", g.phase())
	conserved(t, g.state())
}

func Test28TheRobberMovesAndStealsFromAChosenNeighbour(t *testing.T) {
	g := given(t, 4, `{"phase":"robber","players":[{"settlements":[18],"hand":{"wool":1}},{"settlements":[30],"hand":{"ore":2}},{"settlements":[29],"hand":{"brick":1}},{"settlements":[40]}]}`)
	g.refuse("Ana: rob 9 Bo", "robber-stays")
	g.refuse("Ana: end", "not-now-robber")
	require.Len(t, g.legal("Ana", "rob"), 18)
	g = given(t, 4, `{"robber":0,"phase":"robber","players":[{"settlements":[18],"hand":{"wool":1}},{"settlements":[30],"hand":{"ore":2}},{"settlements":[29],"hand":{"brick":1}},{"settlements":[40]}]}`)
	g.refuse("Ana: rob 9", "rob-whom").refuse("Ana: rob 9 Ana", "rob-self").refuse("Ana: rob 9 Di", "rob-nothing")
	g.chance("steal", "ore").play("Ana: rob 9 Bo")
	g.then("1 wool 1 ore", g.hand("Ana")).then("1 ore", g.hand("Bo")).then("main", g.phase())
	conserved(t, g.state())
	e := g.last
	require.Equal(t, domain.To(0, 1), e.Secrets[0].To, "thief and victim alone know which card")
}

func Test28AnEmptyHexOrOnesOwnIsRobbedOfNothing(t *testing.T) {
	for _, move := range []string{"Ana: rob 4", "Ana: rob 16", "Ana: rob 17"} {
		g := given(t, 4, `{"phase":"robber","players":[{"settlements":[18],"hand":{"wool":1}},{"settlements":[30],"hand":{"ore":2}},{},{"settlements":[40]}]}`)
		g.play(move).then("1 wool", g.hand("Ana"))
		require.Empty(t, g.last.Secrets)
	}
}

func Test29TheRobberStopsProductionAlone(t *testing.T) {
	g := given(t, 3, `{"robber":3,"phase":"main","players":[{"settlements":[16],"hand":{"lumber":4,"ore":3,"grain":2}}]}`)
	g.play("Ana: bank lumber ore", "Ana: city 16").then("2", g.points("Ana"))
}

func Test30AKnightMovesTheRobberWithoutDiscards(t *testing.T) {
	g := given(t, 4, `{"players":[{"settlements":[18],"hand":{"wool":9},"cards":{"knight":1}},{"settlements":[30],"hand":{"ore":2}}]}`)
	g.chance("steal", "ore", "ore").chance("dice", "6 1")
	g.play("Ana: knight 10 Bo").then("Ana turn", g.awaits()).then("9 wool 1 ore", g.hand("Ana"))
	g.play("Ana: roll").then("Ana discard", g.awaits())
	g.play("Ana: discard 5 wool", "Ana: rob 14 Bo").then("4 wool 2 ore", g.hand("Ana")) // two robber moves in one turn
	g.then("1", g.state().Knights[0])
}

func Test32TheBankTradesAtTheBestRate(t *testing.T) {
	for name, c := range map[string]struct {
		at   string
		left string
	}{
		"no harbour: 4 for 1":      {"8", "1 lumber 5 wool 1 ore"},
		"3:1":                      {"0", "2 lumber 5 wool 1 ore"},
		"2:1 for its own kind":     {"16", "3 lumber 5 wool 1 ore"},
		"2:1 of another: 4 for 1":  {"5", "1 lumber 5 wool 1 ore"},
		"both: the better":         {"0,16", "3 lumber 5 wool 1 ore"},
		"a city has it as well":    {`0],"cities":[11`, "3 lumber 5 wool 1 ore"},
		"on the coast, no harbour": {"6", "1 lumber 5 wool 1 ore"},
	} {
		t.Run(name, func(t *testing.T) {
			g := given(t, 3, `{"phase":"main","players":[{"settlements":[`+c.at+`],"hand":{"lumber":5,"wool":5}}]}`)
			g.play("Ana: bank lumber ore").then(c.left, g.hand("Ana"))
		})
	}
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"lumber":8}}]}`)
	g.refuse("Ana: bank lumber lumber", "bank-same")
	g.play("Ana: bank lumber ore", "Ana: bank lumber ore").then("2 ore", g.hand("Ana")) // any number of times
	g.refuse("Ana: bank lumber ore", "bank-pay")
}

func Test34ARoadConnectsToOnesOwnNotThroughOthers(t *testing.T) {
	const hand = `"hand":{"brick":5,"lumber":5}`
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"roads":[13],`+hand+`},{"settlements":[18]}]}`)
	g.refuse("Ana: road 30", "not-connected").refuse("Ana: road 13", "path-taken").
		refuse("Ana: road 72", "no-such-path")
	g.play("Ana: road 20") // up to the opponent's settlement
	g.refuse("Ana: road 27", "not-connected").refuse("Ana: road 28", "not-connected")
	g.play("Ana: road 14", "Ana: road 7")
	// The seat's own building beyond it is a new start.
	g = given(t, 3, `{"phase":"main","players":[{"settlements":[18],`+hand+`}]}`)
	g.play("Ana: road 28")
}

func Test35ASettlementNeedsARoadAndACityASettlement(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"roads":[13,20],"hand":{"brick":2,"lumber":2,"wool":2,"grain":5,"ore":3}},{"settlements":[30]}]}`)
	g.refuse("Ana: settle 40", "no-road-there").refuse("Ana: settle 13", "too-close").
		refuse("Ana: settle 54", "no-such-corner")
	g.refuse("Ana: city 18", "no-settlement-there").refuse("Ana: city 30", "no-settlement-there")
	g.play("Ana: settle 18", "Ana: city 18").then("3", g.points("Ana"))
}

func Test36BuildingIntoAnOpponentsRoadCutsIt(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"roads":[36],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}},{"roads":[27,28,29,30,37],"settlements":[20]}]}`)
	g.then("B", g.longest())
	g.play("Ana: settle 24").then("", g.longest()).then("3", g.state().Length[1])
}

func Test37CardsAreDrawnSecretlyUntilNoneIsLeft(t *testing.T) {
	g := given(t, 3, `{"phase":"main","deck_cards":{"point":1},"players":[{"settlements":[8],"hand":{"wool":2,"grain":2,"ore":2}}]}`)
	g.play("Ana: buy")
	require.Equal(t, domain.To(0), g.last.Secrets[0].To)
	text, err := codec.Marshal(g.last.Body)
	require.NoError(t, err)
	require.Equal(t, "{\"did\":\"buy\",\"phase\":\"main\",\"hands\":[[0,0,0,-1,-1,-1]],\"bought\":true}", string(text))
	g.refuse("Ana: buy", "deck-empty")
	require.Empty(t, g.legal("Ana", "buy"))
}

func Test38OneCardATurnAndNotTheOneJustBought(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"wool":1,"grain":1,"ore":1}},{"settlements":[30]},{}]}`)
	g.chance("card", "monopoly").chance("dice", "1 1", "1 1", "1 1")
	g.play("Ana: buy").refuse("Ana: monopoly ore", "card-fresh")
	require.Empty(t, g.legal("Ana", "monopoly"))
	g.play("Ana: end", "Bo: roll", "Bo: end", "Cy: roll", "Cy: end")
	g.play("Ana: monopoly ore")
	g = given(t, 3, plain3)
	g.play("Ana: plenty ore ore").refuse("Ana: knight 10 Bo", "card-played")
	require.Empty(t, g.legal("Ana", "knight"))
	g.refuse("Ana: monopoly ore", "no-card")
}

func Test39VictoryPointCardsCountSecretlyOnceBought(t *testing.T) {
	const nine = `{"phase":"main","players":[{"cities":[8,30,40,51],"hand":{"wool":1,"grain":1,"ore":1}},{"settlements":[2]}]}`
	g := given(t, 3, nine, "points", "9")
	g.chance("card", "point").play("Ana: buy")
	g.then("", g.awaits()).then("0", g.state().Winner) // wins at once
	g = given(t, 3, nine, "points", "10")
	g.chance("card", "point").play("Ana: buy")
	standing := func(v domain.Viewer) int { return g.line.Rulebook.Standing(g.line.State, v).Scores[0] }
	require.Equal(t, []int{9, 9, 8, 8},
		[]int{standing(0), standing(domain.Referee), standing(1), standing(domain.Spectator)})
}

func Test39EverybodyShowsTheirPointCardsAtTheEnd(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"cities":[8,30,40,51],"cards":{"point":1},"hand":{"wool":1,"grain":1,"ore":1}},{"settlements":[2],"cards":{"point":2}},{"cards":{"knight":1}}]}`)
	g.chance("card", "point").play("Ana: buy").then("0", g.state().Winner)
	public := g.last.Redact(domain.Spectator)
	require.Equal(t, [state.MaxColours]int8{2, 2, 0, 0}, public.Body.(*state.Played).Shown)
	require.Contains(t, Rulebook.Tell(&public, Rulebook.View(g.line.State, 0)),
		domain.S("tell.shown", "who", domain.Seat(1), "n", 2))
	require.NotContains(t, Rulebook.Tell(&public, Rulebook.View(g.line.State, 0)),
		domain.S("tell.shown", "who", domain.Seat(2), "n", 0))
	st := g.line.Rulebook.Standing(g.line.State, domain.Spectator)
	require.Equal(t, []int{10, 3, 0}, st.Scores)
	require.Equal(t, []domain.Say{domain.S("result.won", "who", domain.Seat(0), "n", 10)}, st.Result,
		"whose points come from where is said with them alone")
	cause := func(key string, n int, points string) domain.Say {
		return domain.S("cause", "what", domain.S("cause."+key, "n", n), "points", points)
	}
	require.Equal(t, [][]domain.Say{
		{domain.S("causes", "list", []domain.Say{cause("cities", 4, "+8"), cause("points", 2, "+2")})},
		{domain.S("causes", "list", []domain.Say{cause("settlements", 1, "+1"), cause("points", 2, "+2")})}, nil},
		st.Causes)
}

func Test40RoadBuildingGivesTwoFreeRoads(t *testing.T) {
	const before = `{"players":[{"settlements":[8],"cards":{"roads":1}},{"settlements":[18]}]}`
	g := given(t, 3, before)
	g.refuse("Ana: roads 13", "two-roads").refuse("Ana: roads 13 20 14", "unreadable-word")
	g.refuse("Ana: roads 20 27", "not-connected").refuse("Ana: roads 13 13", "two-roads").
		refuse("Ana: roads 13 99", "no-such-path")
	g.play("Ana: roads 14 13").then("2", g.state().Roads[0].Len()).then("roll", g.phase())
	require.Equal(t, "roads 13 14", g.last.Move)
	g = given(t, 3, before)
	g.play("Ana: roads 2 7") // 2 continues 7
	g.refuse("Ana: roads 1 0", "no-card")
}

func Test41YearOfPlentyTakesTwoCardsToUseAtOnce(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"hand":{"brick":1},"cards":{"plenty":1}}]}`)
	require.Len(t, g.legal("Ana", "plenty"), 15)
	g.refuse("Ana: plenty ore", "plenty-two")
	g.play("Ana: plenty lumber grain", "Ana: road 13").then("1 grain", g.hand("Ana"))
	conserved(t, g.state())
}

func Test42MonopolyTakesAllOfAKindFromEverybodyElse(t *testing.T) {
	const before = `{"players":[{"hand":{"ore":1},"cards":{"monopoly":1}},{"hand":{"ore":3,"wool":1}},{"hand":{"ore":1}}]}`
	g := given(t, 3, before)
	g.play("Ana: monopoly ore").then("5 ore", g.hand("Ana")).then("1 wool", g.hand("Bo")).then("", g.hand("Cy"))
	g.then("14", g.state().Bank[table.Ore])
	g = given(t, 3, before)
	g.play("Ana: monopoly brick").then("1 ore", g.hand("Ana")) // wasted, but legal
}

func Test43PlayedKnightsStayFaceUp(t *testing.T) {
	g := given(t, 3, plain3)
	g.chance("steal", "wool").play("Ana: knight 10 Bo")
	v := g.state().View(domain.Spectator).Position()
	require.Equal(t, 1, v.Players[0].Knights)
	require.Equal(t, 2, v.Players[0].CardCount)
}

func Test50TheLargestArmyNeedsThreeKnightsAndThenMore(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[0],"knights":2,"cards":{"knight":1}},{"settlements":[2],"knights":2,"cards":{"knight":2}}]}`)
	g.chance("dice", "1 1", "1 1", "1 1", "1 1")
	g.then("", g.army())
	g.play("Ana: knight 17").then("A", g.army()).then("3", g.points("Ana"))
	g.play("Ana: roll", "Ana: end", "Bo: knight 16").then("A", g.army())
	g.play("Bo: roll", "Bo: end", "Cy: roll", "Cy: end", "Ana: roll", "Ana: end")
	g.play("Bo: knight 17").then("B", g.army()).then("1", g.points("Ana")).then("3", g.points("Bo"))
}

func Test51Points(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"settlements":[8],"cities":[30],"roads":[0,1,2,3,4],"knights":3,"cards":{"point":2,"knight":1}}]}`)
	g.then("9", g.points("Ana")) // 1 + 2 + longest road 2 + largest army 2 + 2 cards
	st := g.line.Rulebook.Standing(g.line.State, domain.Spectator)
	require.Equal(t, []int{7, 0, 0}, st.Scores)
}

func Test52TenPointsWinInOnesOwnTurnAlone(t *testing.T) {
	// Bo has nine points and gets the longest road in Ana's turn: he wins when his turn begins.
	g := given(t, 3, `{"phase":"main","players":[{"roads":[36],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}},
		{"cities":[0,2,11,51],"roads":[41,50,55,54,49]},{"roads":[26,27,28,29,30,37]}]}`)
	g.then("C", g.longest())
	g.play("Ana: settle 24").then("B", g.longest()).then("10", g.points("Bo")).then("Ana turn", g.awaits())
	g.play("Ana: end").then("", g.awaits()).then("1", g.state().Winner)
	st := g.line.Rulebook.Standing(g.line.State, domain.Spectator)
	require.True(t, st.Ended)
	require.Equal(t, []int{2, 1, 3}, st.Ranks)
}

func Test52TheOptionPointsSetsWhatWins(t *testing.T) {
	for _, c := range []struct{ points, over string }{{"8", "0"}, {"9", "-1"}, {"15", "-1"}} {
		g := given(t, 3, `{"phase":"main","players":[{"cities":[8,30,40],"settlements":[51],"hand":{"ore":3,"grain":2}}]}`, "points", c.points)
		g.play("Ana: city 51").then(c.over, g.state().Winner)
	}
}

func Test53OneSeatAloneWins(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"cities":[8,30,40],"settlements":[2,15,51],"hand":{"ore":3,"grain":2}},{"cards":{"point":5},"cities":[11,33],"roads":[62]}]}`)
	g.play("Ana: city 2").then("0", g.state().Winner).then("", g.awaits())
	g.refuse("Bo: roll", "table-ended")
	st := g.line.Rulebook.Standing(g.line.State, domain.Spectator)
	require.Equal(t, []int{10, 9, 0}, st.Scores, "at the end the hidden points are counted for all to see")
}
