package desk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The house's own commands are under ids that follow from their words: another word, and a server that takes over does
// again what was done.
func TestTheWishesOfTheHouseStayAsTheyAre(t *testing.T) {
	for wish, c := range map[string]Command{"start": start{}, "lapse": lapse{7}, "finish": finish{}, "unseal": unseal{},
		"open-line": openLine{}} {
		require.Equal(t, wish, c.Row().Wish)
	}
}
