// Package check holds the rules about single events and streams that every log keeps,
// whatever it stores them in.
package check

import (
	"fmt"
	"time"

	"posthorn/events"
)

// Draft tells whether a draft holds together by itself: [events.ErrInvalid] if not.
func Draft(d *events.Draft) error {
	switch {
	case d.Stream.IsZero():
		return fmt.Errorf("draft without a stream: %w", events.ErrInvalid)
	case d.Command == events.CommandID{}:
		return fmt.Errorf("draft without a command id: %w", events.ErrInvalid)
	case size(d.Meta, d.Data, d.Parts) > MaxSize:
		return fmt.Errorf("draft of %d bytes: %w", size(d.Meta, d.Data, d.Parts), events.ErrInvalid)
	case d.Type == "":
		return fmt.Errorf("draft without a type: %w", events.ErrInvalid)
	case d.Open == nil:
		return nil
	case d.Open.Name != d.Stream:
		return fmt.Errorf("draft for stream %s opens %s: %w", d.Stream, d.Open.Name, events.ErrInvalid)
	}
	return Stream(d.Open)
}

// Stream tells whether what is said of a stream holds together: [events.ErrInvalid] if not.
func Stream(s *events.Stream) error {
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

// Rooted tells whether a stream's table needs no other stream: it is a table itself, or
// of none.
func Rooted(s *events.Stream) bool { return s.Table.IsZero() || s.Table == s.Name }

// Record makes the record of a draft, still without its position, as the link after prev.
func Record(d *events.Draft, prev events.Hash) events.Record {
	r := events.Record{
		Stream:  d.Stream,
		Version: d.Expect + 1,
		Command: d.Command,
		Type:    d.Type,
		Codec:   d.Codec,
		At:      d.At,
		Meta:    d.Meta,
		Data:    d.Data,
		Parts:   d.Parts,
	}
	r = Canonical(r)
	r.Hash = events.ChainHash(prev, &r)
	return r
}

// Canonical brings a record into the one form in which logs give records out: time to the
// millisecond in UTC, nothing instead of empty slices.
func Canonical(r events.Record) events.Record {
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

// Adopt walks what another server made: streams, each as the log knows it (nil for one that is
// new), then their records, of which one takes each over, so that every stream has some.
func Adopt(streams []events.Stream, records []events.Record, known func(events.Name) (*events.Stream, error), one func(*events.Stream, *events.Record) error) error {
	coming := make(map[events.Name]*events.Stream, len(streams))
	for i := range streams {
		s := &streams[i]
		if err := Stream(s); err != nil {
			return err
		}
		had, err := known(s.Name)
		if err != nil {
			return err
		}
		if before, ok := coming[s.Name]; had != nil && *had != *s || ok && *before != *s {
			return fmt.Errorf("stream %s is known, but as another: %w", s.Name, events.ErrChain)
		}
		coming[s.Name] = s
	}
	for i := range records {
		r := Canonical(records[i])
		if err := adopted(&r); err != nil {
			return err
		}
		s, ok := coming[r.Stream]
		if !ok {
			return fmt.Errorf("record of stream %s: %w", r.Stream, events.ErrNoStream)
		}
		if err := one(s, &r); err != nil {
			return err
		}
	}
	for name := range coming {
		if s, err := known(name); err != nil {
			return err
		} else if s == nil {
			return fmt.Errorf("stream %s without records: %w", name, events.ErrInvalid)
		}
	}
	return nil
}

// adopted tells whether a record of another server holds together by itself:
// [events.ErrInvalid] if not.
func adopted(r *events.Record) error {
	switch {
	case r.Command == events.CommandID{} || r.Type == "":
		return fmt.Errorf("record of stream %s without a command id or a type: %w", r.Stream, events.ErrInvalid)
	case size(r.Meta, r.Data, r.Parts) > MaxSize:
		return fmt.Errorf("record of stream %s has %d bytes: %w", r.Stream, size(r.Meta, r.Data, r.Parts), events.ErrInvalid)
	}
	return nil
}

// Gap is the error for a record that is not the next of its stream.
func Gap(r *events.Record, version uint64) error {
	return fmt.Errorf("stream %s stands at version %d and cannot go on with %d: %w", r.Stream, version, r.Version, events.ErrChain)
}

// Foreign is the error for a record whose hash is not the one computed or held.
func Foreign(r *events.Record, want events.Hash) error {
	return fmt.Errorf("version %d of stream %s has hash %s where the chain has %s: %w", r.Version, r.Stream, r.Hash, want, events.ErrChain)
}

// MaxSize is how many bytes an event may have, meta, data and parts together: far more
// than any event has, and so little that no log has trouble with it.
const MaxSize = 16 << 20

func size(meta, data []byte, parts []events.Part) int {
	n := len(meta) + len(data)
	for i := range parts {
		n += len(parts[i].Sealed)
	}
	return n
}
