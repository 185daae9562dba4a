package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rivals/table"
)

func TestTheTableOfWeightsIsRead(t *testing.T) {
	w, err := readWeights("points 1.5 -2\nin-turn 0.25 0\nheld-scout 3 4\n")
	require.NoError(t, err)
	require.InDelta(t, 1.5, w.side[0][sidePoints], 0)
	require.InDelta(t, -2, w.side[1][sidePoints], 0)
	require.InDelta(t, 4, w.side[1][sideHeld+table.Scout.Row().Number], 0)
	require.Equal(t, [2]float64{0.25, 0}, w.inTurn)

	for text, why := range map[string]string{
		"points 1\n":               "not a word and two weights",
		"points 1 x\n":             "points: ",
		"towers 1 2\n":             "no side is called towers",
		"points 1 2\npoints 1 2\n": "points stands twice",
	} {
		_, err := readWeights(text)
		require.ErrorContains(t, err, why)
	}
}

// Every side has its own word, and the cards with their own sides are those of the introduction.
func TestTheSidesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range sideNames {
		require.NotEmpty(t, name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
	for c, p := range table.Printings[1:] {
		if p.Set == table.Basic && p.Row.Kind != table.EventCard {
			require.Less(t, p.Row.Number, introCards, table.Card(c+1).Name())
		}
	}
}
