//go:build !unix

package sqlite

import (
	"fmt"
	"os"
)

// lockFile takes the lock that says who writes a log: here, a file that this process holds open, which nobody can
// remove meanwhile.
func lockFile(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return f, nil
}

// unlockFile releases the lock.
func unlockFile(f *os.File) error { return f.Close() }
