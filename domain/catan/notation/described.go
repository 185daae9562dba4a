package notation

import (
	"math"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// sides are the words that say where something lies on the board, and lying those around them.
var (
	sides = table.Typed.Words("sides")
	lying = table.Typed.Words("lying")
)

// Described implements [domain.Extras.Described]: "settlement on the left", "city on the upper settlement", "road from
// the left city". What lies nearer to that side than to the other is meant, of all that could be: where several do, all
// are.
func (Room) Described(s *state.State, text string) (fit, others []state.Move) {
	d, ok := describes(strings.Fields(domain.Fold(signs.Replace(text))))
	if !ok || s.Active < 0 || s.Phase != state.PhaseMain {
		return nil, nil
	}
	var all []spot
	of := map[string]uint64{"": s.Buildings(s.Active), "settle": s.Settlements[s.Active], "city": s.Cities[s.Active]}
	corners := func(k state.Kind, set uint64) {
		for set != 0 {
			c := table.NextCorner(&set)
			x, y := table.CornerLies(c)
			all = append(all, spot{x, y, []state.Move{state.MoveAt(k, c, table.NoPlace)}})
		}
	}
	switch open := s.OpenPaths(s.Active); {
	case d.builds == "settle" && d.at == "":
		corners(state.KindSettle, s.OpenHomes(s.Active))
	case d.builds == "city" && d.at != "city":
		corners(state.KindCity, s.Settlements[s.Active])
	case d.builds == "road" && d.at == "":
		for !open.Empty() {
			p := open.Next()
			x, y := table.PathLies(p)
			all = append(all, spot{x, y, []state.Move{state.MoveAt(state.KindRoad, p, table.NoPlace)}})
		}
	case d.builds == "road":
		corners(state.KindRoad, of[d.at])
		for i := range all { // the roads that begin there
			from := all[i].moves[0].A
			all[i].moves = nil
			for paths := open.And(table.Isle.PathsAt[from]); !paths.Empty(); {
				all[i].moves = append(all[i].moves, state.MoveAt(state.KindRoad, paths.Next(), table.NoPlace))
			}
		}
	}
	for _, at := range nearest(all, d.x, d.y) {
		fit = append(fit, at.moves...)
	}
	if len(fit) > 0 {
		return fit, nil
	}
	for _, at := range all {
		others = append(others, at.moves...)
	}
	return nil, others
}

// spot is what may be built somewhere.
type spot struct {
	x, y  int
	moves []state.Move
}

// nearest returns the spots that lie nearer to the sides that are said than to those across: x is -1 for the left, y is
// -1 for the top, 0 for what is not said.
func nearest(all []spot, x, y int) []spot {
	far := func(at func(spot) int, side int) func(spot) bool {
		least, most := math.MaxInt, math.MinInt
		for _, s := range all {
			least, most = min(least, at(s)), max(most, at(s))
		}
		return func(s spot) bool { return side != 0 && side*(2*at(s)-least-most) <= 0 }
	}
	farX, farY := far(func(s spot) int { return s.x }, x), far(func(s spot) int { return s.y }, y)
	return slices.DeleteFunc(slices.Clone(all), func(s spot) bool { return farX(s) || farY(s) })
}

// description is what a text says is built, at what, and on which sides.
type description struct {
	builds, at string // verbs
	x, y       int
}

// describes reads a description; ok is false if a word is none of one, if there is no side, or two across. "My city on
// the left" is talk of one.
func describes(words []string) (d description, ok bool) {
	for _, w := range words {
		verb := verbs[w]
		switch side := sides[w]; {
		case side == "left" && d.x <= 0:
			d.x = -1
		case side == "right" && d.x >= 0:
			d.x = 1
		case side == "top" && d.y <= 0:
			d.y = -1
		case side == "bottom" && d.y >= 0:
			d.y = 1
		case side != "":
			return d, false
		case slices.Contains(buildings, verb) && d.builds == "":
			d.builds = verb
		case slices.Contains(buildings, verb) && d.at == "" && verb != "road":
			d.at = verb
		case lying[w] == "my" && d.builds == "", lying[w] == "" && !wordsBuild[w]:
			return d, false
		}
	}
	return d, d.builds != "" && (d.x != 0 || d.y != 0)
}
