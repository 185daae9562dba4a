package carcassonne

import "slices"

// finalScores is the scoring at the end of the game: features that somebody stands in, each
// once, in the order in which their first figure was placed (S1, end of the game).
func (s *State) finalScores() []Score {
	if s.solo {
		return s.finalSolo()
	}
	list := slices.Grow([]Score(nil), int(s.nFigures))
	var seen nodeSet
	now := points(s.scores)
	for i := range s.figures[:s.nFigures] {
		if x, ok := s.finalOf(&s.figures[i], &seen); ok {
			paid := s.pay(&now, &x.men, x.score.Worth)
			if x.score.Worth > 0 {
				x.score.Points = awards(paid, x.score.Worth)
			}
			list = append(list, x.score)
		}
	}
	return list
}

// finalAfter is the final scoring once a turn is over, worked out beside the state.
func (s *State) finalAfter(b *Played) []Score {
	after := *s
	after.apply(b)
	return after.finalScores()
}

type finalFeature struct {
	score Score
	men   [maxOwners]uint8
}

// finalOf scores the feature of a figure; ok is false if it was seen already.
func (s *State) finalOf(f *figure, seen *nodeSet) (x finalFeature, ok bool) {
	t := &s.tiles[f.tile]
	p := s.posted(f)
	x.score = Score{What: p.On.Kind, X: p.X, Y: p.Y, On: p.On}
	if f.part == shrinePart {
		x.men[f.owner] = 1
		x.score.Tiles = 1 + int(t.around)
		x.score.Worth = x.score.Tiles
		x.score.Figures = []Posted{p}
		return x, true
	}
	id := s.featureOf(f)
	if !seen.add(id) {
		return x, false
	}
	g := &s.features[id]
	x.men = g.men
	x.score.Figures = s.standing(func(f figure) bool { return f.part != shrinePart && s.featureOf(&f) == id })
	x.score.Tiles = g.size()
	switch g.kind {
	case Road:
		x.score.Worth = x.score.Tiles
	case City:
		x.score.Pennants = int(g.pennants)
		x.score.Worth = x.score.Tiles + x.score.Pennants
	case Field:
		x.score.Cities = s.citiesAt(id)
		x.score.Worth = 3 * x.score.Cities
	}
	return x, true
}

// nodeSet is a set of features, by their numbers, or of nodes.
type nodeSet [(maxNodes + 63) / 64]uint64

// add is false of what is in the set already.
func (n *nodeSet) add(id uint16) bool {
	bit := uint64(1) << (id & 63)
	if n[id>>6]&bit != 0 {
		return false
	}
	n[id>>6] |= bit
	return true
}

func (s *State) featureOf(f *figure) uint16 { return s.feature[s.tiles[f.tile].node+uint16(f.part)] }

// citiesAt counts the completed cities that a field touches, each once (S1, farmers; points
// 31 and 32).
func (s *State) citiesAt(field uint16) int {
	var seen nodeSet
	count := 0
	for n := field; ; {
		t := &s.tiles[s.owner[n]]
		touches := t.shape().cities[n-t.node]
		for p := uint16(0); touches != 0; p, touches = p+1, touches>>1 {
			if touches&1 == 0 {
				continue
			}
			city := s.feature[t.node+p]
			if s.features[city].ends == 0 && seen.add(city) {
				count++
			}
		}
		if n = s.next[n]; n == field {
			return count
		}
	}
}

// finalSolo pays two points for each figure still on the board, one after the other, only
// to a colour that is lowest at that moment (S0, end of the game; point 63). Feeding a lowest
// colour as long as one has figures left is the best any order can do.
func (s *State) finalSolo() []Score {
	now := points(s.scores)
	var left [maxOwners]uint8
	for i := range s.figures[:s.nFigures] {
		left[s.figures[i].owner]++
	}
	var fed [maxOwners]uint8
	for {
		who := Owner(-1)
		low := s.lowest(&now)
		for o := range Owner(s.owners) {
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
	return s.fedScores(&fed)
}

func (s *State) fedScores(fed *[maxOwners]uint8) []Score {
	var list []Score
	for o := range Owner(s.owners) {
		if fed[o] == 0 {
			continue
		}
		n := int(fed[o])
		mine := s.standing(func(f figure) bool { return f.owner == o })
		list = append(list, Score{
			What: Figure, X: mine[0].X, Y: mine[0].Y, On: mine[0].On,
			Worth: 2 * n, Figures: mine[:n], Points: []Awarded{{Seat: o, Points: 2 * n}},
		})
	}
	return list
}

// finalPoints is the scores with the final scoring in them.
func (s *State) finalPoints(list []Score) points {
	p := points(s.scores)
	for i := range list {
		for _, a := range list[i].Points {
			p[a.Seat] += int32(a.Points)
		}
	}
	return p
}
