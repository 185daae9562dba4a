package browser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Two of four cards: the page that asks for the second has its first option chosen already, and asks nothing if only
// one is left.
func TestWhatIsChangedOnTheWayIsPlayedByOnePressMore(t *testing.T) {
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
	for three, presses := range map[string]int{"a b c": 3, "a b d": 3, "a c d": 3, "b c d": 1} {
		require.Equal(t, presses, levels(steps(three), legal), three)
	}
	last := steps("b c d")
	last[0].Any = true
	require.Equal(t, 3, levels(last, legal), "in any order each is asked for")
	require.Equal(t, 2, levels(steps("a c"), [][]domain.Step{steps("a b"), steps("a c")}))
}
