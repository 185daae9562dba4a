package archive

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"posthorn/events"
	"posthorn/events/record"
)

// The text of an archived game is the record's header, its receipts without their hashes, and then one line per
// event. Before each stretch of events of one stream comes a line with that stream's number in the header. An event's
// line is a JSON list: type, meta without the wish's digits, data, and for each secret part a list of its audience
// and, if it is open, its text.
//
// The chance of an event: its command, the milliseconds since the previous event in the file as a varint of
// encoding/binary, the wish if it has one, and for each part the salt, or the digest if the part is shut.

var (
	wish   = regexp.MustCompile(`"wish":"([0-9a-f]{16})"`)
	wished = []byte(`"wish":""`)
)

const (
	codec     = "json" // of all events
	wishBytes = 8
	wishAt    = len(`"wish":"`)
)

// takeOut returns a record's text without what the rest implies, and its chance.
func takeOut(f *record.File) (text, chance []byte, err error) {
	w, t := &bytes.Buffer{}, newTold(&f.Header)
	before, stream := int64(0), -1
	var lines bytes.Buffer
	for i := range f.Events {
		e := &f.Events[i]
		n, ok := t.number[e.Stream]
		if !ok || e.Codec != codec {
			return nil, nil, fmt.Errorf("%w: version %d of stream %s", ErrUnfit, e.Version, e.Stream)
		}
		if n != stream {
			fmt.Fprintf(&lines, "%d\n", n)
			stream = n
		}
		chance = binary.AppendVarint(append(chance, e.Command[:]...), e.At-before)
		meta := []byte(e.Meta)
		if m := wish.FindSubmatchIndex(meta); m != nil {
			digits, _ := hex.DecodeString(string(meta[m[2]:m[3]]))
			chance = append(chance, digits...)
			meta = append(bytes.Clone(meta[:m[2]]), meta[m[3]:]...)
		}
		fmt.Fprintf(&lines, "[%s,%s,%s", quoted(e.Type), meta, e.Data)
		before = e.At
		for _, p := range e.Parts {
			switch {
			case len(p.Sealed) > 0, (p.Text == nil) != (p.Salt == nil), p.Salt != nil &&
				len(p.Salt) != len(events.Hash{}):
				return nil, nil, fmt.Errorf("%w: a part of version %d of stream %s is sealed", ErrUnfit, e.Version,
					e.Stream)
			case p.Text == nil:
				fmt.Fprintf(&lines, ",[%s]", quoted(p.To.String()))
				chance = append(chance, p.Digest[:]...)
			default:
				fmt.Fprintf(&lines, ",[%s,%s]", quoted(p.To.String()), quoted(*p.Text))
				chance = append(chance, p.Salt...)
			}
		}
		lines.WriteString("]\n")
		if err := t.place(e); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrUnfit, err)
		}
	}
	h := f.Header
	h.Heads = t.bare(h.Heads)
	head, err := json.Marshal(h)
	if err != nil {
		return nil, nil, fmt.Errorf("archive a game: %w", err)
	}
	_, _ = w.Write(append(head, '\n'))
	_, _ = lines.WriteTo(w)
	return w.Bytes(), chance, nil
}

// putBack makes the record from a text and its chance.
func putBack(text, chance []byte) (*record.File, error) {
	head, text, _ := bytes.Cut(text, []byte{'\n'})
	f := &record.File{}
	if err := json.Unmarshal(head, &f.Header); err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	t, c := newTold(&f.Header), &cutter{rest: chance}
	before, stream := int64(0), -1
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		if len(line) > 0 && line[0] != '[' {
			n, err := strconv.Atoi(string(line))
			if err != nil || n < 0 || n >= len(f.Header.Streams) {
				return nil, errors.New("a stream has no such number")
			}
			stream = n
			continue
		}
		if stream < 0 {
			return nil, errors.New("an event is of no stream")
		}
		e, err := readEvent(line, c)
		if err != nil {
			return nil, err
		}
		e.Stream, e.At = f.Header.Streams[stream].Name, e.At+before
		before = e.At
		if err := t.place(&e); err != nil {
			return nil, err
		}
		f.Events = append(f.Events, e)
	}
	if c.short || len(c.rest) > 0 {
		return nil, errors.New("chance and text are not of one game")
	}
	f.Header.Heads = t.whole(f.Header.Heads)
	return f, nil
}

