package catan

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

func TestGivenFillsInWhatAPositionDoesNotSay(t *testing.T) {
	g := given(t, 3, `{"players":[{"seat":"B","settlements":[8],"hand":{"wool":2}}]}`)
	g.then("roll", g.phase()).then("Ana turn", g.awaits()).then("2 wool", g.hand("Bo"))
	g.then("17", g.state().Bank[table.Wool]).then("9", g.state().Robber)
	g = given(t, 3, `{"robber":4}`)
	g.then("found", g.phase()).then("4", g.state().Robber)
	g = given(t, 3, `{"active":"C","phase":"main","turn":7}`)
	g.then("Cy turn", g.awaits()).then("7", g.state().Turn)
	g = given(t, 3, `{"phase":"discard","players":[{"hand":{"wool":9}}]}`)
	g.then("Ana discard", g.awaits()).then("4", g.state().Owes[0])
	g = given(t, 3, `{"phase":"main","players":[{"cities":[8,30,40,51],"settlements":[2,15]}]}`)
	g.then("", g.awaits()) // ten points in the seat's own turn have won
}

func TestGivenRefusesWhatCannotBe(t *testing.T) {
	for name, position := range map[string]string{
		"unknown key":            `{"colour":"red"}`,
		"not json":               `{`,
		"two values":             `{} {}`,
		"no such hex":            `{"robber":19}`,
		"two too close":          `{"players":[{"settlements":[8,13]}]}`,
		"twice the same path":    `{"players":[{"roads":[8]},{"roads":[8]}]}`,
		"no such path":           `{"players":[{"roads":[72]}]}`,
		"too many cities":        `{"players":[{"cities":[0,2,11,15,21]}]}`,
		"twenty of a kind":       `{"players":[{"hand":{"ore":12}},{"hand":{"ore":8}}]}`,
		"a bank too rich":        `{"bank":{"ore":19},"players":[{"hand":{"ore":1}}]}`,
		"six points":             `{"players":[{"cards":{"point":6}}]}`,
		"a deck too rich":        `{"deck_cards":{"knight":14},"players":[{"cards":{"knight":1}}]}`,
		"fresh but not held":     `{"players":[{"fresh":{"knight":1}}]}`,
		"no such phase":          `{"phase":"tea"}`,
		"no such seat":           `{"active":"D"}`,
		"a neutral among three":  `{"neutrals":[{}]}`,
		"tokens among three":     `{"players":[{"tokens":3}]}`,
		"owing in another phase": `{"phase":"main","players":[{"hand":{"ore":9},"owes":4}]}`,
		"nobody owes":            `{"phase":"discard"}`,
		"a longest road of one":  `{"longest":"A","players":[{"roads":[0]}]}`,
		"an offer nobody covers": `{"phase":"main","offers":[{"by":"A","give":{"ore":1},"want":{"wool":1},"to":["B"]}]}`,
		"an offer before a roll": `{"phase":"roll","players":[{"hand":{"ore":1}}],"offers":[{"by":"A","give":{"ore":1},"want":{"wool":1},"to":["B"]}]}`,
		"dice of seven":          `{"dice":[[7,1]]}`,
		"over without a winner":  `{"phase":"over"}`,
		"negative cards":         `{"players":[{"hand":{"ore":-1}}]}`,
		"four players of three":  `{"players":[{},{},{},{}]}`,
		"another target":         `{"target":8}`,
		"eighteen hexes":         `{"board":{"hexes":["desert"]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := setUp(t, 3, position)
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%v", err)
		})
	}
}

func TestGivenSaysWhereAndWhatIsAllowed(t *testing.T) {
	for position, want := range map[string][3]string{
		`{"colour":"red"}`:                                     {"colour", `"colour"`, "given.unknown"},
		`{"players":[{"roads":[3]},{"rods":[1]}]}`:             {"players[1].rods", `"rods"`, "given.unknown"},
		`{"robber":19}`:                                        {"robber", "19", "given.number"},
		`{"robber":"desert"}`:                                  {"robber", `"desert"`, "given.number"},
		`{"players":[{"settlements":[8,13]}]}`:                 {"players[0].settlements[1]", "13", "given.taken"},
		`{"players":[{"roads":[8]},{"roads":[8]}]}`:            {"players[1].roads[0]", "8", "given.taken"},
		`{"phase":"tea"}`:                                      {"phase", `"tea"`, "given.word"},
		`{"active":"D"}`:                                       {"active", `"D"`, "given.seat"},
		`{"active":"B"}`:                                       {"active", `"B"`, "given.founder"},
		`{"players":[{"seat":"B"},{"seat":"A"},{"seat":"b"}]}`: {"players[2].seat", `"B"`, "given.seat-twice"},
		`{"players":[{},{"seat":"A"}]}`:                        {"players[1].seat", `"A"`, "given.seat-twice"},
		`{"players":[{"hand":{"gold":1}}]}`: {"players[0].hand.gold", `"gold"`,
			"given.resource"},
		`{"turn":1,"turn":2}`: {"turn", "…", "given.twice"},
		`{"phase":"main","players":[{"hand":{"ore":9},"owes":4}]}`: {"phase", `"main"`, "given.owes"},
		`[1]`:                       {"given", "[…]", "given.object"},
		`{"players":[{},{},{},{}]}`: {"players[3]", "…", "given.long"},
		`{"winner":"A"}`:            {"winner", `"A"`, "given.not-won"},
		`{"phase":"main","winner":"B","players":[{"cities":[8,30,40,51],"settlements":[2,15]}]}`: {
			"winner", `"B"`, "given.not-won"},
		`{"phase":"main","back":"roll"}`: {"back", `"roll"`, "given.back"},
		`{"due":{"roads":1}}`:            {"due", `{"roads":1}`, "given.due"},
		`{"supply":3}`:                   {"supply", "3", "given.only-two"},
		`{"dice":[[1,2],[3,4]]}`:         {"dice[1]", "[3,4]", "given.long"},
		`{"phase":"main","still":1}`:     {"still", "1", "given.still"},
		`{"deck_cards":{"knight":14},"players":[{"cards":{"knight":1}}]}`: {"deck_cards.knight", "14",
			"given.deck-card"},
	} {
		_, err := setUp(t, 3, position)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", position, err)
		why, ok := refusal.Args["why"].(domain.Say)
		require.True(t, ok, position)
		require.Equal(t, want, [3]string{refusal.Args["path"].(string), refusal.Args["value"].(string), why.Key},
			position)
	}
}

func TestNeutralsAreNotDroppedInSilence(t *testing.T) {
	_, err := setUp(t, 2, `{"players":[{"settlements":[13]}]}`)
	refusal, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "given.neutral-place", refusal.Args["why"].(domain.Say).Key)
	_, err = setUp(t, 2, `{"neutrals":[{"name":"M","settlements":[17]},{"name":"M"}]}`)
	require.Error(t, err)
	g := given(t, 2, `{"players":[{"settlements":[30]}],"neutrals":[{"name":"M","settlements":[17]}]}`)
	g.then("[13] [17]", fmt.Sprint(table.CornerList(g.state().Settlements[2]),
		table.CornerList(g.state().Settlements[3])))
}

func TestGivenTakesTheRefereesViewBack(t *testing.T) {
	g := given(t, 4, market)
	g.play("Ana: offer 1 wool for 1 ore to Bo Cy ask", "Bo: accept", "Cy: counter 1 ore for 1 brick")
	whole, err := json.Marshal(g.state().View(domain.Referee))
	require.NoError(t, err)
	again := given(t, 4, string(whole))
	require.Equal(t, *g.state().View(domain.Referee), *again.state().View(domain.Referee))
	again.play("Ana: confirm Bo")
}

func FuzzGiven(f *testing.F) {
	f.Add([]byte(market), uint8(4))
	f.Add([]byte(two), uint8(2))
	f.Add([]byte(`{"phase":"neutral","due":{"roads":1},"bank":{"ore":1},"deck":0}`), uint8(2))
	f.Add([]byte(`{"robber":4,"offers":[{"by":"A","give":{"ore":1},"want":{"wool":1},"to":["B"],"number":-3}],"dice":[[1,2]]}`), uint8(3))
	f.Fuzz(func(t *testing.T, position []byte, seats uint8) {
		line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
		full, err := domain.Complete(Rulebook, nil)
		require.NoError(t, err)
		e, _, err := line.Setup(domain.Game{Choices: full, Seats: 2 + int(seats%3), Given: position})
		if err != nil {
			if _, ok := domain.AsRefusal(err); !ok {
				t.Fatal(err)
			}
			return
		}
		line.Apply(&e)
		for _, o := range line.Awaited() {
			n := 0
			for m := range line.Rulebook.Legal(line.State, o.Seat) {
				if _, _, err := line.Decide(o.Seat, m); err != nil {
					t.Fatalf("%s: %v", line.Rulebook.FormatMove(m, nil), err)
				}
				if n++; n > 50 {
					break
				}
			}
			if n == 0 {
				t.Fatalf("%+v has no move", o)
			}
		}
		dice := domain.NewThrowaway(3)
		for n := 0; n < 200 && len(line.Awaited()) > 0; n++ {
			seat := line.Awaited()[0].Seat
			var moves []domain.Move
			for m := range line.Rulebook.Legal(line.State, seat) {
				moves = append(moves, m)
			}
			require.NotEmpty(t, moves)
			luck := dice.Begin()
			m := moves[luck.Draw("choose", len(moves))]
			dice.Count(luck.Used())
			e, used, err := line.Decide(seat, m)
			require.NoError(t, err)
			line.Luck.Commit(used)
			line.Apply(&e)
		}
	})
}

// A game may be won before the dice are rolled, and such a position can be given unchanged.
func TestGivenKeepsAGameThatWasWonBeforeTheRoll(t *testing.T) {
	g := given(t, 3, `{"players":[{"cities":[8,30,40,51],"knights":2,"cards":{"knight":1}}]}`)
	g.play("Ana: knight 0").then("over", g.phase()).then("0", g.state().Rolls)
	whole, err := json.Marshal(g.state().View(domain.Referee))
	require.NoError(t, err)
	again := given(t, 3, string(whole)).state()
	require.Equal(t, g.state().View(domain.Referee), again.View(domain.Referee))
}
