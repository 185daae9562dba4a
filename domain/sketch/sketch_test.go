package sketch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/domain/sketch"
)

// begun returns a game of two at its first decision, as seat A would sketch it.
func begun(t *testing.T, seed uint64, l *sketch.Line) *domain.Line {
	t.Helper()
	line := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(seed))
	full, err := domain.Complete(tiny.Rulebook, nil)
	require.NoError(t, err)
	e, _, err := line.Setup(domain.Game{Choices: full, Seats: 2})
	require.NoError(t, err)
	line.Apply(&e)
	l.Begin(line)
	return line
}

func refused(t *testing.T, err error, code string) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, r.Code)
}

// A sketch's deal is the same every time somebody looks at it, and keeps the seat's own hand.
func TestASketchBeginsTheSameEveryTime(t *testing.T) {
	own := &sketch.Line{Luck: 9}
	see := func(line *domain.Line, v domain.Viewer) domain.View { return tiny.Rulebook.View(line.State, v) }
	require.Equal(t, see(begun(t, 1, own), domain.Referee), see(begun(t, 1, own), domain.Referee))
	real := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	full, err := domain.Complete(tiny.Rulebook, nil)
	require.NoError(t, err)
	e, _, err := real.Setup(domain.Game{Choices: full, Seats: 2})
	require.NoError(t, err)
	real.Apply(&e)
	require.Equal(t, see(real, 0), see(begun(t, 1, own), 0), "what the seat knows")
	other := map[string]bool{}
	for luck := range uint64(20) {
		other[string(tiny.Rulebook.Draw(see(begun(t, 1, &sketch.Line{Luck: luck}), 1), domain.Sketch{})[0].Text)] = true
	}
	require.Greater(t, len(other), 1, "what it does not know is dealt afresh")
}

func TestALineIsPlayedAgainUpToWhatCannotBe(t *testing.T) {
	l := &sketch.Line{Luck: 3, Plies: []sketch.Ply{{Seat: 0, Move: "keep"}, {Seat: 1, Move: "keep"},
		{Seat: 1, Move: "keep"}}}
	told := 0
	n, err := l.Replay(begun(t, 1, l), 0, 3, func(sketch.Ply, *domain.Event) { told++ })
	require.Equal(t, 2, n)
	require.Equal(t, 2, told)
	_, ok := domain.AsRefusal(err)
	require.True(t, ok)
	n, err = l.Replay(begun(t, 1, l), 0, 1, nil)
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// The roll may be dictated, or drawn again as often as somebody asks.
func TestLuckIsDictatedOrAskedForAgain(t *testing.T) {
	roll := func(p sketch.Ply) string {
		l := &sketch.Line{Luck: 3, Plies: []sketch.Ply{{Seat: 0, Move: "keep"}, {Seat: 1, Move: "keep"}, p}}
		line := begun(t, 1, l)
		_, err := l.Replay(line, 0, 2, nil)
		require.NoError(t, err)
		l.Plies[2].Seat = line.Awaited()[0].Seat
		text := ""
		_, err = l.Replay(line, 2, 3, func(_ sketch.Ply, e *domain.Event) {
			for _, s := range tiny.Rulebook.Tell(e, nil) {
				text += fmt.Sprint(s) // fmt prints its arguments in order
			}
		})
		require.NoError(t, err)
		return text
	}
	seen := map[string]bool{}
	for again := range 30 {
		seen[roll(sketch.Ply{Move: "roll", Again: again})] = true
	}
	require.Greater(t, len(seen), 1)
	kind := tiny.Rulebook.ChanceKinds()[0]
	one := roll(sketch.Ply{Move: "roll", Chance: kind + " 5"})
	for again := range 5 {
		require.Equal(t, one, roll(sketch.Ply{Move: "roll", Chance: kind + " 5", Again: again}))
	}
	l := &sketch.Line{}
	line := begun(t, 1, l)
	_, err := l.Try(line, 0, sketch.Ply{Seat: 0, Move: "keep", Chance: "weather rain"})
	refused(t, err, "sketch-chance")
}

func TestAMoveElsewhereBeginsAnotherLine(t *testing.T) {
	s := &sketch.Sketch{}
	first, err := s.Add(sketch.Line{Name: "mine"})
	require.NoError(t, err)
	keep, swap := sketch.Ply{Move: "keep"}, sketch.Ply{Move: "swap"}
	for i, p := range []sketch.Ply{keep, keep} {
		first, err = s.Play(first, i, p)
		require.NoError(t, err)
	}
	same, err := s.Play(first, 0, keep)
	require.NoError(t, err)
	require.Equal(t, 1, same.ID)
	require.Len(t, same.Plies, 2)
	other, err := s.Play(s.Find(1), 1, swap)
	require.NoError(t, err)
	require.Equal(t, 2, other.ID)
	require.Empty(t, other.Name)
	require.Equal(t, []sketch.Ply{keep, swap}, other.Plies)
	require.Equal(t, []sketch.Ply{keep, keep}, s.Find(1).Plies)
	require.Equal(t, 2, s.Last)
	s.Drop(2)
	require.Equal(t, 1, s.Last)
	third, err := s.Add(sketch.Line{})
	require.NoError(t, err)
	require.Equal(t, 3, third.ID, "no number comes again")
	for len(s.Lines) < sketch.MaxLines {
		_, err = s.Add(sketch.Line{})
		require.NoError(t, err)
	}
	_, err = s.Add(sketch.Line{})
	refused(t, err, "sketch-many")
	long := s.Find(1)
	for i := len(long.Plies); i < sketch.MaxPlies; i++ {
		long, err = s.Play(long, i, keep)
		require.NoError(t, err)
	}
	_, err = s.Play(long, sketch.MaxPlies, keep)
	refused(t, err, "sketch-long")
}
