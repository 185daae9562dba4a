//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// Given a host whose mask lets everybody read, when the program serves a house and copies it, then only the owner can
// read the files of both.
func TestFilesAreTheirOwnersAlone(t *testing.T) {
	bin, base := posthorntest.Binary(t), t.TempDir()
	data, backup := filepath.Join(base, "house"), filepath.Join(base, "backup")
	before := syscall.Umask(0o022) // the program starts with it
	p := posthorntest.Start(t, bin, "127.0.0.1:0", "run", "--data", data)
	out, status := posthorntest.Command(t, bin, "backup", "--data", data, backup)
	syscall.Umask(before)
	require.Zero(t, status, out)
	seen := map[string]bool{}
	look := func(dir string) {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			seen[path] = true
			info, err := os.Stat(path)
			if os.IsNotExist(err) { // a journal that the program has just deleted
				return nil
			}
			require.NoError(t, err)
			require.Equal(t, fs.FileMode(0), info.Mode().Perm()&0o077, path)
			return nil
		}))
	}
	look(data)
	look(backup)
	p.Stop()
	for _, dir := range []string{data, backup} {
		for _, name := range []string{"events.db", "people.db", "mail.db"} {
			require.True(t, seen[filepath.Join(dir, name)], "%s is not in %s", name, dir)
		}
	}
}
