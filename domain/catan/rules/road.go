package rules

import (
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// longestTrail returns the length of the longest trail over a colour's roads: no piece twice, intersections any number
// of times, and never through somebody else's building (Catan base game, 44 and 45).
//
// A longest trail cannot be extended at either end. So unless it is closed, and may begin anywhere on itself, it begins
// where a road ends, where three roads meet, or at somebody else's building. Only a network of pure loops has no such
// place.
func longestTrail(roads table.PathSet, blocked uint64) int8 {
	w := walk{blocked: blocked}
	most := int8(roads.Len())
	if most < 2 {
		return most
	}
	var touched, starts uint64
	for left := roads; !left.Empty(); {
		touched |= table.EndsOf(left.Next())
	}
	for left := touched; left != 0; {
		c := table.NextCorner(&left)
		if d := table.Isle.PathsAt[c].And(roads).Len(); d != 2 || blocked>>c&1 != 0 {
			starts |= 1 << c
		}
	}
	best := w.from(starts, roads)
	if best == most {
		return best
	}
	// What the walks did not reach are loops, which may begin anywhere.
	for left := touched &^ w.seen; left != 0; left = touched &^ w.seen {
		best = max(best, w.from(left&-left, roads))
	}
	return best
}

type walk struct {
	blocked uint64
	seen    uint64
}

func (w *walk) from(starts uint64, roads table.PathSet) int8 {
	var best int8
	for starts != 0 {
		best = max(best, w.on(table.NextCorner(&starts), roads))
	}
	return best
}

// on returns the length of the longest way on from an intersection over the roads left.
func (w *walk) on(c int8, left table.PathSet) int8 {
	w.seen |= 1 << c
	var best int8
	for _, p := range table.Isle.PathList[c] {
		if !left.Has(p) {
			continue
		}
		e := table.Isle.Ends[p]
		rest := left
		rest.Remove(p)
		best = max(best, w.over(e[0]+e[1]-c, rest))
	}
	return best
}

// over returns the length of a road to an intersection plus the longest way on from there.
func (w *walk) over(to int8, left table.PathSet) int8 {
	if w.blocked>>to&1 != 0 {
		w.seen |= 1 << to
		return 1
	}
	return 1 + w.on(to, left)
}

// The least sizes of the longest road and the largest army (Catan base game, 46 and 50).
const (
	leastRoad = 5
	leastArmy = 3
)

// leader returns who holds a special card after lengths or knights have changed (Catan base game, 46, 47 and 50; Catan
// for two, 12): the holder keeps it against equals; without a holder it goes to the only one with the most, and is set
// aside while several tie.
func leader(count [state.MaxColours]int8, holder, least int8) int8 {
	most, who, alone := int8(0), int8(state.NoColour), false
	for c, n := range count {
		switch {
		case n > most:
			most, who, alone = n, int8(c), true
		case n == most:
			alone = false
		}
	}
	if most < least {
		return state.NoColour
	}
	if holder != state.NoColour && count[holder] == most {
		return holder
	}
	if !alone {
		return state.NoColour
	}
	return who
}

// lengthsAfter returns the lengths after these pieces were built, as they are in this state. It recomputes them for
// those who built a road, and for those whose road a settlement may have cut.
func lengthsAfter(s *state.State, pieces [2]state.Piece) [state.MaxColours]int8 {
	length := s.Length
	for _, x := range pieces {
		if x.Sort == state.RoadPiece {
			length[x.Colour] = max(length[x.Colour], longestOver(s, x.Colour, x.At))
		}
	}
	for _, x := range pieces {
		for c := range s.Colours {
			if x.Sort == state.SettlementPiece && c != x.Colour && s.Roads[c].And(table.Isle.PathsAt[x.At]).Len() >= 2 {
				length[c] = longestTrail(s.Roads[c], s.Others(c))
			}
		}
	}
	return length
}

// longestOver returns the length of the longest trail after a road was built, if the road has made it longer. If
// nothing continues beyond one of the road's ends, a trail that includes it begins there.
func longestOver(s *state.State, c, path int8) int8 {
	rest, w := s.Roads[c], walk{blocked: s.Others(c)}
	rest.Remove(path)
	for i, end := range table.Isle.Ends[path] {
		if w.blocked>>end&1 != 0 || table.Isle.PathsAt[end].And(rest).Empty() {
			return w.over(table.Isle.Ends[path][1-i], rest)
		}
	}
	return longestTrail(s.Roads[c], w.blocked)
}

// AllLengths computes everybody's longest road afresh.
func AllLengths(s *state.State) [state.MaxColours]int8 {
	var length [state.MaxColours]int8
	for c := range s.Colours {
		length[c] = longestTrail(s.Roads[c], s.Others(c))
	}
	return length
}
