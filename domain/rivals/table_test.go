package rivals

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// TestTheTableHasTheCardsOfTheRulebook: 180 cards, 49 in the centre, 45 basic, 27, 28 and 31
// in the ages, with every split of the rulebook's list of cards.
func TestTheTableHasTheCardsOfTheRulebook(t *testing.T) {
	type split struct{ action, settlement, city, region, event int }
	want := map[Set]split{
		Basic:    {9, 27, 0, 0, 9},
		Gold:     {8, 5, 10, 1, 3},
		Turmoil:  {10, 5, 9, 0, 4},
		Progress: {11, 2, 13, 0, 5},
	}
	got := map[Set]split{}
	moons := map[Set][2]int{} // event cards, others
	for _, r := range table.Cards {
		for _, c := range r.Copies {
			set := setNamed(c.Set)
			s, m := got[set], moons[set]
			switch r.Kind {
			case ActionCard:
				s.action += c.N
			case SettlementCard:
				s.settlement += c.N
			case CityCard:
				s.city += c.N
			case RegionCard:
				s.region += c.N
			case EventCard:
				s.event += c.N
				m[0] += c.Moon
			}
			if r.Kind != EventCard {
				m[1] += c.Moon
			}
			got[set], moons[set] = s, m
		}
	}
	require.Equal(t, want, got)
	require.Equal(t, [2]int{5, 0}, moons[Basic], "basic draw cards have no half-moon")
	for _, set := range []Set{Gold, Turmoil, Progress} {
		require.Equal(t, 12, moons[set][1], "the duel leaves twelve draw cards of %s out", set)
	}
	require.Equal(t, 15, moons[Basic][0]+moons[Gold][0]+moons[Turmoil][0]+moons[Progress][0], "half-moon events")

	regions := 0
	for _, r := range table.Regions {
		regions += 2 + len(r.Drawn)
	}
	c := table.Centre
	require.Equal(t, []int{9, 9, 7, 24, 49}, []int{c["road"].N, c["settlement"].N, c["city"].N, regions, c["road"].N + c["settlement"].N + c["city"].N + regions})
	require.Equal(t, Goods{Brick: 2, Lumber: 1}, roadCost)
	require.Equal(t, Goods{Brick: 1, Grain: 1, Lumber: 1, Wool: 1}, settlementCost)
	require.Equal(t, Goods{Grain: 2, Ore: 3}, cityCost)
}

// there are two Fire Brigades.
func TestA34TwoFireBrigades(t *testing.T) { require.Equal(t, 2, printings[fireBrigade].N) }

// TestEveryEffectIsAWordOfTheVocabulary: a row can only use what the rules interpret.
func TestEveryEffectIsAWordOfTheVocabulary(t *testing.T) {
	known := map[string]bool{}
	for _, w := range strings.Fields(`before-die before-celebrate play-pay play-gain play-demand play-return play-relocate play-produce
		play-heal play-fetch play-unseat play-burn play-steal settle-survey produce-double produce-share search-price plenty-yield
		brigand-shelter harvest-gain bank-rate event-bury event-gain event-plenty event-buy event-name event-rebuild event-riot event-plague
		react-negate attack-guard loss-gain cost-less build-gain build-sink build-search burn-protect riots-excuse plague-gain plague-protect
		store-hold trade-take points-score points-raise`) {
		known[w] = true
	}
	for _, r := range table.Cards {
		for _, e := range r.Effects {
			require.True(t, known[e.On+"-"+e.Do], "%s: %s %s", r.ID, e.On, e.Do)
		}
		for _, group := range r.needs {
			for _, n := range group {
				require.True(t, n.row != nil || strings.Contains(" city commerce progress strength-advantage strong-hero behind ", " "+n.word+" "), "%s: %s", r.ID, n.word)
			}
		}
	}
}

