package mail

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheMailboxSaysATablesTitleOnce(t *testing.T) {
	require.Equal(t, "A new link to your seat", headed("A new link to your seat: Carcassonne: Ana, Bo", "Carcassonne: Ana, Bo #49828f"))
	require.Equal(t, "Your turn: roll the dice.", headed("Your turn: roll the dice.", "Catan: Ana #9289de"))
}
