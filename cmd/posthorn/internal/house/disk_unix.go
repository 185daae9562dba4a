//go:build linux || darwin

package house

import (
	"fmt"
	"syscall"

	"posthorn/http/door"
)

// diskOf returns the size of the disk that holds a folder, and how much of it the program may still use.
func diskOf(dir string) (door.Disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return door.Disk{}, fmt.Errorf("the space of %s: %w", dir, err)
	}
	return door.Disk{Free: s.Bavail * uint64(s.Bsize), All: s.Blocks * uint64(s.Bsize)}, nil
}
