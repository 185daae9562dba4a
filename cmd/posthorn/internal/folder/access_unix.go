//go:build linux || darwin

package folder

import (
	"fmt"
	"syscall"
)

// mayAccess returns an error if this user may not read and write a file.
func mayAccess(path string) error {
	const read, write = 4, 2
	if err := syscall.Access(path, read|write); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
