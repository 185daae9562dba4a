package domain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

// newLine returns a line of the tiny game for two, set up.
func newLine(t testing.TB) *domain.Line {
	t.Helper()
	l := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	choices, err := domain.Complete(tiny.Rulebook, nil)
	require.NoError(t, err)
	e, luck, err := l.Setup(domain.Game{Choices: choices, Seats: 2})
	require.NoError(t, err)
	require.Equal(t, domain.Nobody, e.Seat)
	require.NotEmpty(t, e.Draws)
	l.Luck.Commit(luck)
	l.Apply(&e)
	return l
}

// plays applies a move, or returns its refusal.
func plays(t testing.TB, l *domain.Line, seat domain.Seat, text string) *domain.Refusal {
	t.Helper()
	m, err := l.Parse(text, nil)
	require.NoError(t, err)
	e, luck, err := l.Decide(seat, m)
	if err != nil {
		r, ok := domain.AsRefusal(err)
		require.True(t, ok, "%v", err)
		return r
	}
	l.Luck.Commit(luck)
	l.Apply(&e)
	return nil
}

func truth(t testing.TB, l *domain.Line) string {
	t.Helper()
	b, err := json.Marshal(l.Rulebook.View(l.State, domain.Referee))
	require.NoError(t, err)
	return string(b)
}

func open(l *domain.Line) map[domain.Seat]uint64 {
	since := map[domain.Seat]uint64{}
	for _, o := range l.Awaited() {
		since[o.Seat] = o.Since
	}
	return since
}

func TestBeforeItsFirstEventALineAwaitsNobody(t *testing.T) {
	l := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	require.Empty(t, l.Awaited())
	require.Zero(t, l.Version)
	require.Equal(t, "not-started", plays(t, l, 0, "keep").Code)
}

func TestADecisionIsAwaitedSinceWhatBroughtItUp(t *testing.T) {
	l := newLine(t)
	require.Equal(t, map[domain.Seat]uint64{0: 1, 1: 1}, open(l))

	require.Nil(t, plays(t, l, 0, "keep"))
	require.Equal(t, map[domain.Seat]uint64{1: 1}, open(l), "Bo has been awaited all the time")

	require.Nil(t, plays(t, l, 1, "keep"))
	require.Equal(t, map[domain.Seat]uint64{0: 3}, open(l), "the roll came up with the second choice")

	require.Nil(t, plays(t, l, 0, "roll"))
	require.Equal(t, map[domain.Seat]uint64{0: 4, 1: 4}, open(l), "the same kinds again, but new decisions")
}

func TestOpeningAForkAwaitsEveryDecisionAnew(t *testing.T) {
	l := newLine(t)
	require.Nil(t, plays(t, l, 0, "keep"))
	before := truth(t, l)
	l.Skip()
	require.Equal(t, uint64(3), l.Version)
	require.Equal(t, map[domain.Seat]uint64{1: 3}, open(l))
	require.Equal(t, before, truth(t, l), "nothing of the game has changed")
}

func TestASeatNotAwaitedIsRefusedWithoutTheRulebook(t *testing.T) {
	l := newLine(t)
	require.Nil(t, plays(t, l, 0, "keep"))
	require.False(t, l.Awaits(0))
	require.Equal(t, "not-awaited", plays(t, l, 0, "keep").Code)
}

func TestDecidingChangesNothing(t *testing.T) {
	l := newLine(t)
	before := truth(t, l)
	m, err := l.Parse("swap", nil)
	require.NoError(t, err)
	first, _, err := l.Decide(0, m)
	require.NoError(t, err)
	second, _, err := l.Decide(0, m)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, before, truth(t, l))
	require.Equal(t, uint64(1), l.Version)
	require.Equal(t, "swap", first.Move)
	require.Equal(t, domain.Seat(0), first.Seat)
}

func TestDrawsGoOnAfterThoseThatWereFolded(t *testing.T) {
	l := newLine(t)
	for _, seat := range []domain.Seat{0, 1} {
		require.Nil(t, plays(t, l, seat, "keep"))
	}
	for round := range uint64(2) {
		m, err := l.Parse("roll", nil)
		require.NoError(t, err)
		e, _, err := l.Decide(domain.Seat(round), m)
		require.NoError(t, err)
		require.Equal(t, []domain.Draw{{Purpose: "die", K: round, Size: 6}}, e.Draws)
		l.Apply(&e)
		require.Nil(t, plays(t, l, 0, "keep"))
		require.Nil(t, plays(t, l, 1, "keep"))
	}
}

func TestALineFoldedFromEventsGoesOnAsThePlayedOne(t *testing.T) {
	played := newLine(t)
	folded := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	choices, _ := domain.Complete(tiny.Rulebook, nil)
	first, _, err := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1)).
		Setup(domain.Game{Choices: choices, Seats: 2})
	require.NoError(t, err)
	folded.Apply(&first)
	for _, step := range []struct {
		seat domain.Seat
		text string
	}{{1, "swap"}, {0, "peek B"}, {0, "roll"}, {0, "swap"}, {1, "keep"}, {1, "roll"}} {
		m, err := played.Parse(step.text, nil)
		require.NoError(t, err)
		e, _, err := played.Decide(step.seat, m)
		require.NoError(t, err)
		again, _, err := folded.Decide(step.seat, m)
		require.NoError(t, err)
		require.Equal(t, e, again, "the same luck, though one line never decided before")
		played.Apply(&e)
		folded.Apply(&e)
		require.Equal(t, truth(t, played), truth(t, folded))
		require.Equal(t, played.Awaited(), folded.Awaited())
	}
}

