package table

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
)

// The island never changes: its shape is data, read once. What lies on it (terrain, tokens, harbours) is a [Board].
const (
	HexCount      = 19
	CornerCount   = 54
	PathCount     = 72
	HarbourCount  = 9
	cornerHexes   = 6 // hexes from which a spiral of tokens may start
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

	// What follows from these.
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

// readIsland panics on inconsistent data, as the data is part of the program.
func readIsland(raw []byte) *Island {
	_ = ResourceNames // needed to read words: Go's initialisation order does not see this dependency behind json
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

// ordered returns two places, the smaller first.
func ordered(a, b int8) [2]int8 {
	if a > b {
		return [2]int8{b, a}
	}
	return [2]int8{a, b}
}

// PipsOf returns in how many of 36 throws a number comes up.
func PipsOf(token int8) int8 {
	return max(0, min(token-1, 13-token))
}

// EndsOf returns the two intersections of a path.
func EndsOf(path int8) uint64 {
	e := Isle.Ends[path]
	return 1<<e[0] | 1<<e[1]
}

// CornerLies returns where an intersection lies, in halves of a hex's width from the left and of its side from the top.
func CornerLies(c int8) (x, y int) {
	h := Isle.HexesAt[c][0]
	i := slices.Index(Isle.Corners[h][:], c)
	return 2*Isle.Q[h] + Isle.R[h] + [...]int{0, 1, 1, 0, -1, -1}[i], 3*Isle.R[h] + [...]int{-2, -1, 1, 2, 1, -1}[i]
}

// PathLies returns where the middle of a path lies, doubled.
func PathLies(p int8) (x, y int) {
	x, y = CornerLies(Isle.Ends[p][0])
	x2, y2 := CornerLies(Isle.Ends[p][1])
	return x + x2, y + y2
}

// BitCount returns the size of a set.
func BitCount(x uint64) int { return bits.OnesCount64(x) }

// PathSet is a set of paths.
type PathSet [2]uint64

// Add puts a path into the set.
func (s *PathSet) Add(p int8) { s[p>>6] |= 1 << (p & 63) }

// Remove takes a path out of the set.
func (s *PathSet) Remove(p int8) { s[p>>6] &^= 1 << (p & 63) }

// Has reports whether a path is in the set.
func (s PathSet) Has(p int8) bool { return s[p>>6]>>(p&63)&1 != 0 }

// Len returns how many paths there are.
func (s PathSet) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// Empty reports whether there is none.
func (s PathSet) Empty() bool { return s[0]|s[1] == 0 }

// Or returns the paths in either set.
func (s PathSet) Or(t PathSet) PathSet { return PathSet{s[0] | t[0], s[1] | t[1]} }

// And returns the paths in both sets.
func (s PathSet) And(t PathSet) PathSet { return PathSet{s[0] & t[0], s[1] & t[1]} }

// AndNot returns the paths of the first set that are not in the other.
func (s PathSet) AndNot(t PathSet) PathSet { return PathSet{s[0] &^ t[0], s[1] &^ t[1]} }

// Next takes the smallest path out of the set; the set must not be empty.
func (s *PathSet) Next() int8 {
	if s[0] != 0 {
		p := bits.TrailingZeros64(s[0])
		s[0] &= s[0] - 1
		return int8(p)
	}
	p := bits.TrailingZeros64(s[1])
	s[1] &= s[1] - 1
	return int8(p + 64)
}

// NextOrZero takes the smallest path out of the set, or returns 0 if there is none.
func (s *PathSet) NextOrZero() int8 {
	if s.Empty() {
		return 0
	}
	return s.Next()
}

// List returns the paths in order.
func (s PathSet) List() []int {
	list := make([]int, 0, s.Len())
	for !s.Empty() {
		list = append(list, int(s.Next()))
	}
	return list
}

// NextCorner takes the smallest intersection out of a non-empty set.
func NextCorner(set *uint64) int8 {
	c := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return int8(c)
}

// CornerList returns a set of intersections as a list, in order.
func CornerList(set uint64) []int {
	list := make([]int, 0, bits.OnesCount64(set))
	for set != 0 {
		list = append(list, int(NextCorner(&set)))
	}
	return list
}
