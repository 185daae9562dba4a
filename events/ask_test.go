package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAnAskIsMootForWhatHasHappenedSince(t *testing.T) {
	h := desktest.New(t)
	table := h.Opens("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	asked := func(kind events.AskKind, who domain.PersonID) events.Ask {
		t.Helper()
		for _, a := range h.Sees(table).Asks() {
			if a.Kind == kind && a.Person == who {
				return a
			}
		}
		require.Fail(t, "nothing is asked", "%s of %s", kind, who)
		return events.Ask{}
	}
	moot := func(a events.Ask) events.Stale { return h.Sees(table).Stale(a) }

	invited := asked(events.AskInvitation, desktest.Bo)
	require.Equal(t, events.StillAsked, moot(invited))
	h.Joins(desktest.Bo, table, 1)
	require.Equal(t, events.StaleAnswered, moot(invited))
	h.Joins(desktest.Ana, table, 0)
	h.Follows(table)
	require.Equal(t, events.StaleBegan, moot(invited))

	turn := asked(events.AskTurn, desktest.Bo)
	require.Equal(t, events.StillAsked, moot(turn))
	h.Plays(table, 1, "keep")
	require.Equal(t, events.StalePlayed, moot(turn))
	h.Proposes(desktest.Ana, table, 1)
	consent := asked(events.AskConsent, desktest.Bo)
	h.Plays(table, 0, "keep")
	require.Equal(t, events.StaleLapsed, moot(consent), "a move refuses it")
	h.Rewinds(table, 1)
	require.Equal(t, events.StaleRewound, moot(turn))
	why := func(a events.Ask) events.Stale {
		t.Helper()
		moot, err := h.Desk.Stale(h.Ctx, h.Sees(table), a)
		require.NoError(t, err)
		return moot
	}
	require.Equal(t, events.StaleRewound, why(turn), "it was undone")
	again, then := asked(events.AskTurn, desktest.Bo), asked(events.AskTurn, desktest.Ana)
	require.Equal(t, events.StillAsked, why(again))
	h.Plays(table, 1, "keep")
	h.Plays(table, 0, "keep")
	kept := h.Sees(table).Line.Version - 1
	h.Rewinds(table, kept)
	require.Equal(t, events.StaleRewound, moot(again))
	require.Equal(t, events.StalePlayed, why(again), "it still stands: the game went back to the moment after it")
	require.Equal(t, events.StaleRewound, why(then), "what came after that is gone")
	require.Equal(t, events.StaleRewound, why(turn))
	h.Rewinds(table, 1)
	require.Equal(t, events.StaleRewound, why(again), "and so is this, once the game went back further")

	h.Resigns(desktest.Bo, table, 1)
	require.NotEmpty(t, h.Sees(table).Table.Due)
	for _, a := range []events.Ask{turn, consent} {
		require.Equal(t, events.StaleEnded, moot(a), "the end is decided")
	}
	h.Follows(table)
	for _, a := range []events.Ask{turn, consent} {
		require.Equal(t, events.StaleEnded, moot(a))
	}
	require.Equal(t, events.StaleBegan, moot(invited))
}
