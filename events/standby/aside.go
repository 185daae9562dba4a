package standby

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"posthorn/events/relay"
	"posthorn/events/sqlite"
)

// asideBatch is how many records are read at once.
const asideBatch = 512

// SetAside removes the records after a position from a log that nobody has open: it writes them into a file beside
// the log, one JSON object per line as they would have been published, and rebuilds the log from the others, under
// the same hashes. This does not rewrite history: nobody saw or confirmed these records. It happens as a whole or not
// at all.
func SetAside(ctx context.Context, path string, keep uint64) (file string, err error) {
	old, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return "", err
	}
	file, err = writeTail(ctx, old, path, keep)
	part := path + ".part"
	if err == nil {
		err = errors.Join(remove(part), sqlite.CopyUpTo(ctx, old, part, keep))
	}
	if err = errors.Join(err, old.Close()); err != nil {
		return "", fmt.Errorf("set records aside: %w", errors.Join(err, remove(part)))
	}
	if err := sqlite.Settle(path); err != nil { // nothing may remain in a -wal that the new log would take for its own
		return "", fmt.Errorf("set records aside: %w", err)
	}
	for _, rest := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("set records aside: %w", err)
		}
	}
	if err := os.Rename(part, path); err != nil {
		return "", fmt.Errorf("set records aside: %w", err)
	}
	return file, remove(part)
}

func remove(part string) error {
	for _, rest := range []string{"", "-wal", "-shm", "-lock"} {
		if err := os.Remove(part + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writeTail writes the records after a position into a file of their own.
func writeTail(ctx context.Context, log *sqlite.Log, path string, after uint64) (name string, err error) {
	var f *os.File
	for n := 1; f == nil; n++ {
		name = unanswered(path, n)
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil &&
			!errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	for {
		recs, err := log.Read(ctx, after, asideBatch)
		if err != nil {
			return name, err
		}
		if len(recs) == 0 {
			return name, errors.Join(out.Flush(), f.Sync())
		}
		for i := range recs {
			line, err := relay.Encode(&recs[i])
			if err != nil {
				return name, err
			}
			_, _ = out.Write(append(line, '\n')) // Flush reports whether it could be written
		}
		after = recs[len(recs)-1].Pos
	}
}
