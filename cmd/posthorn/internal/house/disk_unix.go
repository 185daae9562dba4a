//go:build linux || darwin

package house

import (
	"fmt"
	"syscall"

	"posthorn/http/door"
)

// diskOf is the space of the disk that a folder lies on, as far as the program may use it.
func diskOf(dir string) (door.Disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return door.Disk{}, fmt.Errorf("the space of %s: %w", dir, err)
	}
	return door.Disk{Free: s.Bavail * uint64(s.Bsize), All: s.Blocks * uint64(s.Bsize)}, nil
}
