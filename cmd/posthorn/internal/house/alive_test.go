package house

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// Given a house that was down for longer than a deadline had left, when it starts again, then the deadline moves by
// that time before anything follows from it.
func TestAHouseThatWasDownGivesBackTheTime(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), patient)
	defer stop()
	cfg := Settings{Settings: folder.Settings{Data: t.TempDir()}, Listen: "127.0.0.1:0", From: "posthorn@localhost",
		Opening: "anyone"}
	h, err := Open(ctx, cfg, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	require.True(t, h.clock().Lived.IsZero(), "it was never up")
	require.NoError(t, h.alive(time.Now()))
	var places []domain.TablePlace
	for _, a := range []people.Address{"ana@example.org", "bo@example.org"} {
		p, err := h.People.Ensure(ctx, a, "en")
		require.NoError(t, err)
		places = append(places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{p.ID}})
	}
	by := func(seat int) events.Actor {
		return events.Actor{Person: places[seat].Invited[0], Door: domain.DoorHost}
	}
	ans, err := h.Desk.Open(ctx, by(0), events.NewCommandID(),
		desk.NewTable{Rulebook: "carcassonne", Pace: "daily", Places: places,
			Clock: domain.ClockOf("daily", domain.TimeOutLost)})
	require.NoError(t, err)
	for seat := range places {
		_, err = h.Desk.Do(ctx, by(seat), ans.Table, events.NewCommandID(),
			desk.Join{Seat: domain.Seat(seat), Chance: make([]byte, domain.MinContribution)})
		require.NoError(t, err)
	}
	_, err = h.Desk.Advance(ctx, ans.Table)
	require.NoError(t, err)
	look, err := h.Desk.Look(ctx, ans.Table)
	require.NoError(t, err)
	before, last := look.NextDeadline(), look.TableHead.Version
	require.False(t, before.IsZero())
	down := time.Now().Add(-30 * time.Hour)
	require.NoError(t, os.Chtimes(h.Path("alive"), down, down))

	serving, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(serving) }()
	for look.TableHead.Version == last {
		pos, err := h.Log.Last(ctx)
		require.NoError(t, err)
		if look, err = h.Desk.Look(ctx, ans.Table); err == nil && look.TableHead.Version == last {
			err = h.Log.Wait(ctx, pos)
		}
		require.NoError(t, err)
	}
	for time.Since(h.clock().Lived) > time.Hour { // set once everything has moved
		select {
		case err := <-ended:
			require.NoError(t, err, "the house stopped before it noted that it was up")
		case <-time.After(5 * time.Millisecond):
		}
	}
	end()
	require.NoError(t, <-ended)
	entries, err := h.Desk.TableHistory(ctx, ans.Table, last)
	require.NoError(t, err)
	moved, ok := entries[0].Event.(*domain.Deferred)
	require.True(t, ok)
	require.Equal(t, domain.DeferHouse, moved.Why)
	require.Equal(t, domain.DoorClock, entries[0].Meta.Door)
	require.WithinDuration(t, before.Add(30*time.Hour), moved.Due[0].At, 2*time.Hour)
}
