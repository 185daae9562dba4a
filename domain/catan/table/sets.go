package table

import "math/bits"

// BitCount is how many are in a set.
func BitCount(x uint64) int { return bits.OnesCount64(x) }

// PathSet is a set of paths.
type PathSet [2]uint64

// Add puts a path into the set.
func (s *PathSet) Add(p int8) { s[p>>6] |= 1 << (p & 63) }

// Remove takes a path out of the set.
func (s *PathSet) Remove(p int8) { s[p>>6] &^= 1 << (p & 63) }

// Has tells whether a path is in the set.
func (s PathSet) Has(p int8) bool { return s[p>>6]>>(p&63)&1 != 0 }

// Len is how many paths there are.
func (s PathSet) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// Empty tells whether there is none.
func (s PathSet) Empty() bool { return s[0]|s[1] == 0 }

// Or is the paths of either set.
func (s PathSet) Or(t PathSet) PathSet { return PathSet{s[0] | t[0], s[1] | t[1]} }

// And is the paths of both sets.
func (s PathSet) And(t PathSet) PathSet { return PathSet{s[0] & t[0], s[1] & t[1]} }

// AndNot is the paths of the first set that are not in the other.
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

// NextOrZero takes the smallest path out of the set, or is 0 if there is none.
func (s *PathSet) NextOrZero() int8 {
	if s.Empty() {
		return 0
	}
	return s.Next()
}

// List is the paths, in their order.
func (s PathSet) List() []int {
	list := make([]int, 0, s.Len())
	for !s.Empty() {
		list = append(list, int(s.Next()))
	}
	return list
}

// NextCorner takes the smallest intersection out of a set that is not empty.
func NextCorner(set *uint64) int8 {
	c := bits.TrailingZeros64(*set)
	*set &= *set - 1
	return int8(c)
}

// CornerList is a set of intersections as a list, in their order.
func CornerList(set uint64) []int {
	list := make([]int, 0, bits.OnesCount64(set))
	for set != 0 {
		list = append(list, int(NextCorner(&set)))
	}
	return list
}
