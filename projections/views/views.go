// Package views keeps the inbox and the lobby: rows made from the log, in a database of
// their own that may be thrown away. The checkpoint is in the same transaction as the rows.
//
// Rows are written a table at a time, from the table as it stands: handling an event twice,
// or a hundred at once, comes to the same. Whether a decision is still awaited is asked of
// the log, never of a view.
package views

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	_ "modernc.org/sqlite" // the driver

	"posthorn/domain"
	"posthorn/events"
	"posthorn/migrations"
)

// Views are the inbox and the lobby.
type Views struct {
	desk *events.Desk
	dir  string

	// Discarded is why the file that was there was thrown away when it was opened, nil if it was not.
	Discarded error
	// Alarm, if set before Run, is told why a file is thrown away later.
	Alarm func(error)

	sick chan struct{} // somebody found the file damaged

	mu     sync.RWMutex
	db     *sql.DB
	number int
	pos    uint64
	moved  chan struct{} // closed when pos grows
}

// Open opens the newest views-N.db of a folder, or makes the first. One that is damaged is
// thrown away and made anew from the log: Discarded tells why.
func Open(ctx context.Context, dir string, desk *events.Desk) (*Views, error) {
	number, err := newest(dir)
	if err != nil {
		return nil, err
	}
	v := &Views{desk: desk, dir: dir, number: number, moved: make(chan struct{}), sick: make(chan struct{}, 1)}
	if v.Discarded = v.open(ctx); v.Discarded != nil {
		if keeps(ctx, v.Discarded) {
			return nil, v.Discarded // the disk's fault and not the file's
		}
		if err := remove(v.path(number)); err != nil {
			return nil, errors.Join(v.Discarded, err)
		}
		if err := v.open(ctx); err != nil {
			return nil, err
		}
		return v, v.Rebuild(ctx, nil)
	}
	last, err := desk.Log().Last(ctx)
	if err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	if v.pos > last { // made from another log
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

// openFile opens a file, and makes the views' tables in an empty one. A file of another schema
// is not changed: it is made anew from the log, which fills what is new in it too.
func openFile(ctx context.Context, path string) (*sql.DB, error) {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), // a folder's name may hold anything
		RawQuery: "_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(10000)&_txlock=immediate"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	have, err := schema(ctx, db)
	if err == nil && have == "" {
		err = migrations.Apply(ctx, db, "views")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Close closes the file.
func (v *Views) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.db.Close()
}

// Run follows the log until the context ends. A file that turns out to be damaged is made anew.
func (v *Views) Run(ctx context.Context, f events.Follower) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.heal(ctx) })
	g.Go(func() error { return v.follow(ctx, f) })
	return g.Wait()
}

func (v *Views) follow(ctx context.Context, f events.Follower) error {
	return f.Follow(ctx, v.Position(), func(ctx context.Context, recs []events.Record) error {
		v.mu.Lock()
		defer v.mu.Unlock()
		if recs[len(recs)-1].Pos <= v.pos {
			return nil // a rebuild was quicker
		}
		if err := v.project(ctx, v.db, recs); v.noted(err) != nil {
			if damaged(err) {
				return nil // the rebuild will see them
			}
			return err
		}
		v.pos = recs[len(recs)-1].Pos
		v.wake()
		return nil
	})
}

// wake tells those who wait for a position to look again. The caller holds the lock.
func (v *Views) wake() {
	close(v.moved)
	v.moved = make(chan struct{})
}

// Position is how far the views have come.
func (v *Views) Position() uint64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.pos
}

// Await returns when the views have reached a position: to read one's own write.
func (v *Views) Await(ctx context.Context, pos uint64) error {
	for {
		v.mu.RLock()
		at, moved := v.pos, v.moved
		v.mu.RUnlock()
		if at >= pos {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Rebuild fills a new file beside the old one from the whole log and swaps them. It mails
// nobody. Progress, if given, is told how far it is.
func (v *Views) Rebuild(ctx context.Context, progress func(done, total uint64)) error {
	next := v.path(v.number + 1)
	if err := remove(next); err != nil {
		return err
	}
	db, err := openFile(ctx, next)
	if err != nil {
		return err
	}
	pos, err := v.fill(ctx, db, 0, progress)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if pos, err = v.fill(ctx, db, pos, nil); err != nil { // what came meanwhile
		return errors.Join(err, db.Close())
	}
	old, oldPath := v.db, v.path(v.number)
	v.db, v.number, v.pos = db, v.number+1, pos
	v.wake()
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

func (v *Views) fill(ctx context.Context, db *sql.DB, pos uint64, progress func(done, total uint64)) (uint64, error) {
	const batch = 4096
	log := v.desk.Log()
	total, err := log.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("rebuild: %w", err)
	}
	for pos < total {
		recs, err := log.Read(ctx, pos, batch)
		if err != nil {
			return 0, fmt.Errorf("rebuild after %d: %w", pos, err)
		}
		if err := v.project(ctx, db, recs); err != nil {
			return 0, err
		}
		pos = recs[len(recs)-1].Pos
		if progress != nil {
			progress(pos, total)
		}
	}
	return pos, nil
}

// project writes the rows of every table that the records are about.
func (v *Views) project(ctx context.Context, db *sql.DB, recs []events.Record) error {
	names, err := events.Touched(ctx, v.desk.Log(), recs)
	if err != nil {
		return fmt.Errorf("views: %w", err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("views: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	for _, n := range names {
		if err := v.write(ctx, tx, n); err != nil && !errors.As(err, new(*events.Unreadable)) {
			return fmt.Errorf("views of table %s: %w", n, err)
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE checkpoint SET pos = ?`, recs[len(recs)-1].Pos); err != nil {
		return fmt.Errorf("views: checkpoint: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("views: commit: %w", err)
	}
	return nil
}

// stamp is the time of a stream's event, in milliseconds; 0 if it has none.
func (v *Views) stamp(ctx context.Context, stream events.Name, version uint64) (int64, error) {
	if version == 0 {
		return 0, nil
	}
	recs, err := v.desk.Log().Load(ctx, stream, version-1, version)
	if err != nil || len(recs) == 0 {
		return 0, err
	}
	return recs[0].At.UnixMilli(), nil
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
