package browser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Two of four cards: each choice is one press, where there is one, and the bar plays them.
func TestEachChoiceIsAPressAndTheBarOneMore(t *testing.T) {
	steps := func(words string) (list []domain.Step) {
		for _, w := range strings.Fields(words) {
			list = append(list, domain.Step{Key: w})
		}
		return list
	}
	var legal [][]domain.Step
	for _, three := range []string{"a b c", "a b d", "a c d", "b c d"} {
		legal = append(legal, steps(three))
	}
	for three, presses := range map[string]int{"a b c": 4, "a b d": 4, "a c d": 3, "b c d": 2} {
		require.Equal(t, presses, levels(steps(three), legal), three)
	}
	last := steps("b c d")
	last[0].Any = true
	require.Equal(t, 4, levels(last, legal), "in any order each is asked for")
	set := [][]domain.Step{steps("a b"), steps("a c")}
	set[0][1].Preset, set[1][1].Preset = 1, 2
	require.Equal(t, 3, levels(set[0], set))
	require.Equal(t, 2, levels(set[1], set), "the page has chosen it")
	rolls := []domain.Step{{Key: "roll", Press: domain.PressOnce}}
	require.Equal(t, 1, levels(rolls, [][]domain.Step{rolls}), "the bar plays it")
}
