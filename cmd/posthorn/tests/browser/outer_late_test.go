package browser

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
)

// whole reports whether people play whole games, every move of which is pressed in a browser. Else they play what there is only once:
// the beginning, the end, and what a test is about.
func whole() bool { return os.Getenv("POSTHORN_LONG") == "1" }

// late is a position of a game between stand-ins after so many moves, with which a table begins
// whose people would press for minutes. There is none where they play the whole game.
func late(t *testing.T, game string, choices domain.Choices, seats, moves int) []byte {
	t.Helper()
	if whole() {
		return nil
	}
	rb, ok := rulebooks.Named(game)
	require.True(t, ok)
	full, err := domain.Complete(rb, choices)
	require.NoError(t, err)
	line := domain.NewLine(rb, domain.NewThrowaway(7))
	e, _, err := line.Setup(domain.Game{Choices: full, Seats: seats})
	require.NoError(t, err)
	for line.Apply(&e); moves > 0; moves-- {
		require.NotEmpty(t, line.Awaited(), "it is over %d moves before", moves)
		seat := line.Awaited()[0].Seat
		move, ok := standin.Steady{}.Choose(standin.Look(rb, line.State, seat, uint64(moves)))
		require.True(t, ok)
		e, _, err = line.Decide(seat, move)
		require.NoError(t, err)
		line.Apply(&e)
	}
	text, err := json.Marshal(rb.View(line.State, domain.Referee))
	require.NoError(t, err)
	return text
}
