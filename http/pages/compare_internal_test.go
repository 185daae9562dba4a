package pages

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/projections/turn"
)

// TestMovesOfALineAreCountedWithoutReadingIt checks what a comparison computes from a table's lines alone against a
// walk from version to version, over random trees.
func TestMovesOfALineAreCountedWithoutReadingIt(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		var lines []treeLine
		for i := range 1 + rnd.IntN(9) {
			l := treeLine{branchLine: branchLine{Line: turn.Line{Name: events.Name{byte(i + 1)}, Index: i}}}
			if i > 0 {
				from := lines[rnd.IntN(i)]
				l.Parent, l.Fork, l.silent = from.Name.String(), 1+uint64(rnd.IntN(int(from.Last))), rnd.IntN(3) > 0
			}
			l.Last = l.Fork + 1 + uint64(rnd.IntN(7))
			lines = append(lines, l)
		}
		owner := func(l treeLine, version uint64) treeLine {
			for version <= l.Fork {
				for _, p := range lines {
					if p.Name.String() == l.Parent {
						l = p
						break
					}
				}
			}
			return l
		}
		for _, l := range lines {
			after := uint64(rnd.IntN(int(l.Last)))
			var moves []uint64 // the versions that are moves
			for v := after + 1; v <= l.Last; v++ {
				if o := owner(l, v); !o.silent || v != o.Fork+1 {
					moves = append(moves, v)
				}
			}
			p := playedOn(byName(lines), l, after)
			require.Equal(t, len(moves), p.moves())
			for n := range moves {
				require.Less(t, p.version(n), moves[n])
				require.GreaterOrEqual(t, p.version(n+1), moves[n])
				if n > 0 {
					require.GreaterOrEqual(t, p.version(n), moves[n-1])
				}
			}
		}
	}
}

// Two moves differ in what only one of them says: the move itself may be the same, and only the draw different.
func TestTwoMovesAreToldApartByWhatEitherSaysAlone(t *testing.T) {
	a := &turn.Happening{Sentences: []string{"Ana places a tile.", "Bo draws a road."}}
	b := &turn.Happening{Sentences: []string{"Ana places a tile.", "Bo draws a city."}}
	require.Equal(t, [2][]string{{"Bo draws a road."}, {"Bo draws a city."}},
		pair{Sides: [2]*turn.Happening{a, b}}.apart())
	require.Equal(t, [2][]string{1: b.Sentences}, pair{Sides: [2]*turn.Happening{nil, b}}.apart(),
		"one line ends there")
}
