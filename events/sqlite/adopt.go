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
	r.alone = func(w *writer) error { return check.Adopt(streams, records, w.known, w.adoptOne) }
	if err := l.submit(ctx, r); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	return nil
}

func (w *writer) known(name events.Name) (*events.Stream, error) {
	h, err := w.headOfName(name)
	if err != nil || h == nil {
		return nil, err
	}
	return &h.Stream, nil
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
