//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile takes the lock that says who writes a log. The lock is on a file of its own, because closing any handle of
// the data file would drop the driver's locks on it. It ends with the process, however that ends.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the log: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return nil, fmt.Errorf("lock the log: %w", err)
}

// unlockFile releases the lock. Closing the file is not enough while a freshly forked child, which has not started
// its own program yet, holds the same file.
func unlockFile(f *os.File) error {
	if err := errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close()); err != nil {
		return fmt.Errorf("unlock the log: %w", err)
	}
	return nil
}
