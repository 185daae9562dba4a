package views_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/projections/views"
)

// timed starts a game with deadlines.
func timed(h *desktest.House, pace string) events.Name {
	h.T.Helper()
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "tiny", Pace: pace,
		Clock:  domain.ClockOf(pace, domain.TimeOutRemind),
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)}})
	require.NoError(h.T, err)
	h.Joins(ana, ans.Table, 0)
	h.Joins(bo, ans.Table, 1)
	h.Follows(ans.Table)
	return ans.Table
}

func TestTheTablesWithADeadlineAreKnown(t *testing.T) {
	h := newHouse(t)
	h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo)) // a table without a clock
	slow, quick := timed(h.House, "weekly"), timed(h.House, "daily")
	h.follows()
	h.caughtUp()
	due := h.Sees(quick).NextDeadline()
	require.False(t, due.IsZero())

	tables, next, pos, err := h.views.Due(h.Ctx, due.Add(-time.Second))
	require.NoError(t, err)
	require.Empty(t, tables)
	require.Equal(t, due, next)
	require.Equal(t, h.views.Position(), pos)
	tables, next, _, err = h.views.Due(h.Ctx, due)
	require.NoError(t, err)
	require.Equal(t, []events.Name{quick}, tables)
	require.Equal(t, h.Sees(slow).NextDeadline(), next)
	tables, next, _, err = h.views.Due(h.Ctx, due.Add(1000*time.Hour))
	require.NoError(t, err)
	require.Equal(t, []events.Name{quick, slow}, tables)
	require.Zero(t, next)

	for _, it := range h.inbox(ana) {
		if it.Table == quick {
			require.Equal(t, due, it.Awaited[0].Due)
		}
	}
	h.Plays(quick, 0, "keep")
	h.Plays(quick, 1, "keep")
	h.Ends(quick)
	h.Follows(quick)
	h.caughtUp()
	tables, _, _, err = h.views.Due(h.Ctx, due.Add(1000*time.Hour))
	require.NoError(t, err)
	require.Equal(t, []events.Name{slow}, tables, "a game that has ended has no deadlines")
}

// Given a decision of a day, then it is known when half of its time has passed, and when a tenth is left; also once the
// views are made anew, and until it is taken.
func TestItIsKnownWhenToRemindWhom(t *testing.T) {
	h := newHouse(t)
	table := timed(h.House, "daily")
	h.follows()
	h.caughtUp()
	a := h.Sees(table).Asks()[0]
	opened, err := events.LoadOne(h.Ctx, h.Log(), a.Stream, a.Open.Since)
	require.NoError(t, err)
	parts := func(from, to time.Duration) (out []string) {
		list, err := h.views.Reminders(h.Ctx, a.Due.Add(from), a.Due.Add(to))
		require.NoError(t, err)
		for _, r := range list {
			require.Equal(t, views.Reminder{Table: table, Person: r.Person, Due: a.Due, Part: r.Part,
				Open: h.Sees(table).Asks()[len(out)%2].Open}, r)
			out = append(out, r.Part)
		}
		return out
	}
	check := func() {
		half, tenth, err := h.Reminders(h.Ctx, h.Sees(table), a, opened.At)
		require.NoError(t, err)
		require.InDelta(t, 12, a.Due.Sub(half).Hours(), 1)
		require.InDelta(t, 2.4, a.Due.Sub(tenth).Hours(), 1)
		require.Empty(t, parts(-48*time.Hour, half.Sub(a.Due)-time.Millisecond))
		require.Equal(t, []string{"half", "half"}, parts(-48*time.Hour, half.Sub(a.Due)))
		require.Empty(t, parts(half.Sub(a.Due), tenth.Sub(a.Due)-time.Millisecond), "each once")
		require.Equal(t, []string{"tenth", "tenth"}, parts(half.Sub(a.Due), tenth.Sub(a.Due)))
		require.Equal(t, []string{"tenth", "tenth"}, parts(-48*time.Hour, tenth.Sub(a.Due)), "of both the later")
		require.Empty(t, parts(-48*time.Hour, 0), "nobody is reminded of a time that is over")
	}
	check()
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	check()
	h.Plays(table, 0, "keep")
	h.caughtUp()
	require.Len(t, parts(-48*time.Hour, -time.Hour), 1)
}
