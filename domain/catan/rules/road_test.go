package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/table"
)

func roadsOf(paths ...int8) table.PathSet {
	var s table.PathSet
	for _, p := range paths {
		s.Add(p)
	}
	return s
}

func Test44TheLongestRoadIsATrail(t *testing.T) {
	ring := func(h int) []int8 { return table.Isle.Sides[h][:] }
	for name, c := range map[string]struct {
		roads []int8
		want  int8
	}{
		"none":                        {nil, 0},
		"one":                         {[]int8{7}, 1},
		"a loop of six":               {ring(4), 6},
		"two hexes that share a side": {append(ring(4), ring(5)...), 11},
		"three in a row pass intersections twice": {[]int8{13, 20, 27, 26, 19, 12, 7}, 7},
		"a fork counts its longer two arms":       {[]int8{13, 14, 15, 20, 27}, 4},
		"apart":                                   {[]int8{0, 1, 70, 71, 64}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, longestTrail(roadsOf(c.roads...), 0))
			require.Equal(t, c.want, slowTrail(roadsOf(c.roads...), 0))
		})
	}
}

func Test45AnOpponentsBuildingEndsATrailButIsReached(t *testing.T) {
	chain := roadsOf(13, 20, 28, 36, 44) // 8-13-18-24-30-35
	for at, want := range map[int8]int8{8: 5, 35: 5, 18: 3, 24: 3, 13: 4, 40: 5} {
		require.Equal(t, want, longestTrail(chain, 1<<at), "cut at %d", at)
	}
	require.Equal(t, int8(6), longestTrail(roadsOf(table.Isle.Sides[4][:]...), 1<<13),
		"a loop begins and ends at the building on it")
}

// slowTrail is an independent search: from every intersection along every road, no cleverness.
func slowTrail(roads table.PathSet, blocked uint64) int8 {
	var best int8
	var walk func(at int8, left []int, n int8)
	walk = func(at int8, left []int, n int8) {
		best = max(best, n)
		if n > 0 && blocked>>at&1 != 0 {
			return
		}
		for i, p := range left {
			a, b := table.Isle.Ends[p][0], table.Isle.Ends[p][1]
			if a != at && b != at {
				continue
			}
			rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
			walk(a+b-at, rest, n+1)
		}
	}
	for at := range int8(table.CornerCount) {
		walk(at, roads.List(), 0)
	}
	return best
}

// networks is how many random networks to try; it takes half a second.
const networks = 10_000

func Test44And45AgreeWithAnExhaustiveSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	loops, cuts := 0, 0
	for range networks {
		roads, blocked := randomNetwork(rng)
		want := slowTrail(roads, blocked)
		require.Equal(t, want, longestTrail(roads, blocked), "roads %v, buildings %v", roads.List(),
			table.CornerList(blocked))
		loops += is(want > 5)
		cuts += is(blocked != 0 && longestTrail(roads, 0) > want)
	}
	require.Greater(t, loops, networks/10)
	require.Greater(t, cuts, networks/10, "enough of the networks were cut")
}

// randomNetwork grows up to fifteen roads from one or two places, in a small corner of the
// island so that loops are common, and puts others' buildings here and there.
func randomNetwork(rng *rand.Rand) (roads table.PathSet, blocked uint64) {
	size := 1 + rng.IntN(table.RoadPieces)
	least := rng.IntN(30)
	roads.Add(int8(least + rng.IntN(20)))
	for roads.Len() < size {
		p := int8(least + rng.IntN(table.PathCount-least)/(1+rng.IntN(3)))
		var touched uint64
		for left := roads; !left.Empty(); {
			touched |= table.EndsOf(left.Next())
		}
		if touched&table.EndsOf(p) != 0 || rng.IntN(200) == 0 {
			roads.Add(p)
		}
	}
	for range rng.IntN(4) {
		p := roads.List()[rng.IntN(roads.Len())]
		blocked |= 1 << table.Isle.Ends[p][rng.IntN(2)]
	}
	return roads, blocked
}