// readEvent reads an event's line, except for what the record around it implies. Its time counts from the previous
// event.
func readEvent(line []byte, c *cutter) (e record.Event, err error) {
	var members []json.RawMessage
	if err = json.Unmarshal(line, &members); err != nil {
		return e, fmt.Errorf("an event: %w", err)
	}
	if len(members) < 3 {
		return e, errors.New("an event has too few members")
	}
	err = json.Unmarshal(members[0], &e.Type)
	copy(e.Command[:], c.take(len(e.Command)))
	e.At = c.varint()
	meta, data := []byte(members[1]), members[2]
	if i := bytes.Index(meta, wished); i >= 0 {
		digits := hex.EncodeToString(c.take(wishBytes))
		meta = append(append(bytes.Clone(meta[:i+wishAt]), digits...), meta[i+wishAt:]...)
	}
	e.Codec, e.Meta, e.Data = codec, meta, data
	for _, m := range members[3:] {
		var said []string
		err = errors.Join(err, json.Unmarshal(m, &said))
		var p record.Part
		switch len(said) {
		case 1:
			copy(p.Digest[:], c.take(len(p.Digest)))
		case 2:
			p.Salt, p.Text = c.take(len(events.Hash{})), &said[1]
			if p.Salt != nil {
				p.Digest = events.PartDigest([32]byte(p.Salt), []byte(said[1]))
			}
		default:
			return e, errors.New("a secret part has other members")
		}
		err = errors.Join(err, p.To.UnmarshalJSON(quoted(said[0])))
		e.Parts = append(e.Parts, p)
	}
	if err != nil {
		return e, fmt.Errorf("an event: %w", err)
	}
	return e, nil
}

// told is what the events of a record imply about each other.
type told struct {
	number  map[events.Name]int // of a stream in the header
	streams []events.Stream
	last    []uint64 // of each stream, the version before its next one
	hashes  map[place]events.Hash
}

type place struct {
	stream  events.Name
	version uint64
}

func newTold(h *record.Header) *told {
	t := &told{number: map[events.Name]int{}, streams: h.Streams, last: make([]uint64, len(h.Streams)),
		hashes: map[place]events.Hash{}}
	for i, s := range h.Streams {
		t.number[s.Name], t.last[i] = i, s.Fork
	}
	return t
}

// place gives an event its version and its hash. If the event already has others, the chain does not hold.
func (t *told) place(e *record.Event) error {
	n := t.number[e.Stream]
	s, version := &t.streams[n], t.last[n]+1
	before, ok := t.hash(s.Name, t.last[n])
	switch {
	case ok:
	case t.last[n] == 0 && s.Parent.IsZero():
		before = s.Origin
	default:
		return fmt.Errorf("what stream %s goes on from is not there", s.Name)
	}
	r := events.Record{Stream: e.Stream, Version: version, Type: e.Type, Codec: e.Codec, At: time.UnixMilli(e.At),
		Command: e.Command, Meta: e.Meta, Data: e.Data}
	for _, p := range e.Parts {
		r.Parts = append(r.Parts, events.Part{To: p.To, Digest: p.Digest})
	}
	hash := events.ChainHash(before, &r)
	if e.Version != 0 && (e.Version != version || e.Hash != hash) {
		return fmt.Errorf("the chain does not hold at version %d of stream %s", e.Version, e.Stream)
	}
	e.Version, e.Hash = version, hash
	t.last[n], t.hashes[place{s.Name, version}] = version, hash
	return nil
}

// hash returns the hash at a version of a line: of its own stream, or of what it goes on from.
func (t *told) hash(stream events.Name, version uint64) (events.Hash, bool) {
	for range t.streams {
		n, ok := t.number[stream]
		if !ok {
			break
		}
		if version > t.streams[n].Fork {
			break
		}
		stream = t.streams[n].Parent
	}
	h, ok := t.hashes[place{stream, version}]
	return h, ok
}

// The fields of a receipt that name a place, and its hash (see docs/format.md).
const (
	ofStream, ofVersion, ofHash = 2, 3, 4
	receiptFields               = 6
)

// bare returns receipts without their hashes, where the events imply these.
func (t *told) bare(receipts []string) []string {
	return t.each(receipts, func(has string, hash events.Hash) (string, bool) { return "", has == hash.String() })
}

// whole undoes bare.
func (t *told) whole(receipts []string) []string {
	return t.each(receipts, func(has string, hash events.Hash) (string, bool) { return hash.String(), has == "" })
}

func (t *told) each(receipts []string, instead func(has string, hash events.Hash) (string, bool)) []string {
	out := append(receipts[:0:0], receipts...)
	for i, line := range out {
		fields := strings.Split(line, ":")
		if len(fields) != receiptFields {
			continue
		}
		stream, err := events.ParseName(fields[ofStream])
		version, also := strconv.ParseUint(fields[ofVersion], 10, 64)
		hash, ok := t.hash(stream, version)
		if err != nil || also != nil || !ok {
			continue
		}
		if has, ok := instead(fields[ofHash], hash); ok {
			fields[ofHash] = has
			out[i] = strings.Join(fields, ":")
		}
	}
	return out
}

// cutter takes bytes off the front; if there are too few, short is set.
type cutter struct {
	rest  []byte
	short bool
}

func (c *cutter) take(n int) []byte {
	if n > len(c.rest) {
		c.short, c.rest = true, nil
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cutter) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.short, c.rest = true, nil
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// quoted returns a text as JSON writes it in a record: no character is escaped without need.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}
