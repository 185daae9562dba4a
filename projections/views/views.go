// Package views keeps the inbox and the lobby: rows made from the log, in a database of their own that may be thrown
// away. The checkpoint is in the same transaction as the rows.
//
// Rows are written one table at a time, from the table as it stands: handling an event twice, or a hundred at once,
// gives the same result. Whether a decision is still awaited is for the log to say, never for a view.
package views

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
	"posthorn/events/recent"
	"posthorn/events/watch"
	"posthorn/migrations"
)

// Views are the inbox and the lobby.
type Views struct {
	desk *desk.Desk
	dir  string

	// Discarded says why Open threw away an existing file; nil if it did not.
	Discarded error
	// Alarm, if set before Run, is told why a file is thrown away later.
	Alarm func(error)

	stamps  *recent.Recall[moment, int64]         // times of events
	written *recent.Store[writtenIn, events.Head] // how tables stood when all their rows were last written

	far  uint64        // when this many events behind the log, write each table once before following it
	sick chan struct{} // signals that somebody found the file damaged

	unread bool // the file was too large to check on opening

	mu     sync.RWMutex
	db     *sql.DB
	number int
	tip    watch.Tip // how far the views have come
	hurry  *desk.Demand
}

// Open opens the newest views-N.db in a folder, or makes the first. It throws away a damaged file and rebuilds it from
// the log; Discarded says why.
func Open(ctx context.Context, dir string, d *desk.Desk) (*Views, error) {
	number, err := newest(dir)
	if err != nil {
		return nil, err
	}
	v := &Views{desk: d, dir: dir, number: number, stamps: recent.NewRecall[moment, int64](mostStamps),
		written: recent.New[writtenIn, events.Head](mostWritten, nil), far: farBehind, sick: make(chan struct{}, 1),
		hurry: desk.NewDemand()}
	if v.Discarded = v.open(ctx); v.Discarded != nil {
		if keeps(ctx, v.Discarded) {
			return nil, v.Discarded // the disk's fault, not the file's
		}
		if err := remove(v.path(number)); err != nil {
			return nil, errors.Join(v.Discarded, err)
		}
		if err := v.open(ctx); err != nil {
			return nil, err
		}
		return v, v.Rebuild(ctx, nil)
	}
	last, err := d.Log().Last(ctx)
	if err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	stray, err := v.stray(ctx)
	if err != nil {
		return nil, err
	}
	if stray || v.Position() > last { // made from another log
		return v, v.Rebuild(ctx, nil)
	}
	return v, nil
}

func (v *Views) path(n int) string { return filepath.Join(v.dir, fmt.Sprintf("views-%d.db", n)) }

func newest(dir string) (int, error) {
	files, err := filepath.Glob(filepath.Join(dir, "views-*.db"))
	if err != nil {
		return 0, fmt.Errorf("views in %s: %w", dir, err)
	}
	n := 1
	for _, f := range files {
		s := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "views-"), ".db")
		if i, err := strconv.Atoi(s); err == nil && i > n {
			n = i
		}
	}
	return n, nil
}

// openFile opens a file, and creates the views' tables in an empty one. It does not migrate a file of another schema:
// such a file is rebuilt from the log, which also fills what is new in it.
func openFile(ctx context.Context, path string) (*sql.DB, error) {
	db, err := database.Connect(path, "journal_mode(WAL)", "synchronous(NORMAL)")
	if err != nil {
		return nil, err
	}
	have, err := database.Schema(ctx, db)
	if err == nil && len(have) == 0 {
		err = migrations.Apply(ctx, db, "views")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Rest releases memory that only speeds up the next reads.
func (v *Views) Rest(ctx context.Context) error {
	v.stamps.Trim(mostStamps / 256)
	v.written.Trim(mostWritten / 256)
	v.mu.RLock()
	defer v.mu.RUnlock()
	return database.Rest(ctx, v.db)
}

// Close closes the file.
func (v *Views) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.db.Close()
}

// Run follows the log until the context ends. It rebuilds a file that proves damaged.
func (v *Views) Run(ctx context.Context, f events.Follower) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.heal(ctx) })
	g.Go(func() error { return v.reads(ctx) })
	g.Go(func() error { return v.follow(ctx, f) })
	return g.Wait()
}

func (v *Views) follow(ctx context.Context, f events.Follower) error {
	last, err := v.desk.Log().Last(ctx)
	if err != nil {
		return fmt.Errorf("views: %w", err)
	}
	if pos := v.Position(); last > pos+v.far {
		if err := v.fill(ctx, pos, v.update, nil); err != nil {
			return err
		}
	}
	return v.desk.FollowInBatches(ctx, f, v.Position(), v.hurry, func(ctx context.Context, b desk.Batch) error {
		return v.update(ctx, b.Tables, b.Pos)
	})
}

