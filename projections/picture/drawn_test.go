package picture

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// The cache key of a symbol is where its shapes lie: another symbol of the same name is a different one.
func TestSymbolsOfOneNameAreToldApart(t *testing.T) {
	scene := func(fill uint32, size float64) domain.Scene {
		return domain.Scene{W: 100, H: 100, Symbols: []domain.Symbol{
			{ID: "s", X: -size, Y: -size, W: 2 * size, H: 2 * size,
				Shapes: []domain.Shape{{Path: domain.Rect(-40, -40, 80, 80), Fill: domain.RGB(fill)}}},
		}, Shapes: []domain.Shape{{Use: "s", At: domain.Point{X: 50, Y: 50}}}}
	}
	drawn := func(s domain.Scene) string {
		var svg bytes.Buffer
		require.NoError(t, SVG(&svg, s, SVGOptions{}))
		file, err := PNG(s, PNGOptions{Width: 320, Scale: 1})
		require.NoError(t, err)
		return svg.String() + string(file)
	}
	red, blue := scene(0xFF0000, 40), scene(0x0000FF, 40)
	require.Equal(t, drawn(red), drawn(red))
	require.Equal(t, drawn(red), drawn(scene(0xFF0000, 40)))
	require.NotEqual(t, drawn(red), drawn(blue))
	require.NotEqual(t, drawn(red), drawn(scene(0xFF0000, 20)), "its box cuts it")
	// the same shapes in another box
	cut := red
	cut.Symbols = slices.Clone(red.Symbols)
	cut.Symbols[0].X, cut.Symbols[0].W = -20, 40
	require.NotEqual(t, drawn(red), drawn(cut))
}

// A symbol in which something is pressed, named or used is written again for each page.
func TestWhatDependsOnThePageIsNotKept(t *testing.T) {
	for name, inner := range map[string]domain.Shape{
		"a title": {Group: []domain.Shape{{Path: domain.Rect(0, 0, 5, 5), Fill: domain.RGB(1)}},
			Title: domain.S("who")},
		"a spot": {Path: domain.Rect(0, 0, 5, 5), Fill: domain.RGB(1), Spot: "here"},
		"a use":  {Use: "other"},
	} {
		s := domain.Scene{W: 10, H: 10,
			Symbols: []domain.Symbol{{ID: "s", W: 9, H: 9, Shapes: []domain.Shape{{Group: []domain.Shape{inner}}}},
				{ID: "other", W: 3, H: 3, Shapes: []domain.Shape{
					{Path: domain.Rect(0, 0, 3, 3), Fill: domain.RGB(2)}}}},
			Shapes: []domain.Shape{{Use: "s"}}}
		page := func(prefix string) string {
			var svg bytes.Buffer
			require.NoError(t, SVG(&svg, s,
				SVGOptions{Prefix: prefix, Words: func(domain.Say) string { return prefix + "said" },
					Link: func(spot string) (string, string) { return "/" + prefix + spot, prefix }}))
			return svg.String()
		}
		require.NotContains(t, page("one-"), "two-", name)
		require.NotContains(t, page("two-"), "one-", name)
	}
}
