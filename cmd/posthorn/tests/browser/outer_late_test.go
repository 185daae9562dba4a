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

// whole reports whether tests play whole games with every move pressed in a browser. Otherwise they play only what
// occurs once: the beginning, the end, and what a test is about.
func whole() bool { return os.Getenv("POSTHORN_LONG") == "1" }

// late returns a position from a game between stand-ins, so that people need not press for minutes before it. It
// returns nil where they play the whole game.
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
