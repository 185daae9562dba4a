package rivals

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

func setUpGiven(play, position string) (*domain.Line, error) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
	if err != nil {
		return nil, err
	}
	line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
	e, used, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: json.RawMessage(position)})
	if err != nil {
		return nil, err
	}
	line.Luck.Commit(used)
	line.Apply(&e)
	return line, nil
}

func TestAPositionThatCannotBeIsRefusedWithItsPlace(t *testing.T) {
	for position, want := range map[string][3]string{
		`{"phase":"tea"}`:                          {"phase", `"tea"`, "given.word"},
		`{"face":"smile"}`:                         {"face", `"smile"`, "given.word"},
		`{"die":7}`:                                {"die", "7", "given.number"},
		`{"active":"C"}`:                           {"active", `"C"`, "given.word"},
		`{"nonsense":1}`:                           {"nonsense", `"nonsense"`, "given.unknown"},
		`{"seats":[{},{"towers":[]}]}`:             {"seats[1].towers", `"towers"`, "given.unknown"},
		`{"seats":[{},{},{}]}`:                     {"seats[2]", "…", "given.long"},
		`{"seats":[{"hand":["dragon"]}]}`:          {"seats[0].hand[0]", `"dragon"`, "given.card"},
		`{"seats":[{"hand":["harald","harald"]}]}`: {"seats[0].hand[1]", `"harald"`, "given.no-more"},
		`{"seats":[{"towns":["0 settlement above abbey","1 settlement below abbey"]}]}`: {
			"seats[0].towns[1].below[0]", `"abbey"`, "given.one"},
		`{"seats":[{"towns":["0 settlement above scout"]}]}`: {
			"seats[0].towns[0].above[0]", `"scout"`, "given.stands"},
		`{"seats":[{"towns":["0 settlement above abbey harald","1 settlement"]}]}`: {"seats[0].towns[0]",
			`["abbey","harald"]`, "given.room"},
		`{"seats":[{"towns":["0 settlement","0 city"]}]}`: {"seats[0].towns[1]", "0",
			"given.apart"},
		`{"seats":[{"towns":["0 settlement","2 settlement"]}]}`: {"seats[0].towns", "[0,2]",
			"given.apart"},
		`{"seats":[{"towns":["0 settlement","1 settlement"],"roads":[]}]}`: {"seats[0].towns", "[0,1]",
			"given.apart"},
		`{"seats":[{"roads":[0,4]}]}`: {"seats[0].roads[1]", "4",
			"given.road"},
		`{"seats":[{"towns":[]}]}`: {"seats[0].towns", "[]",
			"given.no-town"},
		`{"seats":[{"towns":["99 settlement"]}]}`: {"seats[0].towns[0]",
			`"99 settlement"`, "given.town"},
		`{"seats":[{"towns":["0 castle"]}]}`: {"seats[0].towns[0]",
			`"0 castle"`, "given.town"},
		`{"seats":[{"regions":["0a forest2 1","0a hills3 1"]}]}`: {"seats[0].regions[1].at",
			`"0a"`, "given.place-twice"},
		`{"seats":[{"regions":["0a forest2 1","0b forest2 1"]}]}`: {"seats[0].regions",
			`"forest2"`, "given.region"},
		`{"seats":[{"regions":["6a forest2 1"]}]}`: {"seats[0].regions[0].at",
			`"6a"`, "given.beside"},
		`{"seats":[{"regions":["0a forest2 4"]}]}`: {"seats[0].regions[0]",
			`"0a forest2 4"`, "given.region-short"},
		`{"seats":[{"stores":{"0a":4}}]}`: {"seats[0].stores.0a", "4",
			"given.number"},
		`{"seats":[{"stores":{"5a":1}}]}`: {"seats[0].stores.5a", "1",
			"given.no-region"},
		`{"stacks":[{"cards":["mint"]}]}`: {"stacks[0].cards[0]",
			`"mint"`, "given.back"},
		`{"phase":"draw","active":"A","seats":[{"hand":["harald","candamir","austin"]}]}`: {"phase", `"draw"`,
			"given.task"},
		`{"winner":"A"}`:                         {"winner", `"A"`, "given.winner"},
		`{"phase":"over","winner":"A"}`:          {"winner", `"A"`, "given.winner"},
		`{"turn":8,"since":10}`:                  {"since", "10", "given.number"},
		`{"tasks":[{"kind":"road","seat":"A"}]}`: {"tasks[0]", `"road"`, "given.task"},
		`{"tasks":[{"kind":"gain","seat":"A","n":1,"goods":["ore","wool"]},{"kind":"pay","n":1}]}`: {
			"tasks[1]", `"pay"`, "given.task"},
		`{"tasks":[{"kind":"gain","seat":"A","goods":["ore","wool"]}]}`: {
			"tasks[0]", `"gain"`, "given.task"},
		`{"tasks":[{"kind":"fetch","seat":"A"}],"discard":["scout"]}`: {
			"tasks[0]", `"fetch"`, "given.task"},
	} {
		_, err := setUpGiven("gold", position)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, "%s: %v", position, err)
		why, ok := refusal.Args["why"].(domain.Say)
		require.True(t, ok, position)
		require.Equal(t, want, [3]string{refusal.Args["path"].(string), refusal.Args["value"].(string), why.Key},
			position)
		requireWords(t, refusal.Say())
	}
}

