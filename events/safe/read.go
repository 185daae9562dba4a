package safe

import (
	"context"
	"fmt"

	"posthorn/events"
)

// shown leaves out the records that are not safe yet: they come last, since a stream's records are in order of
// position.
func (l *Log) shown(recs []events.Record) []events.Record {
	safe, n := l.safe(), len(recs)
	for n > 0 && recs[n-1].Pos > safe {
		n--
	}
	return recs[:n:n]
}

// Stream implements [events.Log]. A stream exists once its first event is safe.
func (l *Log) Stream(ctx context.Context, name events.Name) (events.Stream, error) {
	s, err := l.log.Stream(ctx, name)
	if err != nil {
		return s, err
	}
	there, err := l.opened(ctx, &s)
	if err == nil && !there {
		err = fmt.Errorf("stream %s: %w", name, events.ErrNoStream)
	}
	if err != nil {
		return events.Stream{}, err
	}
	return s, nil
}

// opened reports whether a stream's first event is safe.
func (l *Log) opened(ctx context.Context, s *events.Stream) (bool, error) {
	if whole, err := l.whole(ctx); whole || err != nil {
		return whole, err
	}
	first, err := events.LoadOne(ctx, l.log, s.Name, s.Fork+1)
	return err == nil && first.Pos <= l.safe(), err
}

// Streams implements [events.Log].
func (l *Log) Streams(ctx context.Context, table events.Name) ([]events.Stream, error) {
	all, err := l.log.Streams(ctx, table)
	if err != nil {
		return nil, err
	}
	for n := range all { // in the order they were opened
		there, err := l.opened(ctx, &all[n])
		if err != nil {
			return nil, err
		}
		if !there {
			all = all[:n:n]
			break
		}
	}
	return all, nil
}

// Head implements [events.Log].
func (l *Log) Head(ctx context.Context, name events.Name) (events.Head, error) {
	head, err := l.log.Head(ctx, name)
	if err != nil {
		return head, err
	}
	if whole, err := l.whole(ctx); whole || err != nil {
		return head, err
	}
	s, err := l.log.Stream(ctx, name)
	if err != nil {
		return events.Head{}, err
	}
	safe := l.safe()
	for v := head.Version; v > s.Fork; v-- { // no more than what was appended while the cluster was slow
		rec, err := events.LoadOne(ctx, l.log, name, v)
		if err != nil {
			return events.Head{}, err
		}
		if rec.Pos <= safe {
			return events.Head{Version: v, Hash: rec.Hash}, nil
		}
	}
	return events.Head{}, fmt.Errorf("stream %s: %w", name, events.ErrNoStream)
}

// Load implements [events.Log].
func (l *Log) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	if _, err := l.Stream(ctx, name); err != nil {
		return nil, err
	}
	recs, err := l.log.Load(ctx, name, after, upTo)
	return l.shown(recs), err
}

// Find implements [events.Log].
func (l *Log) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	rec, err := l.log.Find(ctx, table, id)
	if err == nil && rec.Pos > l.safe() {
		return events.Record{}, fmt.Errorf("command %s: %w", id, events.ErrNoRecord)
	}
	return rec, err
}

// Read implements [events.Log].
func (l *Log) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	recs, err := l.log.Read(ctx, after, limit)
	return l.shown(recs), err
}

// Last implements [events.Log].
func (l *Log) Last(ctx context.Context) (uint64, error) {
	last, err := l.log.Last(ctx)
	return min(last, l.safe()), err
}
