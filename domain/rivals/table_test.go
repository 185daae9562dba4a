package rivals

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/rules"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// altered returns the error from a table of cards with a change in one line, the one with the key.
func altered(t *testing.T, key, old, new string) error {
	lines := strings.SplitAfter(string(table.CardTable), "\n")
	at := slices.IndexFunc(lines, func(line string) bool {
		return strings.Contains(line, key) && strings.Contains(line, old)
	})
	require.GreaterOrEqual(t, at, 0, "%s: %s", key, old)
	lines[at] = strings.Replace(lines[at], old, new, 1)
	_, err := table.Load([]byte(strings.Join(lines, "")))
	return err
}

// TestTheTableHasTheCardsOfTheRulebook: 49 cards in the centre; each set has as many cards of each kind as the
// rulebook says. The table says so too, and loading it always checks that.
func TestTheTableHasTheCardsOfTheRulebook(t *testing.T) {
	for _, s := range table.Table.Sets {
		if s.Set != table.Basic {
			require.Equal(t, 12, s.Moons, "the duel leaves twelve draw cards of %s out", s.Set)
			continue
		}
		require.Zero(t, s.Moons, "basic draw cards have no half-moon")
	}
	for _, change := range [][3]string{
		{`"scout"`, `"n": 2`, `"n": 3`},
		{`"mint"`, `"city"`, `"settlement"`},
		{`"trade_master"`, `, "moon": 1`, ``},
		{`"archer"`, `"turmoil"`, `"progress"`},
	} {
		require.ErrorContains(t, altered(t, change[0], change[1], change[2]), "its size is", change[0])
	}
	require.ErrorContains(t, altered(t, `"moon_events"`, `"basic"`, `"gold"`), `set "basic": it has no size`)

	regions := 0
	for _, r := range table.Table.Regions {
		regions += 2 + len(r.Drawn)
	}
	c := table.Table.Centre
	require.Equal(t, []int{9, 9, 7, 24, 49},
		[]int{c["road"].N, c["settlement"].N, c["city"].N, regions,
			c["road"].N + c["settlement"].N + c["city"].N + regions})
	require.Equal(t, table.Goods{table.Brick: 2, table.Lumber: 1}, table.RoadCost)
	require.Equal(t, table.Goods{table.Brick: 1, table.Grain: 1, table.Lumber: 1, table.Wool: 1}, table.SettlementCost)
	require.Equal(t, table.Goods{table.Grain: 2, table.Ore: 3}, table.CityCost)
}

// there are two Fire Brigades.
func TestA34TwoFireBrigades(t *testing.T) { require.Equal(t, 2, table.Printings[table.FireBrigade].N) }

// TestAWordThatMeansNothingIsFoundByNameAndRow: in any field of any card.
func TestAWordThatMeansNothingIsFoundByNameAndRow(t *testing.T) {
	for _, x := range [][4]string{
		{"marketplace", `"do": "share"`, `"do": "shear"`, `effect 1: no "shear" on "produce"`},
		{"moneylender", `"on": "trade"`, `"on": "treat"`, `effect 1: no "take" on "treat"`},
		{"grain_mill", `"what": "grain"`, `"what": "grian"`, `effect 1: what: no "grian"`},
		{"goldsmith", `"what": "gold"`, `"what": "godl"`, `effect 1: what: no "godl"`},
		{"goldsmith", `"what": "any"`, `"what": "eny"`, `effect 2: what: no "eny"`},
		{"merchant", `"do": "return", "what": "any"`, `"do": "return"`, `effect 2: what: there is none`},
		{"year_of_plenty", `"do": "plenty"`, `"do": "plenty", "n": 1`, `effect 1: n: "plenty" on "event" takes none`},
		{"invention", `"per": "progress"`, `"per": "process"`, `effect 1: per: no "process"`},
		{"gudrun_terror_of_the_seas", `"per": "pirate_ship"`, `"per": "pirate_sheep"`,
			`effect 1: per: no "pirate_sheep"`},
		{"fairgrounds", `"if": "more-skill"`, `"if": "more-skull"`, `effect 1: if: no "more-skull"`},
		{"trading_base", `"harbor"`, `"harbour"`, `effect 1: of: no "harbour"`},
		{"lookout_tower", `[1, 2]`, `[1, 7]`, `effect 1: faces`},
		{"lookout_tower", `"do": "guard"`, `"does": "guard"`, `json: unknown field "does"`},
		{"austin", `"kind": "settlement"`, `"kind": "setlement"`, `there is no "setlement"`},
		{"austin", `"kind": "settlement", `, ``, `kind: there is none`},
		{"austin", `"unit"`, `"unite"`, `class: no "unite"`},
		{"austin", `"hero"`, `"heron"`, `tag: no "heron"`},
		{"iron_foundry", `"brick": 1`, `"brik": 1`, `"brik"`},
		{"abbey", `"progress": 1`, `"progres": 1`, `json: unknown field "progres"`},
		{"gold_cache", `"strong-hero"`, `"strong-herb"`, `need 1: no condition "strong-herb"`},
		{"merchant", `"commerce 3"`, `"commerce"`, `need 1: no condition "commerce"`},
		{"parliament", `"progress 2"`, `"progress two"`, `need 1: no condition "progress two"`},
		{"scout", `"basic"`, `"basis"`, `there is no "basis"`},
		{"scout", `"copies": [{"set": "basic", "n": 2}]`, `"copies": []`, `copies: there are none`},
		{"osmund", `"kind"`, `"like": "plague", "kind"`, `like: it is not like "plague"`},
	} {
		want := fmt.Sprintf("card %d, %q: ", table.Table.Card(x[0]).Number+1, x[0])
		err := altered(t, fmt.Sprintf(`"id": %q`, x[0]), x[1], x[2])
		require.ErrorContains(t, err, want, x[2])
		require.ErrorContains(t, err, x[3])
	}
	require.ErrorContains(t, altered(t, `"id": "osmund"`, "osmund", "inga"), `"inga": id`)
	require.ErrorContains(t, altered(t, `"centre"`, "centre", "center"), `unknown field "center"`)
	require.NoError(t, altered(t, `"id": "osmund"`, `"kind"`, `"like": "austin", "kind"`))
	require.PanicsWithValue(t, `rivals: cards.json: unexpected EOF`, func() {
		table.Must(table.Load(table.CardTable[:100]))
	})
}

