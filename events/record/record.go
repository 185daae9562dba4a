// Package record writes a table's history as a portable file, checks such files without trusting their writer, and
// moves a running table to another server.
//
// A record is JSON Lines: a header, then every event of the table's stream and of its lines, and of the lines they
// forked from up to the fork, then a sum over all of it, which detects damage in transit. It holds what its reader
// may know; it keeps the digests of the other secret parts, so that the chain still verifies.
package record

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// Format names the form of the files.
const Format = "posthorn-record-1"

// Header is a record's first line.
type Header struct {
	Format   string            `json:"format"`
	Table    events.Name       `json:"table"`
	Rulebook string            `json:"rulebook"`
	Edition  string            `json:"edition"`
	Viewer   string            `json:"viewer"` // "everything", "spectator" or a seat's letter
	Exported time.Time         `json:"exported"`
	Key      ed25519.PublicKey `json:"key"` // the server's receipts are checked with it
	Streams  []events.Stream   `json:"streams"`
	Heads    []string          `json:"receipts"` // signed, of each of the table's own streams
	Handover bool              `json:"handover,omitempty"`
	// Closing is, in a handover, the event that closed the table for the other server. It is not among the events: the
	// other server goes on in its place. Older programs left it out.
	Closing *Event `json:"closing,omitempty"`
}

// Event is one of the other lines.
type Event struct {
	Stream  events.Name      `json:"stream"`
	Version uint64           `json:"version"`
	Type    string           `json:"type"`
	Codec   string           `json:"codec"`
	At      int64            `json:"at"` // milliseconds since 1970, UTC
	Command events.CommandID `json:"command"`
	Meta    json.RawMessage  `json:"meta"`
	Data    json.RawMessage  `json:"data"`
	Parts   []Part           `json:"parts,omitempty"`
	Hash    events.Hash      `json:"hash"`
}

// Part is a secret part: with salt and text if the reader may know them, or both sealed for another server, or
// neither.
type Part struct {
	To     domain.Audience `json:"to"`
	Digest events.Hash     `json:"digest"`
	Salt   []byte          `json:"salt,omitempty"`
	Text   *string         `json:"text,omitempty"`
	Sealed []byte          `json:"sealed,omitempty"`
}

// record returns the event as the log holds it, without what is sealed.
func (e *Event) record() events.Record {
	r := events.Record{Stream: e.Stream, Version: e.Version, Type: e.Type, Codec: e.Codec,
		At:      time.UnixMilli(e.At).UTC(),
		Command: e.Command, Meta: e.Meta, Data: e.Data, Hash: e.Hash}
	for _, p := range e.Parts {
		r.Parts = append(r.Parts, events.Part{To: p.To, Digest: p.Digest})
	}
	return r
}

// eventOf returns a log's event as a line, without its parts.
func eventOf(r *events.Record) Event {
	return Event{Stream: r.Stream, Version: r.Version, Type: r.Type, Codec: r.Codec, At: r.At.UnixMilli(),
		Command: r.Command,
		Meta:    r.Meta, Data: r.Data, Hash: r.Hash}
}

// Export writes a table's history as a viewer may know it.
func Export(ctx context.Context, d *desk.Desk, table events.Name, viewer domain.Viewer, at time.Time,
	w io.Writer) error {
	look, err := d.Look(ctx, table)
	if err != nil {
		return err
	}
	open := func(s events.Stream, r *events.Record, n int) (Part, error) {
		v := viewer
		if s.Kind == events.KindTable && look.Table.Revealed {
			v = domain.Referee // the seed, which appears in plain further on
		}
		if s.Table != table {
			other, err := d.Look(ctx, s.Table)
			if err != nil {
				return Part{}, err
			}
			v = other.Table.ViewerOf("", domain.Nobody)
		}
		if !r.Parts[n].To.Admits(v) {
			return shut(r, n), nil
		}
		return opened(d.Keys(), r, n)
	}
	return write(ctx, d, look, viewerName(viewer), 0, at, open, w)
}

// shut returns a secret part that the record's reader may not know, and opened one that they may.
func shut(r *events.Record, n int) Part { return Part{To: r.Parts[n].To, Digest: r.Parts[n].Digest} }

func opened(keys *events.Keys, r *events.Record, n int) (Part, error) {
	salt, text, err := keys.Unseal(r, n)
	if err != nil {
		return Part{}, err
	}
	p := shut(r, n)
	p.Salt, p.Text = salt[:], new(string(text))
	return p, nil
}

func viewerName(v domain.Viewer) string {
	switch v {
	case domain.Referee:
		return "everything"
	case domain.Spectator:
		return "spectator"
	default:
		return v.Seat().Letter()
	}
}

