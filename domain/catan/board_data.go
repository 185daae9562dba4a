package catan

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/bits"
)

// The island never changes: its shape is a table, read once. What lies on it (terrain,
// tokens, harbours) is a [Board].
const (
	hexCount      = 19
	cornerCount   = 54
	pathCount     = 72
	harbourCount  = 9
	cornerHexes   = 6 // hexes a spiral of tokens may start from
	noHex         = -1
	noPlace       = -1
	tokensOnBoard = 18
)

//go:embed data/board.json
var boardJSON []byte

// island is the shape of the board and its fixed layouts, as data/board.json gives them.
type island struct {
	q, r        [hexCount]int
	corners     [hexCount][6]int8     // clockwise from north
	sides       [hexCount][6]int8     // paths, clockwise from north-east
	hexCorners  [hexCount]uint64      // the same corners as a set
	hexBeside   [hexCount]uint32      // neighbouring hexes
	ends        [pathCount][2]int8    // a path's two intersections
	beside      [cornerCount]uint64   // neighbouring intersections
	pathsAt     [cornerCount]pathSet  // paths at an intersection
	pathList    [cornerCount][]int8   // the same, in order
	hexesAt     [cornerCount][]int8   // hexes at an intersection
	coast       uint64                // intersections by the sea
	harbourPath [harbourCount]int8    // where the harbours lie
	standard    [harbourCount]Harbour // what they are on the printed frame
	tokens      [tokensOnBoard]int8   // the letters A to R
	spirals     [cornerHexes][hexCount]int8
	terrain     [hexCount]Terrain // the nineteen hexes of the box
	beginner    Board
	founding    [][2][2]int8 // by seat: first and second (intersection, path)
	neutral     [2]int8      // where the neutrals of Catan for two stand
}

// isle is the one island.
var isle = readIsland(boardJSON)

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
func readIsland(raw []byte) *island {
	var f islandFile
	if err := json.Unmarshal(raw, &f); err != nil {
		panic(fmt.Sprintf("catan: board table: %v", err))
	}
	if len(f.Hexes) != hexCount || len(f.Harbours) != harbourCount || len(f.Tokens) != tokensOnBoard ||
		len(f.Spirals) != cornerHexes || len(f.Neutral) != 2 {
		panic("catan: board table: wrong counts")
	}
	is := &island{neutral: [2]int8(f.Neutral), tokens: [tokensOnBoard]int8(f.Tokens)}
	is.readHexes(&f)
	for i, h := range f.Harbours {
		is.harbourPath[i] = h.Path
		is.standard[i] = mustHarbour(h.Kind)
	}
	for i, s := range f.Spirals {
		is.spirals[i] = [hexCount]int8(s)
	}
	n := 0
	for t := range Terrain(terrainCount) {
		for range f.Terrain[t.String()] {
			is.terrain[n] = t
			n++
		}
	}
	is.beginner.Harbours = is.standard
	for i, word := range f.Beginner.Hexes {
		t, token, ok := parseHex(word)
		if !ok {
			panic("catan: board table: " + word)
		}
		is.beginner.Terrain[i], is.beginner.Tokens[i] = t, token
	}
	for _, p := range f.Beginner.Founding {
		is.founding = append(is.founding, [2][2]int8{
			{p.Settlements[0], p.Roads[0]}, {p.Settlements[1], p.Roads[1]},
		})
	}
	return is
}

func (is *island) readHexes(f *islandFile) {
	var sideHexes [pathCount]int
	for h, x := range f.Hexes {
		is.q[h], is.r[h] = x.Q, x.R
		is.corners[h] = [6]int8(x.Corners)
		is.sides[h] = [6]int8(x.Sides)
		for i, c := range x.Corners {
			is.hexCorners[h] |= 1 << c
			is.hexesAt[c] = append(is.hexesAt[c], int8(h))
			p := x.Sides[i]
			is.ends[p] = ordered(c, x.Corners[(i+1)%6])
			sideHexes[p]++
		}
	}
	for p, e := range is.ends {
		for i, c := range e {
			is.beside[c] |= 1 << e[1-i]
			is.pathsAt[c].add(int8(p))
			is.pathList[c] = append(is.pathList[c], int8(p))
			if sideHexes[p] == 1 {
				is.coast |= 1 << c
			}
		}
	}
	for h, a := range is.hexCorners {
		for k, b := range is.hexCorners {
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

// pathSet is a set of paths.
type pathSet [2]uint64

// add puts a path into the set.
func (s *pathSet) add(p int8) { s[p>>6] |= 1 << (p & 63) }

// remove takes a path out of the set.
func (s *pathSet) remove(p int8) { s[p>>6] &^= 1 << (p & 63) }

// has tells whether a path is in the set.
func (s pathSet) has(p int8) bool { return s[p>>6]>>(p&63)&1 != 0 }

// len is how many paths there are.
func (s pathSet) len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// empty tells whether there is none.
func (s pathSet) empty() bool { return s[0]|s[1] == 0 }

// or is the paths of either set.
func (s pathSet) or(t pathSet) pathSet { return pathSet{s[0] | t[0], s[1] | t[1]} }

// and is the paths of both sets.
func (s pathSet) and(t pathSet) pathSet { return pathSet{s[0] & t[0], s[1] & t[1]} }

// andNot is the paths of the first set that are not in the other.
func (s pathSet) andNot(t pathSet) pathSet { return pathSet{s[0] &^ t[0], s[1] &^ t[1]} }

// next takes the smallest path out of the set; the set must not be empty.
func (s *pathSet) next() int8 {
	if s[0] != 0 {
		p := bits.TrailingZeros64(s[0])
		s[0] &= s[0] - 1
		return int8(p)
	}
	p := bits.TrailingZeros64(s[1])
	s[1] &= s[1] - 1
	return int8(p + 64)
}

// nextOrZero takes the smallest path out of the set, or is 0 if there is none.
func (s *pathSet) nextOrZero() int8 {
	if s.empty() {
		return 0
	}
	return s.next()
}

// list is the paths, in their order.
func (s pathSet) list() []int {
	list := make([]int, 0, s.len())
	for !s.empty() {
		list = append(list, int(s.next()))
	}
	return list
}

// nextCorner takes the smallest intersection out of a set that is not empty.
func nextCorner(set *uint64) int8 {
	c := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return int8(c)
}

// cornerList is a set of intersections as a list, in their order.
func cornerList(set uint64) []int {
	list := make([]int, 0, bits.OnesCount64(set))
	for set != 0 {
		list = append(list, int(nextCorner(&set)))
	}
	return list
}
