package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// logWithParts returns a log of one table with two events, the second with parts.
func logWithParts(t *testing.T) (*sqlite.Log, events.Name) {
	t.Helper()
	l := open(t, filepath.Join(t.TempDir(), "events.db"))
	name := events.NewName()
	_, err := l.Append(context.Background(),
		logtest.Opening(events.Stream{Name: name, Kind: events.KindTable, Table: name}))
	require.NoError(t, err)
	d := logtest.Following(name, 1)
	d.Parts = logtest.SomeParts()
	_, err = l.Append(context.Background(), d)
	require.NoError(t, err)
	return l, name
}

func TestTheFileRefusesToForgetOrChangeAnything(t *testing.T) {
	l, name := logWithParts(t)
	before, err := l.Load(context.Background(), name, 0, 0)
	require.NoError(t, err)
	db, err := sql.Open("sqlite", sqlite.DSN(l.Path()))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()

	for _, statement := range []string{
		`UPDATE events SET data = x'00'`,
		`UPDATE events SET pos = 9 WHERE pos = 2`,
		`UPDATE OR REPLACE events SET version = 1 WHERE version = 2`,
		`DELETE FROM events`,
		`DELETE FROM events WHERE pos = 2`,
		`INSERT OR REPLACE INTO events SELECT * FROM events WHERE pos = 2`,
		`REPLACE INTO events SELECT 99, stream, version, tbl, type, at, cmd, meta, codec, data, parts, hash FROM events WHERE pos = 2`,
		`INSERT INTO events SELECT 2, 77, 1, 77, type, at, cmd, meta, codec, x'00', parts, hash FROM events WHERE pos = 2
			ON CONFLICT (pos) DO UPDATE SET data = excluded.data`,
		`UPDATE streams SET kind = 'seat'`,
		`DELETE FROM streams`,
		`INSERT OR REPLACE INTO streams SELECT * FROM streams`,
		`REPLACE INTO streams SELECT 99, name, 'seat', rulebook, tbl, parent, fork, origin FROM streams`,
		`UPDATE parts SET sealed = x''`,
		`DELETE FROM parts`,
		`INSERT OR REPLACE INTO parts SELECT stream, version, n, 255, digest, sealed FROM parts`,
	} {
		_, err := db.Exec(statement)
		require.ErrorContains(t, err, "are never", statement)
	}

	after, err := l.Load(context.Background(), name, 0, 0)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestEveryConnectionSeesTheDeleteInsideAReplace(t *testing.T) {
	l, _ := logWithParts(t)
	db, err := sql.Open("sqlite", sqlite.DSN(l.Path()))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	for pragma, want := range map[string]int{"recursive_triggers": 1, "synchronous": 2, "mmap_size": 0} {
		var got int
		require.NoError(t, db.QueryRow("PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
	}
	var mode string
	require.NoError(t, db.QueryRow("PRAGMA journal_mode").Scan(&mode))
	require.Equal(t, "wal", mode)
}

func TestOneWriterAFile(t *testing.T) {
	l, _ := logWithParts(t)
	_, err := sqlite.Open(context.Background(), l.Path())
	require.ErrorIs(t, err, sqlite.ErrLocked, "in this process")

	alias := filepath.Join(t.TempDir(), "alias.db")
	require.NoError(t, os.Symlink(l.Path(), alias))
	_, err = sqlite.Open(context.Background(), alias)
	require.ErrorIs(t, err, sqlite.ErrLocked, "under another name")

	other := exec.Command(os.Args[0], "-test.run", "^TestChild$")
	other.Env = append(os.Environ(), "POSTHORN_CHILD=open", "POSTHORN_CHILD_LOG="+l.Path())
	out, err := other.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), sqlite.ErrLocked.Error(), "in another process")

	require.NoError(t, l.Close())
	open(t, l.Path())
}

func TestOpenFailsClearly(t *testing.T) {
	dir := t.TempDir()
	_, err := sqlite.Open(context.Background(), filepath.Join(dir, "no such folder", "events.db"))
	require.ErrorIs(t, err, os.ErrNotExist)

	text := filepath.Join(dir, "text.db")
	require.NoError(t, os.WriteFile(text,
		[]byte("this is not a database, and longer than a header of one is, which has a hundred bytes at the least."),
		0o600))
	_, err = sqlite.Open(context.Background(), text)
	require.ErrorContains(t, err, "not a database")
	_, err = sqlite.Open(context.Background(), text)
	require.NotErrorIs(t, err, sqlite.ErrLocked, "a failed opening leaves no lock")
}

func TestReadingAloneBesideAWriter(t *testing.T) {
	ctx := context.Background()
	l, name := logWithParts(t)
	r, err := sqlite.OpenReadOnly(ctx, l.Path())
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()

	want, err := l.Load(ctx, name, 0, 0)
	require.NoError(t, err)
	got, err := r.Load(ctx, name, 0, 0)
	require.NoError(t, err)
	require.Equal(t, want, got)

	_, err = r.Append(ctx, logtest.Following(name, 2))
	require.ErrorIs(t, err, sqlite.ErrReadOnly)
	require.ErrorIs(t, r.Adopt(ctx, nil, nil), sqlite.ErrReadOnly)

	ended := make(chan error)
	go func() { ended <- r.Wait(ctx, 2) }()
	_, err = l.Append(ctx, logtest.Following(name, 2))
	require.NoError(t, err)
	require.NoError(t, <-ended)
	last, err := r.Last(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 3, last)
}

func TestReadingAloneMakesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	_, err := sqlite.OpenReadOnly(context.Background(), path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoFileExists(t, path)
}

func TestAPathWithOddLetters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%41&é")
	require.NoError(t, os.Mkdir(dir, 0o700))
	l := open(t, filepath.Join(dir, "events.db"))
	name := events.NewName()
	_, err := l.Append(context.Background(),
		logtest.Opening(events.Stream{Name: name, Kind: events.KindTable, Table: name}))
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "events.db"))
}
