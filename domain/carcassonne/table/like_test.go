package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/carcassonne/table"
)

func TestATurnThatLooksLikeAnotherIsKnown(t *testing.T) {
	// What each of four turns looks like: all alike, alike in pairs, or all different.
	all, two := [4]int{}, [4]int{0, 1, 0, 1}
	known := map[string][4]int{"B": all, "C": all, "X": all, "F": two, "G": two, "H": two, "Hg": two, "U": two,
		"Ug": two, "RD": two, "RC": two, "RK": two}
	for i := range table.Tiles {
		id := table.TileID(i)
		want, ok := known[id.String()]
		if !ok {
			want = [4]int{0, 1, 2, 3}
		}
		for k, like := range want {
			require.Equal(t, like, id.Like(k), "%s turned %d times", id, k)
		}
	}
}