// update brings the views up to a position by writing the tables that the log is about up to there.
func (v *Views) update(ctx context.Context, tables []events.Name, pos uint64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if pos < v.Position() {
		return nil // a rebuild was faster
	}
	if err := v.project(ctx, v.db, tables, pos); v.noted(err) != nil {
		if damaged(err) {
			return nil // the rebuild will include them
		}
		return err
	}
	v.tip.Move(pos)
	return nil
}

// Position returns how far the views have come.
func (v *Views) Position() uint64 { return v.tip.Last() }

// Await returns once the views have reached a position, so that callers can read their own writes.
func (v *Views) Await(ctx context.Context, pos uint64) error {
	if pos == 0 {
		return nil
	}
	v.hurry.For(pos)
	return v.tip.Wait(ctx, pos-1)
}

// Rebuild fills a new file next to the old one from the whole log and swaps them. It mails nobody. If progress is set,
// it reports how far the rebuild is.
func (v *Views) Rebuild(ctx context.Context, progress func(done, total uint64)) error {
	next := v.path(v.number + 1)
	if err := remove(next); err != nil {
		return err
	}
	db, err := openFile(ctx, next)
	if err != nil {
		return err
	}
	pos := uint64(0)
	write := func(ctx context.Context, tables []events.Name, upTo uint64) error {
		pos = upTo
		return v.project(ctx, db, tables, upTo)
	}
	if err := v.fill(ctx, 0, write, progress); err != nil {
		return errors.Join(err, db.Close())
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.fill(ctx, pos, write, nil); err != nil { // what came meanwhile
		return errors.Join(err, db.Close())
	}
	old, oldPath := v.db, v.path(v.number)
	v.db, v.number = db, v.number+1
	v.tip.Move(pos)
	if err := old.Close(); err != nil && !damaged(err) {
		return fmt.Errorf("close %s: %w", oldPath, err)
	}
	return remove(oldPath)
}

func remove(path string) error {
	for _, p := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove old views: %w", err)
		}
	}
	return nil
}

const (
	farBehind = 4096
	mostAbout = 200_000 // tables to collect from the log before writing them, each once; about 50 MB meanwhile
	atOnce    = 64      // tables written in one transaction
)

// fill writes every table that the log is about after a position, once, wherever its events lie. Until it has written
// the last of them, the recorded position stays where it was.
func (v *Views) fill(ctx context.Context, pos uint64,
	write func(ctx context.Context, tables []events.Name, pos uint64) error, progress func(done, total uint64)) error {
	total, err := v.desk.Log().Last(ctx)
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	for {
		tables, upTo, err := v.desk.About(ctx, pos, mostAbout)
		if err != nil || upTo == pos {
			return err
		}
		for done := 0; pos < upTo; {
			part := tables[done:min(done+atOnce, len(tables))]
			at := pos
			if done += len(part); done == len(tables) {
				at = upTo
			}
			if err := write(ctx, part, at); err != nil {
				return err
			}
			if progress != nil {
				progress(pos+(upTo-pos)*uint64(done)/uint64(max(len(tables), 1)), max(upTo, total))
			}
			pos = at
		}
	}
}

// project writes the rows of tables, and the position that the views reach with them.
func (v *Views) project(ctx context.Context, db *sql.DB, tables []events.Name, pos uint64) error {
	heads := map[events.Name]events.Head{}
	err := database.Change(ctx, db, "views", func(tx *sql.Tx) error {
		err := v.desk.Each(ctx, tables, func(look desk.Look) error {
			was, known := v.written.Get(writtenIn{db, look.Name})
			heads[look.Name] = look.TableHead
			return v.write(ctx, tx, look, known && was == look.TableHead)
		})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE checkpoint SET pos = ?`, pos)
		return err
	})
	if err == nil {
		for name, head := range heads {
			v.written.Set(writtenIn{db, name}, head)
		}
	}
	return err
}

// writtenIn identifies a table's rows in a file.
type writtenIn struct {
	db    *sql.DB
	table events.Name
}

// mostWritten is how many tables to remember the state of, as it was when their rows were written.
const mostWritten = 1024

// stamp returns the time of a stream's event, in milliseconds; 0 for version 0.
func (v *Views) stamp(ctx context.Context, stream events.Name, version uint64) (int64, error) {
	if version == 0 {
		return 0, nil
	}
	return v.stamps.Of(moment{stream, version}, func() (int64, error) {
		rec, err := events.LoadOne(ctx, v.desk.Log(), stream, version)
		return rec.At.UnixMilli(), err
	})
}

// moment is a version of a stream; its time never changes.
type moment struct {
	stream  events.Name
	version uint64
}

// mostStamps is how many times to remember: for some thousand tables, when each was opened, its last event, and since
// when it asks.
const mostStamps = 4096

func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMilli(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func branchOf(t *domain.Table) string {
	if t.Branch == nil {
		return ""
	}
	return t.Branch.Table
}

// forkOf returns where a branch forked from, as its opening has it.
func forkOf(t *domain.Table) (string, error) {
	if t.Branch == nil {
		return "", nil
	}
	text, err := json.Marshal(t.Branch)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	return string(text), nil
}
