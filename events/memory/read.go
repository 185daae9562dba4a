package memory

import (
	"context"
	"fmt"

	"posthorn/events"
)

// reading runs f under the read lock, unless the context has ended or the log is closed.
func (l *Log) reading(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return events.ErrClosed
	}
	return f()
}

func (l *Log) find(name events.Name) (*stream, error) {
	s, ok := l.streams[name]
	if !ok {
		return nil, fmt.Errorf("stream %s: %w", name, events.ErrNoStream)
	}
	return s, nil
}

// Stream implements [events.Log].
func (l *Log) Stream(ctx context.Context, name events.Name) (out events.Stream, err error) {
	err = l.reading(ctx, func() error {
		s, err := l.find(name)
		if err == nil {
			out = s.Stream
		}
		return err
	})
	return out, err
}

// Streams implements [events.Log].
func (l *Log) Streams(ctx context.Context, table events.Name) (out []events.Stream, err error) {
	err = l.reading(ctx, func() error {
		for _, s := range l.order {
			if s.Table == table {
				out = append(out, s.Stream)
			}
		}
		return nil
	})
	return out, err
}

// Head implements [events.Log].
func (l *Log) Head(ctx context.Context, name events.Name) (out events.Head, err error) {
	err = l.reading(ctx, func() error {
		s, err := l.find(name)
		if err == nil {
			out = events.Head{Version: s.version(), Hash: l.tipHash(s)}
		}
		return err
	})
	return out, err
}

// Load implements [events.Log].
func (l *Log) Load(ctx context.Context, name events.Name, after, upTo uint64) (out []events.Record, err error) {
	err = l.reading(ctx, func() error {
		s, err := l.find(name)
		if err != nil {
			return err
		}
		last := s.version()
		if upTo > 0 {
			last = min(last, upTo)
		}
		if after >= last {
			return nil
		}
		out = make([]events.Record, 0, last-after)
		for v := after + 1; v <= last; v++ {
			out = append(out, *l.at(s, v))
		}
		return nil
	})
	return out, err
}

// Find implements [events.Log].
func (l *Log) Find(ctx context.Context, table events.Name, id events.CommandID) (out events.Record, err error) {
	err = l.reading(ctx, func() error {
		pos, ok := l.commands[command{table, id}]
		if !ok {
			return fmt.Errorf("command %s: %w", id, events.ErrNoRecord)
		}
		out = l.records[pos-1]
		return nil
	})
	return out, err
}

// Read implements [events.Log].
func (l *Log) Read(ctx context.Context, after uint64, limit int) (out []events.Record, err error) {
	err = l.reading(ctx, func() error {
		if after >= uint64(len(l.records)) || limit <= 0 {
			return nil
		}
		tail := l.records[after:]
		out = append(out, tail[:min(limit, len(tail))]...)
		return nil
	})
	return out, err
}

// Last implements [events.Log].
func (l *Log) Last(ctx context.Context) (last uint64, err error) {
	err = l.reading(ctx, func() error {
		last = uint64(len(l.records))
		return nil
	})
	return last, err
}

// Wait implements [events.Log].
func (l *Log) Wait(ctx context.Context, after uint64) error { return l.tip.Wait(ctx, after) }
