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
