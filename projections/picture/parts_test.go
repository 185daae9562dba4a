package picture

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestARowFallsIntoPartsEachOfWhichHasWhatLiesThere(t *testing.T) {
	at := func(x, w float64) domain.Shape { return domain.Shape{Path: domain.Rect(x, 0, w, 5), Fill: 1} }
	row := domain.Scene{X: 3, W: 30, H: 8, Ground: 7, Symbols: []domain.Symbol{{ID: "a", W: 4, H: 4}},
		Shapes: []domain.Shape{at(4, 8), at(14, 8), {Use: "a", At: domain.Point{X: 25}},
			{Group: []domain.Shape{at(0, 2)}, At: domain.Point{X: 6}}, at(13.5, 3), {}}}
	parts := Parts(row, 10)
	require.Len(t, parts, 3)
	var many []int
	for i, p := range parts {
		require.Equal(t, []float64{3 + 10*float64(i), 0, 10, 8}, []float64{p.X, p.Y, p.W, p.H})
		require.Equal(t, row.Ground, p.Ground)
		require.Equal(t, row.Symbols, p.Symbols, "what is drawn once can be used by all")
		many = append(many, len(p.Shapes))
	}
	require.Equal(t, []int{3, 2, 1}, many)
	require.Len(t, Parts(domain.Scene{W: 4}, 10), 1)
}
