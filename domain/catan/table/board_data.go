package table

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// The island never changes: its shape is a table, read once. What lies on it (terrain,
// tokens, harbours) is a [Board].
const (
	HexCount      = 19
	CornerCount   = 54
	PathCount     = 72
	HarbourCount  = 9
	cornerHexes   = 6 // hexes a spiral of tokens may start from
	NoHex         = -1
	NoPlace       = -1
	tokensOnBoard = 18
)

//go:embed data/board.json
var boardJSON []byte

// Island is the shape of the board and its fixed layouts, as data/board.json gives them.
type Island struct {
	Q, R        [HexCount]int
	Corners     [HexCount][6]int8     // clockwise from north
	Sides       [HexCount][6]int8     // paths, clockwise from north-east
	HarbourPath [HarbourCount]int8    // where the harbours lie
	Standard    [HarbourCount]Harbour // what they are on the printed frame
	Tokens      [tokensOnBoard]int8   // the letters A to R
	Spirals     [cornerHexes][HexCount]int8
	Beginner    Board
	Founding    [][2][2]int8 // the beginner's, by seat: first and second (intersection, path)
	Neutral     [2]int8      // where the neutrals of Catan for two stand

	// What follows from it.
	HexCorners [HexCount]uint64     // the corners as a set
	hexBeside  [HexCount]uint32     // neighbouring hexes
	Ends       [PathCount][2]int8   // a path's two intersections
	Beside     [CornerCount]uint64  // neighbouring intersections
	PathsAt    [CornerCount]PathSet // paths at an intersection
	PathList   [CornerCount][]int8  // the same, in order
	HexesAt    [CornerCount][]int8  // hexes at an intersection
	Coast      uint64               // intersections by the sea
	box        [HexCount]Terrain    // the nineteen hexes, by kind
}

// Isle is the one island.
var Isle = readIsland(boardJSON)

// readIsland panics on a table that does not fit: it is part of the program.
func readIsland(raw []byte) *Island {
	_ = ResourceNames // by which words are read: behind json the order of initialisation does not see it
	is := new(Island)
	if err := json.Unmarshal(raw, is); err != nil {
		panic(fmt.Sprintf("catan: board table: %v", err))
	}
	is.box = is.Beginner.sorted().Terrain
	var sideHexes [PathCount]int
	for h, corners := range is.Corners {
		for i, c := range corners {
			is.HexCorners[h] |= 1 << c
			is.HexesAt[c] = append(is.HexesAt[c], int8(h))
			p := is.Sides[h][i]
			is.Ends[p] = ordered(c, corners[(i+1)%6])
			sideHexes[p]++
		}
	}
	for p, e := range is.Ends {
		for i, c := range e {
			is.Beside[c] |= 1 << e[1-i]
			is.PathsAt[c].Add(int8(p))
			is.PathList[c] = append(is.PathList[c], int8(p))
			if sideHexes[p] == 1 {
				is.Coast |= 1 << c
			}
		}
	}
	for h, a := range is.HexCorners {
		for k, b := range is.HexCorners {
			if h != k && a&b != 0 {
				is.hexBeside[h] |= 1 << k
			}
		}
	}
	return is
}

// ordered is two places, the smaller first.
func ordered(a, b int8) [2]int8 {
	if a > b {
		return [2]int8{b, a}
	}
	return [2]int8{a, b}
}

// PipsOf is in how many of 36 throws a number comes.
func PipsOf(token int8) int8 {
	return max(0, min(token-1, 13-token))
}

// EndsOf is the two intersections of a path.
func EndsOf(path int8) uint64 {
	e := Isle.Ends[path]
	return 1<<e[0] | 1<<e[1]
}
