package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/projections/turn"
)

func TestStocksAddUpWhatEverybodyHadOfAllKinds(t *testing.T) {
	level := func(version uint64, n int) turn.Level { return turn.Level{Version: version, N: n} }
	wool := turn.Good{Held: [][]turn.Level{{level(1, 2), level(4, 0)}, {level(1, 0), level(3, 5)}}}
	ore := turn.Good{Held: [][]turn.Level{{level(1, 1), level(4, 7)}, {level(1, 1)}}}
	want := []turn.Point{{Version: 1, Scores: []int{3, 1}}, {Version: 3, Scores: []int{3, 6}},
		{Version: 4, Scores: []int{7, 6}}, {Version: 9, Scores: []int{7, 6}}}
	require.Equal(t, want, stocks([]turn.Good{wool, ore}, 9))
	require.Equal(t, want[:3], stocks([]turn.Good{wool, ore}, 4))
}
