package show

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/catan/table"
)

func Test02NumbersRunInReadingOrder(t *testing.T) {
	for c := int8(1); c < table.CornerCount; c++ {
		a, b := cornerPoint(c-1), cornerPoint(c)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "intersections %d and %d", c-1, c)
	}
	for p := int8(1); p < table.PathCount; p++ {
		a, b := pathPoint(p-1), pathPoint(p)
		require.True(t, a.Y < b.Y-1 || a.X < b.X, "paths %d and %d", p-1, p)
	}
}

func TestPiecesLieWhereTheirNumbersAre(t *testing.T) {
	for p := range int8(table.PathCount) {
		a, b := cornerPoint(table.Isle.Ends[p][0]), cornerPoint(table.Isle.Ends[p][1])
		require.InDelta(t, hexSide, math.Hypot(a.X-b.X, a.Y-b.Y), 1e-9)
	}
	for h := range int8(table.HexCount) {
		for i, c := range table.Isle.Corners[h] {
			at := plus(hexCentre(h), hexCorner(i, hexSide))
			require.InDelta(t, at.X, cornerPoint(c).X, 1e-9)
			require.InDelta(t, at.Y, cornerPoint(c).Y, 1e-9)
		}
	}
}
