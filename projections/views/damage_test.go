package views_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/desktest"
	"posthorn/migrations"
	"posthorn/projections/views"
)

// page is SQLite's page size in bytes.
const page = 4096

// damages returns the ways in which a file may be damaged.
func damages(t *testing.T, whole []byte) map[string][]byte {
	foreign := func(database string, more ...string) []byte {
		path := filepath.Join(t.TempDir(), "foreign.db")
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		if database != "" {
			require.NoError(t, migrations.Apply(context.Background(), db, database))
		}
		for _, text := range more {
			_, err = db.Exec(text)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return text
	}
	out := map[string][]byte{
		"of no bytes":       {},
		"cut in half":       whole[:len(whole)/2],
		"cut within a page": whole[:len(whole)-page/2],
		"of zeros":          make([]byte, len(whole)),
		"of something else": bytes.Repeat([]byte("no database "), 1000),
		"another database":  foreign("mail"),
		"another database, same steps": foreign("",
			`CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY, version_id INTEGER, is_applied INTEGER, tstamp TIMESTAMP)`, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1)`),
		"of a newer program, that changed nothing": foreign("views",
			`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`),
		"without its checkpoint": foreign("views", `DELETE FROM checkpoint`),
		"with a table less":      foreign("views", `DROP TABLE awaited`),
		"with other columns": foreign("views", `DROP TABLE awaited`,
			`CREATE TABLE awaited (person TEXT)`),
	}
	for n := 0; n < len(whole); n += page {
		blank := bytes.Clone(whole)
		clear(blank[n : n+page])
		out[fmt.Sprintf("without page %d", n/page+1)] = blank
		bad := bytes.Clone(whole)
		for i := n; i < n+16; i++ {
			bad[i] ^= 0xff
		}
		out[fmt.Sprintf("with a bad head of page %d", n/page+1)] = bad
	}
	return out
}

func TestDamagedViewsAreThrownAwayAndMadeAnew(t *testing.T) {
	h := desktest.New(t)
	for range 16 {
		timed(h, "weekly") // with reminders, so that no page of the file is empty
	}
	dir := t.TempDir()
	v, err := views.Open(h.Ctx, dir, h.Desk)
	require.NoError(t, err)
	require.NoError(t, v.Discarded)
	require.NoError(t, v.Rebuild(h.Ctx, nil))
	want, err := v.Inbox(h.Ctx, ana)
	require.NoError(t, err)
	require.Len(t, want, 16)
	last := v.Position()
	require.NoError(t, v.Close())
	path := filepath.Join(dir, "views-2.db")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Greater(t, len(whole), 6*page)

	for name, text := range damages(t, whole) {
		require.NoError(t, os.WriteFile(path, text, 0o600))
		again, err := views.Open(h.Ctx, dir, h.Desk)
		require.NoError(t, err, name)
		if again.Discarded == nil { // nothing is wrong with these: they just need filling, as on a first start
			require.Contains(t, []string{"of no bytes", "of a newer program, that changed nothing"}, name)
			require.NoError(t, again.Rebuild(h.Ctx, nil))
		}
		got, err := again.Inbox(h.Ctx, ana)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		require.Equal(t, last, again.Position(), name)
		require.NoError(t, again.Close())
		files, err := filepath.Glob(filepath.Join(dir, "views-*.db"))
		require.NoError(t, err)
		require.Len(t, files, 1, name)
		require.NoError(t, os.Rename(files[0], path))
	}
}

func TestViewsDamagedWhileTheyAreReadAreMadeAnew(t *testing.T) {
	h := newHouse(t)
	for range 16 {
		h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	}
	told := make(chan error, 1)
	h.views.Alarm = func(err error) { told <- err }
	h.follows()
	h.caughtUp()
	require.NoError(t, h.views.Spoil(h.Ctx))

	_, err := h.views.Inbox(h.Ctx, ana)
	require.Error(t, err)
	select {
	case err := <-told:
		require.ErrorContains(t, err, "damaged")
	case <-time.After(time.Minute):
		t.Fatal("nobody was told")
	}
	require.Eventually(t, func() bool {
		items, err := h.views.Inbox(h.Ctx, ana)
		return err == nil && len(items) == 16
	}, time.Minute, 5*time.Millisecond)
	h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	h.caughtUp()
	require.Len(t, h.inbox(ana), 17)
}

// A file too large to check at the start is checked while pages already use it: nobody has to stumble on the damage.
func TestALargeFileOfViewsIsReadInTheBackground(t *testing.T) {
	h := newHouse(t)
	for range 16 {
		h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	}
	require.NoError(t, h.views.Rebuild(h.Ctx, nil))
	told := make(chan error, 1)
	h.views.Alarm = func(err error) { told <- err }
	h.views.Unread()
	require.NoError(t, h.views.Spoil(h.Ctx))
	h.follows() // there is nothing new to write
	select {
	case err := <-told:
		require.ErrorContains(t, err, "damaged")
	case <-time.After(time.Minute):
		t.Fatal("nobody was told")
	}
	require.Eventually(t, func() bool {
		items, err := h.views.Inbox(h.Ctx, ana)
		return err == nil && len(items) == 16
	}, time.Minute, 5*time.Millisecond)
}
