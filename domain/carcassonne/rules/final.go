package rules

import (
	"math/bits"
	"slices"

	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// finalScores is the scoring at the end of the game: features that somebody stands in, each
// once, in the order in which their first figure was placed (S1, end of the game).
func finalScores(s *state.State) []state.Score {
	if s.Solo {
		return finalSolo(s)
	}
	list := slices.Grow([]state.Score(nil), int(s.NFigures))
	var seen nodeSet
	now := Points(s.Scores)
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		if f.Part != table.ShrinePart && !seen.add(s.FeatureOf(f)) {
			continue
		}
		x, men := finalOf(s, f)
		if paid := pay(s, &now, &men, x.Worth); x.Worth > 0 {
			x.Points = awards(paid, x.Worth)
		}
		list = append(list, x)
	}
	return list
}

// finalAfter is the final scoring once a turn is over, worked out beside the state.
func finalAfter(s *state.State, b *state.Played) []state.Score {
	after := *s
	after.Apply(b)
	return finalScores(&after)
}

// finalOf scores the feature of a figure, and says whose men stand in it.
func finalOf(s *state.State, f *state.Figure) (x state.Score, men [table.MaxOwners]uint8) {
	p := s.Posted(f)
	x = state.Score{What: p.On.Kind, X: p.X, Y: p.Y, On: p.On}
	if f.Part == table.ShrinePart {
		men[f.Owner] = 1
		x.Tiles, x.Figures = 1+int(s.Tiles[f.Tile].Around), []state.Posted{p}
	} else {
		id := s.FeatureOf(f)
		g := &s.Features[id]
		men, x.Tiles, x.Pennants = g.Men, g.Size(), int(g.Pennants)
		x.Figures = standing(s, func(f state.Figure) bool { return f.Part != table.ShrinePart && s.FeatureOf(&f) == id })
		if g.Kind == table.Field {
			x.Cities = completeAt(s, id)
			x.Worth = 3 * x.Cities
			return x, men
		}
	}
	x.Worth = x.Tiles + x.Pennants
	return x, men
}

// nodeSet is a set of features, by their numbers, or of nodes.
type nodeSet [(table.MaxNodes + 63) / 64]uint64

// add is false of what is in the set already.
func (n *nodeSet) add(id uint16) bool {
	bit := uint64(1) << (id & 63)
	if n[id>>6]&bit != 0 {
		return false
	}
	n[id>>6] |= bit
	return true
}

// eachCity goes through the cities that a field touches, each once (S1, farmers; points 31 and 32).
func eachCity(s *state.State, field uint16, see func(city state.Feature)) {
	var seen nodeSet
	for n := field; ; {
		t := &s.Tiles[s.Owner[n]]
		for touches := t.Shape().Cities[n-t.Node]; touches != 0; touches &= touches - 1 {
			city := s.Feature[t.Node+uint16(bits.TrailingZeros8(touches))]
			if seen.add(city) {
				see(s.Features[city])
			}
		}
		if n = s.Next[n]; n == field {
			return
		}
	}
}

// completeAt counts the completed cities that a field touches.
func completeAt(s *state.State, field uint16) (n int) {
	eachCity(s, field, func(city state.Feature) {
		if city.Ends == 0 {
			n++
		}
	})
	return n
}

// finalSolo pays two points for each figure still on the board, one after the other, only
// to a colour that is lowest at that moment (S0, end of the game; point 63). Feeding a lowest
// colour as long as one has figures left is the best any order can do.
func finalSolo(s *state.State) (list []state.Score) {
	now := Points(s.Scores)
	var left, fed [table.MaxOwners]int
	for i := range s.Figures[:s.NFigures] {
		left[s.Figures[i].Owner]++
	}
feeding:
	for {
		low := Lowest(s, &now)
		for o := range left {
			if low>>o&1 == 1 && left[o] > fed[o] {
				fed[o]++
				now[o] += 2
				continue feeding
			}
		}
		break
	}
	for o, n := range fed {
		if n == 0 {
			continue
		}
		mine := standing(s, func(f state.Figure) bool { return int(f.Owner) == o })
		list = append(list, state.Score{
			What: table.Figure, X: mine[0].X, Y: mine[0].Y, On: mine[0].On,
			Worth: 2 * n, Figures: mine[:n], Points: []state.Awarded{{Seat: state.Owner(o), Points: 2 * n}},
		})
	}
	return list
}

// finalPoints is the scores with the final scoring in them.
func finalPoints(s *state.State, list []state.Score) Points {
	p := Points(s.Scores)
	for i := range list {
		for _, a := range list[i].Points {
			p[a.Seat] += int32(a.Points)
		}
	}
	return p
}
