package logtest

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"posthorn/events/programtest"

	"github.com/stretchr/testify/require"
)

// SmallDisk returns a folder on a file system of its own with that much room ("48m"), until the test ends. If none
// can be mounted the test is skipped; under CI=true it fails.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		programtest.Missing(t, "a full disk: to mount a small file system needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); errors.Is(err, syscall.EPERM) {
		programtest.Missing(t, "a full disk: nothing may be mounted here, though by root")
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return dir
}

// Fill takes up all remaining room with a new file.
func Fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	for size := 1 << 16; size > 0; {
		if _, err = f.Write(make([]byte, size)); err != nil {
			require.ErrorIs(t, err, syscall.ENOSPC)
			size /= 16
		}
	}
	require.NoError(t, f.Close())
}
