// Package sqlite is the log in a SQLite file: the truth of a server. One goroutine owns the only connection that
// writes, and commits everything queued in one transaction, so that every answer is durable and a slow disk only
// makes the batches larger. What must not live here: anything about what the events mean.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/recent"
	"posthorn/events/watch"
	"posthorn/migrations"
)

var (
	// ErrLocked is returned by [Open] while another process, or another log in this one,
	// writes the same file.
	ErrLocked = errors.New("another process has this log open")
	// ErrReadOnly is returned by every operation that would write to a log from [OpenReadOnly].
	ErrReadOnly = errors.New("log is open for reading alone")
	// ErrDisk is returned for all appends after the disk failed to confirm a write, until it has confirmed everything
	// written before: only then is it known what the disk kept. Each append tries that first.
	ErrDisk = errors.New("the disk did not confirm a write")

	errDamaged = database.ErrUnsound
)

const (
	maxBatch    = 512     // drafts per transaction
	maxQueue    = 1024    // drafts waiting; any more wait to be queued
	maxHeads    = 8192    // streams whose heads the writer remembers
	maxKnown    = 8192    // streams that the readers remember, likewise
	maxLate     = 1024    // records remembered after they were written
	maxLateSize = 4 << 10 // the longest of them; hardly any record is longer
	readers     = 4       // connections that read
	lookEvery   = 50 * time.Millisecond
)

// Log is an [events.Log] in a SQLite file.
type Log struct {
	path  string
	lock  *os.File // nil in a read-only log
	known *catalogue
	heads *recent.Recall[events.Name, events.Head] // what the writer has committed; unused in a read-only log
	late  *tail                                    // the records written last
	tip   watch.Tip

	gate   sync.RWMutex // read-locked while something is put into the queue
	closed bool
	queue  chan *request // nil in a read-only log
	unread chan struct{} // closed when no reader is left
	ended  chan struct{} // closed when the writer has ended, with its last error in stop
	stop   error

	free chan *reader // idle readers; nil stands for one not opened yet
}

var _ events.Log = (*Log)(nil)

// Open opens the log in a file, creates it if there is none, and brings its schema up to date. While it is open no
// other process can write to it; Open returns [ErrLocked] if another one does.
func Open(ctx context.Context, path string) (*Log, error) {
	if err := checkPair(); err != nil {
		return nil, err
	}
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(path + "-lock")
	if err != nil {
		return nil, err
	}
	l := newLog(path)
	l.lock = lock
	if err := l.start(ctx); err != nil {
		return nil, errors.Join(err, unlockFile(lock))
	}
	return l, nil
}

// OpenReadOnly opens a log for reading only, even while a server writes it. [Log.Wait] looks again every 50 ms.
func OpenReadOnly(ctx context.Context, path string) (*Log, error) {
	if err := checkPair(); err != nil {
		return nil, err
	}
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	l := newLog(path)
	close(l.ended)
	if _, err := l.Last(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// resolve finds the one true name of a file, so that nobody locks it under another.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("open the log: %w", err)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return path, nil // not there yet
}

func newLog(path string) *Log {
	l := &Log{path: path, known: newCatalogue(maxKnown), heads: recent.NewRecall[events.Name, events.Head](maxHeads),
		late: newTail(), unread: make(chan struct{}), ended: make(chan struct{}), free: make(chan *reader, readers)}
	for range readers {
		l.free <- nil
	}
	return l
}

func (l *Log) start(ctx context.Context) error {
	if err := migrate(ctx, l.path); err != nil {
		return err
	}
	w, err := newWriter(l)
	if err != nil {
		return err
	}
	l.queue = make(chan *request, maxQueue)
	l.tip.Move(w.last)
	go func() {
		w.run(l.queue)
		<-l.unread // the last to close merges the files beside the data file into it, which a reader must not do
		l.stop = w.c.close()
		close(l.ended)
	}()
	return nil
}

func migrate(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", dsn(path, "journal_mode(WAL)"))
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrations.Apply(ctx, db, "events")
}

// Close implements [events.Log]. It finishes appends already queued first.
func (l *Log) Close() error {
	l.gate.Lock()
	if l.closed {
		l.gate.Unlock()
		<-l.ended
		return nil
	}
	l.closed = true
	if l.queue != nil {
		close(l.queue)
	}
	l.gate.Unlock()
	l.tip.Close()
	var errs []error
	for range readers {
		if r := <-l.free; r != nil {
			errs = append(errs, r.c.close())
		}
	}
	for range readers {
		l.free <- nil // for those who looked before the log was closed, and will look again
	}
	close(l.unread)
	<-l.ended
	errs = append(errs, l.stop)
	if l.lock != nil {
		errs = append(errs, unlockFile(l.lock))
	}
	return errors.Join(errs...)
}

func (l *Log) isClosed() bool {
	l.gate.RLock()
	defer l.gate.RUnlock()
	return l.closed
}

// Path returns the file's absolute path.
func (l *Log) Path() string { return l.path }

// Owner says which house a log belongs to.
type Owner struct {
	Name events.Name // by which the house's other files know the log
	Key  events.Hash // fingerprint of the server's key that seals its secret parts
}

// Owner returns the house that the log belongs to. ok is false if the log does not say so yet.
func (l *Log) Owner(ctx context.Context) (h Owner, ok bool, err error) {
	h, err = reading(ctx, l, func(r *reader) (h Owner, err error) {
		there, err := r.c.prepare(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'house'`)
		if err != nil {
			return h, err
		}
		if n, err := there.number(); err != nil || n == 0 {
			return h, err // an older log that is only read
		}
		read, err := r.c.prepare(`SELECT name, key FROM house`)
		if err != nil {
			return h, err
		}
		ok, err = read.one(func(row []driver.Value) error {
			name, _ := row[0].([]byte)
			key, _ := row[1].([]byte)
			if len(name) != len(h.Name) || len(key) != len(h.Key) {
				return fmt.Errorf("whose log this is: %w", errDamaged)
			}
			h.Name, h.Key = events.Name(name), events.Hash(key)
			return nil
		})
		return h, err
	})
	return h, ok, err
}

// SetOwner writes which house the log belongs to, once and forever.
func (l *Log) SetOwner(ctx context.Context, h Owner) error {
	err := l.alone(ctx, func(w *writer) error {
		set, err := w.c.prepare(`INSERT INTO house (one, name, key) VALUES (1, ?, ?)`)
		if err != nil {
			return err
		}
		_, err = set.exec(h.Name[:], h.Key[:])
		return err
	})
	if err != nil {
		return fmt.Errorf("note whose log this is: %w", err)
	}
	return nil
}

// Settle moves all of a log that nobody has open into the one file, durably, so that the file may be renamed.
func Settle(path string) (err error) {
	c, err := connect(dsn(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	move, err := c.prepare(`PRAGMA wal_checkpoint(TRUNCATE)`)
	if err != nil {
		return err
	}
	busy, err := move.number()
	if err == nil && busy != 0 {
		err = errors.New("the log is open elsewhere")
	}
	return err
}
