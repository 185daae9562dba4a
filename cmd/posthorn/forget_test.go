package main

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

func TestWhoIsForgottenStaysSoAfterABackupIsRestored(t *testing.T) {
	data := t.TempDir()
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, "you@example.org")
	backup := posthorntest.Folded(t, filepath.Join(data, "people.db"))

	forget := func(status int) {
		t.Helper()
		var out, errs bytes.Buffer
		got := run(context.Background(), []string{"forget", "--data", data, "you@example.org"},
			console.Console{Out: &out, Err: &errs})
		require.Equal(t, status, got, "%s%s", &out, &errs)
	}
	forget(0)
	forget(1)

	posthorntest.Restore(t, data, backup)
	ctx := context.Background()
	h := posthorntest.Reopened(t, data)
	a, err := people.ParseAddress("you@example.org")
	require.NoError(t, err)
	_, err = h.People.ByAddress(ctx, a)
	require.ErrorIs(t, err, people.ErrNobody)
}

func TestWithdrawnLinksStaySoAfterABackupIsRestored(t *testing.T) {
	data := t.TempDir()
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, "you@example.org")
	backup := posthorntest.Folded(t, filepath.Join(data, "people.db"))
	ctx := context.Background()
	a, err := people.ParseAddress("you@example.org")
	require.NoError(t, err)

	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	p, err := h.People.ByAddress(ctx, a)
	require.NoError(t, err)
	require.NoError(t, h.Desk.Withdraw(ctx, events.Actor{Person: p.ID, Door: "page"}, p.ID, 1))
	require.NoError(t, h.Close())

	posthorntest.Restore(t, data, backup)
	epoch, err := posthorntest.Reopened(t, data).People.PassEpoch(ctx, p.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch)
}
