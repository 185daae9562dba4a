// Package safe is a log that vouches for what a cluster keeps, not only this machine. It wraps the log of a server
// whose copy is replicated: it answers an append once its record is committed here, published, and confirmed by the
// cluster at its own position. Until then nobody sees the record, so that nothing is read, mailed or signed that a
// server taking over may lack.
//
// What must not live here: how the copy is made (events/relay), and who may write (events/lease).
package safe

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"posthorn/events"
)

// Copy is the state of a log's replicated copy. [posthorn/events/relay.Relay] is one.
type Copy interface {
	// Synced waits until the copy is known to hold the log up to a position, or the context ends.
	Synced(ctx context.Context, pos uint64) error
	// Standing returns the position up to which the copy is known to hold the log, and whether the copy is there now.
	Standing() (published uint64, up bool)
	// Alarmed returns a channel that is closed when the copy holds anything other than this log: somebody else writes
	// it.
	Alarmed() <-chan struct{}
}

// DefaultPatience is how long an append waits for the cluster.
const DefaultPatience = 5 * time.Second

var (
	errWaited = errors.New("the cluster has not confirmed it in time")
	errAway   = errors.New("the cluster is not there, and nothing was written")
	errAlarm  = errors.New("the cluster's copy is not of this log: another server may be writing")
)

// Log is an [events.Log] over another one. Make it with New.
type Log struct {
	log      events.Log
	copy     Copy
	patience time.Duration

	seen    atomic.Uint64 // what was once known to be safe stays visible, whatever happens to the copy
	stalled atomic.Uint64 // a position that was not confirmed in time
	away    atomic.Bool   // the copy was not there for a whole wait
	fenced  atomic.Pointer[error]

	life context.Context // ends with the log or with an alarm; its cause says which
	end  context.CancelCauseFunc
}

var _ events.Log = (*Log)(nil)

// New returns a log over another that is replicated. Closing it closes the other one. An append waits up to patience
// for the cluster; if that has not confirmed it by then, the error wraps [events.ErrUnsafe]. The record is in the log
// underneath, is shown to nobody, and is confirmed once the cluster is back; the same command then gets its first
// answer.
func New(log events.Log, to Copy, patience time.Duration) *Log {
	l := &Log{log: log, copy: to, patience: patience}
	l.life, l.end = context.WithCancelCause(context.Background())
	go func() {
		select {
		case <-to.Alarmed():
			l.end(errAlarm)
		case <-l.life.Done():
		}
	}()
	return l
}

// Fence refuses all appends from now on, for a reason. Appends under way still get a true answer.
func (l *Log) Fence(why error) { l.fenced.CompareAndSwap(nil, &why) }

// safe returns the position up to which records are shown.
func (l *Log) safe() uint64 {
	published, _ := l.copy.Standing()
	for {
		seen := l.seen.Load()
		if published <= seen {
			return seen
		}
		if l.seen.CompareAndSwap(seen, published) {
			return published
		}
	}
}

// whole reports whether everything that the log holds now is safe. If so, what was read before may be given out.
func (l *Log) whole(ctx context.Context) (bool, error) {
	last, err := l.log.Last(ctx)
	return err == nil && last <= l.safe(), err
}

func unsafe(why error) error { return fmt.Errorf("%w: %w", events.ErrUnsafe, why) }

// ready refuses, before anything is written, an append that could not be confirmed anyway.
func (l *Log) ready(ctx context.Context) error {
	if why := l.fenced.Load(); why != nil {
		return unsafe(*why)
	}
	select {
	case <-l.copy.Alarmed():
		return unsafe(errAlarm)
	default:
	}
	if l.stalled.Load() > l.safe() {
		return unsafe(errWaited)
	}
	if _, up := l.copy.Standing(); up {
		l.away.Store(false)
		return nil
	}
	if l.away.Load() {
		return unsafe(errAway)
	}
	if err := l.synced(ctx, 0); err != nil {
		l.away.Store(l.away.Load() || errors.Is(err, errWaited))
		return unsafe(errors.Join(errAway, err))
	}
	return nil
}

// confirm waits until a position is safe.
func (l *Log) confirm(ctx context.Context, pos uint64) error {
	if l.safe() >= pos {
		return nil
	}
	if err := l.synced(ctx, pos); err != nil {
		if errors.Is(err, errWaited) {
			l.stalled.Store(max(l.stalled.Load(), pos))
		}
		return unsafe(err)
	}
	l.safe()
	return nil
}

// synced waits for the copy for as long as the log's patience, and says why if it did not get there.
func (l *Log) synced(ctx context.Context, pos uint64) error {
	waiting, cancel := context.WithTimeoutCause(ctx, l.patience, errWaited)
	defer cancel()
	return l.living(waiting, func(ctx context.Context) error { return l.copy.Synced(ctx, pos) })
}

// living runs a wait until the log's life ends.
func (l *Log) living(ctx context.Context, wait func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.life, func() { cancel(context.Cause(l.life)) })()
	err := wait(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Append implements [events.Log]. An error that wraps [events.ErrUnsafe] says that the cluster has not confirmed the
// record.
func (l *Log) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if err := l.ready(ctx); err != nil {
		return events.Record{}, fmt.Errorf("append: %w", err)
	}
	rec, err := l.log.Append(ctx, d)
	pos := rec.Pos
	if dup := (*events.Duplicate)(nil); errors.As(err, &dup) {
		pos = dup.Record.Pos
	} else if errors.As(err, new(*events.Conflict)) {
		// The conflicting event may not be shown yet, and the caller must see it to judge the draft again.
		last, failed := l.log.Last(ctx)
		if failed != nil {
			return events.Record{}, failed
		}
		pos = last
	} else if err != nil {
		return events.Record{}, err
	}
	if failed := l.confirm(ctx, pos); failed != nil {
		return events.Record{}, fmt.Errorf("append: %w", failed)
	}
	return rec, err
}

// Adopt implements [events.Log], as Append does.
func (l *Log) Adopt(ctx context.Context, streams []events.Stream, records []events.Record) error {
	if err := l.ready(ctx); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	if err := l.log.Adopt(ctx, streams, records); err != nil {
		return err
	}
	last, err := l.log.Last(ctx)
	if err == nil {
		err = l.confirm(ctx, last)
	}
	if err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	return nil
}

// Wait implements [events.Log].
func (l *Log) Wait(ctx context.Context, after uint64) error {
	if err := l.log.Wait(ctx, after); err != nil || l.safe() > after {
		return err
	}
	err := l.living(ctx, func(ctx context.Context) error { return l.copy.Synced(ctx, after+1) })
	if errors.Is(err, errAlarm) {
		// Nothing more is shown: as if nothing were written.
		return l.idle(ctx)
	}
	if err != nil {
		return fmt.Errorf("wait for a safe position above %d: %w", after, err)
	}
	l.safe()
	return nil
}

// idle waits for the context or the end of the log underneath.
func (l *Log) idle(ctx context.Context) error { return l.log.Wait(ctx, ^uint64(0)>>1) }

// Close implements [events.Log].
func (l *Log) Close() error {
	l.end(events.ErrClosed)
	return l.log.Close()
}