func TestACopyOfALineGoesItsOwnWay(t *testing.T) {
	l := newLine(t)
	l.Luck.Dictate("die", domain.Outcome{Words: "6", Line: 1})
	before, awaited := truth(t, l), l.Awaited()
	c := l.Clone()
	for _, move := range []struct {
		seat domain.Seat
		text string
	}{{0, "swap"}, {1, "swap"}, {0, "roll"}} {
		require.Nil(t, plays(t, c, move.seat, move.text))
	}
	require.Contains(t, truth(t, c), `"die":6`)
	require.Equal(t, before, truth(t, l))
	require.Equal(t, awaited, l.Awaited())
	require.Equal(t, uint64(1), l.Version)

	require.Nil(t, plays(t, l, 0, "keep"))
	require.Nil(t, plays(t, l, 1, "keep"))
	require.Nil(t, plays(t, l, 0, "roll"))
	require.Contains(t, truth(t, l), `"die":6`, "the copy did not use up the outcome")
}

func TestAnOutcomeThatCannotBeIsNoRefusal(t *testing.T) {
	l := newLine(t)
	l.Luck.Dictate("die", domain.Outcome{Words: "7", Line: 12})
	require.Nil(t, plays(t, l, 0, "keep"))
	require.Nil(t, plays(t, l, 1, "keep"))
	m, err := l.Parse("roll", nil)
	require.NoError(t, err)
	_, _, err = l.Decide(0, m)
	var impossible *domain.Impossible
	require.ErrorAs(t, err, &impossible)
	require.Equal(t, 12, impossible.Line)
}

func TestWhatCannotBeReadIsARefusal(t *testing.T) {
	_, err := newLine(t).Parse("what now", nil)
	r, ok := domain.AsRefusal(err)
	require.True(t, ok)
	require.Equal(t, "unreadable", r.Code)
}

func BenchmarkLine(b *testing.B) {
	b.ReportAllocs()
	l := newLine(b)
	m, err := l.Parse("keep", nil)
	require.NoError(b, err)
	e, _, err := l.Decide(0, m)
	require.NoError(b, err)
	for range b.N {
		l.Apply(&e)
	}
}

// awaiting is a game that awaits what a test says.
type awaiting struct {
	domain.Rulebook
	now *string
}

// Awaited reads decisions such as "A1 B2": a seat and a serial number.
func (g awaiting) Awaited(domain.State) (list []domain.Decision) {
	for _, d := range strings.Fields(*g.now) {
		list = append(list, domain.Decision{Seat: domain.Seat(d[0] - 'A'), Kind: "turn", Serial: int(d[1] - '0')})
	}
	return list
}

func (awaiting) Evolve(domain.State, *domain.Event) {}

func TestADecisionComesBackOnceOthersHaveAnswered(t *testing.T) {
	for name, steps := range map[string][]struct {
		mover, awaited string
		again          map[domain.Seat]uint64
	}{
		"the last of them": {{"A", "A1 B2 C2", nil}, {"B", "A1 C2", nil}, {"C", "A1", map[domain.Seat]uint64{0: 4}}},
		"until its seat moves": {{"A", "A1 B2", nil}, {"B", "A1", map[domain.Seat]uint64{0: 3}}, {"A", "A1", nil},
			{"A", "A1 B3", nil}, {"B", "A1", map[domain.Seat]uint64{0: 6}}},
		"while its seat asks again": {{"A", "A1 B2", nil}, {"B", "A1", map[domain.Seat]uint64{0: 3}},
			{"A", "A1 B3", nil},
			{"B", "A1", map[domain.Seat]uint64{0: 5}}},
		"not by its seat's own move":      {{"A", "A1 B2", nil}, {"A", "A1", nil}},
		"not beside something new":        {{"A", "A1 B2", nil}, {"B", "A1 A3", nil}, {"A", "A1", nil}},
		"not where all answer at once":    {{"A", "B1 C1", nil}, {"B", "C1", nil}},
		"not if nothing was asked for it": {{"@", "A1 B1", nil}, {"B", "A1 B2", nil}, {"B", "A1", nil}},
		"nor as a new decision":           {{"A", "B2", nil}, {"B", "A3", nil}},
		"after the question went on": {{"A", "A1 B2", nil}, {"B", "A1 C3", nil},
			{"C", "A1", map[domain.Seat]uint64{0: 4}}},
	} {
		t.Run(name, func(t *testing.T) {
			now := "A1"
			if steps[0].mover == "@" { // nobody: the first event
				now, steps = steps[0].awaited, steps[1:]
			}
			l := domain.NewLine(awaiting{tiny.Rulebook, &now}, domain.NewThrowaway(1))
			l.Apply(&domain.Event{Seat: domain.Nobody})
			for i, s := range steps {
				now = s.awaited
				before := l.Clone()
				l.Apply(&domain.Event{Seat: domain.Seat(s.mover[0] - 'A')})
				got := map[domain.Seat]uint64{}
				for seat := range domain.Seat(3) {
					if v := l.Again(seat); v > 0 {
						got[seat] = v
					}
				}
				if s.again == nil {
					s.again = map[domain.Seat]uint64{}
				}
				require.Equal(t, s.again, got, "step %d", i+1)
				require.Equal(t, l.Version-1, before.Version)
			}
			for _, o := range l.Awaited() {
				if o.Seat == 0 && o.Serial == 1 {
					require.Equal(t, uint64(1), o.Since, "it is the same decision, whose links are good")
				}
			}
			l.Skip()
			require.Zero(t, l.Again(0), "a fork asks everything anew")
		})
	}
}
