package catan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func Test01TheIslandHasNineteenHexesOfSixKinds(t *testing.T) {
	var count [terrainCount]int
	for _, x := range isle.terrain {
		count[x]++
	}
	require.Equal(t, [terrainCount]int{Terrain(Brick): 3, Terrain(Lumber): 4, Terrain(Wool): 4, Terrain(Grain): 4, Terrain(Ore): 3, Desert: 1}, count)
	require.True(t, isle.beginner.complete())
}

func Test02TheIslandHas54IntersectionsAnd72PathsThirtyOfEachOnTheCoast(t *testing.T) {
	require.Equal(t, 30, bitCount(isle.coast))
	coastPaths := 0
	hexesOf := map[int8]int{}
	for h := range hexCount {
		for i, p := range isle.sides[h] {
			hexesOf[p]++
			a, b := isle.corners[h][i], isle.corners[h][(i+1)%6]
			require.Equal(t, ordered(a, b), isle.ends[p], "path %d seen from hex %d", p, h)
		}
	}
	require.Len(t, hexesOf, pathCount)
	for p, n := range hexesOf {
		require.Contains(t, []int{1, 2}, n)
		if n == 1 {
			coastPaths++
			require.Equal(t, endsOf(p)&isle.coast, endsOf(p))
		}
	}
	require.Equal(t, 30, coastPaths)
	for c := range int8(cornerCount) {
		require.Contains(t, []int{2, 3}, isle.pathsAt[c].len())
		require.Equal(t, isle.pathsAt[c].len(), bitCount(isle.beside[c]))
		require.Contains(t, []int{1, 2, 3}, len(isle.hexesAt[c]))
	}
}

func Test02NumbersRunInReadingOrder(t *testing.T) {
	for c := int8(1); c < cornerCount; c++ {
		a, b := cornerPoint(c-1), cornerPoint(c)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "intersections %d and %d", c-1, c)
	}
	for p := int8(1); p < pathCount; p++ {
		a, b := pathPoint(p-1), pathPoint(p)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "paths %d and %d", p-1, p)
	}
}

func Test03ThereAre18TokensInTheirLetters(t *testing.T) {
	require.Equal(t, [tokensOnBoard]int8{5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11}, isle.tokens)
}

func Test04TokensLieInASpiralFromAnyCornerHexSkippingTheDesert(t *testing.T) {
	for i, spiral := range isle.spirals {
		seen := map[int8]bool{}
		for j, h := range spiral {
			require.False(t, seen[h])
			seen[h] = true
			if j > 0 {
				require.NotZero(t, isle.hexBeside[h]>>spiral[j-1]&1, "spiral %d goes from hex to neighbour", i)
			}
		}
		require.Equal(t, int8(9), spiral[hexCount-1], "it ends in the centre")
	}
	b := Board{Terrain: isle.beginner.Terrain}
	b.spiralTokens(0)
	require.Equal(t, int8(0), b.Tokens[9])
	require.Equal(t, []int8{5, 2, 6}, []int8{b.Tokens[0], b.Tokens[3], b.Tokens[7]})
}

func Test05TheSpiralNeverBringsRedNumbersTogether(t *testing.T) {
	for desert := range hexCount {
		for corner := range cornerHexes {
			var b Board
			for h := range b.Terrain {
				b.Terrain[h] = Terrain(Wool)
			}
			b.Terrain[desert] = Desert
			b.spiralTokens(corner)
			require.False(t, redTogether(&b), "desert %d, corner %d", desert, corner)
		}
	}
}

func redTogether(b *Board) bool {
	red := func(h int) bool { return b.Tokens[h] == 6 || b.Tokens[h] == 8 }
	for h := range hexCount {
		for k := range hexCount {
			if red(h) && red(k) && isle.hexBeside[h]>>k&1 != 0 {
				return true
			}
		}
	}
	return false
}

func Test06RandomTokensKeepRedNumbersApart(t *testing.T) {
	for seed := range uint64(200) {
		b := makeBoard(domain.Choices{"tokens": "random", "harbours": "shuffled"}, domain.NewThrowaway(seed).Begin())
		require.True(t, b.complete())
		require.False(t, redTogether(&b), "seed %d", seed)
	}
}

func Test07NineHarboursServeEighteenCoastalIntersections(t *testing.T) {
	served := map[int8]bool{}
	kind := map[Harbour]int{}
	for i, p := range isle.harbourPath {
		for _, c := range isle.ends[p] {
			require.False(t, served[c])
			require.NotZero(t, isle.coast>>c&1)
			served[c] = true
		}
		kind[isle.standard[i]]++
	}
	require.Len(t, served, 18)
	require.Equal(t, map[Harbour]int{Anything: 4, Harbour(Brick): 1, Harbour(Lumber): 1, Harbour(Wool): 1, Harbour(Grain): 1, Harbour(Ore): 1}, kind)
}

