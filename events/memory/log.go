// Package memory is the log in memory: for tests, scripts and simulations. It forgets
// everything when it is closed. What may not live here: anything the SQLite log does not
// do too, for both pass one suite.
package memory

import (
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
	order    []*stream // as they were opened
	commands map[command]uint64
	tip      watch.Tip
}

var _ events.Log = (*Log)(nil)

// stream is a stream and the positions of its own events, the first of which is version Fork+1.
type stream struct {
	events.Stream
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

func (s *stream) version() uint64 { return s.Fork + uint64(len(s.own)) }

// at is the record of a version, from an ancestor if it lies before a fork.
func (l *Log) at(s *stream, version uint64) *events.Record {
	for version <= s.Fork {
		s = s.parent
	}
	return &l.records[s.own[version-s.Fork-1]-1]
}

// tipHash is the hash that the next event of a stream is chained to.
func (l *Log) tipHash(s *stream) events.Hash {
	if s.version() == 0 {
		return s.Origin
	}
	return l.at(s, s.version()).Hash
}

// Append implements [events.Log]. What is queued is written at once, so a context that
// ends is noticed before the write or not at all.
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
	s, err := l.admit(&d)
	if err != nil {
		return events.Record{}, err
	}
	r := check.Record(&d, l.tipHash(s))
	l.write(s, &r)
	l.tip.Move(r.Pos)
	return r, nil
}

// admit judges a draft and returns its stream, not yet known if it is a new one.
func (l *Log) admit(d *events.Draft) (*stream, error) {
	s, known := l.streams[d.Stream]
	if !known && d.Open == nil {
		return nil, fmt.Errorf("append to %s: %w", d.Stream, events.ErrNoStream)
	}
	if !known {
		s = &stream{Stream: *d.Open}
	}
	if pos, ok := l.commands[command{s.Table, d.Command}]; ok {
		return nil, &events.Duplicate{Record: l.records[pos-1]}
	}
	if !known {
		if err := l.place(s); err != nil {
			return nil, err
		}
	}
	if d.Expect != s.version() || known && d.Open != nil {
		return nil, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: s.version()}
	}
	for _, g := range d.Guards {
		var actual uint64
		if on, ok := l.streams[g.Stream]; ok {
			actual = on.version()
		}
		if actual != g.Version {
			return nil, &events.Conflict{Stream: g.Stream, Expected: g.Version, Actual: actual}
		}
	}
	return s, nil
}

// place finds a new stream's table and parent.
func (l *Log) place(s *stream) error {
	if _, ok := l.streams[s.Table]; !ok && !check.Rooted(&s.Stream) {
		return fmt.Errorf("open %s at table %s: %w", s.Name, s.Table, events.ErrNoStream)
	}
	if s.Parent.IsZero() {
		return nil
	}
	parent, ok := l.streams[s.Parent]
	if !ok {
		return fmt.Errorf("open %s as a fork of %s: %w", s.Name, s.Parent, events.ErrNoStream)
	}
	if s.Fork > parent.version() {
		return &events.Conflict{Stream: s.Parent, Expected: s.Fork, Actual: parent.version()}
	}
	s.parent = parent
	return nil
}

// write keeps a record, and its stream if it is a new one, and gives it its position.
func (l *Log) write(s *stream, r *events.Record) {
	if _, known := l.streams[s.Name]; !known {
		l.streams[s.Name] = s
		l.order = append(l.order, s)
	}
	r.Pos = uint64(len(l.records)) + 1
	l.records = append(l.records, *r)
	s.own = append(s.own, r.Pos)
	l.commands[command{s.Table, r.Command}] = r.Pos
}

// Close implements [events.Log].
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.tip.Close()
	return nil
}
