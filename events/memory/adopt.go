package memory

import (
	"context"
	"fmt"

	"posthorn/events"
	"posthorn/events/internal/check"
)

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
	if err := check.Adopt(streams, records, l.known, l.adoptOne); err != nil {
		l.undo(before)
		return fmt.Errorf("adopt: %w", err)
	}
	if len(l.records) > before {
		l.tip.Move(uint64(len(l.records)))
	}
	return nil
}

func (l *Log) known(name events.Name) (*events.Stream, error) {
	if s, ok := l.streams[name]; ok {
		return &s.Stream, nil
	}
	return nil, nil
}

// adoptOne takes one record over: the next of its stream, or one that is there already.
func (l *Log) adoptOne(of *events.Stream, r *events.Record) error {
	s, known := l.streams[of.Name]
	if !known {
		s = &stream{Stream: *of}
		if err := l.place(s); err != nil {
			return err
		}
	}
	if r.Version > s.Fork && r.Version <= s.version() {
		if held := l.at(s, r.Version); held.Hash != r.Hash {
			return check.Foreign(r, held.Hash)
		}
		return nil
	}
	if r.Version != s.version()+1 {
		return check.Gap(r, s.version())
	}
	if want := events.ChainHash(l.tipHash(s), r); want != r.Hash {
		return check.Foreign(r, want)
	}
	if pos, ok := l.commands[command{s.Table, r.Command}]; ok {
		return &events.Duplicate{Record: l.records[pos-1]}
	}
	l.write(s, r)
	return nil
}

// undo takes back all records after the first n, and the streams that they opened.
func (l *Log) undo(n int) {
	for _, r := range l.records[n:] {
		s := l.streams[r.Stream]
		delete(l.commands, command{s.Table, r.Command})
		s.own = s.own[:len(s.own)-1]
	}
	for len(l.order) > 0 && len(l.order[len(l.order)-1].own) == 0 {
		delete(l.streams, l.order[len(l.order)-1].Name)
		l.order = l.order[:len(l.order)-1]
	}
	clear(l.records[n:])
	l.records = l.records[:n]
}
