package memory

import (
	"context"
	"fmt"

	"posthorn/events"
)

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

// of is reading of one stream.
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
