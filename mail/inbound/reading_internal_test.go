package inbound

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// A mail leaves out a letter that has no alternative, and older mails include it: both are valid answers.
func TestAMoveIsReadWithAndWithoutANeedlessLetter(t *testing.T) {
	v := vocabulary{mailed: list{moves: []turn.Named{
		{Name: "0,-4 a", Short: "0,-4", Move: "0,-4 0"}, {Name: "0,-4 b", Move: "0,-4 180"},
		{Name: "1,2 a a", Short: "1,2 a a", Move: "1,2 0 none"},
		{Name: "1,2 a b", Short: "1,2 a b", Move: "1,2 0 road"},
	}}}
	for text, move := range map[string][]domain.Move{
		"0,-4": {"0,-4 0"}, "0,-4 a": {"0,-4 0"}, "0,-4b": {"0,-4 180"}, " 0,-4 A ": {"0,-4 0"},
		"1,2ab": {"1,2 0 road"}, "1,2 a": nil, "1,2": nil,
	} {
		require.Equal(t, move, v.called(text, nil), text)
	}
}
