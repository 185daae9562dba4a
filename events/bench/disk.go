package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Disk measures what the disk alone can do: appends of 4 KiB to one file, each followed by
// fdatasync, by one caller. The file is removed.
func Disk(ctx context.Context, dir string, length time.Duration) (perSecond float64, err error) {
	f, err := os.Create(filepath.Join(dir, "disk.bench"))
	if err != nil {
		return 0, fmt.Errorf("measure the disk: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	block := make([]byte, 4096)
	start, n := time.Now(), 0
	for ; time.Since(start) < length && ctx.Err() == nil; n++ {
		block[n%len(block)]++
		if _, err := f.Write(block); err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
		if err := datasync(f); err != nil {
			return 0, fmt.Errorf("measure the disk: %w", err)
		}
	}
	return float64(n) / time.Since(start).Seconds(), ctx.Err()
}
