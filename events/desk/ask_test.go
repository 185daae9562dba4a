package desk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestAnAskIsStaleForWhatHasHappenedSince(t *testing.T) {
	h := desktest.New(t)
	table := h.Opens("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	asked := func(kind desk.AskKind, who domain.PersonID) desk.Ask {
		t.Helper()
		for _, a := range h.Sees(table).Asks() {
			if a.Kind == kind && a.Person == who {
				return a
			}
		}
		require.Fail(t, "nothing is asked", "%s of %s", kind, who)
		return desk.Ask{}
	}
	stale := func(a desk.Ask) desk.Stale { return h.Sees(table).Stale(a) }

	invited := asked(desk.AskInvitation, desktest.Bo)
	require.Equal(t, desk.StillAsked, stale(invited))
	h.Joins(desktest.Bo, table, 1)
	require.Equal(t, desk.StaleAnswered, stale(invited))
	h.Joins(desktest.Ana, table, 0)
	h.Follows(table)
	require.Equal(t, desk.StaleBegan, stale(invited))

	turn := asked(desk.AskTurn, desktest.Bo)
	require.Equal(t, desk.StillAsked, stale(turn))
	h.Plays(table, 1, "keep")
	require.Equal(t, desk.StalePlayed, stale(turn))
	h.Proposes(desktest.Ana, table, 1)
	consent := asked(desk.AskConsent, desktest.Bo)
	h.Plays(table, 0, "keep")
	require.Equal(t, desk.StaleLapsed, stale(consent), "a move refuses it")
	h.Rewinds(table, 1)
	require.Equal(t, desk.StaleRewound, stale(turn))
	why := func(a desk.Ask) desk.Stale {
		t.Helper()
		stale, err := h.Desk.Stale(h.Ctx, h.Sees(table), a)
		require.NoError(t, err)
		return stale
	}
	require.Equal(t, desk.StaleRewound, why(turn), "it was undone")
	again, then := asked(desk.AskTurn, desktest.Bo), asked(desk.AskTurn, desktest.Ana)
	require.Equal(t, desk.StillAsked, why(again))
	h.Plays(table, 1, "keep")
	h.Plays(table, 0, "keep")
	kept := h.Sees(table).Line.Version - 1
	h.Rewinds(table, kept)
	require.Equal(t, desk.StaleRewound, stale(again))
	require.Equal(t, desk.StalePlayed, why(again), "it still stands: the game went back to the moment after it")
	require.Equal(t, desk.StaleRewound, why(then), "what came after that is gone")
	require.Equal(t, desk.StaleRewound, why(turn))
	h.Rewinds(table, 1)
	require.Equal(t, desk.StaleRewound, why(again), "and so is this, once the game went back further")

	h.Resigns(desktest.Bo, table, 1)
	require.NotEmpty(t, h.Sees(table).Table.Due)
	for _, a := range []desk.Ask{turn, consent} {
		require.Equal(t, desk.StaleEnded, stale(a), "the end is decided")
	}
	h.Follows(table)
	for _, a := range []desk.Ask{turn, consent} {
		require.Equal(t, desk.StaleEnded, stale(a))
	}
	require.Equal(t, desk.StaleBegan, stale(invited))
}
