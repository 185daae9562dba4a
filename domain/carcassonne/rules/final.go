package rules

import (
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
		if x, ok := finalOf(s, &s.Figures[i], &seen); ok {
			paid := pay(s, &now, &x.men, x.score.Worth)
			if x.score.Worth > 0 {
				x.score.Points = awards(paid, x.score.Worth)
			}
			list = append(list, x.score)
		}
	}
	return list
}

// finalAfter is the final scoring once a turn is over, worked out beside the state.
func finalAfter(s *state.State, b *state.Played) []state.Score {
	after := *s
	after.Apply(b)
	return finalScores(&after)
}

type finalFeature struct {
	score state.Score
	men   [table.MaxOwners]uint8
}

// finalOf scores the feature of a figure; ok is false if it was seen already.
func finalOf(s *state.State, f *state.Figure, seen *nodeSet) (x finalFeature, ok bool) {
	t := &s.Tiles[f.Tile]
	p := s.Posted(f)
	x.score = state.Score{What: p.On.Kind, X: p.X, Y: p.Y, On: p.On}
	if f.Part == table.ShrinePart {
		x.men[f.Owner] = 1
		x.score.Tiles = 1 + int(t.Around)
		x.score.Worth = x.score.Tiles
		x.score.Figures = []state.Posted{p}
		return x, true
	}
	id := featureOf(s, f)
	if !seen.add(id) {
		return x, false
	}
	g := &s.Features[id]
	x.men = g.Men
	x.score.Figures = standing(s, func(f state.Figure) bool { return f.Part != table.ShrinePart && featureOf(s, &f) == id })
	x.score.Tiles = g.Size()
	switch g.Kind {
	case table.Road:
		x.score.Worth = x.score.Tiles
	case table.City:
		x.score.Pennants = int(g.Pennants)
		x.score.Worth = x.score.Tiles + x.score.Pennants
	case table.Field:
		x.score.Cities = citiesAt(s, id)
		x.score.Worth = 3 * x.score.Cities
	}
	return x, true
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

func featureOf(s *state.State, f *state.Figure) uint16 {
	return s.Feature[s.Tiles[f.Tile].Node+uint16(f.Part)]
}

// citiesAt counts the completed cities that a field touches, each once (S1, farmers; points
// 31 and 32).
func citiesAt(s *state.State, field uint16) int {
	var seen nodeSet
	count := 0
	for n := field; ; {
		t := &s.Tiles[s.Owner[n]]
		touches := t.Shape().Cities[n-t.Node]
		for p := uint16(0); touches != 0; p, touches = p+1, touches>>1 {
			if touches&1 == 0 {
				continue
			}
			city := s.Feature[t.Node+p]
			if s.Features[city].Ends == 0 && seen.add(city) {
				count++
			}
		}
		if n = s.Next[n]; n == field {
			return count
		}
	}
}

// finalSolo pays two points for each figure still on the board, one after the other, only
// to a colour that is lowest at that moment (S0, end of the game; point 63). Feeding a lowest
// colour as long as one has figures left is the best any order can do.
func finalSolo(s *state.State) []state.Score {
	now := Points(s.Scores)
	var left [table.MaxOwners]uint8
	for i := range s.Figures[:s.NFigures] {
		left[s.Figures[i].Owner]++
	}
	var fed [table.MaxOwners]uint8
	for {
		who := state.Owner(-1)
		low := Lowest(s, &now)
		for o := range state.Owner(s.Owners) {
			if low>>o&1 == 1 && left[o] > 0 {
				who = o
				break
			}
		}
		if who < 0 {
			break
		}
		left[who]--
		fed[who]++
		now[who] += 2
	}
	return fedScores(s, &fed)
}

func fedScores(s *state.State, fed *[table.MaxOwners]uint8) []state.Score {
	var list []state.Score
	for o := range state.Owner(s.Owners) {
		if fed[o] == 0 {
			continue
		}
		n := int(fed[o])
		mine := standing(s, func(f state.Figure) bool { return f.Owner == o })
		list = append(list, state.Score{
			What: table.Figure, X: mine[0].X, Y: mine[0].Y, On: mine[0].On,
			Worth: 2 * n, Figures: mine[:n], Points: []state.Awarded{{Seat: o, Points: 2 * n}},
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
