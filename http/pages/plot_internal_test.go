package pages

import (
	"fmt"
	"math"
	"regexp"
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

// A score below nothing falls below the line of nought, which is drawn, and the scale names how far.
func TestAScoreBelowNothingIsDrawnWhereItIs(t *testing.T) {
	at := func(low int) string {
		return string(plot([]turn.Point{{Version: 1, Scores: []int{0, 4}}, {Version: 2, Scores: []int{low, 4}}},
			[]string{"Ana", "Bo"}, "points"))
	}
	svg := at(-6)
	line := regexp.MustCompile(`<path class="l0" d="M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)"`).FindStringSubmatch(svg)
	require.NotNil(t, line, svg)
	require.NotEqual(t, line[1], line[2], "it goes down")
	require.Equal(t, fmt.Sprintf("%.1f", plotLow), line[2], "to the lowest of all")
	nought := regexp.MustCompile(`<path class="nought" d="M[\d.]+ ([\d.]+)H`).FindStringSubmatch(svg)
	require.NotNil(t, nought, svg)
	require.Equal(t, line[1], nought[1])
	require.Contains(t, svg, ">−6</text>", "the scale names it")
	require.Contains(t, svg, "<title>Ana: −6</title>")
	require.NotContains(t, at(0), "nought", "a plot without has its floor there")
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