func Test08TheStandardFrame(t *testing.T) {
	require.Equal(t, "[any grain ore any wool any any brick lumber]", fmt.Sprint(isle.standard))
	b := makeBoard(domain.Choices{}, domain.NewThrowaway(3).Begin())
	require.Equal(t, isle.standard, b.Harbours, "harbours lie as printed unless they are to be shuffled")
}

func Test09HarboursMayBeShuffled(t *testing.T) {
	differ := false
	for seed := range uint64(10) {
		b := makeBoard(domain.Choices{"harbours": "shuffled"}, domain.NewThrowaway(seed).Begin())
		require.True(t, b.complete())
		differ = differ || b.Harbours != isle.standard
	}
	require.True(t, differ)
}

func Test10TheBeginnersBoard(t *testing.T) {
	b := makeBoard(domain.Choices{"board": "beginner"}, nil)
	var words []string
	for h := range hexCount {
		words = append(words, hexWord(b.Terrain[h], b.Tokens[h]))
	}
	require.Equal(t, "ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 ore3 grain4 wool5 brick5 grain6 wool11",
		strings.Join(words, " "))
}

func Test11TheBeginnersPositions(t *testing.T) {
	for seats := 3; seats <= 4; seats++ {
		g := given(t, seats, "", "founding", "beginner")
		s := g.state()
		for c := range s.seats {
			require.Equal(t, 2, bitCount(s.settlements[c]))
			require.Equal(t, 2, s.roads[c].len())
		}
		g.then("1 brick 1 lumber 1 ore", g.hand("Ana")) // the rulebook's example
		g.then("1 lumber 1 wool 1 ore", g.hand("Bo"))
		g.then("2 grain 1 ore", g.hand("Cy"))
		g.then("Ana turn", g.awaits())
		conserved(t, s)
		// Every position touches all five resources.
		for c := range s.seats {
			kinds := map[Terrain]bool{}
			for h := range hexCount {
				if isle.hexCorners[h]&s.settlements[c] != 0 {
					kinds[s.board.Terrain[h]] = true
				}
			}
			delete(kinds, Desert)
			require.Len(t, kinds, 5)
		}
	}
	g := given(t, 4, "", "founding", "beginner")
	g.then("2 lumber 1 grain", g.hand("Di"))
}

func Test12TheRobberStartsInTheDesert(t *testing.T) {
	for seed := range uint64(5) {
		g := &table{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(seed))}
		e, _, err := g.line.Setup(domain.Game{Choices: choices(t), Seats: 4})
		require.NoError(t, err)
		g.line.Apply(&e)
		require.Equal(t, Desert, g.state().board.Terrain[g.state().robber])
	}
}

func TestADictatedBoard(t *testing.T) {
	const words = "desert wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 ore10 lumber3 ore8 lumber8 ore3 grain4 wool5 brick5 grain6 wool11"
	for name, c := range map[string]struct {
		words string
		fault string
	}{
		"hexes alone":      {words, ""},
		"with harbours":    {words + " harbours any any any any brick lumber wool grain ore", ""},
		"terrain by name":  {strings.Replace(words, "wool2", "pasture2", 1), ""},
		"a hex missing":    {strings.TrimPrefix(words, "desert "), "19 hexes"},
		"two deserts":      {strings.Replace(words, "wool2", "desert", 1), "of the box"},
		"no such hex":      {strings.Replace(words, "wool2", "gold2", 1), "gold2"},
		"a seven":          {strings.Replace(words, "wool2", "wool7", 1), "wool7"},
		"eight harbours":   {words + " harbours any any any any brick lumber wool grain", "9 harbours"},
		"the same harbour": {words + " harbours any any any any brick lumber wool grain grain", "of the box"},
	} {
		t.Run(name, func(t *testing.T) {
			src := domain.NewThrowaway(1)
			src.Dictate("board", domain.Outcome{Words: c.words})
			line := domain.NewLine(Rulebook, src)
			e, _, err := line.Setup(domain.Game{Choices: choices(t), Seats: 3})
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			line.Apply(&e)
			require.Equal(t, int8(0), line.State.(*State).lay.desert)
			require.Equal(t, int8(0), line.State.(*State).robber)
		})
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add("ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 ore3 grain4 wool5 brick5 grain6 wool11 harbours any")
	f.Fuzz(func(t *testing.T, words string) {
		b, err := parseBoard(words)
		if err == nil && !b.complete() {
			t.Fatal("a board that is not the box's")
		}
	})
}
