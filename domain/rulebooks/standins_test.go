package rulebooks_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
)

// A stand-in makes the same choice in two worlds that look the same to its seat: the real one, and one in which
// everything the seat does not know was dealt afresh.
func TestStandInsChooseAlikeInWorldsThatLookAlike(t *testing.T) {
	if rulebooks.Watched {
		t.Skip("a stand-in starts no goroutine, and nothing runs beside it here: make test has this " +
			"without the race detector")
	}
	compared := 0
	for _, rb := range rulebooks.All() {
		t.Run(rb.Name(), func(t *testing.T) {
			differed := 0
			for seed := range uint64(2) {
				line := begun(t, rb, seed)
				for n := uint64(0); len(line.Awaited()) > 0 && n < 40; n++ {
					seat := line.Awaited()[0].Seat
					if n%20 == 19 {
						compared++
						differed += alike(t, line, seat, seed<<8+n)
					}
					m, ok := standin.Steady{}.Choose(standin.Look(rb, line.State, seat, n))
					require.True(t, ok)
					e, _, err := line.Decide(seat, m)
					require.NoError(t, err)
					line.Apply(&e)
				}
			}
			t.Logf("%d of the positions had something hidden", differed)
		})
	}
	require.Greater(t, compared, 10)
}

// begun returns a line after its first event.
func begun(t *testing.T, rb domain.Rulebook, seed uint64) *domain.Line {
	t.Helper()
	choices, err := domain.Complete(rb, nil)
	require.NoError(t, err)
	least, _ := rb.Seats(choices)
	line := domain.NewLine(rb, domain.NewThrowaway(seed))
	e, _, err := line.Setup(domain.Game{Choices: choices, Seats: max(2, least)})
	require.NoError(t, err)
	line.Apply(&e)
	return line
}

// alike compares what every stand-in does in both worlds; it returns 1 if the worlds differ.
func alike(t *testing.T, line *domain.Line, seat domain.Seat, seed uint64) int {
	t.Helper()
	rb, other := line.Rulebook, line.Rulebook.Clone(line.State)
	luck := domain.NewThrowaway(seed + 1).Begin()
	e := rb.Blind(other, domain.ViewOf(seat), luck)
	e.Seat, e.Draws = domain.Nobody, luck.Used()
	rb.Evolve(other, &e)
	for _, who := range standin.All() {
		a, ok := who.Choose(standin.Look(rb, line.State, seat, seed))
		require.True(t, ok)
		b, ok := who.Choose(standin.Look(rb, other, seat, seed))
		require.True(t, ok)
		require.Equal(t, rb.FormatMove(a, nil), rb.FormatMove(b, nil), "%s of seat %s", who.Name(), seat.Letter())
	}
	truth, err := json.Marshal(rb.View(line.State, domain.Referee))
	require.NoError(t, err)
	dealt, err := json.Marshal(rb.View(other, domain.Referee))
	require.NoError(t, err)
	if string(truth) != string(dealt) {
		return 1
	}
	return 0
}
