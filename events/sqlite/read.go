package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"posthorn/events"
)

// reader is a connection that reads.
type reader struct {
	c *conn
	*queries
}

func (l *Log) newReader() (*reader, error) {
	// KiB, for the indexes; a line is read once and kept folded
	c, err := connect(dsn(l.path, "query_only(ON)", "cache_size(-1024)"))
	if err != nil {
		return nil, err
	}
	q, err := prepareQueries(c, l.known, true)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return &reader{c: c, queries: q}, nil
}

// reading runs f with a reader from the pool.
func reading[T any](ctx context.Context, l *Log, f func(r *reader) (T, error)) (none T, err error) {
	if err := ctx.Err(); err != nil {
		return none, fmt.Errorf("read the log: %w", err)
	}
	if l.isClosed() {
		return none, events.ErrClosed
	}
	var r *reader
	select {
	case r = <-l.free:
	case <-ctx.Done():
		return none, fmt.Errorf("read the log: %w", ctx.Err())
	}
	defer func() { l.free <- r }()
	if l.isClosed() { // between the first check and getting the reader
		return none, events.ErrClosed
	}
	if r == nil {
		fresh, err := l.newReader()
		if err != nil {
			return none, err
		}
		r = fresh
	}
	return f(r)
}

// of is reading for one stream. It returns [events.ErrNoStream] if there is none.
func of[T any](ctx context.Context, l *Log, name events.Name, f func(*reader, *stream) (T, error)) (T, error) {
	return reading(ctx, l, func(r *reader) (none T, err error) {
		s, err := r.stream(name)
		if err != nil {
			return none, err
		}
		if s == nil {
			return none, fmt.Errorf("stream %s: %w", name, events.ErrNoStream)
		}
		return f(r, s)
	})
}

// Stream implements [events.Log].
func (l *Log) Stream(ctx context.Context, name events.Name) (events.Stream, error) {
	return of(ctx, l, name, func(_ *reader, s *stream) (events.Stream, error) { return s.Stream, nil })
}

// Streams implements [events.Log].
func (l *Log) Streams(ctx context.Context, table events.Name) ([]events.Stream, error) {
	return reading(ctx, l, func(r *reader) (out []events.Stream, err error) {
		tbl, ok, err := r.tableKey(table)
		if err != nil || !ok {
			return nil, err
		}
		err = r.streamsOf.each(func(row []driver.Value) error {
			s, err := r.scanStream(row)
			if err == nil {
				out = append(out, s.Stream)
			}
			return err
		}, tbl)
		return out, err
	})
}

// tableKey returns the key of a table inside this file, 0 for none.
func (q *queries) tableKey(table events.Name) (tbl int64, ok bool, err error) {
	if table.IsZero() {
		return 0, true, nil
	}
	s, err := q.stream(table)
	if err != nil || s == nil {
		return 0, false, err
	}
	return s.id, true, nil
}

// Head implements [events.Log]. The process that writes the file remembers the heads of recent writes.
func (l *Log) Head(ctx context.Context, name events.Name) (events.Head, error) {
	read := func() (events.Head, error) {
		return of(ctx, l, name, func(r *reader, s *stream) (events.Head, error) { return r.headOf(s) })
	}
	if l.queue == nil || ctx.Err() != nil || l.isClosed() {
		return read()
	}
	return l.heads.Of(name, read)
}

// Load implements [events.Log]: one query per stream of the ancestry, and one more if there are secret parts.
func (l *Log) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if upTo == 0 || upTo > math.MaxInt64 {
		upTo = math.MaxInt64
	}
	if upTo == after+1 && ctx.Err() == nil && !l.isClosed() {
		if rec, ok := l.late.at(place{name, upTo}); ok {
			rec.Parts = slices.Clone(rec.Parts) // callers of Load may keep the records
			return []events.Record{rec}, nil
		}
	}
	return of(ctx, l, name, func(r *reader, s *stream) ([]events.Record, error) { return r.lineage(s, after, upTo) })
}

// lineage reads the events of a stream and of its ancestors.
func (r *reader) lineage(s *stream, after, upTo uint64) (out []events.Record, err error) {
	type span struct {
		*stream
		upTo uint64
	}
	var spans []span // youngest first
	_, err = r.climb(s, func(s *stream) bool {
		spans = append(spans, span{s, upTo})
		upTo = min(upTo, s.Fork)
		return after < s.Fork
	})
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(spans) {
		if s.upTo <= max(s.Fork, after) {
			continue
		}
		if out, err = r.own(out, s.stream, max(after, s.Fork), s.upTo); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Find implements [events.Log].
func (l *Log) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	return reading(ctx, l, func(r *reader) (out events.Record, err error) {
		tbl, found, err := r.tableKey(table)
		if err == nil && found {
			out, found, err = r.find(tbl, id)
		}
		if err == nil && !found {
			err = fmt.Errorf("command %s: %w", id, events.ErrNoRecord)
		}
		return out, err
	})
}

// Read implements [events.Log]. It leaves for next time a record that is on disk but not yet announced, which takes
// microseconds: a caller that reads a record finds its stream at least that far. It takes the latest records from
// memory.
func (l *Log) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	if told := l.tip.Last(); l.queue != nil && ctx.Err() == nil && !l.isClosed() && limit > 0 {
		if told <= after {
			return nil, nil
		}
		if out, ok := l.late.after(after, min(told, after+uint64(limit))); ok {
			return out, nil
		}
	}
	out, err := reading(ctx, l, func(r *reader) ([]events.Record, error) {
		if limit <= 0 || after > math.MaxInt64 {
			return nil, nil
		}
		return r.across(r.after, min(limit, 16), int64(after), int64(limit))
	})
	if l.queue == nil || len(out) == 0 {
		return out, err
	}
	for told := l.tip.Last(); len(out) > 0 && out[len(out)-1].Pos > told; {
		out = out[:len(out)-1]
	}
	return out, err
}

// Last implements [events.Log].
func (l *Log) Last(ctx context.Context) (last uint64, err error) {
	if l.queue == nil {
		return l.lastOnDisk(ctx)
	}
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("read the log: %w", err)
	}
	if l.isClosed() {
		return 0, events.ErrClosed
	}
	return l.tip.Last(), nil
}

func (l *Log) lastOnDisk(ctx context.Context) (uint64, error) {
	return reading(ctx, l, (*reader).lastPos)
}

func (q *queries) lastPos() (uint64, error) {
	last, err := q.last.number()
	return uint64(last), err
}

// Sorts lists the sorts of events after a position, in no particular order.
func (l *Log) Sorts(ctx context.Context, after uint64) ([]events.Sort, error) {
	return reading(ctx, l, func(r *reader) (out []events.Sort, err error) {
		err = r.sorts.each(func(row []driver.Value) error {
			out = append(out, events.Sort{Rulebook: text(row[0]), Type: text(row[1])})
			return nil
		}, int64(after))
		return out, err
	})
}

// Wait implements [events.Log].
func (l *Log) Wait(ctx context.Context, after uint64) error {
	if l.queue != nil {
		return l.tip.Wait(ctx, after)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		last, err := l.lastOnDisk(ctx)
		if err != nil || last > after {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for a position above %d: %w", after, ctx.Err())
		}
	}
}
