package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
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
	at, err := backedUp(s.dir)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, patient, "the house knows when it was backed up")
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
	require.Equal(t, historyIn(done(t, "export", "--data", copyDir, s.ended)), historyIn(done(t, "export", "--data", back, s.ended)))
	require.NotEqual(t, historyIn(done(t, "export", "--data", s.dir, s.running)), historyIn(done(t, "export", "--data", back, s.running)), "what was played after the copy is not in it")
}

func TestNothingIsWrittenOverByABackup(t *testing.T) {
	s := newSmallHouse(t)
	fails(t, 2, "is not empty", "backup", "--data", s.dir, s.dir)
	fails(t, 2, "is not empty", "restore", "--data", s.dir, s.dir)
	fails(t, 2, "is no house", "backup", "--data", t.TempDir(), filepath.Join(t.TempDir(), "copy"))
	fails(t, 2, "is no house", "restore", "--data", filepath.Join(t.TempDir(), "new"), t.TempDir())
}