// FuzzGiven: any given position is refused in words, or can be played from.
func FuzzGiven(f *testing.F) {
	for i, play := range table.PlayNames {
		line, err := setUpGiven(play, `{}`)
		require.NoError(f, err)
		playOn(f, line, 40+30*i)
		whole, err := json.Marshal(Rulebook.View(line.State, domain.Referee))
		require.NoError(f, err)
		f.Add(string(whole), uint8(i))
	}
	f.Add(`{"phase":"act","seats":[{"towns":["0 city above merchant_guild","1 settlement"],"hand":["staple_house"],"stores":{"0b":2,"2b":2}},{}]}`, uint8(1))
	f.Add(`{"phase":"exchange","turn":90,"since":3,"high":[2,9],"die":4,"face":"trade","discard":["brigitta"],"centre":{"regions":["forest4"]}}`, uint8(2))
	for _, sc := range scenarios(f) {
		for _, l := range strings.Split(sc.text, "\n") {
			if given, ok := strings.CutPrefix(l, "given "); ok {
				f.Add(given, uint8(0))
				f.Add(given, uint8(4))
			}
		}
	}
	f.Fuzz(func(t *testing.T, position string, play uint8) {
		line, err := setUpGiven(table.PlayNames[int(play)%len(table.PlayNames)], position)
		if err != nil {
			refusal, ok := domain.AsRefusal(err)
			require.True(t, ok, "%v", err)
			requireWords(t, refusal.Say())
			return
		}
		playOn(t, line, 200)
	})
}

// playOn plays this many random moves, or to the end.
func playOn(t testing.TB, line *domain.Line, moves int) {
	dice := domain.NewThrowaway(uint64(moves))
	for n := 0; n < moves && len(line.Awaited()) > 0; n++ {
		luck := dice.Begin()
		seat := line.Awaited()[0].Seat
		m, _ := Rulebook.Extras().PickLegal(line.State, seat, func(n int) int { return luck.Draw("choose", n) })
		dice.Count(luck.Used())
		if m == nil {
			return
		}
		e, used, err := line.Decide(seat, m)
		require.NoError(t, err, "%s", Rulebook.FormatMove(m, nil))
		line.Luck.Commit(used)
		line.Apply(&e)
	}
}

// A card of the face-up stack comes to no hand, unless it goes under a stack once it is forced away, and is drawn
// there.
func TestAFaceUpCardIsGivenToAHandByOptionAlone(t *testing.T) {
	for option, holds := range map[string]bool{"open": false, "stack": true} {
		choices, err := domain.Complete(Rulebook, domain.Choices{"play": "gold", "forced-open": option})
		require.NoError(t, err)
		line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
		_, _, err = line.Setup(domain.Game{Choices: choices, Seats: 2,
			Given: json.RawMessage(`{"seats":[{"hand":["merchant_guild"]}]}`)})
		require.Equal(t, holds, err == nil, "%s: %v", option, err)
	}
}
