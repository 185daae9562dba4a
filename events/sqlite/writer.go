package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	lib "modernc.org/sqlite/lib"

	"posthorn/events"
	"posthorn/events/internal/check"
	"posthorn/events/recent"
)

// request is one thing for the writer to do: a draft, or work with a transaction of its own.
type request struct {
	draft  *events.Draft
	alone  func(w *writer) error
	record events.Record
	err    error
	state  atomic.Int32
	done   chan struct{}
}

// A request is queued until the writer takes it up or its caller withdraws it, whichever comes first.
const (
	queued int32 = iota
	taken
	withdrawn
)

func (r *request) answer(record events.Record, err error) {
	r.record, r.err = record, err
	r.done <- struct{}{}
}

// submit queues a request and waits for its answer. If the context ends while the request is only queued, submit
// withdraws it; once its transaction is under way submit waits for the answer, so that the answer is always true.
func (l *Log) submit(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("queue for the log: %w", err)
	}
	if err := l.enqueue(ctx, r); err != nil {
		return err
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.state.CompareAndSwap(queued, withdrawn) {
			return fmt.Errorf("queue for the log, nothing was written: %w", ctx.Err())
		}
		<-r.done
	}
	return r.err
}

// alone makes the writer do something in a transaction of its own.
func (l *Log) alone(ctx context.Context, f func(w *writer) error) error {
	return l.submit(ctx, &request{alone: f, done: make(chan struct{}, 1)})
}

func (l *Log) enqueue(ctx context.Context, r *request) error {
	l.gate.RLock()
	defer l.gate.RUnlock()
	switch {
	case l.closed:
		return events.ErrClosed
	case l.queue == nil:
		return ErrReadOnly
	}
	select {
	case l.queue <- r:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("queue for the log, nothing was written: %w", ctx.Err())
	}
}

// writer owns the connection that writes. Everything in it belongs to one goroutine.
type writer struct {
	log *Log
	c   *conn
	*queries
	begin, commit, rollback             *stmt
	settle                              *stmt // moves the contents of the write-ahead log into the file
	insertEvent, insertPart, insertOpen *stmt
	lastStream                          *stmt
	heads                               *recent.Store[events.Name, *head]
	moved                               map[events.Name]events.Head // by the transaction under way
	wrote                               []events.Record             // by it as well, only the last ones
	last                                uint64                      // position of the newest record
	opened                              int64                       // key of the newest stream
	astray                              bool                        // what is remembered may differ from the disk
	broken                              error                       // the disk did not confirm a write
}

// writerCache is SQLite's page cache, in KiB. It holds the pages that the largest transaction changes, with each
// draft at another table. Any other page is in the system's own cache; a cache eight times larger made no append
// cheaper.
const writerCache = "cache_size(-8192)"