// TestNumbersOnRegions: each player has 1 to 6 once, and so do the drawn regions twice.
func TestNumbersOnRegions(t *testing.T) {
	var red, blue, drawn [7]int
	for _, r := range table.Regions {
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

// set up as for a table, without anything given.
func fresh(t *testing.T, play string, seed uint64) *State {
	rb := Rulebook{}
	choices, err := domain.Complete(rb, domain.Choices{"play": play})
	require.NoError(t, err)
	e, err := rb.Setup(domain.Game{Choices: choices, Seats: 2}, domain.NewThrowaway(seed).Begin())
	require.NoError(t, err)
	s := rb.New().(*State)
	rb.Evolve(s, &e)
	return s
}

// TestSetup: stacks, events, open cards, hands and goals of the five plays.
func TestSetup(t *testing.T) {
	for play, want := range map[string]struct {
		stacks []int
		events int
		open   int
		hand   int
		goal   int8
		phase  Phase
	}{
		"intro":    {[]int{6, 6, 9, 9}, 9, 0, 3, 7, Rolling},
		"gold":     {[]int{12, 12, 12, 11, 11}, 12, 2, 0, 12, Begin},
		"turmoil":  {[]int{12, 12, 12, 11, 11}, 13, 2, 0, 12, Begin},
		"progress": {[]int{12, 12, 12, 12, 12}, 14, 2, 0, 12, Begin},
		"duel":     {[]int{12, 12, 12, 12, 12, 14}, 12, 0, 0, 13, Begin},
	} {
		t.Run(play, func(t *testing.T) {
			for seed := range uint64(20) {
				s := fresh(t, play, seed)
				var stacks []int
				for i := range int(s.DecksN) {
					stacks = append(stacks, int(s.Decks[i].N))
				}
				require.Equal(t, want.stacks, stacks)
				require.Equal(t, want.events, int(s.Events.N))
				require.Equal(t, yule, s.Events.Slots[3].Card, "Yule is fourth from the bottom")
				require.Equal(t, want.open, int(s.OpenN))
				require.Equal(t, want.hand, int(s.Realms[0].HandN))
				require.Equal(t, want.goal, s.Goal)
				require.Equal(t, want.phase, s.Phase)
				require.Equal(t, [4]int{7, 5, 7, 12}, [4]int{int(s.Roads), int(s.Settlements), int(s.Cities), int(s.LandsN)})
				for i := range s.Realms {
					require.Equal(t, Goods{1, 1, 1, 1, 1, 0}, s.Realms[i].stock())
					require.Equal(t, 2, s.victory(domain.Seat(i)))
				}
			}
		})
	}
}

// TestTheDuelsEvents: one each of six kinds, and six of the fifteen with a half-moon.
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
		require.Equal(t, 9, int(s.SpareN))
	}
}

// Irmgard and a Pirate Ship never meet: the duel leaves Irmgard out, and no theme has both.
func TestA24IrmgardAndThePirateShipNeverMeet(t *testing.T) {
	for p := range plays {
		require.False(t, copiesIn(printings[irmgard], p) > 0 && copiesIn(printings[pirateShip], p) > 0, playNames[p])
	}
}

// without stacks a hand cannot be filled; with a card it may still be exchanged.
func TestA31AHandThatCannotBeFilled(t *testing.T) {
	for hand, want := range map[int]Phase{0: Rolling, 1: Exchanging} {
		s := fresh(t, "intro", 1)
		for i := range int(s.DecksN) {
			s.Decks[i].N = 0
		}
		s.Phase = Acting
		s.Realms[0].HandN = uint8(hand)
		e, err := Rulebook{}.Decide(s, 0, Move{Verb: End}, nil)
		require.NoError(t, err)
		Rulebook{}.Evolve(s, &e)
		require.Equal(t, want, s.Phase)
	}
}

// the production die has six faces and nothing comes of a hand of seven.
func TestA35ThereIsNoRuleOfSeven(t *testing.T) {
	for _, words := range []string{"7 trade", "0 trade", "trade", "4 seven", ""} {
		_, err := parseDice(words)
		require.Error(t, err, words)
	}
}

// ten of the twelve regions are the most that five settlements can take.
func TestA40TheRegionStackNeverRunsOut(t *testing.T) {
	s := fresh(t, "intro", 1)
	require.Less(t, 2*int(s.Settlements), int(s.LandsN))
}

// TestEveryCardAndReadingHasAScenario: by its name in a script, or a test of its own.
func TestEveryCardAndReadingHasAScenario(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	var all strings.Builder
	for _, f := range append(files, "table_test.go") {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		all.Write(b)
	}
	text := all.String()
	for _, r := range table.Cards {
		require.True(t, strings.Contains(text, r.ID) || r.Short != "" && strings.Contains(text, r.Short), "no scenario for %s", r.ID)
	}
	for i := 1; i <= 40; i++ {
		id := "A-" + string([]byte{'0' + byte(i/10), '0' + byte(i%10)})
		require.Regexp(t, regexp.MustCompile(id), text)
	}
}
