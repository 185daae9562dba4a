package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/sqlite"
)

func TestAHouseIsCopiedWhileItIsServedAndPutBack(t *testing.T) {
	s := newSmallHouse(t)
	copyDir, back := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "back")
	s.at(func(h *desktest.House) { // the log is open, with a -wal beside it
		said := done(t, "backup", "--data", s.dir, copyDir)
		require.Contains(t, said, "events.db: ")
		require.Contains(t, said, "server.key: ")
		table, err := events.ParseName(s.running)
		require.NoError(t, err)
		h.Random(table, rand.New(rand.NewPCG(2, 2)), 2)
	})
	at, err := folder.BackedUp(s.dir)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, posthorntest.Patient, "the house knows when it was backed up")
	files, err := filepath.Glob(filepath.Join(copyDir, "*"))
	require.NoError(t, err)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm(), f)
		require.NotContains(t, f, "-wal", "each file is whole by itself")
	}
	done(t, "restore", "--data", back, copyDir)
	done(t, "verify", "--data", back)
	require.Equal(t, posthorntest.HistoryIn(done(t, "export", "--data", copyDir, s.ended)),
		posthorntest.HistoryIn(done(t, "export", "--data", back, s.ended)))
	require.NotEqual(t, posthorntest.HistoryIn(done(t, "export", "--data", s.dir, s.running)),
		posthorntest.HistoryIn(done(t, "export", "--data", back, s.running)),
		"what was played after the copy is not in it")
}

func TestNothingIsWrittenOverByABackup(t *testing.T) {
	s := newSmallHouse(t)
	fails(t, 2, "is not empty", "backup", "--data", s.dir, s.dir)
	fails(t, 2, "is not empty", "restore", "--data", s.dir, s.dir)
	fails(t, 2, "is no house", "backup", "--data", t.TempDir(), filepath.Join(t.TempDir(), "copy"))
	fails(t, 2, "is no house", "restore", "--data", filepath.Join(t.TempDir(), "new"), t.TempDir())
}

// A house is restored to an earlier moment, given as a position or a time; later moves are left out, and the output
// says so.
func TestAHouseIsPutBackAsItWasAtAMoment(t *testing.T) {
	s := newSmallHouse(t)
	before := posthorntest.HistoryIn(done(t, "export", "--data", s.dir, s.running))
	moment, position := s.last()
	s.after(3*time.Minute, func(h *desktest.House) {
		table, err := events.ParseName(s.running)
		require.NoError(t, err)
		h.Random(table, rand.New(rand.NewPCG(2, 2)), 3)
	})
	_, end := s.last()
	require.Equal(t, position+3, end)
	backup := filepath.Join(t.TempDir(), "backup")
	done(t, "backup", "--data", s.dir, backup)
	zoned := moment.Add(time.Minute).In(time.FixedZone("", 2*60*60))
	for _, until := range []string{fmt.Sprint(position), zoned.Format(time.RFC3339),
		zoned.UTC().Format("2006-01-02 15:04:05")} {
		back := filepath.Join(t.TempDir(), "back")
		said := done(t, "restore", "--data", back, "--until", until, backup)
		require.Contains(t, said, fmt.Sprintf("The log ends at position %d, of ", position), until)
		require.Contains(t, said, "left out: 3.")
		done(t, "verify", "--data", back)
		require.Equal(t, before, posthorntest.HistoryIn(done(t, "export", "--data", back, s.running)))
		files, err := filepath.Glob(filepath.Join(back, "events.db*"))
		require.NoError(t, err)
		require.Len(t, files, 1, "the log is one file, whole by itself")
	}
	back := filepath.Join(t.TempDir(), "back")
	require.Contains(t, done(t, "restore", "--data", back, "--until", "2999-01-01 00:00", backup), "left out: 0.")
	for until, why := range map[string]string{"yesterday": "neither a time nor a position",
		"1999-12-31 23:59": "before the first event", "0": "before the first event"} {
		none := filepath.Join(t.TempDir(), "none")
		fails(t, 2, why, "restore", "--data", none, "--until", until, backup)
		require.NoFileExists(t, filepath.Join(none, "events.db"))
	}
}

// last returns when the last event of the house was written, and its position.
func (s smallHouse) last() (at time.Time, position uint64) {
	s.t.Helper()
	log, err := sqlite.OpenReadOnly(s.t.Context(), filepath.Join(s.dir, "events.db"))
	require.NoError(s.t, err)
	position, err = log.Last(s.t.Context())
	require.NoError(s.t, err)
	recs, err := log.Read(s.t.Context(), position-1, 1)
	require.NoError(s.t, err)
	require.NoError(s.t, log.Close())
	return recs[0].At, position
}
