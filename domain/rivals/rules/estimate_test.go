package rules

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rivals/table"
)

func TestTheTableOfWeightsIsRead(t *testing.T) {
	w, err := readWeights("points 1.5 -2\nin-turn 0.25 0\nheld-scout 3 4\n")
	require.NoError(t, err)
	scout := table.Scout.Row().Number
	require.Equal(t, weight{1.5, -2}, w.side[featurePoints])
	require.Equal(t, weight{3, 4}, w.held[scout])
	require.Equal(t, weight{0.25, 0}, w.inTurn)
	require.Zero(t, w.built[scout], "what the table leaves out counts nothing")

	for text, why := range map[string]string{
		"points 1\n":               "not a word and two weights",
		"points 1 x\n":             "points: ",
		"towers 1 2\n":             "no side is called towers",
		"built-castle 1 2\n":       "no side is called built-castle",
		"lost-scout 1 2\n":         "no side is called lost-scout",
		"points 1 2\npoints 1 2\n": "points stands twice",
	} {
		_, err := readWeights(text)
		require.ErrorContains(t, err, why)
	}
}

// Every side has its own word.
func TestTheSidesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range featureNames {
		require.NotEmpty(t, name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
}

// A line that says how a card counts in the introduction is about a card that can be in it.
func TestWhatIsWeighedIsInTheIntroduction(t *testing.T) {
	for _, row := range table.Table.Cards {
		if fitted.built[row.Number] != (weight{}) || fitted.held[row.Number] != (weight{}) {
			basic := slices.ContainsFunc(row.Copies, func(c table.Copies) bool { return c.Set == table.Basic })
			require.True(t, basic, row.ID)
		}
	}
}
