package catan

import "math/bits"

// longestTrail is the length of the longest trail over a colour's roads: no piece twice,
// intersections as often as one likes, and never through somebody else's building
// (Catan base game, 44 and 45).
//
// A trail cannot be made longer at an end of it; so unless it is a closed one, which may
// begin anywhere on it, it begins where a road ends, where three roads meet, or at
// somebody else's building. Only a network of mere loops has no such place.
func longestTrail(roads pathSet, blocked uint64) int8 {
	w := walk{blocked: blocked}
	most := int8(roads.len())
	if most < 2 {
		return most
	}
	var touched, starts uint64
	for left := roads; !left.empty(); {
		touched |= endsOf(left.next())
	}
	for left := touched; left != 0; {
		c := nextCorner(&left)
		if d := isle.pathsAt[c].and(roads).len(); d != 2 || blocked>>c&1 != 0 {
			starts |= 1 << c
		}
	}
	best := w.from(starts, roads)
	if best == most {
		return best
	}
	// What the walks did not come by are loops, to be begun anywhere.
	for left := touched &^ w.seen; left != 0; left = touched &^ w.seen {
		best = max(best, w.from(left&-left, roads))
	}
	return best
}

type walk struct {
	blocked uint64
	seen    uint64
}

func (w *walk) from(starts uint64, roads pathSet) int8 {
	var best int8
	for starts != 0 {
		best = max(best, w.on(nextCorner(&starts), roads))
	}
	return best
}

// on is the longest way on from an intersection over the roads left.
func (w *walk) on(c int8, left pathSet) int8 {
	w.seen |= 1 << c
	var best int8
	for _, p := range isle.pathList[c] {
		if !left.has(p) {
			continue
		}
		e := isle.ends[p]
		to := e[0] + e[1] - c
		n := int8(1)
		if w.blocked>>to&1 == 0 {
			rest := left
			rest.remove(p)
			n += w.on(to, rest)
		} else {
			w.seen |= 1 << to
		}
		best = max(best, n)
	}
	return best
}

// longestHolder is who holds the longest road after lengths have changed (Catan base
// game, 46 and 47): the holder keeps it against equals; without one it goes to whoever
// alone is longest with five or more, and is set aside while nobody is.
func longestHolder(length [maxColours]int8, holder int8) int8 {
	return leader(length, holder, 5)
}

// armyHolder is the same for the largest army: three knights or more (Catan base game, 50;
// Catan for two, 12).
func armyHolder(knights [maxColours]int8, holder int8) int8 {
	return leader(knights, holder, 3)
}

func leader(count [maxColours]int8, holder, least int8) int8 {
	most, who, alone := int8(0), int8(noColour), false
	for c, n := range count {
		switch {
		case n > most:
			most, who, alone = n, int8(c), true
		case n == most:
			alone = false
		}
	}
	if most < least {
		return noColour
	}
	if holder != noColour && count[holder] == most {
		return holder
	}
	if !alone {
		return noColour
	}
	return who
}

// lengthsWith are the lengths of everybody's roads after a road of one colour, or a
// building of one colour, was added to the state.
func (s *State) lengthsAfterRoad(c int8, roads pathSet) [maxColours]int8 {
	length := s.length
	length[c] = longestTrail(roads, s.others(c))
	return length
}

// lengthsAfterHome are the lengths after a settlement: it may cut what others have there.
func (s *State) lengthsAfterHome(c, at int8) [maxColours]int8 {
	length := s.length
	for o := range s.colours {
		if o != c && s.roads[o].and(isle.pathsAt[at]).len() >= 2 {
			length[o] = longestTrail(s.roads[o], s.others(o)|1<<at)
		}
	}
	return length
}

// bitCount is how many are in a set.
func bitCount(x uint64) int { return bits.OnesCount64(x) }
