package pages

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/projections/turn"
)

func TestWhatCannotBeSeenOfALineIsNotDrawn(t *testing.T) {
	short := []spot{{1, 2}, {1.2, 9}, {1.4, 2}}
	require.Equal(t, short, seen(short))

	var long []spot
	for i := range 10_000 {
		long = append(long, spot{plotLeft + (plotRight-plotLeft)*float64(i)/9999, 100 + 50*math.Sin(float64(i))})
	}
	out := seen(long)
	require.LessOrEqual(t, len(out), 4*(int(plotRight-plotLeft)+1))
	require.Equal(t, long[0], out[0])
	require.Equal(t, long[len(long)-1], out[len(out)-1])
	extremes := func(line []spot) map[int][2]float64 {
		m := map[int][2]float64{}
		for _, s := range line {
			e, ok := m[int(s.x)]
			if !ok {
				e = [2]float64{s.y, s.y}
			}
			m[int(s.x)] = [2]float64{min(e[0], s.y), max(e[1], s.y)}
		}
		return m
	}
	require.Equal(t, extremes(long), extremes(out), "it reaches as high and as low everywhere")
}

func TestAPlotOfALongGameIsNoLargerThanItCanBeSeen(t *testing.T) {
	size := func(moves int) int {
		var points []turn.Point
		for v := range moves {
			points = append(points, turn.Point{Version: uint64(v + 1), Scores: []int{v % 7, v % 5}})
		}
		svg := string(plot(points, []string{"Ana", "Bo"}, "points"))
		require.Equal(t, 2, strings.Count(svg, `<path class="l`))
		return len(svg)
	}
	require.LessOrEqual(t, size(100_000), 40_000)
	require.Less(t, size(100_000), size(1000)*2)
}
