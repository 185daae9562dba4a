package views_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestTheTablesWithADeadlineAreKnown(t *testing.T) {
	h := newHouse(t)
	h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo)) // a table without a clock
	starts := func(pace string) events.Name {
		ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), desk.NewTable{Rulebook: "tiny", Pace: pace,
			Clock:  domain.ClockOf(pace, domain.TimeOutRemind),
			Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)}})
		require.NoError(t, err)
		h.Joins(ana, ans.Table, 0)
		h.Joins(bo, ans.Table, 1)
		h.Follows(ans.Table)
		return ans.Table
	}
	slow, quick := starts("weekly"), starts("daily")
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
