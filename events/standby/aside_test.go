package standby_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/lease"
	"posthorn/events/logtest"
	"posthorn/events/memory"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
)

// written returns a log of some events in its own folder.
func written(t *testing.T, n uint64) (path string, recs []events.Record) {
	path = filepath.Join(t.TempDir(), "events.db")
	log, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, log.SetOwner(t.Context(), sqlite.Owner{Name: events.Name{1}, Key: events.Hash{2}}))
	made, table := memory.New(), events.Stream{Name: events.Name{7}, Kind: events.KindTable, Rulebook: "tiny",
		Table: events.Name{7}}
	for v := range n {
		d := logtest.Following(table.Name, v)
		if v == 0 {
			d = logtest.Opening(table)
		}
		rec, err := made.Append(t.Context(), d)
		require.NoError(t, err)
		recs = append(recs, rec)
	}
	require.NoError(t, made.Close())
	require.NoError(t, log.Adopt(t.Context(), []events.Stream{table}, recs))
	require.NoError(t, log.Close())
	return path, recs
}

func TestATailIsSetAsideAndTheRestStays(t *testing.T) {
	path, recs := written(t, 1000)
	for n, keep := range []uint64{990, 985, 985} {
		file, err := standby.SetAside(t.Context(), path, keep)
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := bytes.Split(bytes.TrimSpace(text), []byte{'\n'})
		if n == 2 {
			require.Empty(t, lines[0], "there was nothing more")
			continue
		}
		from := []uint64{990, 985}[n]
		upTo := []uint64{1000, 990}[n]
		require.Len(t, lines, int(upTo-from))
		for i, line := range lines {
			rec, err := relay.Decode(line)
			require.NoError(t, err)
			require.Equal(t, recs[from+uint64(i)].Hash, rec.Hash)
		}
		log, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		left, err := log.Read(t.Context(), 0, 2000)
		require.NoError(t, err)
		require.Equal(t, recs[:keep], left)
		house, known, err := log.Owner(t.Context())
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, sqlite.Owner{Name: events.Name{1}, Key: events.Hash{2}}, house)
		require.NoError(t, log.Close())
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.part*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// Given a cluster that has lost everything, when a server that only stands by has an old log, then it does not take
// that for the house; a server told to be the writer does.
func TestAnEmptyClusterIsFilledByTheWriterAlone(t *testing.T) {
	h := newHouse(t, time.Minute)
	path, recs := written(t, 30)
	s := &standby.Standby{Path: path, Keys: desktest.Keys(t), Relay: relay.Options{URL: h.cluster.URL()},
		Lease: lease.Options{TTL: time.Minute},
		Ready: func(context.Context, *sqlite.Log) error { return nil }, At: func(uint64) {},
		Aside:   func(string, uint64, uint64) {},
		Trouble: func(error) {}, Now: time.Now}
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	empty, err := relay.Start(newEmpty(t), withKeys(t, s.Relay)) // it makes the stream
	require.NoError(t, err)
	require.NoError(t, empty.Synced(ctx, 0))
	require.NoError(t, empty.Close())
	_, err = s.Wait(ctx)
	require.ErrorIs(t, err, standby.ErrBehind)

	s.First = true
	l, err := s.Wait(ctx)
	require.NoError(t, err)
	require.NoError(t, l.Release(ctx))
	n := h.node(filepath.Dir(path), true)
	got := n.records()
	require.Len(t, got, len(recs)+1)
	require.Equal(t, recs, got[:len(recs)])
	require.Equal(t, events.TypeTookOver, got[len(recs)].Type)
}

func newEmpty(t *testing.T) events.Log {
	log, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "events.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	return log
}