func newWriter(l *Log) (*writer, error) {
	c, err := connect(dsn(l.path, "journal_mode(WAL)", "wal_autocheckpoint(4000)", writerCache,
		"journal_size_limit(67108864)"))
	if err != nil {
		return nil, err
	}
	w := &writer{log: l, c: c, heads: recent.New[events.Name, *head](maxHeads, nil),
		moved: map[events.Name]events.Head{}}
	if err = w.prepare(); err == nil {
		err = w.recall()
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return w, nil
}

func (w *writer) prepare() (err error) {
	if w.queries, err = prepareQueries(w.c, w.log.known, false); err != nil {
		return err
	}
	return w.c.prepareAll([]statement{
		{&w.begin, `BEGIN IMMEDIATE`},
		{&w.commit, `COMMIT`},
		{&w.rollback, `ROLLBACK`},
		{&w.settle, `PRAGMA wal_checkpoint(TRUNCATE)`},
		{&w.insertEvent, `INSERT INTO events (pos, stream, version, tbl, type, at, cmd, meta, codec, data, parts, hash)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tbl, cmd) DO NOTHING`},
		{&w.insertPart, `INSERT INTO parts (stream, version, n, audience, digest, sealed) VALUES (?, ?, ?, ?, ?, ?)`},
		{&w.insertOpen, `INSERT INTO streams (id, name, kind, rulebook, tbl, parent, fork, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`},
		{&w.lastStream, `SELECT coalesce(max(id), 0) FROM streams`},
	}...)
}

// run takes requests until the queue is closed and empty.
func (w *writer) run(queue <-chan *request) {
	batch := make([]*request, 0, maxBatch)
	for first := range queue {
		batch = w.gather(append(batch[:0], first), queue)
		w.serve(batch)
		clear(batch)
	}
}

// gather adds what else is waiting. It first lets the callers just answered queue up again: a commit costs the disk
// the same for one draft as for many.
func (w *writer) gather(batch []*request, queue <-chan *request) []*request {
	for idle := 0; idle < 2 && len(batch) < maxBatch; {
		select {
		case r, ok := <-queue:
			if !ok {
				return batch
			}
			batch, idle = append(batch, r), 0
		default:
			idle++
			runtime.Gosched()
		}
	}
	return batch
}

// serve handles a batch: drafts between two requests that stand alone share a transaction.
func (w *writer) serve(batch []*request) {
	drafts := batch[:0:0]
	flush := func() {
		if len(drafts) > 0 {
			w.serveDrafts(drafts)
			drafts = drafts[:0]
		}
	}
	for _, r := range batch {
		switch {
		case !r.state.CompareAndSwap(queued, taken):
		case r.alone != nil:
			flush()
			r.answer(events.Record{}, w.transact(func() error { return r.alone(w) }))
		default:
			drafts = append(drafts, r)
		}
	}
	flush()
}

// serveDrafts writes drafts in one transaction. A refused draft does not hold up the others. If the transaction
// fails, no answer is known to be true, not even a refusal, so everybody gets the error.
func (w *writer) serveDrafts(drafts []*request) {
	err := w.transact(func() error {
		for _, r := range drafts {
			var failed error
			if r.record, r.err, failed = check.Append(w, r.draft); failed != nil {
				return failed
			}
		}
		return nil
	})
	for _, r := range drafts {
		if err != nil {
			r.answer(events.Record{}, fmt.Errorf("append, not known to be written: %w", err))
		} else {
			r.answer(r.record, r.err)
		}
	}
}

// transact runs f in a transaction. If anything fails, the writer reads what it remembers from the disk again before
// the next one.
func (w *writer) transact(f func() error) (err error) {
	if w.broken != nil && !w.mended() {
		return w.broken
	}
	if w.astray {
		if err := w.recall(); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			w.astray = true
			w.log.heads.Forget()
		}
		if unconfirmed(err) {
			w.broken = fmt.Errorf("%w: %w", ErrDisk, err)
			err = w.broken
		}
	}()
	if _, err := w.begin.exec(); err != nil {
		return err
	}
	clear(w.moved)
	w.wrote = w.wrote[:0]
	if err := f(); err != nil {
		w.abandon()
		return err
	}
	if _, err := w.commit.exec(); err != nil {
		w.abandon()
		return err
	}
	w.log.heads.Changed(w.moved) // before anybody is told what was written
	w.log.late.add(w.wrote)
	clear(w.wrote)
	w.log.tip.Move(w.last)
	return nil
}

// mended tries to find out what the disk kept after it did not confirm a write: it writes all that was committed into
// the file, gets that confirmed, and starts a new write-ahead log, so that nothing depends on what may only have been
// in memory.
func (w *writer) mended() bool {
	busy, err := w.settle.number()
	if err != nil || busy != 0 {
		return false
	}
	w.broken, w.astray = nil, true
	return true
}

// abandon ends a failed transaction. SQLite may already have ended it, which is fine.
func (w *writer) abandon() { _, _ = w.rollback.exec() }

// recall drops what is remembered and reads from the disk where the log stands.
func (w *writer) recall() error {
	w.heads = recent.New[events.Name, *head](maxHeads, nil)
	w.log.heads.Forget()
	w.log.late.forget()
	last, err := w.lastPos()
	if err != nil {
		return err
	}
	if w.opened, err = w.lastStream.number(); err != nil {
		return err
	}
	if w.log.tip.Last() != last {
		w.log.tip.Move(last)
	}
	w.last, w.astray = last, false
	return nil
}

// unconfirmed reports whether an error is a failed sync: after one, the system may have dropped what it could not
// write and may report success the next time.
func unconfirmed(err error) bool {
	var e interface{ Code() int }
	return errors.As(err, &e) && (e.Code() == lib.SQLITE_IOERR_FSYNC || e.Code() == lib.SQLITE_IOERR_DIR_FSYNC)
}
