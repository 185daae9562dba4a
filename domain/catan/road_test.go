package catan

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func roadsOf(paths ...int8) pathSet {
	var s pathSet
	for _, p := range paths {
		s.add(p)
	}
	return s
}

func Test44TheLongestRoadIsATrail(t *testing.T) {
	ring := func(h int) []int8 { return isle.sides[h][:] }
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

func Test44OnesOwnBuildingsDoNotMatter(t *testing.T) {
	g := given(t, 3, `{"players":[{"settlements":[13,24],"roads":[13,20,28,36,44]}]}`)
	g.then("A", g.longest()).then("5", g.state().length[0])
}

func Test45AnOpponentsBuildingEndsATrailThatMayStillReachIt(t *testing.T) {
	chain := roadsOf(13, 20, 28, 36, 44) // 8-13-18-24-30-35
	for at, want := range map[int8]int8{8: 5, 35: 5, 18: 3, 24: 3, 13: 4, 40: 5} {
		require.Equal(t, want, longestTrail(chain, 1<<at), "cut at %d", at)
	}
	require.Equal(t, int8(6), longestTrail(roadsOf(isle.sides[4][:]...), 1<<13), "a loop begins and ends at the building on it")
}

// slowTrail is an independent search: from every intersection along every road, no cleverness.
func slowTrail(roads pathSet, blocked uint64) int8 {
	var best int8
	var walk func(at int8, left []int, n int8)
	walk = func(at int8, left []int, n int8) {
		best = max(best, n)
		if n > 0 && blocked>>at&1 != 0 {
			return
		}
		for i, p := range left {
			a, b := isle.ends[p][0], isle.ends[p][1]
			if a != at && b != at {
				continue
			}
			rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
			walk(a+b-at, rest, n+1)
		}
	}
	for at := range int8(cornerCount) {
		walk(at, roads.list(), 0)
	}
	return best
}

// networks is how many random networks are tried; it takes half a second.
const networks = 10_000

func Test44The45LongestRoadAgreesWithAnExhaustiveSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	loops, cuts := 0, 0
	for range networks {
		roads, blocked := randomNetwork(rng)
		want := slowTrail(roads, blocked)
		require.Equal(t, want, longestTrail(roads, blocked), "roads %v, buildings %v", roads.list(), cornerList(blocked))
		loops += is(want > 5)
		cuts += is(blocked != 0 && longestTrail(roads, 0) > want)
	}
	require.Greater(t, loops, networks/10)
	require.Greater(t, cuts, networks/10, "enough of the networks were cut")
}

// randomNetwork grows up to fifteen roads from one or two places, in a small corner of the
// island so that loops are common, and puts others' buildings here and there.
func randomNetwork(rng *rand.Rand) (roads pathSet, blocked uint64) {
	size := 1 + rng.IntN(roadPieces)
	least := rng.IntN(30)
	roads.add(int8(least + rng.IntN(20)))
	for roads.len() < size {
		p := int8(least + rng.IntN(pathCount-least)/(1+rng.IntN(3)))
		var touched uint64
		for left := roads; !left.empty(); {
			touched |= endsOf(left.next())
		}
		if touched&endsOf(p) != 0 || rng.IntN(200) == 0 {
			roads.add(p)
		}
	}
	for range rng.IntN(4) {
		p := roads.list()[rng.IntN(roads.len())]
		blocked |= 1 << isle.ends[p][rng.IntN(2)]
	}
	return roads, blocked
}

func Test46TheFirstWithFiveTakesTheCardAndOnlyALongerRoadTakesItOver(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"roads":[0,1,2,3],"settlements":[0],"hand":{"brick":4,"lumber":4}},
		{"roads":[41,50,55,54,49]}]}`, "points", "15")
	g.then("B", g.longest())
	g.play("Ana: road 4").then("5", g.state().length[0]).then("B", g.longest())
	g.play("Ana: road 5").then("A", g.longest()).then("3", g.points("Ana")).then("0", g.points("Bo"))
	g = given(t, 3, `{"phase":"main","players":[{"roads":[0,1,2],"settlements":[0],"hand":{"brick":2,"lumber":2}}]}`)
	g.play("Ana: road 3").then("", g.longest())
	g.play("Ana: road 4").then("A", g.longest())
}

// cutter is Ana, with a road end at intersection 24 in the middle of Bo's road of six; Cy and
// Di have roads of their own elsewhere.
func cutter(t *testing.T, bo, cy, di string) *table {
	return given(t, 4, `{"phase":"main","longest":"B","players":[{"roads":[36],"hand":{"brick":1,"lumber":1,"wool":1,"grain":1}},
		{"roads":[`+bo+`]},{"roads":[`+cy+`]},{"roads":[`+di+`]}]}`)
}

func Test47AfterACut(t *testing.T) {
	const (
		six      = "26,27,28,29,30,37"         // 17-23-18-24-19-25-31
		nine     = "9,16,21,29,28,27,26,25,24" // 6-10-14-19-24-18-23-17-22-16: five remain
		five1    = "41,50,55,54,49"
		five2    = "56,63,67,66,62"
		four     = "41,50,55,54"
		cutPlace = "Ana: settle 24"
	)
	for name, c := range map[string]struct{ bo, cy, di, holder string }{
		"the holder still has the longest":          {nine, four, "", "B"},
		"the holder is tied for the longest: keeps": {nine, five1, "", "B"},
		"exactly one other is longest: takes":       {six, five1, "62,66", "C"},
		"several others are tied: set aside":        {six, five1, five2, ""},
		"nobody has five: set aside":                {six, four, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := cutter(t, c.bo, c.cy, c.di)
			g.then("B", g.longest())
			g.play(cutPlace).then(c.holder, g.longest())
			g.then("1", g.points("Ana"))
		})
	}
}

func Test47SetAsideUntilOneAloneIsLongestAgain(t *testing.T) {
	g := cutter(t, "26,27,28,29,30,37", "41,50,55,54,49", "56,63,67,66,62")
	g.play("Ana: settle 24").then("", g.longest())
	g.state().hand[2], g.state().size[2] = Hand{Brick: 1, Lumber: 1}, 2
	g.chance("dice", "1 1", "1 1")
	g.play("Ana: end", "Bo: roll", "Bo: end", "Cy: roll", "Cy: road 40").then("C", g.longest())
}

func Test48AThirdSeatMayGainTheCardInSomebodyElsesTurn(t *testing.T) {
	g := cutter(t, "26,27,28,29,30,37", "41,50,55,54,49", "")
	g.play("Ana: settle 24").then("C", g.longest()).then("2", g.points("Cy")).then("Ana turn", g.awaits())
}

func Test49LengthsAreRecountedAfterEveryRoadAndSettlement(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for seats := 2; seats <= 4; seats++ {
		playOut(t, seats, uint64(seats), rng, func(s *State) {
			require.Equal(t, s.allLengths(), s.length)
			if s.longest != noColour {
				require.GreaterOrEqual(t, s.length[s.longest], int8(5))
				for _, n := range s.length {
					require.LessOrEqual(t, n, s.length[s.longest])
				}
			}
		})
	}
}
