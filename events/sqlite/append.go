package sqlite

import (
	"context"
	"errors"
	"fmt"

	"posthorn/events"
	"posthorn/events/internal/check"
)

// Append implements [events.Log]. A context that ends while the draft is still queued
// withdraws it: nothing was written. Once its transaction is under way the answer is
// awaited, whatever becomes of the context.
//
// An error that is neither a *Conflict, a *Duplicate, [events.ErrNoStream], [events.ErrInvalid],
// [events.ErrClosed] nor the context's is the disk's. The draft is then not known to be
// written; the same command may be appended again, and is a *Duplicate if it was.
func (l *Log) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	if err := check.Draft(&d); err != nil {
		return events.Record{}, fmt.Errorf("append: %w", err)
	}
	r := &request{draft: &d, done: make(chan struct{}, 1)}
	if err := l.submit(ctx, r); err != nil {
		return events.Record{}, err
	}
	return r.record, nil
}

// append judges one draft and writes it into the open transaction. A refusal is the
// caller's answer; an error ends the transaction.
func (w *writer) append(d *events.Draft) (r events.Record, refusal, err error) {
	h, refusal, err := w.admit(d)
	if err != nil || refusal != nil {
		return w.unlessDone(d, h, refusal, err)
	}
	r = check.Record(d, h.Hash)
	r.Pos = w.last + 1
	if d.Open != nil {
		if err := w.open(h); err != nil {
			return r, nil, err
		}
	}
	written, err := w.write(h, &r)
	if err == nil && !written {
		return w.unlessDone(d, h, nil, fmt.Errorf("command %s is taken, but not found: %w", d.Command, errDamaged))
	}
	return r, nil, err
}

// unlessDone answers a draft that cannot be written: with the record of its command, if
// the table knows it, or as it would be answered otherwise.
func (w *writer) unlessDone(d *events.Draft, h *head, refusal, err error) (events.Record, error, error) {
	if h == nil || (err != nil && !errors.Is(err, errDamaged)) {
		return events.Record{}, refusal, err
	}
	first, found, failed := w.find(h.tbl, d.Command)
	switch {
	case failed != nil:
		return events.Record{}, nil, failed
	case found:
		return events.Record{}, &events.Duplicate{Record: first}, nil
	}
	return events.Record{}, refusal, err
}

// admit judges a draft against what is remembered. The head it returns is that of the
// stream, if there is one or could be one at its table.
func (w *writer) admit(d *events.Draft) (h *head, refusal, err error) {
	if h, err = w.headOfName(d.Stream); err != nil {
		return nil, nil, err
	}
	switch {
	case h == nil && d.Open == nil:
		return nil, fmt.Errorf("append to %s: %w", d.Stream, events.ErrNoStream), nil
	case h == nil:
		if h, refusal, err = w.place(d); h == nil || refusal != nil || err != nil {
			return h, refusal, err
		}
	case d.Open != nil:
		return h, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: h.Version}, nil
	}
	if d.Expect != h.Version {
		return h, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: h.Version}, nil
	}
	for _, g := range d.Guards {
		actual, err := w.versionOf(g.Stream)
		if err != nil {
			return nil, nil, err
		}
		if actual != g.Version {
			return h, &events.Conflict{Stream: g.Stream, Expected: g.Version, Actual: actual}, nil
		}
	}
	return h, nil, nil
}

// place finds the table, the parent and the first link of a draft that opens a stream.
// Such drafts are rare, so whether the command was done already is asked at once.
func (w *writer) place(d *events.Draft) (h *head, refusal, err error) {
	h = &head{stream: &stream{Stream: *d.Open, id: w.opened + 1}}
	if refusal, err = w.root(h); err != nil || refusal != nil {
		return nil, refusal, err
	}
	if first, found, err := w.find(h.tbl, d.Command); err != nil {
		return nil, nil, err
	} else if found {
		return nil, &events.Duplicate{Record: first}, nil
	}
	refusal, err = w.graft(h)
	return h, refusal, err
}

// root finds the key of a new stream's table.
func (w *writer) root(h *head) (refusal, err error) {
	switch {
	case h.Table.IsZero():
	case check.Rooted(&h.stream.Stream):
		h.tbl = h.id
	default:
		tbl, err := w.headOfName(h.Table)
		if err != nil {
			return nil, err
		}
		if tbl == nil {
			return fmt.Errorf("open %s at table %s: %w", h.Name, h.Table, events.ErrNoStream), nil
		}
		h.tbl = tbl.id
	}
	return nil, nil
}

// graft finds what a new stream's chain starts from.
func (w *writer) graft(h *head) (refusal, err error) {
	if h.Parent.IsZero() {
		h.Hash = h.Origin
		return nil, nil
	}
	parent, err := w.headOfName(h.Parent)
	if err != nil {
		return nil, err
	}
	if parent == nil {
		return fmt.Errorf("open %s as a fork of %s: %w", h.Name, h.Parent, events.ErrNoStream), nil
	}
	if h.Fork > parent.Version {
		return &events.Conflict{Stream: h.Parent, Expected: h.Fork, Actual: parent.Version}, nil
	}
	h.parent, h.Version = parent.id, h.Fork
	h.Hash, err = w.link(parent.stream, h.Fork)
	return nil, err
}

// open writes a new stream.
func (w *writer) open(h *head) error {
	_, err := w.insertOpen.exec(h.id, h.Name[:], string(h.Kind), h.Rulebook, h.tbl, h.parent, int64(h.Fork), h.Origin[:])
	if err != nil {
		return err
	}
	w.opened = h.id
	w.heads.Put(h.Name, h)
	return nil
}

// write writes a record and moves its stream's head; false if the table knows the command.
func (w *writer) write(h *head, r *events.Record) (bool, error) {
	n, err := w.insertEvent.exec(int64(r.Pos), h.id, int64(r.Version), h.tbl, r.Type, r.At.UnixMilli(), r.Command[:],
		bytesOf(r.Meta), r.Codec, bytesOf(r.Data), int64(len(r.Parts)), r.Hash[:])
	if err != nil || n == 0 {
		return false, err
	}
	for i, p := range r.Parts {
		if _, err := w.insertPart.exec(h.id, int64(r.Version), int64(i), int64(p.To), p.Digest[:], bytesOf(p.Sealed)); err != nil {
			return false, err
		}
	}
	w.last, h.Version, h.Hash = r.Pos, r.Version, r.Hash
	return true, nil
}

// bytesOf is never nil, which the driver would write as NULL.
func bytesOf(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// headOfName is where a stream stands, nil if there is none.
func (w *writer) headOfName(name events.Name) (*head, error) {
	if h, ok := w.heads.Get(name); ok {
		return h, nil
	}
	s, err := w.stream(name)
	if err != nil || s == nil {
		return nil, err
	}
	at, err := w.headOf(s)
	if err != nil {
		return nil, err
	}
	h := &head{stream: s, Head: at}
	w.heads.Put(name, h)
	return h, nil
}

// versionOf is the version of a stream, 0 if there is none.
func (w *writer) versionOf(name events.Name) (uint64, error) {
	h, err := w.headOfName(name)
	if err != nil || h == nil {
		return 0, err
	}
	return h.Version, nil
}
