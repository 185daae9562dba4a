package rules

import (
	"math"
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/carcassonne/table"
)

// Value estimates how well a seat stands: points now, points its figures will probably bring, and followers kept for
// later, minus the same for the others. A solo game is worth what its lowest colour will probably reach, and how long
// it can go on.
func (Room) Value(s *state.State, seat domain.Seat) float64 {
	if s.Over {
		return valueAtEnd(s, seat)
	}
	e := estimateOf(s)
	if s.Solo {
		return valueSolo(s, &e)
	}
	return versus(e.worth[:s.Owners], int(seat))
}

func valueAtEnd(s *state.State, seat domain.Seat) float64 {
	final := finalPoints(s, finalScores(s))
	if s.Solo {
		return soloWeight * float64(slices.Min(final[:s.Owners]))
	}
	var list [table.MaxOwners]float64
	for o, n := range final {
		list[o] = float64(n)
	}
	return versus(list[:s.Owners], int(seat))
}

// versus returns one's own value minus the mean of the others, the best of them counting twice.
func versus(list []float64, mine int) float64 {
	sum, best, n := 0.0, 0.0, 0.0
	for o, x := range list {
		if o == mine {
			continue
		}
		if n == 0 || x > best {
			best = x
		}
		sum += x
		n++
	}
	return list[mine] - (sum+best)/(n+1)
}

// estimate is the points everybody will probably reach.
type estimate struct {
	s     *state.State
	left  float64 // of the game, 1 to 0
	draws float64 // tiles still to come
	worth [table.MaxOwners]float64
}

const wholeGame = 71.0 // tiles drawn in a game without the river

func estimateOf(s *state.State) (e estimate) {
	e.s = s
	e.draws = float64(s.NLand) + float64(s.NRiver)
	e.left = min(1, e.draws/wholeGame)
	for o := range s.Owners {
		e.worth[o] = float64(s.Scores[o]) + e.inHand(s.Hand[o])
		if s.AbbotsHome[o] > 0 {
			e.worth[o] += 3 * e.left
		}
	}
	e.figures()
	return e
}

// inHand returns the worth of followers kept in hand: the last one is worth the most, and none is worth anything once
// no tiles are left to put them on.
func (e *estimate) inHand(n uint8) (worth float64) {
	each := [...]float64{3.2, 2.2, 1.5, 1.1, 0.8, 0.6, 0.5}
	for i := range min(int(n), len(each)) {
		worth += each[i]
	}
	return worth * min(1, e.draws/float64(6*e.s.Owners))
}

func (e *estimate) figures() {
	s := e.s
	var seen nodeSet
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		if f.Part == table.ShrinePart {
			e.worth[f.Owner] += e.shrine(&s.Tiles[f.Tile])
			continue
		}
		id := s.FeatureOf(f)
		if !seen.add(id) {
			continue
		}
		worth := e.feature(id)
		for who := majority(&s.Features[id].Men); who != 0; who &= who - 1 {
			e.worth[bits.TrailingZeros8(who)] += worth
		}
	}
}

// shrine counts the neighbours a cloister or garden has, and those that will probably come.
func (e *estimate) shrine(t *state.Laid) float64 {
	missing := float64(8 - t.Around)
	return 1 + float64(t.Around) + missing*min(0.85, e.left*1.1) + e.freed(e.closing(missing))
}

// freed returns the worth of getting a follower back.
func (e *estimate) freed(chance float64) float64 { return chance * 1.2 * e.left }

// closing returns the chance that a feature that needs this many more tiles is finished.
func (e *estimate) closing(missing float64) float64 {
	if missing <= 0 {
		return 1
	}
	each := min(0.9, e.draws/(e.draws+9))
	p := 1.0
	for ; missing > 0; missing-- {
		p *= each
		each *= 0.85
	}
	return p
}

func (e *estimate) feature(id uint16) float64 {
	f := &e.s.Features[id]
	size := float64(f.Size())
	switch f.Kind {
	case table.Road:
		p := e.closing(float64(f.Ends))
		return size + 0.6*float64(f.Ends)*e.left + e.freed(p)
	case table.City:
		p := e.closing(float64(f.Ends))
		units := size + float64(f.Pennants)
		return units*(1+p) + 0.8*float64(f.Ends)*e.left*p + e.freed(p)
	default:
		return 3*float64(completeAt(e.s, id)) + e.growing(id)
	}
}

// growing returns what a field will probably gain: cities that touch it and may still be finished.
func (e *estimate) growing(field uint16) float64 {
	worth := 2.0 * e.left
	eachCity(e.s, field, func(city uint16) {
		if ends := e.s.Features[city].Ends; ends > 0 {
			worth += 2.4 * e.closing(float64(ends))
		}
	})
	return worth
}

// The weights of a solo game were found by experiment: with them steady brings the lowest colour to 22 points on
// average; with points and hands weighted as in other games, to 14.
const (
	soloWeight = 4.0
	soloAlive  = 180.0 // for a game that goes on: more than empty hands cost
)

// valueSolo looks mainly at the lowest colour, and at how long the game can go on. The game ends when a colour must
// place a follower and has none, so besides points it counts every colour's hand, with the followers that will soon
// come back.
func valueSolo(s *state.State, e *estimate) float64 {
	var back, expected [table.MaxOwners]float64
	e.returning(&back, &expected)
	sum, least, hands := 0.0, 0.0, 0.0
	for o := range s.Owners {
		points := float64(s.Scores[o]) + expected[o]
		sum += points
		if o == 0 || points < least {
			least = points
		}
		hands += supply(float64(s.Hand[o]) + back[o])
	}
	return soloWeight*least + sum/float64(s.Owners) + e.left*(hands+soloAlive)
}

// supply returns what this many followers, in hand or soon back, are worth to a colour.
func supply(n float64) float64 { return -60 * math.Exp(-0.8*n) }

// returning adds up, for each colour, how many of its followers will probably come back and what they will probably
// bring: a feature pays only a colour that is lowest at the time.
func (e *estimate) returning(back, expected *[table.MaxOwners]float64) {
	s := e.s
	for i := range s.Figures[:s.NFigures] {
		f := &s.Figures[i]
		p, worth := 0.0, 0.0
		if f.Part == table.ShrinePart {
			t := &s.Tiles[f.Tile]
			p, worth = e.soon(float64(8-t.Around)*0.8), 9
		} else {
			g := &s.Features[s.FeatureOf(f)]
			p, worth = e.soon(float64(g.Ends)), float64(g.Size())
			if g.Kind == table.City {
				worth = 2 * (worth + float64(g.Pennants))
			}
			worth /= float64(g.Men[f.Owner]) // counted once for each of its men
		}
		back[f.Owner] += 0.7 * p
		expected[f.Owner] += 0.45*p*worth + 0.3
	}
}

// soon returns the chance that a feature that needs this many more tiles is finished within a few rounds.
func (e *estimate) soon(missing float64) float64 {
	if missing <= 0 {
		return 1
	}
	return math.Pow(0.62, missing) * min(1, e.draws/12)
}
