package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/recent"
)

const (
	selectStream = `SELECT s.id, s.name, s.kind, s.rulebook, s.tbl, t.name, s.parent, p.name, s.fork, s.origin
		FROM streams s LEFT JOIN streams t ON t.id = s.tbl LEFT JOIN streams p ON p.id = s.parent `
	// Every value of a row costs an allocation, which is more than SQLite's own work for it, so fields are joined
	// here and split in scanEvent.
	eventFields = `pos, version, at, type || char(0) || codec, parts << 32 | length(meta), CAST(cmd || hash || meta || data AS BLOB)`
	selectOwn   = `SELECT ` + eventFields + ` FROM events `
	selectEvent = `SELECT ` + eventFields + `, stream FROM events `
	selectPart  = `SELECT version, audience, CAST(digest || sealed AS BLOB) FROM parts `
)

// queries are the read statements of one connection. Reader and writer have the same ones.
type queries struct {
	streamByName, streamByID, streamsOf *stmt
	head, linkAt                        *stmt
	load, parts                         *stmt
	byCommand, after, last, sorts       *stmt
	known                               *catalogue
	keeps                               bool // what it reads is on disk: true for readers
	forms                               map[string]form
}

func prepareQueries(c *conn, known *catalogue, keeps bool) (*queries, error) {
	q := &queries{known: known, keeps: keeps, forms: map[string]form{}}
	err := c.prepareAll([]statement{
		{&q.streamByName, selectStream + `WHERE s.name = ?`},
		{&q.streamByID, selectStream + `WHERE s.id = ?`},
		{&q.streamsOf, selectStream + `WHERE s.tbl = ? ORDER BY s.id`},
		{&q.head, `SELECT version, hash FROM events WHERE stream = ? ORDER BY version DESC LIMIT 1`},
		{&q.linkAt, `SELECT hash FROM events WHERE stream = ? AND version = ?`},
		{&q.load, selectOwn + `WHERE stream = ? AND version > ? AND version <= ? ORDER BY version`},
		{&q.parts, selectPart + `WHERE stream = ? AND version > ? AND version <= ? ORDER BY version, n`},
		{&q.byCommand, selectEvent + `WHERE tbl = ? AND cmd = ?`},
		{&q.after, selectEvent + `WHERE pos > ? ORDER BY pos LIMIT ?`},
		{&q.last, `SELECT coalesce(max(pos), 0) FROM events`},
		// in the order of the events
		{&q.sorts, `SELECT DISTINCT s.rulebook, e.type FROM events e CROSS JOIN streams s ON s.id = e.stream WHERE e.pos > ?`},
	}...)
	return q, err
}

// stream is what the log knows of a stream, with its keys inside this file.
type stream struct {
	events.Stream
	id, tbl, parent int64
}

// catalogue remembers streams that are on disk. They never change, so any connection may use what another has read.
type catalogue struct {
	byName *recent.Store[events.Name, *stream]
	byID   *recent.Store[int64, *stream]
}

func newCatalogue(limit int) *catalogue {
	return &catalogue{byName: recent.New[events.Name, *stream](limit, nil),
		byID: recent.New[int64, *stream](limit, nil)}
}

func (k *catalogue) keep(s *stream) {
	k.byName.Put(s.Name, s)
	k.byID.Put(s.id, s)
}

// stream reads a stream by its name; nil if there is none.
func (q *queries) stream(n events.Name) (s *stream, err error) {
	if s, ok := q.known.byName.Get(n); ok {
		return s, nil
	}
	return q.oneStream(q.streamByName, n[:])
}

// streamOf reads a stream by its key. It returns an error if there is none.
func (q *queries) streamOf(id int64) (s *stream, err error) {
	if s, ok := q.known.byID.Get(id); ok {
		return s, nil
	}
	if s, err = q.oneStream(q.streamByID, id); err == nil && s == nil {
		err = fmt.Errorf("stream number %d: %w", id, errDamaged)
	}
	return s, err
}

func (q *queries) oneStream(by *stmt, key driver.Value) (s *stream, err error) {
	_, err = by.one(func(row []driver.Value) (err error) {
		s, err = q.scanStream(row)
		return err
	}, key)
	return s, err
}

// headOf reads where a stream stands.
func (q *queries) headOf(s *stream) (h events.Head, err error) {
	found, err := q.head.one(func(row []driver.Value) error {
		h.Version = uint64(num(row[0]))
		return copyExactly(h.Hash[:], row[1])
	}, s.id)
	if err == nil && !found {
		err = fmt.Errorf("stream %s has no event: %w", s.Name, errDamaged)
	}
	return h, err
}

// owner returns the stream in the ancestry that itself holds a version.
func (q *queries) owner(s *stream, version uint64) (*stream, error) {
	return q.climb(s, func(s *stream) bool { return version <= s.Fork })
}

// climb goes from a stream to the one it forked from, as long as further reports true for it, and returns the last
// one. A stream that is its own ancestor is damage: no log writes one.
func (q *queries) climb(s *stream, further func(*stream) bool) (*stream, error) {
	seen := map[int64]bool{}
	for further(s) && s.Fork > 0 {
		if seen[s.id] {
			return nil, fmt.Errorf("stream %s is its own ancestor: %w", s.Name, errDamaged)
		}
		seen[s.id] = true
		parent, err := q.streamOf(s.parent)
		if err != nil {
			return nil, err
		}
		s = parent
	}
	return s, nil
}

// link reads the hash at a version of a stream or of its ancestors.
func (q *queries) link(s *stream, version uint64) (h events.Hash, err error) {
	if s, err = q.owner(s, version); err != nil {
		return h, err
	}
	found, err := q.linkAt.one(func(row []driver.Value) error { return copyExactly(h[:], row[0]) }, s.id,
		int64(version))
	if err == nil && !found {
		err = fmt.Errorf("stream %s lacks version %d: %w", s.Name, version, errDamaged)
	}
	return h, err
}

