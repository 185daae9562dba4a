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
	HexCorners  [HexCount]uint64      // the same corners as a set
	hexBeside   [HexCount]uint32      // neighbouring hexes
	Ends        [PathCount][2]int8    // a path's two intersections
	Beside      [CornerCount]uint64   // neighbouring intersections
	PathsAt     [CornerCount]PathSet  // paths at an intersection
	PathList    [CornerCount][]int8   // the same, in order
	HexesAt     [CornerCount][]int8   // hexes at an intersection
	Coast       uint64                // intersections by the sea
	HarbourPath [HarbourCount]int8    // where the harbours lie
	standard    [HarbourCount]Harbour // what they are on the printed frame
	tokens      [tokensOnBoard]int8   // the letters A to R
	spirals     [cornerHexes][HexCount]int8
	terrain     [HexCount]Terrain // the nineteen hexes of the box
	beginner    Board
	Founding    [][2][2]int8 // by seat: first and second (intersection, path)
	Neutral     [2]int8      // where the neutrals of Catan for two stand
}

// Isle is the one island.
var Isle = readIsland(boardJSON)

type islandFile struct {
	About string `json:"about"`
	Hexes []struct {
		Q       int    `json:"q"`
		R       int    `json:"r"`
		Corners []int8 `json:"corners"`
		Sides   []int8 `json:"sides"`
	} `json:"hexes"`
	Harbours []struct {
		Path int8   `json:"path"`
		Kind string `json:"kind"`
	} `json:"harbours"`
	Terrain  map[string]int `json:"terrain"`
	Tokens   []int8         `json:"tokens"`
	Spirals  [][]int8       `json:"spirals"`
	Beginner struct {
		Hexes    []string `json:"hexes"`
		Founding []struct {
			Settlements []int8 `json:"settlements"`
			Roads       []int8 `json:"roads"`
		} `json:"founding"`
	} `json:"beginner"`
	Neutral []int8 `json:"neutral"`
}

// readIsland panics on a table that does not fit: it is part of the program.
func readIsland(raw []byte) *Island {
	var f islandFile
	if err := json.Unmarshal(raw, &f); err != nil {
		panic(fmt.Sprintf("catan: board table: %v", err))
	}
	if len(f.Hexes) != HexCount || len(f.Harbours) != HarbourCount || len(f.Tokens) != tokensOnBoard ||
		len(f.Spirals) != cornerHexes || len(f.Neutral) != 2 {
		panic("catan: board table: wrong counts")
	}
	is := &Island{Neutral: [2]int8(f.Neutral), tokens: [tokensOnBoard]int8(f.Tokens)}
	is.readHexes(&f)
	for i, h := range f.Harbours {
		is.HarbourPath[i] = h.Path
		is.standard[i] = mustHarbour(h.Kind)
	}
	for i, s := range f.Spirals {
		is.spirals[i] = [HexCount]int8(s)
	}
	n := 0
	for t := range Terrain(TerrainCount) {
		for range f.Terrain[t.String()] {
			is.terrain[n] = t
			n++
		}
	}
	is.beginner.Harbours = is.standard
	for i, word := range f.Beginner.Hexes {
		t, token, ok := ParseHex(word)
		if !ok {
			panic("catan: board table: " + word)
		}
		is.beginner.Terrain[i], is.beginner.Tokens[i] = t, token
	}
	for _, p := range f.Beginner.Founding {
		is.Founding = append(is.Founding, [2][2]int8{
			{p.Settlements[0], p.Roads[0]}, {p.Settlements[1], p.Roads[1]},
		})
	}
	return is
}

func (is *Island) readHexes(f *islandFile) {
	var sideHexes [PathCount]int
	for h, x := range f.Hexes {
		is.Q[h], is.R[h] = x.Q, x.R
		is.Corners[h] = [6]int8(x.Corners)
		is.Sides[h] = [6]int8(x.Sides)
		for i, c := range x.Corners {
			is.HexCorners[h] |= 1 << c
			is.HexesAt[c] = append(is.HexesAt[c], int8(h))
			p := x.Sides[i]
			is.Ends[p] = ordered(c, x.Corners[(i+1)%6])
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
	if token == 0 {
		return 0
	}
	if token < 7 {
		return token - 1
	}
	return 13 - token
}

// EndsOf is the two intersections of a path.
func EndsOf(path int8) uint64 {
	e := Isle.Ends[path]
	return 1<<e[0] | 1<<e[1]
}
