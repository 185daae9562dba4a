package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/projections/turn"
)

func TestTheGreatMovesOfAStoryAreMoves(t *testing.T) {
	at := func(points ...int) (list []moveOf) {
		for i, n := range points {
			list = append(list, moveOf{Gain: turn.Gain{Version: uint64(i + 1), Points: n, First: i == 0}})
		}
		return append(list, moveOf{Gain: turn.Gain{Points: 9}}) // shown at the end
	}
	versions := func(list []great) (out []uint64) {
		for _, m := range list {
			out = append(out, m.Version)
		}
		return out
	}
	require.Equal(t, []uint64{2, 4}, versions(large([]ranked{{Moves: at(2, 1)}, {Moves: at(2, 0, 0, 1)[3:]}})),
		"points of one are few, and the deal is no move")
	require.Equal(t, []uint64{3, 4, 6}, versions(large([]ranked{{Moves: at(5, 1, 2, -2, 1, 7)}})))
	both := large([]ranked{{Moves: at(0, 3)}, {Moves: at(0, 8)}})
	require.Equal(t, []uint64{2}, versions(both), "a move stands there once")
	require.Equal(t, []int{3, 8}, []int{both[0].Of[0].Points, both[0].Of[1].Points}, "with what it brought everybody")
	require.Empty(t, large([]ranked{{Moves: at(3)}}))
}

func TestLettersAtTheEndsOfLinesAreWholeAndApart(t *testing.T) {
	for _, ends := range [][]float64{{plotTop, plotTop, plotTop, plotTop, plotTop}, {plotLow, plotLow},
		{plotTop, plotLow, plotTop + 5, plotLow}, {100, 101, 99}} {
		out := apart(ends)
		for i, a := range out {
			// 4 below the end of its line, 11 high
			require.GreaterOrEqual(t, a+4-11, 0., "%v: the letter of %d is cut", out, i)
			require.LessOrEqual(t, a, plotLow)
			for _, b := range out[:i] {
				require.GreaterOrEqual(t, max(a-b, b-a), 11.9, "%v", out)
			}
		}
	}
}
