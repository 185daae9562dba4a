package outages

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/relay"
)

// check compares a log with what its players were told. What was acknowledged is there once, at the place and with the
// hash in its receipt; what was refused is not there; and what nobody answered is there once or not at all.
func (l *ledger) check(t *testing.T, keys *events.Keys, log []events.Record) (receipts string) {
	t.Helper()
	by, lines := map[events.CommandID][]*events.Record{}, map[events.Name]map[uint64]*events.Record{}
	for i := range log {
		r := &log[i]
		require.EqualValues(t, i+1, r.Pos)
		by[r.Command] = append(by[r.Command], r)
		if lines[r.Stream] == nil {
			lines[r.Stream] = map[uint64]*events.Record{}
		}
		require.Nil(t, lines[r.Stream][r.Version], "%d of %s is there twice", r.Version, r.Stream)
		lines[r.Stream][r.Version] = r
	}
	acked, refused, open := 0, 0, 0
	var out strings.Builder
	for _, g := range l.given {
		there := by[keys.Asked(g.id)]
		switch {
		case g.acked():
			acked++
			require.Len(t, there, 1, "acknowledged: %s, answered %v", g.what, g.answered)
			receipt, err := events.ParseReceipt(g.done.Receipt)
			require.NoError(t, err)
			require.Equal(t, []any{g.done.Table, g.done.Stream, g.done.Version},
				[]any{receipt.Table, receipt.Stream, receipt.Version})
			at := lines[receipt.Stream][receipt.Version]
			require.NotNil(t, at, "acknowledged as %d of %s, and not there", receipt.Version, receipt.Stream)
			require.Equal(t, receipt.Hash, at.Hash, "acknowledged as %d of %s, and another is there", receipt.Version,
				receipt.Stream)
			require.Equal(t, there[0].Pos, at.Pos)
			fmt.Fprintln(&out, g.done.Receipt)
		case g.refused():
			refused++
			require.Empty(t, there, "refused with %d, and done: %s", g.status, g.what)
		default:
			open++
			require.LessOrEqual(t, len(there), 1, "done twice: %s", g.what)
		}
	}
	require.Positive(t, acked)
	require.LessOrEqual(t, refused, acked/20, "hardly anything was refused")
	t.Logf("%d records, %d commands acknowledged, %d refused, %d never answered", len(log), acked, refused, open)
	return out.String()
}

// streamed returns what the cluster's stream holds.
func (k *keptByTwo) streamed() (out []events.Record) {
	k.t.Helper()
	stream, err := k.cluster.JetStream().Stream(k.t.Context(), relay.DefaultStream)
	require.NoError(k.t, err)
	c, err := stream.OrderedConsumer(k.t.Context(), jetstream.OrderedConsumerConfig{})
	require.NoError(k.t, err)
	it, err := c.Messages()
	require.NoError(k.t, err)
	defer it.Stop()
	for last := stream.CachedInfo().State.LastSeq; uint64(len(out)) < last; {
		m, err := it.Next(jetstream.NextContext(k.t.Context()))
		require.NoError(k.t, err)
		r, err := relay.Decode(m.Data())
		require.NoError(k.t, err)
		out = append(out, r)
	}
	return out
}

// sameViews asserts that a house's lists follow from its log: rebuilding them changes nothing.
func sameViews(t *testing.T, bin, data string) {
	t.Helper()
	require.NoError(t, house.Within(context.Background(), data, func(ctx context.Context, h *house.House) error {
		// it goes on from where it was, like a house that begins to serve
		ctx, stop := context.WithTimeout(ctx, posthorntest.Patient)
		defer stop()
		last, err := h.Log.Last(ctx)
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() { ended <- h.Views.Run(ctx, h.Follower) }()
		require.NoError(t, h.Views.Await(ctx, last))
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
		return nil
	}))
	before := allRows(t, data)
	out, status := posthorntest.Command(t, bin, "rebuild", "--data", data)
	require.Zero(t, status, out)
	require.Equal(t, before, allRows(t, data))
}

// allRows returns every row of a house's views.
func allRows(t *testing.T, data string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "views-*.db"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	db, err := database.Connect(files[0], "query_only(ON)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	tables, err := database.All(t.Context(), db, database.Value[string],
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'`)
	require.NoError(t, err)
	out := map[string][]string{}
	for _, name := range tables {
		rows, err := db.QueryContext(t.Context(), `SELECT * FROM "`+name+`"`) // a name from our own schema
		require.NoError(t, err)
		out[name], err = texts(rows)
		require.NoError(t, err)
	}
	require.Greater(t, len(out), 1)
	return out
}

func texts(rows *sql.Rows) (out []string, err error) {
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, to := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprint(values...))
	}
	slices.Sort(out)
	return out, rows.Err()
}
