package sketch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/sketch"
)

// pressed plays a press of the roller's, once the other has chosen.
func pressed(t *testing.T, text string) (moves []string, left string, p domain.Pressed, err error) {
	t.Helper()
	l := &sketch.Line{Luck: 9}
	line := begun(t, 1, l)
	state, err := line.Parse("keep", nil)
	require.NoError(t, err)
	other := domain.Seat(1)
	e, _, err := line.Decide(other, state)
	require.NoError(t, err)
	line.Apply(&e)
	now, at, p, err := new(sketch.Sketch).Press(l, line, 0, 0, text, "")
	if err != nil {
		return nil, "", p, err
	}
	require.Len(t, now.Plies, at)
	for _, ply := range now.Plies {
		moves = append(moves, ply.Move)
	}
	return moves, now.Waiting(at, 0), p, nil
}

func TestAPressGoesOnUntilSomethingElseIsAsked(t *testing.T) {
	moves, left, p, err := pressed(t, "Keep; roll")
	require.NoError(t, err)
	require.Equal(t, []string{"keep", "roll"}, moves)
	require.Equal(t, domain.Pressed{Made: 2}, p)
	require.Empty(t, left)

	moves, left, p, err = pressed(t, "keep; swap; peek B")
	require.NoError(t, err)
	refused(t, p.Why, "all-chose")
	require.Equal(t, []string{"keep"}, moves)
	require.Equal(t, "swap; peek B", left, "the dice come first")
	require.False(t, p.Dropped)

	moves, left, p, err = pressed(t, "keep; roll; peek A; swap")
	require.NoError(t, err)
	refused(t, p.Why, "known")
	require.Equal(t, []string{"keep", "roll"}, moves)
	require.True(t, p.Dropped, "one may peek, but not there")
	require.Empty(t, left)

	_, _, p, err = pressed(t, "roll; keep")
	refused(t, err, "not-all-chose")
	require.Zero(t, p.Made)
	_, _, _, err = pressed(t, "keep; dance")
	_, isRefusal := domain.AsRefusal(err)
	require.True(t, isRefusal, "a press is read whole before any of it is played: %v", err)
}