// TestEveryEffectOfTheVocabularyIsACards: some card uses every effect of the vocabulary.
func TestEveryEffectOfTheVocabularyIsACards(t *testing.T) {
	used := map[string]bool{}
	for _, r := range table.Table.Cards {
		for _, e := range r.Effects {
			used[e.On+" "+e.Do] = true
		}
	}
	for effect := range table.Vocabulary {
		require.True(t, used[effect], effect)
	}
}

// TestNumbersOnRegions: each player has 1 to 6 once, and the drawn regions have them twice.
func TestNumbersOnRegions(t *testing.T) {
	var red, blue, drawn [7]int
	for _, r := range table.Table.Regions {
		red[r.Red]++
		blue[r.Blue]++
		for _, n := range r.Drawn {
			drawn[n]++
		}
	}
	require.Equal(t, [7]int{0, 1, 1, 1, 1, 1, 1}, red)
	require.Equal(t, red, blue)
	require.Equal(t, [7]int{0, 2, 2, 2, 2, 2, 2}, drawn)
}

// fresh returns a game set up as for a table, with nothing given.
func fresh(t *testing.T, play string, seed uint64) *state.State {
	rb := Rulebook
	choices, err := domain.Complete(rb, domain.Choices{"play": play})
	require.NoError(t, err)
	e, err := rb.Setup(domain.Game{Choices: choices, Seats: 2}, domain.NewThrowaway(seed).Begin())
	require.NoError(t, err)
	s := rb.New().(*state.State)
	rb.Evolve(s, &e)
	return s
}

// TestSetup: stacks, events, open cards, hands and goals of the five plays.
func TestSetup(t *testing.T) {
	for play, want := range map[string]struct {
		open  int
		hand  int
		goal  int8
		phase state.Phase
	}{
		"intro":    {0, 3, 7, state.Rolling},
		"gold":     {2, 0, 12, state.Begin},
		"turmoil":  {2, 0, 12, state.Begin},
		"progress": {2, 0, 12, state.Begin},
		"duel":     {0, 0, 13, state.Begin},
	} {
		t.Run(play, func(t *testing.T) {
			for seed := range uint64(20) {
				s := fresh(t, play, seed)
				var stacks []int
				for i := range int(s.DecksN) {
					stacks = append(stacks, int(s.Decks[i].N))
				}
				require.Equal(t, evenStacks(s), stacks)
				require.Equal(t, eventsOf(s.Play), int(s.Events.N))
				require.Equal(t, table.Yule, s.Events.Slots[3].Card, "Yule is fourth from the bottom")
				require.Equal(t, want.open, int(s.OpenN))
				require.Equal(t, want.hand, int(s.Realms[0].HandN))
				require.Equal(t, want.goal, s.Goal)
				require.Equal(t, want.phase, s.Phase)
				require.Equal(t, [4]int{7, 5, 7, 12},
					[4]int{int(s.Roads), int(s.Settlements), int(s.Cities), int(s.LandsN)})
				for i := range s.Realms {
					require.Equal(t, table.Goods{1, 1, 1, 1, 1, 0}, s.Realms[i].Stock())
					require.Equal(t, 2, s.Victory(domain.Seat(i)))
				}
			}
		})
	}
}

