// Package memory is the log in memory: for tests, scripts and simulations. It forgets everything when it is closed.
// What must not live here: anything the SQLite log does not do too, since both pass one suite.
package memory

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"posthorn/events"
	"posthorn/events/internal/check"
	"posthorn/events/watch"
)

// Log is an [events.Log] in memory.
type Log struct {
	mu       sync.RWMutex
	closed   bool
	records  []events.Record // by position
	streams  map[events.Name]*stream
	order    []*stream // in the order they were opened
	commands map[command]uint64
	tip      watch.Tip
}

var _ events.Log = (*Log)(nil)

// stream is a stream and the positions of its own events; the first has version Fork+1.
type stream struct {
	check.Head
	parent *stream
	own    []uint64
}

type command struct {
	table events.Name
	id    events.CommandID
}

// New makes an empty log.
func New() *Log {
	return &Log{streams: map[events.Name]*stream{}, commands: map[command]uint64{}}
}

// at returns the record of a version, from an ancestor if it is before a fork.
func (l *Log) at(s *stream, version uint64) *events.Record {
	for version <= s.Fork {
		s = s.parent
	}
	return &l.records[s.own[version-s.Fork-1]-1]
}

// Append implements [events.Log]. It never queues, so it notices a context that ends before the write or not at all.
func (l *Log) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if err := ctx.Err(); err != nil {
		return events.Record{}, fmt.Errorf("append: %w", err)
	}
	if err := check.Draft(&d); err != nil {
		return events.Record{}, fmt.Errorf("append: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return events.Record{}, events.ErrClosed
	}
	r, refusal, err := check.Append((*ledger)(l), &d)
	if refusal != nil || err != nil {
		return events.Record{}, cmp.Or(refusal, err)
	}
	l.tip.Move(r.Pos)
	return r, nil
}

// Adopt implements [events.Log].
func (l *Log) Adopt(ctx context.Context, streams []events.Stream, records []events.Record) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return events.ErrClosed
	}
	before := len(l.records)
	if err := check.Adopt((*ledger)(l), streams, records); err != nil {
		l.undo(before)
		return fmt.Errorf("adopt: %w", err)
	}
	if len(l.records) > before {
		l.tip.Move(uint64(len(l.records)))
	}
	return nil
}

// undo removes all records after the first n, and the streams that they opened.
func (l *Log) undo(n int) {
	for _, r := range l.records[n:] {
		s := l.streams[r.Stream]
		delete(l.commands, command{s.Table, r.Command})
		if s.own = s.own[:len(s.own)-1]; len(s.own) > 0 {
			s.Head.Head = events.Head{Version: s.Version - 1, Hash: l.records[s.own[len(s.own)-1]-1].Hash}
		}
	}
	for len(l.order) > 0 && len(l.order[len(l.order)-1].own) == 0 {
		delete(l.streams, l.order[len(l.order)-1].Name)
		l.order = l.order[:len(l.order)-1]
	}
	clear(l.records[n:])
	l.records = l.records[:n]
}

// ledger is a log whose lock is held.
type ledger Log

// At implements [check.Ledger].
func (l *ledger) At(name events.Name) (*check.Head, error) {
	if s, ok := l.streams[name]; ok {
		return &s.Head, nil
	}
	return nil, nil
}

// Link implements [check.Ledger].
func (l *ledger) Link(h *check.Head, version uint64) (events.Hash, error) {
	return (*Log)(l).at(l.streams[h.Name], version).Hash, nil
}

// Done implements [check.Ledger].
func (l *ledger) Done(s *events.Stream, id events.CommandID) (dup, err error) {
	if pos, ok := l.commands[command{s.Table, id}]; ok {
		dup = &events.Duplicate{Record: l.records[pos-1]}
	}
	return dup, nil
}

// Write implements [check.Ledger].
func (l *ledger) Write(h *check.Head, r *events.Record) error {
	if dup, _ := l.Done(&h.Stream, r.Command); dup != nil {
		return dup
	}
	s, known := l.streams[h.Name]
	if !known {
		s = &stream{Head: *h, parent: l.streams[h.Parent]}
		l.streams[h.Name], l.order = s, append(l.order, s)
	}
	r.Pos = uint64(len(l.records)) + 1
	l.records, s.own = append(l.records, *r), append(s.own, r.Pos)
	s.Version, s.Hash = r.Version, r.Hash
	l.commands[command{s.Table, r.Command}] = r.Pos
	return nil
}

// Close implements [events.Log].
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.tip.Close()
	return nil
}

// reading runs f under the read lock, unless the context has ended or the log is closed.
func reading[T any](ctx context.Context, l *Log, f func() (T, error)) (none T, err error) {
	if err := ctx.Err(); err != nil {
		return none, fmt.Errorf("read the log: %w", err)
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return none, events.ErrClosed
	}
	return f()
}

// of is reading for one stream.
func of[T any](ctx context.Context, l *Log, name events.Name, f func(*stream) T) (T, error) {
	return reading(ctx, l, func() (none T, err error) {
		s, ok := l.streams[name]
		if !ok {
			return none, fmt.Errorf("stream %s: %w", name, events.ErrNoStream)
		}
		return f(s), nil
	})
}

// Stream implements [events.Log].
func (l *Log) Stream(ctx context.Context, name events.Name) (events.Stream, error) {
	return of(ctx, l, name, func(s *stream) events.Stream { return s.Stream })
}

// Streams implements [events.Log].
func (l *Log) Streams(ctx context.Context, table events.Name) ([]events.Stream, error) {
	return reading(ctx, l, func() (out []events.Stream, err error) {
		for _, s := range l.order {
			if s.Table == table {
				out = append(out, s.Stream)
			}
		}
		return out, nil
	})
}

// Head implements [events.Log].
func (l *Log) Head(ctx context.Context, name events.Name) (events.Head, error) {
	return of(ctx, l, name, func(s *stream) events.Head { return s.Head.Head })
}

// Load implements [events.Log].
func (l *Log) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	return of(ctx, l, name, func(s *stream) (out []events.Record) {
		last := s.Version
		if upTo > 0 {
			last = min(last, upTo)
		}
		for v := after + 1; v > after && v <= last; v++ {
			out = append(out, *l.at(s, v))
		}
		return out
	})
}

// Find implements [events.Log].
func (l *Log) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	return reading(ctx, l, func() (events.Record, error) {
		pos, ok := l.commands[command{table, id}]
		if !ok {
			return events.Record{}, fmt.Errorf("command %s: %w", id, events.ErrNoRecord)
		}
		return l.records[pos-1], nil
	})
}

// Read implements [events.Log].
func (l *Log) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	return reading(ctx, l, func() (out []events.Record, err error) {
		if after >= uint64(len(l.records)) || limit <= 0 {
			return nil, nil
		}
		tail := l.records[after:]
		return append(out, tail[:min(limit, len(tail))]...), nil
	})
}

// Last implements [events.Log].
func (l *Log) Last(ctx context.Context) (uint64, error) {
	return reading(ctx, l, func() (uint64, error) { return uint64(len(l.records)), nil })
}

// Wait implements [events.Log].
func (l *Log) Wait(ctx context.Context, after uint64) error { return l.tip.Wait(ctx, after) }
