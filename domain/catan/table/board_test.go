package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func Test01TheIslandHasNineteenHexesOfSixKinds(t *testing.T) {
	var count [TerrainCount]int
	for _, x := range Isle.box {
		count[x]++
	}
	require.Equal(t, [TerrainCount]int{Terrain(Brick): 3, Terrain(Lumber): 4, Terrain(Wool): 4, Terrain(Grain): 4,
		Terrain(Ore): 3, Desert: 1}, count)
	require.True(t, Isle.Beginner.Complete())
}

func Test02TheIslandHas54IntersectionsAnd72Paths(t *testing.T) {
	require.Equal(t, 30, BitCount(Isle.Coast))
	coastPaths := 0
	hexesOf := map[int8]int{}
	for h := range HexCount {
		for i, p := range Isle.Sides[h] {
			hexesOf[p]++
			a, b := Isle.Corners[h][i], Isle.Corners[h][(i+1)%6]
			require.Equal(t, ordered(a, b), Isle.Ends[p], "path %d seen from hex %d", p, h)
		}
	}
	require.Len(t, hexesOf, PathCount)
	for p, n := range hexesOf {
		require.Contains(t, []int{1, 2}, n)
		if n == 1 {
			coastPaths++
			require.Equal(t, EndsOf(p)&Isle.Coast, EndsOf(p))
		}
	}
	require.Equal(t, 30, coastPaths)
	for c := range int8(CornerCount) {
		require.Contains(t, []int{2, 3}, Isle.PathsAt[c].Len())
		require.Equal(t, Isle.PathsAt[c].Len(), BitCount(Isle.Beside[c]))
		require.Contains(t, []int{1, 2, 3}, len(Isle.HexesAt[c]))
	}
}

func Test03ThereAre18TokensInTheirLetters(t *testing.T) {
	require.Equal(t, [tokensOnBoard]int8{5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11}, Isle.Tokens)
}

func Test04TokensLieInASpiralFromAnyCornerHex(t *testing.T) {
	for i, spiral := range Isle.Spirals {
		seen := map[int8]bool{}
		for j, h := range spiral {
			require.False(t, seen[h])
			seen[h] = true
			if j > 0 {
				require.NotZero(t, Isle.hexBeside[h]>>spiral[j-1]&1, "spiral %d goes from hex to neighbour", i)
			}
		}
		require.Equal(t, int8(9), spiral[HexCount-1], "it ends in the centre")
	}
	b := Board{Terrain: Isle.Beginner.Terrain}
	b.spiralTokens(0)
	require.Equal(t, int8(0), b.Tokens[9])
	require.Equal(t, []int8{5, 2, 6}, []int8{b.Tokens[0], b.Tokens[3], b.Tokens[7]})
}

func Test05TheSpiralNeverBringsRedNumbersTogether(t *testing.T) {
	for desert := range HexCount {
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
	for h := range HexCount {
		for k := range HexCount {
			if red(h) && red(k) && Isle.hexBeside[h]>>k&1 != 0 {
				return true
			}
		}
	}
	return false
}

func Test06RandomTokensKeepRedNumbersApart(t *testing.T) {
	for seed := range uint64(200) {
		b := MakeBoard(domain.Choices{"tokens": "random", "harbours": "shuffled"}, domain.NewThrowaway(seed).Begin())
		require.True(t, b.Complete())
		require.False(t, redTogether(&b), "seed %d", seed)
	}
}

func Test07NineHarboursServe18CoastalIntersections(t *testing.T) {
	served := map[int8]bool{}
	kind := map[Harbour]int{}
	for i, p := range Isle.HarbourPath {
		for _, c := range Isle.Ends[p] {
			require.False(t, served[c])
			require.NotZero(t, Isle.Coast>>c&1)
			served[c] = true
		}
		kind[Isle.Standard[i]]++
	}
	require.Len(t, served, 18)
	require.Equal(t, map[Harbour]int{Anything: 4, Harbour(Brick): 1, Harbour(Lumber): 1, Harbour(Wool): 1,
		Harbour(Grain): 1, Harbour(Ore): 1}, kind)
}

func Test08TheStandardFrame(t *testing.T) {
	require.Equal(t, "[any grain ore any wool any any brick lumber]", fmt.Sprint(Isle.Standard))
	b := MakeBoard(domain.Choices{}, domain.NewThrowaway(3).Begin())
	require.Equal(t, Isle.Standard, b.Harbours, "harbours lie as printed unless they are to be shuffled")
}

func Test09HarboursMayBeShuffled(t *testing.T) {
	differ := false
	for seed := range uint64(10) {
		b := MakeBoard(domain.Choices{"harbours": "shuffled"}, domain.NewThrowaway(seed).Begin())
		require.True(t, b.Complete())
		differ = differ || b.Harbours != Isle.Standard
	}
	require.True(t, differ)
}

func Test10TheBeginnersBoard(t *testing.T) {
	b := MakeBoard(domain.Choices{"board": "beginner"}, nil)
	var words []string
	for h := range HexCount {
		words = append(words, HexWord(b.Terrain[h], b.Tokens[h]))
	}
	require.Equal(t, "ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 "+
		"ore3 grain4 wool5 brick5 grain6 wool11",
		strings.Join(words, " "))
}

func FuzzParseBoard(f *testing.F) {
	f.Add("ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 ore3 grain4 " +
		"wool5 brick5 grain6 wool11 harbours any")
	f.Fuzz(func(t *testing.T, words string) {
		b, err := ParseBoard(words)
		if err == nil && !b.Complete() {
			t.Fatal("a board that is not the box's")
		}
	})
}