// own appends to out a stream's own events with versions above after and up to upTo.
func (q *queries) own(out []events.Record, s *stream, after, upTo uint64) ([]events.Record, error) {
	start, parts := len(out), 0
	err := q.load.each(func(row []driver.Value) error {
		out = append(out, events.Record{})
		n, err := q.scanEvent(&out[len(out)-1], row)
		out[len(out)-1].Stream = s.Name
		parts += n
		return err
	}, s.id, int64(after), int64(upTo))
	if err != nil || parts == 0 {
		return out, err
	}
	rest := out[start:]
	return out, q.parts.each(func(row []driver.Value) error {
		for len(rest) > 0 && rest[0].Version < uint64(num(row[0])) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return fmt.Errorf("parts without an event in stream %s: %w", s.Name, errDamaged)
		}
		return scanPart(&rest[0], row)
	}, s.id, int64(after), int64(upTo))
}

// complete adds to records that were read across streams their streams' names and their parts.
func (q *queries) complete(records []events.Record, keys []int64, parts []int) error {
	for i := range records {
		r := &records[i]
		s, err := q.streamOf(keys[i])
		if err != nil {
			return err
		}
		r.Stream = s.Name
		if parts[i] == 0 {
			continue
		}
		err = q.parts.each(func(row []driver.Value) error { return scanPart(r, row) }, s.id, int64(r.Version-1),
			int64(r.Version))
		if err != nil {
			return err
		}
	}
	return nil
}

// find reads the record that a command made at a table.
func (q *queries) find(tbl int64, id events.CommandID) (events.Record, bool, error) {
	out, err := q.across(q.byCommand, 1, tbl, id[:])
	if err != nil || len(out) == 0 {
		return events.Record{}, false, err
	}
	return out[0], true, nil
}

// across reads whole records of any streams.
func (q *queries) across(s *stmt, room int, values ...driver.Value) ([]events.Record, error) {
	out, keys, parts := make([]events.Record, 0, room), make([]int64, 0, room), make([]int, 0, room)
	err := s.each(func(row []driver.Value) error {
		out = append(out, events.Record{})
		n, err := q.scanEvent(&out[len(out)-1], row)
		keys, parts = append(keys, num(row[6])), append(parts, n)
		return err
	}, values...)
	if err != nil {
		return nil, err
	}
	return out, q.complete(out, keys, parts)
}

// scanEvent reads the columns of eventFields.
func (q *queries) scanEvent(r *events.Record, row []driver.Value) (parts int, err error) {
	r.Pos, r.Version, r.At = uint64(num(row[0])), uint64(num(row[1])), time.UnixMilli(num(row[2])).UTC()
	form := q.form(text(row[3]))
	r.Type, r.Codec = form.kind, form.codec
	sizes, body := num(row[4]), blob(row[5])
	meta, fixed := int(sizes&(1<<32-1)), len(r.Command)+len(r.Hash)
	if len(body) < fixed+meta {
		return 0, fmt.Errorf("event %d of %d bytes: %w", r.Pos, len(body), errDamaged)
	}
	copy(r.Hash[:], body[copy(r.Command[:], body):])
	r.Meta, r.Data = cut(body[fixed:fixed+meta]), cut(body[fixed+meta:])
	return int(sizes >> 32), nil
}

// cut keeps append from running one field into the next, and returns nil for no bytes.
func cut(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b[:len(b):len(b)]
}

// form is an event's type and codec: there are few, and every row repeats one.
type form struct{ kind, codec string }

func (q *queries) form(joined string) form {
	if f, ok := q.forms[joined]; ok {
		return f
	}
	kind, codec, _ := strings.Cut(joined, "\x00")
	f := form{kind: kind, codec: codec}
	if len(q.forms) < 1024 {
		q.forms[joined] = f
	}
	return f
}

func scanPart(r *events.Record, row []driver.Value) error {
	p, body := events.Part{To: domain.Audience(num(row[1]))}, blob(row[2])
	if len(body) < len(p.Digest) {
		return fmt.Errorf("a part of event %d of %d bytes: %w", r.Pos, len(body), errDamaged)
	}
	p.Sealed = cut(body[copy(p.Digest[:], body):])
	r.Parts = append(r.Parts, p)
	return nil
}

func (q *queries) scanStream(row []driver.Value) (*stream, error) {
	s := &stream{id: num(row[0]), tbl: num(row[4]), parent: num(row[6])}
	s.Kind, s.Rulebook, s.Fork = events.Kind(text(row[2])), text(row[3]), uint64(num(row[8]))
	for _, f := range []struct {
		to   []byte
		from driver.Value
		want bool
	}{{s.Name[:], row[1], true}, {s.Table[:], row[5], s.tbl != 0}, {s.Parent[:], row[7], s.parent != 0},
		{s.Origin[:], row[9], true}} {
		if !f.want {
			continue
		}
		if err := copyExactly(f.to, f.from); err != nil {
			return nil, err
		}
	}
	if q.keeps {
		q.known.keep(s)
	}
	return s, nil
}

// num and text read values of columns whose type the schema fixes. For a damaged row they return something that will
// not match the hash.
func num(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

// blob returns nil for an empty value, as every log does.
func blob(v driver.Value) []byte {
	if b, ok := v.([]byte); ok && len(b) > 0 {
		return b
	}
	return nil
}

func copyExactly(to []byte, v driver.Value) error {
	b, ok := v.([]byte)
	if !ok || len(b) != len(to) {
		return fmt.Errorf("%d bytes where %d belong: %w", len(b), len(to), errDamaged)
	}
	copy(to, b)
	return nil
}
