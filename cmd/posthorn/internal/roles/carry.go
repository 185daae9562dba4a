package roles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events/copies"
	"posthorn/events/database"
	"posthorn/events/watch"
)

// The files that follow the house to the server that takes over, besides the log. The mails come before the people, so
// that nobody with a waiting letter is missing. server.key is not among them: it seals the copies, and every server
// that stands by has it already.
var (
	carriedDatabases = []string{"mail.db", "people.db"}
	carriedFiles     = []string{"dkim-rsa.pem", "dkim-ed25519.pem", folder.CheckpointsFile}
)

// How often a copy is made: after changes, but never so often that copying takes more than a tenth of the time.
const (
	carryLook  = 500 * time.Millisecond
	carryLeast = 2 * time.Second
	carryShare = 10
	carryTime  = 2 * time.Minute // for moving one copy either way
	carryAgain = 15 * time.Second
)

// rests returns how long to wait after a copy that took a given time. A failed copy has usually waited already, so it
// is tried again soon.
func rests(took time.Duration, failed bool) time.Duration {
	rest := max(carryLeast, carryShare*took)
	if failed {
		return min(rest, carryAgain)
	}
	return rest
}

// carryDir is the folder for a copy in transit. It is made anew each time.
const carryDir = "carried"

// emptied makes an empty folder for a copy in transit and returns its path.
func emptied(data string) (string, error) {
	dir := filepath.Join(data, carryDir)
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
		return "", fmt.Errorf("the folder of copies: %w", err)
	}
	return dir, nil
}

// install replaces this folder's files with the newest copy, unless its own are newer. It does not touch the log; none
// of the folder's files may be open. If it is interrupted, it can simply run again. It reports obstacles to tell.
func install(ctx context.Context, from *newest, tell func(error)) (c copies.Copy, done bool, err error) {
	mine, there, err := from.look(ctx)
	if errors.Is(err, copies.ErrNone) || err == nil && there.Begun <= mine {
		return c, false, nil
	}
	if err != nil {
		return c, false, err
	}
	if c, err = fetchedCopy(ctx, from, tell); err != nil {
		return c, false, err
	}
	data := from.data
	dir := filepath.Join(data, carryDir)
	for _, name := range slices.Concat(carriedDatabases, carriedFiles) {
		if err := moveIn(filepath.Join(dir, name), filepath.Join(data, name)); err != nil {
			return c, false, fmt.Errorf("put the copy in its place: %w", err)
		}
	}
	// Deadlines move by the time the house was down, and it was up when the copy was made.
	if up, err := os.Stat(filepath.Join(data, "alive")); err != nil || up.ModTime().Before(c.Made) {
		if err := folder.Touch(filepath.Join(data, "alive"), c.Made, folder.AliveText); err != nil {
			return c, false, err
		}
	}
	return c, true, errors.Join(onDisk(data), os.RemoveAll(dir))
}

// onDisk flushes a folder's list of files to the disk.
func onDisk(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// fetchedCopy fetches the newest copy into carryDir. It tries again if the copy is replaced meanwhile, and reports to
// tell what fails more than once.
func fetchedCopy(ctx context.Context, from *newest, tell func(error)) (c copies.Copy, err error) {
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	for tries := 1; ; tries++ {
		dir, err := emptied(from.data)
		if err != nil {
			return c, err
		}
		if c, err = from.store.Fetch(ctx, dir); err == nil {
			if err := from.allows(c.Version, from.least()); err != nil {
				return c, err
			}
			for _, name := range carriedDatabases {
				if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
					return c, fmt.Errorf("the copy in the cluster is not whole: %w", err)
				}
			}
			return c, nil
		}
		if errors.Is(err, copies.ErrSealed) || errors.Is(err, copies.ErrNone) || ctx.Err() != nil {
			return c, err
		}
		if tries > 1 {
			tell(err)
		}
		if watch.Pause(ctx, carryLook) != nil {
			return c, err
		}
	}
}

// moveIn replaces a file, and removes the files that SQLite keeps beside the old one. If the copy lacks the file, the
// old one stays.
func moveIn(from, to string) error {
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, rest := range []string{"-wal", "-shm"} { // or SQLite would apply them to the new file
		if err := os.Remove(to + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(from, to)
}

// carrier puts copies into the cluster while this server writes.
type carrier struct {
	store   *copies.Store
	data    string
	begun   uint64
	logger  *slog.Logger
	watches []*database.Watch
}

// carries starts watching the databases of an open house.
func carries(ctx context.Context, store *copies.Store, data string, begun uint64, logger *slog.Logger) (*carrier,
	error) {
	c := &carrier{store: store, data: data, begun: begun, logger: logger}
	for _, name := range carriedDatabases {
		w, err := database.NewWatch(ctx, filepath.Join(data, name))
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.watches = append(c.watches, w)
	}
	return c, nil
}

// Close ends the watch.
func (c *carrier) Close() (err error) {
	for _, w := range c.watches {
		err = errors.Join(err, w.Close())
	}
	return err
}

// Run copies changes until the context ends. It logs a failure once and tries again. It returns copies.ErrOvertaken if
// another server has taken over.
func (c *carrier) Run(ctx context.Context) error {
	due, told := false, false
	for pause := carryLook; watch.Pause(ctx, pause) == nil; {
		pause = carryLook
		changed, err := c.changed(ctx)
		if due = due || changed; err == nil && !due {
			continue
		}
		began := time.Now()
		if err == nil {
			err = c.once(ctx)
		}
		if errors.Is(err, copies.ErrOvertaken) {
			return err
		}
		pause = rests(time.Since(began), err != nil)
		switch {
		case ctx.Err() != nil:
		case err == nil && told:
			due, told = false, false
			c.logger.Info("people.db and mail.db are copied into the cluster again")
		case err == nil:
			due = false
		case !told:
			told = true
			c.logger.Error("people.db and mail.db cannot be copied into the cluster: a server that takes over will "+
				"lack what changes from now on", "error", err)
		}
	}
	return ctx.Err()
}

// changed reports whether there is anything to copy.
func (c *carrier) changed(ctx context.Context) (any bool, err error) {
	for _, w := range c.watches {
		changed, failed := w.Changed(ctx)
		any, err = any || changed, errors.Join(err, failed)
	}
	return any, err
}

// once makes a copy and puts it into the cluster.
func (c *carrier) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	dir, err := emptied(c.data)
	if err != nil {
		return err
	}
	at := time.Now()
	for _, name := range carriedDatabases {
		if err := database.Copy(ctx, filepath.Join(c.data, name), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	for _, name := range carriedFiles {
		if err := folder.CopyFile(ctx, filepath.Join(c.data, name), filepath.Join(dir, name)); err != nil &&
			!errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	_, err = c.store.Put(ctx, c.begun, dir, at)
	return errors.Join(err, os.RemoveAll(dir))
}
