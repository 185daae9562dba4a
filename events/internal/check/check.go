// Package check holds the rules about single events and streams that every log enforces, whatever it stores them in.
package check

import (
	"errors"
	"fmt"
	"time"

	"posthorn/events"
)

// Draft checks that a draft is well-formed on its own. It returns [events.ErrInvalid] if not.
func Draft(d *events.Draft) error {
	switch {
	case d.Stream.IsZero():
		return fmt.Errorf("draft without a stream: %w", events.ErrInvalid)
	case d.Command == events.CommandID{}:
		return fmt.Errorf("draft without a command id: %w", events.ErrInvalid)
	case size(d.Meta, d.Data, d.Parts) > maxSize:
		return fmt.Errorf("draft of %d bytes: %w", size(d.Meta, d.Data, d.Parts), events.ErrInvalid)
	case d.Type == "":
		return fmt.Errorf("draft without a type: %w", events.ErrInvalid)
	case d.Open == nil:
		return nil
	case d.Open.Name != d.Stream:
		return fmt.Errorf("draft for stream %s opens %s: %w", d.Stream, d.Open.Name, events.ErrInvalid)
	}
	return stream(d.Open)
}

// stream checks that the description of a stream is consistent. It returns [events.ErrInvalid] if not.
func stream(s *events.Stream) error {
	switch {
	case s.Name.IsZero():
		return fmt.Errorf("stream without a name: %w", events.ErrInvalid)
	case s.Kind == "":
		return fmt.Errorf("stream %s without a kind: %w", s.Name, events.ErrInvalid)
	case s.Parent.IsZero() != (s.Fork == 0):
		return fmt.Errorf("stream %s forks from %s at version %d: %w", s.Name, s.Parent, s.Fork, events.ErrInvalid)
	case s.Parent == s.Name:
		return fmt.Errorf("stream %s forks from itself: %w", s.Name, events.ErrInvalid)
	}
	return nil
}

// record makes a draft's record, still without its position, as the link after prev.
func record(d *events.Draft, prev events.Hash) events.Record {
	r := canonical(events.Record{Stream: d.Stream, Version: d.Expect + 1, Command: d.Command, Type: d.Type,
		Codec: d.Codec, At: d.At,
		Meta: d.Meta, Data: d.Data, Parts: d.Parts})
	r.Hash = events.ChainHash(prev, &r)
	return r
}

// canonical brings a record into the one form in which logs return records: time to the millisecond in UTC, nil
// instead of empty slices.
func canonical(r events.Record) events.Record {
	r.At = time.UnixMilli(r.At.UnixMilli()).UTC()
	if len(r.Meta) == 0 {
		r.Meta = nil
	}
	if len(r.Data) == 0 {
		r.Data = nil
	}
	if len(r.Parts) == 0 {
		r.Parts = nil
	}
	return r
}

// maxSize is the largest event in bytes, meta, data and parts together: far more than any event has, and little
// enough for any log.
const maxSize = 16 << 20

func size(meta, data []byte, parts []events.Part) int {
	n := len(meta) + len(data)
	for i := range parts {
		n += len(parts[i].Sealed)
	}
	return n
}

// Head is a stream and where it stands.
type Head struct {
	events.Stream
	events.Head
}

// Ledger is what the rules need of a log, under its lock or in its transaction.
type Ledger interface {
	// At returns where a stream stands, nil if there is none.
	At(events.Name) (*Head, error)
	// Link returns the hash at a version of a stream or of its ancestors.
	Link(h *Head, version uint64) (events.Hash, error)
	// Done returns a [*events.Duplicate] if the table of a stream, which may be a new one, knows a command; err is
	// the ledger's own.
	Done(s *events.Stream, id events.CommandID) (dup, err error)
	// Write writes a record as the next of its stream, which the first record opens. It gives the record its position
	// and moves the head. It returns a [*events.Duplicate] for a command that the table knows.
	Write(h *Head, r *events.Record) error
}

// Append judges a draft and writes it. A refusal is the caller's answer, and nothing was written; an error is the
// ledger's.
func Append(l Ledger, d *events.Draft) (r events.Record, refusal, err error) {
	h, refusal, err := judge(l, d)
	if refusal != nil && h != nil { // a repeated command is reported before anything else
		if dup, err := l.Done(&h.Stream, d.Command); dup != nil || err != nil {
			return r, dup, err
		}
	}
	if refusal != nil || err != nil {
		return r, refusal, err
	}
	r = record(d, h.Hash)
	if err = l.Write(h, &r); err != nil && errors.As(err, new(*events.Duplicate)) {
		return events.Record{}, err, nil
	}
	return r, nil, err
}

