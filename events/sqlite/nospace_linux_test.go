package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A real file system without room, where the write itself fails and not SQLite's own limit.
func TestAFileSystemWithoutRoom(t *testing.T) {
	skip := func(why string) {
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why + "; the page limit's test covers the rest")
	}
	if os.Getuid() != 0 {
		skip("NO FULL DISK WAS TRIED: to mount a small file system needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); errors.Is(err, syscall.EPERM) {
		skip("NO FULL DISK WAS TRIED: nothing may be mounted here, though by root")
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
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
