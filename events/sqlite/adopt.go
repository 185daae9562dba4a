package sqlite

import (
	"context"
	"errors"
	"fmt"

	"posthorn/events"
	"posthorn/events/internal/check"
)

// Adopt implements [events.Log]. It has a transaction of its own.
func (l *Log) Adopt(ctx context.Context, streams []events.Stream, records []events.Record) error {
	r := &request{done: make(chan struct{}, 1)}
	r.alone = func(w *writer) error { return w.adopt(streams, records) }
	if err := l.submit(ctx, r); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	return nil
}

func (w *writer) adopt(streams []events.Stream, records []events.Record) error {
	coming := make(map[events.Name]*events.Stream, len(streams))
	for i := range streams {
		s := &streams[i]
		if err := check.Stream(s); err != nil {
			return err
		}
		known, err := w.headOfName(s.Name)
		if err != nil {
			return err
		}
		if before, ok := coming[s.Name]; known != nil && known.Stream != *s || ok && *before != *s {
			return check.Differs(s)
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
		if err := w.adoptOne(s, &r); err != nil {
			return err
		}
	}
	for name := range coming {
		if h, err := w.headOfName(name); err != nil {
			return err
		} else if h == nil {
			return fmt.Errorf("stream %s without records: %w", name, events.ErrInvalid)
		}
	}
	return nil
}

// adoptOne takes one record over: the next of its stream, or one that is there already.
func (w *writer) adoptOne(s *events.Stream, r *events.Record) error {
	h, err := w.headOfName(r.Stream)
	if err != nil {
		return err
	}
	isNew := h == nil
	if isNew {
		h = &head{stream: &stream{Stream: *s, id: w.opened + 1}}
		for _, find := range []func(*head) (error, error){w.root, w.graft} {
			if refusal, err := find(h); refusal != nil || err != nil {
				return errors.Join(refusal, err)
			}
		}
	}
	if r.Version > h.Fork && r.Version <= h.Version {
		held, err := w.link(h.stream, r.Version)
		if err == nil && held != r.Hash {
			err = check.Foreign(r, held)
		}
		return err
	}
	if r.Version != h.Version+1 {
		return check.Gap(r, h.Version)
	}
	if want := events.ChainHash(h.Hash, r); want != r.Hash {
		return check.Foreign(r, want)
	}
	if first, found, err := w.find(h.tbl, r.Command); err != nil {
		return err
	} else if found {
		return &events.Duplicate{Record: first}
	}
	if isNew {
		if err := w.open(h); err != nil {
			return err
		}
	}
	r.Pos = w.last + 1
	_, err = w.write(h, r)
	return err
}