// judge compares a draft with where things stand. It returns the head of the draft's stream, if there is one or could
// be one at its table.
func judge(l Ledger, d *events.Draft) (h *Head, refusal, err error) {
	h, err = l.At(d.Stream)
	switch {
	case err != nil:
		return nil, nil, err
	case h == nil && d.Open == nil:
		return nil, fmt.Errorf("append to %s: %w", d.Stream, events.ErrNoStream), nil
	case h == nil:
		if refusal, err = rooted(l, d.Open); refusal == nil && err == nil {
			refusal, err = l.Done(d.Open, d.Command) // such drafts are rare: ask at once
		}
		if refusal != nil || err != nil {
			return nil, refusal, err
		}
		if h, refusal, err = graft(l, d.Open); refusal != nil || err != nil {
			return h, refusal, err
		}
	case d.Open != nil:
		return h, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: h.Version}, nil
	}
	if d.Expect != h.Version {
		return h, &events.Conflict{Stream: d.Stream, Expected: d.Expect, Actual: h.Version}, nil
	}
	for _, g := range d.Guards {
		var actual uint64
		on, err := l.At(g.Stream)
		if err != nil {
			return nil, nil, err
		}
		if on != nil {
			actual = on.Version
		}
		if actual != g.Version {
			return h, &events.Conflict{Stream: g.Stream, Expected: g.Version, Actual: actual}, nil
		}
	}
	return h, nil, nil
}

// rooted checks that a new stream's table exists, unless it needs none: it is a table itself, or belongs to none.
func rooted(l Ledger, s *events.Stream) (refusal, err error) {
	if s.Table.IsZero() || s.Table == s.Name {
		return nil, nil
	}
	table, err := l.At(s.Table)
	if err == nil && table == nil {
		refusal = fmt.Errorf("open %s at table %s: %w", s.Name, s.Table, events.ErrNoStream)
	}
	return refusal, err
}

// graft finds what a new stream's chain starts from.
func graft(l Ledger, s *events.Stream) (h *Head, refusal, err error) {
	h = &Head{Stream: *s, Head: events.Head{Version: s.Fork, Hash: s.Origin}}
	if s.Parent.IsZero() {
		return h, nil, nil
	}
	parent, err := l.At(s.Parent)
	switch {
	case err != nil:
		return nil, nil, err
	case parent == nil:
		return h, fmt.Errorf("open %s as a fork of %s: %w", s.Name, s.Parent, events.ErrNoStream), nil
	case s.Fork > parent.Version:
		return h, &events.Conflict{Stream: s.Parent, Expected: s.Fork, Actual: parent.Version}, nil
	}
	h.Hash, err = l.Link(parent, s.Fork)
	return h, nil, err
}

// Adopt checks and writes what another server made: streams, each as the log knows it or new, then their records,
// each the next of its stream or already there. Every stream must have some.
func Adopt(l Ledger, streams []events.Stream, records []events.Record) error {
	coming := make(map[events.Name]*events.Stream, len(streams))
	for i := range streams {
		s := &streams[i]
		if err := stream(s); err != nil {
			return err
		}
		had, err := l.At(s.Name)
		if err != nil {
			return err
		}
		if before, ok := coming[s.Name]; had != nil && had.Stream != *s || ok && *before != *s {
			return fmt.Errorf("stream %s is known, but as another: %w", s.Name, events.ErrChain)
		}
		coming[s.Name] = s
	}
	for i := range records {
		r := canonical(records[i])
		s, ok := coming[r.Stream]
		switch {
		case r.Command == events.CommandID{} || r.Type == "":
			return fmt.Errorf("record of stream %s without a command id or a type: %w", r.Stream, events.ErrInvalid)
		case size(r.Meta, r.Data, r.Parts) > maxSize:
			return fmt.Errorf("record of stream %s has %d bytes: %w", r.Stream, size(r.Meta, r.Data, r.Parts),
				events.ErrInvalid)
		case !ok:
			return fmt.Errorf("record of stream %s: %w", r.Stream, events.ErrNoStream)
		}
		if err := adopt(l, s, &r); err != nil {
			return err
		}
	}
	for name := range coming {
		if h, err := l.At(name); err != nil {
			return err
		} else if h == nil {
			return fmt.Errorf("stream %s without records: %w", name, events.ErrInvalid)
		}
	}
	return nil
}

// adopt adopts one record.
func adopt(l Ledger, s *events.Stream, r *events.Record) error {
	h, err := l.At(s.Name)
	if err == nil && h == nil {
		var refusal, failed error
		if refusal, err = rooted(l, s); refusal == nil && err == nil {
			h, refusal, failed = graft(l, s)
		}
		err = errors.Join(refusal, err, failed)
	}
	switch {
	case err != nil:
		return err
	case r.Version > h.Fork && r.Version <= h.Version:
		held, err := l.Link(h, r.Version)
		if err == nil && held != r.Hash {
			err = foreign(r, held)
		}
		return err
	case r.Version != h.Version+1:
		return fmt.Errorf("stream %s stands at version %d and cannot go on with %d: %w", r.Stream, h.Version, r.Version,
			events.ErrChain)
	}
	if want := events.ChainHash(h.Hash, r); want != r.Hash {
		return foreign(r, want)
	}
	return l.Write(h, r)
}

// foreign returns the error for a record whose hash is not the one computed or held.
func foreign(r *events.Record, want events.Hash) error {
	return fmt.Errorf("version %d of stream %s has hash %s where the chain has %s: %w", r.Version, r.Stream, r.Hash,
		want, events.ErrChain)
}
