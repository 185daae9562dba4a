package rules

import (
	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Value estimates how well a seat stands, in points: what it has, what it earns, and how close its next building is.
// The opponents' standing counts against it, so that the robber goes where it hurts.
func (*Room) Value(s *state.State, seat domain.Seat) float64 {
	c := int8(seat)
	if s.Winner == c {
		return 1000
	}
	if s.Winner != state.NoColour {
		return -1000
	}
	v := worth(s, c)
	best := 0.0
	for o := range s.Seats {
		if o != c {
			w := float64(s.PublicPoints(o)) + income(s, o)*0.9 + float64(s.Size[o])*0.03
			best = max(best, w)
			v -= w * 0.12
		}
	}
	return v - best*0.25
}

// worth returns the value of what a seat owns.
func worth(s *state.State, c int8) float64 {
	v := float64(s.Points(c)) + income(s, c)
	v += handWorth(s, c)
	cards := s.Cards[c]
	v += 0.42*float64(cards[table.Knight]) + 0.7*float64(cards[table.Roads]+cards[table.Plenty]+cards[table.Monopoly])
	v += 0.22 * float64(s.Knights[c])
	v += 0.05 * float64(s.Length[c])
	v += prospects(s, c)
	if s.Two() {
		v += 0.06 * float64(s.Tokens[c])
	}
	return v
}

// yield returns the ways in 36 to earn each kind, reduced at the robber's hex.
func yield(s *state.State, c int8) (pips [table.Kinds]float64) {
	for left := s.Buildings(c); left != 0; {
		at := table.NextCorner(&left)
		n := 1.0
		if s.Cities[c]>>at&1 != 0 {
			n = 2
		}
		for r, p := range s.Lay.Pips[at] {
			pips[r] += n * float64(p)
		}
		if s.Robber >= 0 && table.Isle.HexCorners[s.Robber]>>at&1 != 0 {
			if t := s.Board.Terrain[s.Robber]; t != table.Desert {
				pips[t] -= n * 0.6 * float64(table.PipsOf(s.Board.Tokens[s.Robber]))
			}
		}
	}
	return pips
}

// pipWeight is the relative value of one way in 36 to earn each kind.
var pipWeight = [table.Kinds]float64{table.Brick: 1, table.Lumber: 1, table.Wool: 0.85, table.Grain: 1.15,
	table.Ore: 1.15}

// income returns the value of production: pips, and a little for each kind produced.
func income(s *state.State, c int8) float64 {
	pips := yield(s, c)
	v := 0.0
	for r, n := range pips {
		v += 0.055 * pipWeight[r] * n
		if n > 0 {
			v += 0.12
			if s.Rate(c, table.Resource(r)) == 2 {
				v += 0.02 * n
			}
		}
	}
	if s.Buildings(c)&s.Lay.Ports[table.Anything] != 0 {
		v += 0.15
	}
	return v
}

// handWorth values cards: more if they make up most of a cost, less beyond seven.
func handWorth(s *state.State, c int8) float64 {
	h, n := s.Hand[c], float64(s.Size[c])
	v := 0.05 * n
	if n > 7 {
		v -= 0.04 * (n - 7)
	}
	goals := []struct {
		cost table.Hand
		gain float64
		can  bool
	}{
		{table.CityCost, 0.75, s.Settlements[c] != 0 && s.CitiesLeft(c) > 0},
		{table.SettlementCost, 0.75, s.OpenHomes(c) != 0 && s.SettlementsLeft(c) > 0},
		{table.CardCost, 0.3, s.Deck != (table.Cards{})},
		{table.RoadCost, 0.15, s.RoadsLeft(c) > 0},
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

// prospects returns the value of the best free places within reach: those a road already touches, and those one more
// road would reach.
func prospects(s *state.State, c int8) float64 {
	if s.SettlementsLeft(c) == 0 {
		return 0
	}
	free := ^s.Shut & (1<<table.CornerCount - 1)
	now := bestPlaces(s, s.Reach[c]&free)
	if s.RoadsLeft(c) == 0 {
		return now
	}
	var near uint64
	for open := s.OpenPaths(c); !open.Empty(); {
		near |= table.EndsOf(open.Next())
	}
	return now + 0.35*bestPlaces(s, near&free&^s.Reach[c])
}

func bestPlaces(s *state.State, set uint64) float64 {
	best, second := 0.0, 0.0
	for set != 0 {
		at := table.NextCorner(&set)
		v := 0.2
		for _, p := range s.Lay.Pips[at] {
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
