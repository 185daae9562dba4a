package catan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

func TestTwo08ADutyIsOwedExactlyWhileItCanBeMet(t *testing.T) {
	for _, way := range []string{"each", "literal", "one"} {
		rng := rand.New(rand.NewPCG(8, uint64(len(way))))
		playOut(t, 2, 8, rng, func(s *state.State) {
			for _, due := range [][2]int8{{1, 0}, {0, 1}, {2, 0}, {0, 0}} {
				s := *s
				s.DueRoads, s.DueHomes = due[0], due[1]
				require.Equal(t, len(rules.NeutralChoices(&s)) > 0, rules.NeutralsCan(&s))
			}
		}, "neutral-building", way)
	}
}

// Each neutral builds a piece of the same sort, or a road if no settlement is possible: the one that goes first may
// take what the other then lacks.
func TestTwo08NeutralsBuildInTheOrderTheBuilderLikes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	check := func(s *state.State) {
		for _, due := range [][2]int8{{1, 0}, {0, 1}, {1, 1}} {
			s := *s
			s.DueRoads, s.DueHomes = due[0], due[1]
			want := map[rules.NeutralPair]bool{}
			inOrder(&s, 0, want)
			inOrder(&s, 1, want)
			delete(want, rules.NeutralPair{})
			list := rules.NeutralChoices(&s)
			require.Len(t, list, len(want), "each once")
			for _, p := range list {
				require.True(t, want[p], "%v", p)
			}
		}
	}
	playOut(t, 2, 6, rng, check, "neutral-building", "each")

	// Intersection 24 is the only place for both; the other ends of their roads are too close to
	// somebody's settlement.
	ends := [2]int8{}
	beyond := [2]int{}
	n := 0
	for _, p := range table.Isle.PathsAt[24].List()[:2] {
		ends[n] = int8(p)
		near := table.Isle.Ends[p][0] + table.Isle.Ends[p][1] - 24
		for _, q := range table.Isle.PathsAt[near].List() {
			if q != p {
				beyond[n] = int(table.Isle.Ends[q][0] + table.Isle.Ends[q][1] - near)
			}
		}
		n++
	}
	g := given(t, 2, fmt.Sprintf(`{"phase":"neutral","due":{"settlements":1},"players":[{"settlements":[%d]},{"settlements":[%d]}],
		"neutrals":[{"settlements":[0],"roads":[%d]},{"settlements":[53],"roads":[%d]}]}`, beyond[0], beyond[1], ends[0], ends[1]))
	check(g.state())
	roads := g.legal("Ana", "neutral road")
	require.NotEmpty(t, roads, "N a road, M the settlement")
	settled := g.legal("Ana", "neutral settle 24")
	require.NotEmpty(t, settled, "N the settlement, M a road")
	g.play("Ana: "+roads[0]).then("[24]", fmt.Sprint(table.CornerList(g.state().Settlements[3]&^(1<<53))))
}

// By option the rulebook's own sentence holds: a road only if neither neutral can build the settlement.
func TestTwo08ByOptionARoadOnlyIfNeitherCanSettle(t *testing.T) {
	kinds := map[string]int{}
	playOut(t, 2, 6, rand.New(rand.NewPCG(9, 10)), func(s *state.State) {
		home := *s
		home.DueRoads, home.DueHomes = 0, 1
		can := [2]bool{}
		for i := range can {
			can[i] = home.OpenHomes(int8(i)+2) != 0 && home.SettlementsLeft(int8(i)+2) > 0
		}
		for _, p := range rules.NeutralChoices(&home) {
			for i, x := range p {
				if can[0] || can[1] {
					require.NotEqual(t, state.RoadPiece, x.Sort, "%v", p)
					require.True(t, can[i] || x.Sort == state.NoPiece)
				} else {
					require.NotEqual(t, state.SettlementPiece, x.Sort, "%v", p)
				}
			}
			kinds[fmt.Sprint(can, p[0].Sort != state.NoPiece, p[1].Sort != state.NoPiece)]++
		}
	}, "neutral-building", "literal")
	require.NotEmpty(t, kinds["[true false] true false"], "only N can: M builds nothing")
	require.NotEmpty(t, kinds["[false false] true true"], "neither can: each builds a road")

	const script = `{"phase":"neutral","due":{"settlements":1},"players":[{"settlements":[16]},{"settlements":[26]}],
		"neutrals":[{"settlements":[13],"roads":[14,15]},{"settlements":[40]}]}`
	g := given(t, 2, script)
	n := g.legal("Ana", "neutral settle")
	require.NotEmpty(t, n)
	require.Contains(t, n[0], " road ", "M has no road to settle at, so it builds one")
	g = given(t, 2, script, "neutral-building", "literal")
	for _, m := range g.legal("Ana", "neutral") {
		require.NotContains(t, m, "road")
	}
	g.refuse("Ana: "+n[0], "neutral-no-road-yet")
	g.play("Ana: "+g.legal("Ana", "neutral")[0]).then("main", g.phase())
}

// inOrder adds what they can build if one neutral builds before the other.
func inOrder(s *state.State, first int, all map[rules.NeutralPair]bool) {
	sort, open := rules.NeutralPlaces(s, int8(first)+2)
	places := open.List()
	if sort == state.NoPiece {
		places = []int{-1}
	}
	for _, at := range places {
		var p rules.NeutralPair
		after := *s
		if sort != state.NoPiece {
			p[first] = state.NeutralPiece{Sort: sort, At: int8(at)}
			after.Place(state.Piece{Colour: int8(first) + 2, Sort: sort, At: int8(at)})
		}
		second, more := rules.NeutralPlaces(&after, int8(3-first))
		for _, b := range more.List() {
			q := p
			q[1-first] = state.NeutralPiece{Sort: second, At: int8(b)}
			all[q] = true
		}
		if second == state.NoPiece && sort != state.NoPiece {
			all[p] = true
		}
	}
}
