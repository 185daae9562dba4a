package posthorntest

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
)

// Patient is how long a test waits for something that must happen. Tests go on as soon as it happens, so this is long
// enough for a machine busy with fifteen other things; what never happens still fails under its own name.
const Patient = 2 * time.Minute

// Posted waits until a running house has read its log up to a position and sent all mails that are due.
func Posted(t testing.TB, data string, upTo uint64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "mail.db")+"?mode=ro&_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	type stand struct {
		pos     uint64
		waiting int
	}
	var last stand
	for deadline := time.Now().Add(Patient); ; time.Sleep(20 * time.Millisecond) {
		var now stand
		require.NoError(t, db.QueryRow(
			`SELECT pos, (SELECT count(*) FROM outbox WHERE state IN ('new', 'composed', 'sending') AND due < ?) FROM checkpoint`,
			time.Now().Add(time.Minute).UnixMilli()).Scan(&now.pos, &now.waiting))
		if now.pos >= upTo && now.waiting == 0 {
			return
		}
		if now != last { // it is making progress
			last, deadline = now, time.Now().Add(Patient)
		}
		require.True(t, time.Now().Before(deadline), "%d mails are not out, the notifier is at %d of %d", now.waiting,
			now.pos, upTo)
	}
}

// Calm waits until a running house has nothing left to do: no table waits for it, and all mails are sent.
func Calm(t testing.TB, data string) {
	t.Helper()
	ctx := context.Background()
	offline, err := folder.OpenOffline(ctx, data, false)
	require.NoError(t, err)
	defer func() { require.NoError(t, offline.Log.Close()) }()
	for upTo, deadline := uint64(0), time.Now().Add(Patient); ; time.Sleep(20 * time.Millisecond) {
		last, err := offline.Log.Last(ctx)
		require.NoError(t, err)
		if last != upTo { // it is making progress
			upTo, deadline = last, time.Now().Add(Patient)
		}
		tables, err := folder.TablesOf(ctx, offline.Log)
		require.NoError(t, err)
		waits := 0
		for _, name := range tables {
			look, err := offline.Desk.Look(ctx, name)
			require.NoError(t, err)
			waiting, err := offline.Desk.AwaitsHouse(ctx, look)
			require.NoError(t, err)
			if waiting {
				waits++
			}
		}
		if waits > 0 {
			require.True(t, time.Now().Before(deadline), "%d tables wait for the house, and it does nothing", waits)
			continue
		}
		Posted(t, data, last)
		if now, err := offline.Log.Last(ctx); err == nil && now == last {
			return
		}
	}
}

// Folded returns the content of a database file after everything in its -wal has moved into it. A house that closes
// leaves it so, but its last connection, from an abandoned query, may close a moment later.
func Folded(t testing.TB, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	for deadline := time.Now().Add(Patient); ; time.Sleep(20 * time.Millisecond) {
		var busy, log, moved int
		require.NoError(t, db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved))
		if busy == 0 {
			break
		}
		require.True(t, time.Now().Before(deadline), "%s stays busy", path)
	}
	require.NoError(t, db.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}
