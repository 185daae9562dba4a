//go:build unix

package sqlite

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A closed log can be reopened at once, even if a child that is just starting still has its files open.
func TestALogThatWasClosedIsFreeWhileAChildIsForked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db-lock")
	f, err := lockFile(path)
	require.NoError(t, err)
	forked, err := syscall.Dup(int(f.Fd())) // a child shares the open file until its own program begins
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Close(forked)) })
	_, err = lockFile(path)
	require.ErrorIs(t, err, ErrLocked)

	require.NoError(t, unlockFile(f))

	f, err = lockFile(path)
	require.NoError(t, err)
	require.NoError(t, unlockFile(f))
}
