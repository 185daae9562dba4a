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
	if err := l.adopt(streams, records); err != nil {
		l.undo(before)
		return fmt.Errorf("adopt: %w", err)
	}
	if len(l.records) > before {
		l.tip.Move(uint64(len(l.records)))
	}
	return nil
}

func (l *Log) adopt(streams []events.Stream, records []events.Record) error {
	coming := make(map[events.Name]*stream, len(streams))
	for i := range streams {
		s := &stream{Stream: streams[i]}
		if err := check.Stream(&s.Stream); err != nil {
			return err
		}
		if known, ok := l.streams[s.Name]; ok && known.Stream != s.Stream {
			return check.Differs(&s.Stream)
		} else if ok {
			s = known
		}
		if before, ok := coming[s.Name]; ok && before.Stream != s.Stream {
			return check.Differs(&s.Stream)
		}
		coming[s.Name] = s
	}
	for i := range records {
		r := check.Canonical(records[i])
		if err := check.Adopted(&r); err != nil {
			return err
		}
		s, ok := coming[r.Stream]
		if !ok {
			return fmt.Errorf("record of stream %s: %w", r.Stream, events.ErrNoStream)
		}
		if err := l.adoptOne(s, &r); err != nil {
			return err
		}
	}
	for name := range coming {
		if _, ok := l.streams[name]; !ok {
			return fmt.Errorf("stream %s without records: %w", name, events.ErrInvalid)
		}
	}
	return nil
}

// adoptOne takes one record over: the next of its stream, or one that is there already.
func (l *Log) adoptOne(s *stream, r *events.Record) error {
	if _, known := l.streams[s.Name]; !known {
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