// cardsOf counts the cards of a play that pass of.
func cardsOf(play table.Play, of func(table.Printing) bool) (n int) {
	for _, p := range table.Printings[1:] {
		if of(p) {
			n += table.CopiesIn(p, play)
		}
	}
	return n
}

// evenStacks returns the sizes of a play's stacks: the cards of each back spread evenly, without the open ones, and
// without the hands if they are dealt from the first two stacks.
func evenStacks(s *state.State) (sizes []int) {
	backs := table.StacksOf(s.Play)
	for i, set := range backs {
		n := cardsOf(s.Play, func(p table.Printing) bool {
			return p.Row.Kind != table.EventCard && p.Set == set && p.Row != s.Open.Row()
		})
		alike, before := 0, 0
		for j, b := range backs {
			if b == set {
				alike++
				if j < i {
					before++
				}
			}
		}
		sizes = append(sizes, (n+alike-1-before)/alike)
	}
	if s.Play == table.Intro {
		sizes[0], sizes[1] = sizes[0]-3, sizes[1]-3
	}
	return sizes
}

func eventsOf(play table.Play) int {
	if play == table.Duel {
		return rules.DuelEvents
	}
	return cardsOf(play, func(p table.Printing) bool { return p.Row.Kind == table.EventCard })
}

// TestTheDuelsEvents: one each of six kinds, and as many with a half-moon as make twelve.
func TestTheDuelsEvents(t *testing.T) {
	for seed := range uint64(50) {
		s := fresh(t, "duel", seed)
		count := map[string]int{}
		for i := range int(s.Events.N) {
			count[s.Events.Slots[i].Card.Row().ID]++
		}
		for _, id := range []string{"yule", "invention", "year_of_plenty", "riots", "traveling_merchant", "plague"} {
			require.GreaterOrEqual(t, count[id], 1, id)
		}
		require.Equal(t, cardsOf(table.Duel, func(p table.Printing) bool {
			return p.Row.Kind == table.EventCard
		})-rules.DuelEvents, int(s.SpareN))
	}
}

// Irmgard and a Pirate Ship never meet: the duel leaves Irmgard out, and no theme has both.
func TestA24IrmgardAndThePirateShipNeverMeet(t *testing.T) {
	for p := range table.Plays {
		require.False(t, table.CopiesIn(table.Printings[table.Irmgard], p) > 0 &&
			table.CopiesIn(table.Printings[table.PirateShip], p) > 0, table.PlayNames[p])
	}
}

// without stacks a player cannot fill the hand; with a card they may still exchange it.
func TestA31AHandThatCannotBeFilled(t *testing.T) {
	for hand, want := range map[int]state.Phase{0: state.Rolling, 1: state.Exchanging} {
		s := fresh(t, "intro", 1)
		for i := range int(s.DecksN) {
			s.Decks[i].N = 0
		}
		s.Phase = state.Acting
		s.Realms[0].HandN = uint8(hand)
		e, err := Rulebook.Decide(s, 0, state.Move{Verb: state.End}, nil)
		require.NoError(t, err)
		Rulebook.Evolve(s, &e)
		require.Equal(t, want, s.Phase)
	}
}

// the production die has six faces, and a hand of seven has no effect.
func TestA35ThereIsNoRuleOfSeven(t *testing.T) {
	for _, words := range []string{"7 trade", "0 trade", "trade", "4 seven", ""} {
		_, err := rules.ParseDice(words)
		require.Error(t, err, words)
	}
}

// five settlements can take at most ten of the twelve regions.
func TestA40TheRegionStackNeverRunsOut(t *testing.T) {
	s := fresh(t, "intro", 1)
	require.Less(t, 2*int(s.Settlements), int(s.LandsN))
}

// TestEveryCardHasAScenario: by its name in a script, or a test of its own.
func TestEveryCardHasAScenario(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	var all strings.Builder
	for _, f := range append(files, "table_test.go") {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		all.Write(b)
	}
	for _, r := range table.Guide.Readings {
		all.WriteString(strings.Join(r.Scripts, ""))
	}
	text := all.String()
	for _, r := range table.Table.Cards {
		if r.Like != "" { // the scenario of the card that does the same covers it
			r = table.Table.Card(r.Like)
		}
		require.True(t, strings.Contains(text, r.ID) || r.Short != "" && strings.Contains(text, r.Short),
			"no scenario for %s", r.ID)
	}
}
