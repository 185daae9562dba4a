package show

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// The whole map lies in a corner where nothing can be put, clear of the tried tile.
func TestTheWholeMapCoversNoPlaceThatCanBeChosen(t *testing.T) {
	require.LessOrEqual(t, insetSide+insetGap, nearSide/2-HalfTile, "the tried tile is whole")
	d := boardDrawing{}
	for _, c := range []struct {
		other      string
		right, low float64
	}{{"0,0", 0, 1}, {"3,-2", 0, 1}, {"2,-1", 1, 1}, {"4,-1", 0, 0}, {"2,-3", 1, 0}, {"4,-3", 0, 1}} {
		d.sketch.Other = append(d.sketch.Other, domain.Spot{Key: c.other})
		right, low := d.corner(3, -2)
		require.Equal(t, [2]float64{c.right, c.low}, [2]float64{right, low}, "with %s", c.other)
	}
}
