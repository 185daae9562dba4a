package roles

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events/clustertest"
	"posthorn/events/copies"
	"posthorn/events/database"
	"posthorn/events/desktest"
	"posthorn/migrations"
)

// carriage is a data folder with files to carry, a word in each database, and its cluster's store.
type carriage struct {
	t   *testing.T
	ctx context.Context
	*newest
}

func newCarriage(t *testing.T, c *clustertest.Cluster, word string) *carriage {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	nc, err := nats.Connect(c.URL())
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	store, err := copies.Open(nc, desktest.Keys(t), copies.Options{})
	require.NoError(t, err)
	g := &carriage{t, ctx, &newest{data: t.TempDir(), store: store}}
	if word != "" {
		g.writes(word)
	}
	return g
}

// told logs what hinders a copy.
func (g *carriage) told(err error) { g.t.Log(err) }

// writes leaves its word in the -wal, like a program that was killed.
func (g *carriage) writes(word string) {
	g.t.Helper()
	for _, name := range carriedDatabases {
		db, err := database.Connect(filepath.Join(g.data, name), "journal_mode(WAL)", "wal_autocheckpoint(0)")
		require.NoError(g.t, err)
		g.t.Cleanup(func() { require.NoError(g.t, db.Close()) })
		require.NoError(g.t, migrations.Apply(g.ctx, db, strings.TrimSuffix(name, ".db")))
		_, err = db.ExecContext(g.ctx, `CREATE TABLE IF NOT EXISTS said (word TEXT)`)
		require.NoError(g.t, err)
		_, err = db.ExecContext(g.ctx, `INSERT INTO said VALUES (?)`, word)
		require.NoError(g.t, err)
	}
}

// says returns the last word in the databases, which must all agree.
func (g *carriage) says() (word string) {
	g.t.Helper()
	for i, name := range carriedDatabases {
		db, err := sql.Open("sqlite", filepath.Join(g.data, name))
		require.NoError(g.t, err)
		var said string
		require.NoError(g.t, db.QueryRowContext(g.ctx, `SELECT word FROM said ORDER BY rowid DESC LIMIT 1`).Scan(&said))
		require.NoError(g.t, db.Close())
		require.True(g.t, i == 0 || said == word, name)
		word = said
	}
	return word
}

func (g *carriage) carrier(begun uint64) *carrier {
	g.t.Helper()
	require.NoError(g.t, folder.NoteBegun(g.data, begun))
	c, err := carries(g.ctx, g.store, g.data, begun, slog.New(slog.DiscardHandler))
	require.NoError(g.t, err)
	g.t.Cleanup(func() { require.NoError(g.t, c.Close()) })
	return c
}

func TestWhoTakesOverHasTheNewestOfPeopleMailsAndKeys(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a, b := newCarriage(t, cluster, "one"), newCarriage(t, cluster, "")
	_, done, err := install(b.ctx, b.newest, b.told)
	require.NoError(t, err)
	require.False(t, done, "there is none")
	require.NoError(t, os.WriteFile(filepath.Join(a.data, "dkim-rsa.pem"), []byte("a key"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(a.data, "server.key"), []byte("the key"), 0o600))
	ca := a.carrier(5)
	require.NoError(t, ca.once(a.ctx))
	a.writes("two")
	require.NoError(t, ca.once(a.ctx))
	a.writes("three, which is carried nowhere")
	_, done, err = install(a.ctx, a.newest, a.told)
	require.NoError(t, err)
	require.False(t, done, "what it has itself is newer")

	past := time.Now().Add(-time.Hour)
	require.NoError(t, folder.Touch(filepath.Join(b.data, "alive"), past, folder.AliveText))
	c, done, err := install(b.ctx, b.newest, b.told)
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, "two", b.says())
	key, err := os.ReadFile(filepath.Join(b.data, "dkim-rsa.pem"))
	require.NoError(t, err)
	require.Equal(t, "a key", string(key))
	require.NoFileExists(t, filepath.Join(b.data, "server.key"), "it seals the others, and does not go along")
	up, err := os.Stat(filepath.Join(b.data, "alive"))
	require.NoError(t, err)
	require.WithinDuration(t, c.Made, up.ModTime(), time.Second, "the house was up when the copy was made")
	_, done, err = install(b.ctx, b.newest, b.told)
	require.NoError(t, err)
	require.True(t, done, "as long as it has not begun it may be cut off, and is done again")

	cb := b.carrier(9)
	b.writes("four")
	require.NoError(t, cb.once(b.ctx))
	require.ErrorIs(t, ca.once(a.ctx), copies.ErrOvertaken)
	_, done, err = install(a.ctx, a.newest, a.told)
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, "four", a.says(), "and nothing of its own -wal")
	for _, g := range []*carriage{a, b} {
		require.NoDirExists(t, filepath.Join(g.data, carryDir), "no copy is left lying about")
	}
}

func TestWhatChangesIsCopiedByItself(t *testing.T) {
	cluster := clustertest.New(t, 1)
	a := newCarriage(t, cluster, "one")
	c := a.carrier(5)
	ctx, stop := context.WithCancel(a.ctx)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	newest := func() copies.Version {
		v, err := a.store.Newest(a.ctx)
		if err != nil {
			require.ErrorIs(t, err, copies.ErrNone)
		}
		return v
	}
	require.Eventually(t, func() bool { return newest().N > 0 }, time.Minute, 20*time.Millisecond)
	before := newest()
	a.writes("two")
	require.Eventually(t, func() bool { return newest().N > before.N }, time.Minute, 20*time.Millisecond)
	b := newCarriage(t, cluster, "")
	require.Eventually(t, func() bool {
		_, done, err := install(b.ctx, b.newest, b.told)
		require.NoError(t, err)
		return done && b.says() == "two"
	}, time.Minute, 20*time.Millisecond)
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}