// write writes the file, with the table's own stream up to a version (0: all).
func write(ctx context.Context, d *desk.Desk, look desk.Look, viewer string, upTo uint64, at time.Time,
	open func(events.Stream, *events.Record, int) (Part, error), w io.Writer) error {
	streams, err := withAncestors(ctx, d.Log(), look.Name)
	if err != nil {
		return err
	}
	h := Header{Format: Format, Table: look.Name, Rulebook: look.Table.Rulebook, Edition: look.Table.Edition,
		Viewer:   viewer,
		Exported: at.UTC().Truncate(time.Second), Key: d.Keys().PublicKey(), Handover: viewer == handoverViewer}
	for _, s := range streams {
		h.Streams = append(h.Streams, s.Stream)
		if s.Table == look.Name {
			h.Heads = append(h.Heads, d.Receipt(look.Name, s.Name, s.head))
		}
		if s.Kind == events.KindTable && upTo > 0 { // what the other server goes on from
			rec, err := events.LoadOne(ctx, d.Log(), s.Name, upTo)
			if err != nil {
				return fmt.Errorf("write record: %w", err)
			}
			h.Heads = append(h.Heads, d.Receipt(look.Name, s.Name, events.Head{Version: upTo, Hash: rec.Hash}))
			closing, err := events.LoadOne(ctx, d.Log(), s.Name, upTo+1)
			if err != nil {
				return fmt.Errorf("write record: %w", err)
			}
			h.Closing = new(eventOf(&closing))
		}
	}
	sum := sha256.New()
	out := encoder(io.MultiWriter(w, sum))
	if err := out.Encode(h); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	for _, s := range streams {
		if s.Kind == events.KindTable && upTo > 0 {
			s.upTo = upTo
		}
		err := exportStream(ctx, d.Log(), s, open, func(_ *events.Record, e Event) error { return out.Encode(e) })
		if err != nil {
			return fmt.Errorf("write record: %w", err)
		}
	}
	if err := encoder(w).Encode(footer{Sum: events.Hash(sum.Sum(nil))}); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}

// footer is a record's last line.
type footer struct {
	Sum events.Hash `json:"sum"` // SHA-256 of all the lines before
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// exportStream hands out a stream's own events, in the record's form.
func exportStream(ctx context.Context, log events.Log, s *span,
	open func(events.Stream, *events.Record, int) (Part, error), each func(*events.Record, Event) error) error {
	recs, err := log.Load(ctx, s.Name, s.Fork, s.upTo)
	if err != nil {
		return err
	}
	for i := range recs {
		r := &recs[i]
		e := eventOf(r)
		for n := range r.Parts {
			p, err := open(s.Stream, r, n)
			if err != nil {
				return &Fault{Stream: r.Stream, Version: r.Version, What: fmt.Sprintf("secret part %d: %v", n, err)}
			}
			e.Parts = append(e.Parts, p)
		}
		if err := each(r, e); err != nil {
			return err
		}
	}
	return nil
}

// span is a stream up to the version needed; depth is 0 for the table's own, 1 for a line that forks from nothing,
// and so on.
type span struct {
	events.Stream
	head  events.Head
	upTo  uint64
	depth int
}

// withAncestors lists the streams of a table, preceded by those its lines forked from, each up to the version needed.
func withAncestors(ctx context.Context, log events.Log, table events.Name) ([]*span, error) {
	own, err := log.Streams(ctx, table)
	if err != nil {
		return nil, fmt.Errorf("streams of table %s: %w", table, err)
	}
	found := map[events.Name]*span{}
	var out []*span
	for _, s := range own {
		if s.Kind != events.KindTable && s.Kind != events.KindLine {
			continue
		}
		chain, err := lineage(ctx, log, s)
		if err != nil {
			return nil, err
		}
		upTo := uint64(0)
		for i, p := range chain {
			at := found[p.Name]
			if at == nil {
				head, err := log.Head(ctx, p.Name)
				if err != nil {
					return nil, fmt.Errorf("stream %s: %w", p.Name, err)
				}
				at = &span{Stream: p, head: head, depth: len(chain) - i}
				if p.Kind == events.KindTable {
					at.depth = 0
				}
				if p.Table == table {
					at.upTo = head.Version
				}
				found[p.Name], out = at, append(out, at)
			}
			at.upTo, upTo = max(at.upTo, upTo), p.Fork
		}
	}
	slices.SortStableFunc(out, func(a, b *span) int { return a.depth - b.depth })
	return out, nil
}

// lineage returns a stream and those it forked from, nearest first.
func lineage(ctx context.Context, log events.Log, s events.Stream) (out []events.Stream, err error) {
	for out = append(out, s); !s.Parent.IsZero(); out = append(out, s) {
		if slices.Contains(out[:len(out)-1], s) {
			return nil, &Fault{Stream: s.Name, Version: s.Fork + 1, What: "the stream is its own ancestor"}
		}
		if s, err = log.Stream(ctx, s.Parent); err != nil {
			return nil, fmt.Errorf("ancestor of %s: %w", out[0].Name, err)
		}
	}
	return out, nil
}
