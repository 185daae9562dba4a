package catan

import "posthorn/domain"

// Value estimates how well a seat stands, in points: what it has, what it earns, and how
// near its next building is. Opponents' standing counts against it, so that the robber
// finds its place.
func (rulesRoom) Value(s *State, seat domain.Seat) float64 {
	c := int8(seat)
	if s.winner == c {
		return 1000
	}
	if s.winner != noColour {
		return -1000
	}
	v := s.worth(c)
	best := 0.0
	for o := range s.seats {
		if o != c {
			w := float64(s.publicPoints(o)) + s.income(o)*0.9 + float64(s.size[o])*0.03
			best = max(best, w)
			v -= w * 0.12
		}
	}
	return v - best*0.25
}

// worth is what a seat's own things are worth.
func (s *State) worth(c int8) float64 {
	v := float64(s.points(c)) + s.income(c)
	v += s.handWorth(c)
	cards := s.cards[c]
	v += 0.42*float64(cards[Knight]) + 0.7*float64(cards[Roads]+cards[Plenty]+cards[Monopoly])
	v += 0.22 * float64(s.knights[c])
	v += 0.05 * float64(s.length[c])
	v += s.prospects(c)
	if s.two() {
		v += 0.06 * float64(s.tokens[c])
	}
	return v
}

// income is what production is worth: pips, and a little for every kind there is.
func (s *State) income(c int8) float64 {
	var pips [kinds]float64
	for left := s.buildings(c); left != 0; {
		at := nextCorner(&left)
		n := 1.0
		if s.cities[c]>>at&1 != 0 {
			n = 2
		}
		for r, p := range s.lay.pips[at] {
			pips[r] += n * float64(p)
		}
		if s.robber >= 0 && isle.hexCorners[s.robber]>>at&1 != 0 {
			if t := s.board.Terrain[s.robber]; t != Desert {
				pips[t] -= n * 0.6 * float64(pipsOf(s.board.Tokens[s.robber]))
			}
		}
	}
	v := 0.0
	weight := [kinds]float64{Brick: 1, Lumber: 1, Wool: 0.85, Grain: 1.15, Ore: 1.15}
	for r, n := range pips {
		v += 0.055 * weight[r] * n
		if n > 0 {
			v += 0.12
			if s.rate(c, Resource(r)) == 2 {
				v += 0.02 * n
			}
		}
	}
	if s.buildings(c)&s.lay.ports[Anything] != 0 {
		v += 0.15
	}
	return v
}

// handWorth counts cards, more if they make up most of something, less beyond seven.
func (s *State) handWorth(c int8) float64 {
	h, n := s.hand[c], float64(s.size[c])
	v := 0.05 * n
	if n > 7 {
		v -= 0.04 * (n - 7)
	}
	goals := []struct {
		cost Hand
		gain float64
		can  bool
	}{
		{cityCost, 0.75, s.settlements[c] != 0 && s.citiesLeft(c) > 0},
		{settlementCost, 0.75, s.openHomes(c) != 0 && s.settlementsLeft(c) > 0},
		{cardCost, 0.3, s.deck != (Cards{})},
		{roadCost, 0.15, s.roadsLeft(c) > 0},
	}
	most := 0.0
	for _, g := range goals {
		if !g.can {
			continue
		}
		missing := 0
		for r, need := range g.cost {
			missing += max(0, int(need-h[r]))
		}
		part := 1 - float64(missing)/float64(g.cost.Len())
		most = max(most, g.gain*part*part)
	}
	return v + most
}

// prospects is what the best free places within reach are worth: those a road already
// touches, and those one more road would reach.
func (s *State) prospects(c int8) float64 {
	if s.settlementsLeft(c) == 0 {
		return 0
	}
	free := ^s.shut & (1<<cornerCount - 1)
	now := s.bestPlaces(s.reach[c] & free)
	if s.roadsLeft(c) == 0 {
		return now
	}
	var near uint64
	for open := s.openPaths(c); !open.empty(); {
		near |= endsOf(open.next())
	}
	return now + 0.35*s.bestPlaces(near&free&^s.reach[c])
}

func (s *State) bestPlaces(set uint64) float64 {
	best, second := 0.0, 0.0
	for set != 0 {
		at := nextCorner(&set)
		v := 0.2
		for _, p := range s.lay.pips[at] {
			v += 0.03 * float64(p)
		}
		switch {
		case v > best:
			best, second = v, best
		case v > second:
			second = v
		}
	}
	return best + 0.4*second
}
