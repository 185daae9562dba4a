package main

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

func TestWhoIsForgottenStaysForgottenAfterABackupIsRestored(t *testing.T) {
	data := t.TempDir()
	seed(t, data, events.NewTable{Rulebook: "carcassonne", Pace: "weekly", Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, "you@example.org")
	backup := folded(t, filepath.Join(data, "people.db"))

	forget := func(status int) {
		t.Helper()
		var out, errs bytes.Buffer
		got := run([]string{"forget", "--data", data, "you@example.org"}, console{out: &out, err: &errs})
		require.Equal(t, status, got, "%s%s", &out, &errs)
	}
	forget(0)
	forget(1)

	restore(t, data, backup)
	ctx := context.Background()
	h := reopened(t, data)
	a, err := people.ParseAddress("you@example.org")
	require.NoError(t, err)
	_, err = h.people.ByAddress(ctx, a)
	require.ErrorIs(t, err, people.ErrNobody)
}

func TestLinksThatWereWithdrawnStaySoAfterABackupIsRestored(t *testing.T) {
	data := t.TempDir()
	seed(t, data, events.NewTable{Rulebook: "carcassonne", Pace: "weekly", Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, "you@example.org")
	backup := folded(t, filepath.Join(data, "people.db"))
	ctx := context.Background()
	a, err := people.ParseAddress("you@example.org")
	require.NoError(t, err)

	h, err := openHouse(ctx, houseSettings{dataSettings: dataSettings{Data: data}, Listen: "127.0.0.1:0", From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	p, err := h.people.ByAddress(ctx, a)
	require.NoError(t, err)
	require.NoError(t, h.desk.Withdraw(ctx, events.Actor{Person: p.ID, Door: "page"}, p.ID, 1))
	require.NoError(t, h.Close())

	restore(t, data, backup)
	epoch, err := reopened(t, data).people.PassEpoch(ctx, p.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch)
}
