package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"posthorn/events"
	"posthorn/events/internal/check"
)

// Append implements [events.Log]. If the context ends while the draft is still queued, the draft is withdrawn:
// nothing was written. Once its transaction is under way, Append waits for the answer, whatever happens to the
// context.
//
// An error that is neither a *Conflict, a *Duplicate, [events.ErrNoStream], [events.ErrInvalid], [events.ErrClosed]
// nor the context's is the disk's. The draft may or may not have been written; the caller may append the same command
// again, and gets a *Duplicate if it was.
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

// Adopt implements [events.Log]. It has a transaction of its own.
func (l *Log) Adopt(ctx context.Context, streams []events.Stream, records []events.Record) error {
	if err := l.alone(ctx, func(w *writer) error { return check.Adopt(w, streams, records) }); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	return nil
}

// head is a stream and where it stands.
type head struct {
	*stream
	at check.Head
}

// headOfName returns where a stream stands, nil if there is none.
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
	h := &head{stream: s, at: check.Head{Stream: s.Stream, Head: at}}
	w.heads.Put(name, h)
	return h, nil
}

// At implements [check.Ledger].
func (w *writer) At(name events.Name) (*check.Head, error) {
	h, err := w.headOfName(name)
	if err != nil || h == nil {
		return nil, err
	}
	return &h.at, nil
}

// Link implements [check.Ledger].
func (w *writer) Link(at *check.Head, version uint64) (events.Hash, error) {
	h, err := w.headOfName(at.Name)
	if err != nil {
		return events.Hash{}, err
	}
	return w.link(h.stream, version)
}

// keyOf returns the key of another stream that a new one names, 0 for none.
func (w *writer) keyOf(name events.Name) (int64, error) {
	if name.IsZero() {
		return 0, nil
	}
	h, err := w.headOfName(name)
	if err != nil || h == nil {
		return 0, err
	}
	return h.id, nil
}

// Done implements [check.Ledger].
func (w *writer) Done(s *events.Stream, id events.CommandID) (dup, err error) {
	tbl, err := w.keyOf(s.Table)
	if err != nil || tbl == 0 && !s.Table.IsZero() { // a new table
		return nil, err
	}
	first, found, err := w.find(tbl, id)
	if found {
		dup = &events.Duplicate{Record: first}
	}
	return dup, err
}

// open writes a new stream.
func (w *writer) open(at *check.Head) (*head, error) {
	h := &head{stream: &stream{Stream: at.Stream, id: w.opened + 1}, at: *at}
	tbl, err1 := w.keyOf(h.Table)
	parent, err2 := w.keyOf(h.Parent)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if h.tbl, h.parent = tbl, parent; h.Table == h.Name {
		h.tbl = h.id
	}
	_, err := w.insertOpen.exec(h.id, h.Name[:], string(h.Kind), h.Rulebook, h.tbl, h.parent, int64(h.Fork),
		h.Origin[:])
	if err != nil {
		return nil, err
	}
	w.opened = h.id
	w.heads.Put(h.Name, h)
	return h, nil
}

// Write implements [check.Ledger].
func (w *writer) Write(at *check.Head, r *events.Record) error {
	h, err := w.headOfName(r.Stream)
	if err == nil && h == nil {
		h, err = w.open(at)
	}
	if err != nil {
		return err
	}
	r.Pos = w.last + 1
	n, err := w.insertEvent.exec(int64(r.Pos), h.id, int64(r.Version), h.tbl, r.Type, r.At.UnixMilli(), r.Command[:],
		bytesOf(r.Meta), r.Codec, bytesOf(r.Data), int64(len(r.Parts)), r.Hash[:])
	if err != nil {
		return err
	}
	if n == 0 {
		dup, err := w.Done(&h.stream.Stream, r.Command)
		if dup == nil && err == nil {
			err = fmt.Errorf("command %s is taken, but not found: %w", r.Command, errDamaged)
		}
		return cmp.Or(err, dup)
	}
	for i, p := range r.Parts {
		if _, err := w.insertPart.exec(h.id, int64(r.Version), int64(i), int64(p.To), p.Digest[:],
			bytesOf(p.Sealed)); err != nil {
			return err
		}
	}
	w.last, h.at.Version, h.at.Hash = r.Pos, r.Version, r.Hash
	w.moved[r.Stream] = events.Head{Version: r.Version, Hash: r.Hash}
	if len(w.wrote) < maxLate && len(r.Meta)+len(r.Data) <= maxLateSize {
		w.wrote = append(w.wrote, *r)
	}
	return nil
}

// bytesOf never returns nil, which the driver would write as NULL.
func bytesOf(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
