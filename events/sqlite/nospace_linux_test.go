package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/logtest"
)

// On a real full file system the write itself fails, not SQLite's own limit.
func TestAFileSystemWithoutRoom(t *testing.T) {
	dir := logtest.SmallDisk(t, "4m")
	l := open(t, filepath.Join(dir, "events.db"))
	c := newCrowd(t, l, 16)
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	require.NoError(t, err)
	for err == nil {
		_, err = f.Write(bytes.Repeat([]byte{1}, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, f.Truncate(1<<20))
	for err = nil; err == nil; { // leave room for a little
		var fs syscall.Statfs_t
		require.NoError(t, syscall.Statfs(dir, &fs))
		if fs.Bfree*uint64(fs.Bsize) < 600<<10 {
			break
		}
		_, err = f.Seek(0, 2)
		if err == nil {
			_, err = f.Write(bytes.Repeat([]byte{1}, 4096))
		}
	}
	require.NoError(t, err)
	require.NoError(t, f.Close())

	for i, err := range c.push(l, 400) {
		require.Error(t, err, "caller %d", i)
	}
	c.check(t, l)

	require.NoError(t, os.Remove(filler))
	require.NoError(t, errors.Join(c.push(l, 5)...), "there is room again")
	c.check(t, l)
	require.NoError(t, l.Close())
	c.check(t, open(t, l.Path()))
}
