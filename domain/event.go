package domain

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"posthorn/domain/codec"
)

// errSecret is returned when something tries to serialise a secret part in the ordinary way. Only [Codec.Encode] and
// the log may write one.
var errSecret = errors.New("a secret part is not serialised")

// Event is one fact of a line of play: the move as given, and everything that the rules made follow from it. One
// command makes one event. Folding an event never runs rules or chance again.
type Event struct {
	Type  string // the rulebook's event type with its version, e.g. "played.v1"
	Seat  Seat   // who moved; Nobody for set-ups and deals
	Move  string // the canonical notation, seats by letter; "" for set-ups and deals
	Draws []Draw // which draws of luck were used, in their order
	// the first event of a line after a rewind: all open decisions are awaited anew, see [Line.Reshuffle]
	Anew    bool
	Points  []int    // the public points after it, see [Line.CountPoints]; nil if they were not counted
	Body    any      // what followed, public: a pointer to the rulebook's own type
	Secrets []Secret // what followed, for some eyes only
}

// Secret is a part of an event that only an audience may read. Body is nil if the event was loaded for a reader outside
// the audience.
type Secret struct {
	To   Audience
	Body any
}

// MarshalJSON refuses: see errSecret.
func (Secret) MarshalJSON() ([]byte, error) { return nil, errSecret }

// Redact returns the event as a viewer may see it: secret parts meant for others are still there, but empty. Redact
// does not change the event itself.
func (e Event) Redact(v Viewer) Event {
	if len(e.Secrets) == 0 {
		return e
	}
	parts := make([]Secret, len(e.Secrets))
	for i, s := range e.Secrets {
		parts[i] = Secret{To: s.To}
		if s.To.Admits(v) {
			parts[i].Body = s.Body
		}
	}
	e.Secrets = parts
	return e
}

// Codec lists a rulebook's event types and turns events into bytes and back.
type Codec struct {
	Types []EventType
}

// EventType is one event type ever released. Types are never removed: every log ever written must still fold.
type EventType struct {
	Name   string     // with its version: "played.v1"
	Body   func() any // a new, empty public body (a pointer)
	Secret func() any // a new, empty secret body (a pointer); nil if the type has none
	// PadTo is a number of bytes that holds any secret part of this type, whatever it hides: parts are padded to a
	// multiple of it before they are sealed. 0 if 250 bytes are always enough.
	PadTo  int
	Upcast func(Event) Event // to the newest type, pure; nil if this is the newest
	// CountedAs is the name under which events of this type are logged when they have their Points: "played.v2". They
	// are read as events of this type. "" if there is no such name.
	CountedAs string
}

// Checker is an optional interface of a body, public or secret: it refuses what no rulebook could have written, such as
// a seat, place or card that does not exist. It runs whenever an event is read, so folding need not check: an altered
// log is an error, not a panic. It must accept everything ever written.
type Checker interface {
	Check(e *Event) error
}

// check runs the Checkers among the bodies of an event that was read.
func (e *Event) check() error {
	if e.Seat < Nobody || e.Seat >= MaxSeats {
		return fmt.Errorf("decode %s: there is no seat %d", e.Type, e.Seat)
	}
	ask := func(of string, body any) error {
		if c, ok := body.(Checker); ok {
			if err := c.Check(e); err != nil {
				return fmt.Errorf("decode %s%s: %w", of, e.Type, err)
			}
		}
		return nil
	}
	err := ask("", e.Body)
	for i := 0; i < len(e.Secrets) && err == nil; i++ {
		err = ask("secret of ", e.Secrets[i].Body)
	}
	return err
}

// SecretBytes is a secret part on its way to or from the log. Data is nil if the reader must not have it.
type SecretBytes struct {
	To    Audience
	Data  []byte
	PadTo int // of its type, see [EventType]
}

// envelope is the form in which the public part of an event is read, and which appendPublic writes. It differs from
// Event only in its tags.
type envelope struct {
	Type    string   `json:"-"`
	Seat    Seat     `json:"seat"`
	Move    string   `json:"move,omitempty"`
	Draws   []Draw   `json:"draws,omitempty"`
	Anew    bool     `json:"anew,omitempty"`
	Points  []int    `json:"points,omitempty"`
	Body    any      `json:"body"`
	Secrets []Secret `json:"-"`
}

// Encode writes an event: its public JSON and its secret parts.
func (c Codec) Encode(e *Event) (public []byte, secrets []SecretBytes, err error) {
	t := c.find(e.Type)
	if t == nil {
		return nil, nil, fmt.Errorf("encode event: no type %q", e.Type)
	}
	if public, err = e.appendPublic(make([]byte, 0, 256)); err != nil {
		return nil, nil, err
	}
	for _, s := range e.Secrets {
		data, err := s.append(nil, e.Type)
		if err != nil {
			return nil, nil, err
		}
		secrets = append(secrets, SecretBytes{To: s.To, Data: data, PadTo: t.PadTo})
	}
	return public, secrets, nil
}

// appendPublic writes the envelope: by hand for speed, as every event of every game has one.
func (e *Event) appendPublic(dst []byte) (_ []byte, err error) {
	dst = codec.AppendNumber(append(dst, `{"seat":`...), int64(e.Seat))
	if e.Move != "" {
		dst = codec.AppendString(append(dst, `,"move":`...), e.Move)
	}
	for i := range e.Draws {
		dst = e.Draws[i].append(append(dst, drawsBegin[min(i, 1)]...))
	}
	if len(e.Draws) > 0 {
		dst = append(dst, ']')
	}
	if e.Anew {
		dst = append(dst, `,"anew":true`...)
	}
	if len(e.Points) > 0 && err == nil {
		dst, err = codec.Append(append(dst, `,"points":`...), &e.Points)
	}
	if err == nil {
		dst, err = codec.Append(append(dst, `,"body":`...), e.Body)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", e.Type, err)
	}
	return append(dst, '}'), nil
}

// drawsBegin is what stands before the first draw, and before any other.
var drawsBegin = [2]string{`,"draws":[`, `,`}

func (s *Secret) append(dst []byte, typ string) ([]byte, error) {
	dst, err := codec.Append(dst, s.Body)
	if err != nil {
		return nil, fmt.Errorf("encode secret of %s: %w", typ, err)
	}
	return dst, nil
}

// AppendEvent appends a whole event, each part preceded by its length in four bytes: the type, the public part, and
// each secret part with its audience. A simulation hashes this; nothing reads it back.
func (c Codec) AppendEvent(dst []byte, e *Event) (_ []byte, err error) {
	if c.find(e.Type) == nil {
		return nil, fmt.Errorf("encode event: no type %q", e.Type)
	}
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(len(e.Type))), e.Type...)
	at := len(dst) + 4
	if dst, err = e.appendPublic(append(dst, 0, 0, 0, 0)); err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(dst[at-4:], uint32(len(dst)-at))
	for i := range e.Secrets {
		s := &e.Secrets[i]
		at = len(dst) + 6
		if dst, err = s.append(append(binary.BigEndian.AppendUint16(dst, uint16(s.To)), 0, 0, 0, 0),
			e.Type); err != nil {
			return nil, err
		}
		binary.BigEndian.PutUint32(dst[at-4:], uint32(len(dst)-at))
	}
	return dst, nil
}

// Decode reads an event written under the type's name and upcasts it to the newest type. Secret parts without data come
// back with a nil body.
func (c Codec) Decode(typ string, public []byte, secrets []SecretBytes) (Event, error) {
	e, err := new(Decoder).Decode(c, typ, public, secrets)
	if err != nil {
		return Event{}, err
	}
	return *e, nil
}

// Decoder decodes one event after another in the same memory. An event is valid until the next one; what it refers to
// stays valid.
type Decoder struct {
	event  Event
	reader codec.Reader
	parts  []Secret // memory for the parts of events to come
	many   int      // how many that is for at least
}

// Decode is [Codec.Decode].
func (d *Decoder) Decode(c Codec, typ string, public []byte, secrets []SecretBytes) (*Event, error) {
	t := c.find(typ)
	if t == nil {
		return nil, fmt.Errorf("decode event: no type %q", typ)
	}
	if err := d.open(t, public); err != nil {
		return nil, err
	}
	e := &d.event
	if n := len(secrets); n > 0 {
		e.Secrets = d.list(n)
	}
	for _, s := range secrets {
		part := Secret{To: s.To}
		if s.Data != nil && t.Secret != nil {
			part.Body = t.Secret()
			if !d.reader.Read(s.Data, part.Body) {
				part.Body = t.Secret()
				if err := json.Unmarshal(s.Data, part.Body); err != nil {
					return nil, fmt.Errorf("decode secret of %s: %w", typ, err)
				}
			}
		}
		e.Secrets = append(e.Secrets, part)
	}
	if t.Upcast != nil {
		*e = t.Upcast(*e)
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	return e, nil
}

// list returns an empty list for n parts, cut from memory for many once there are several such events.
func (d *Decoder) list(n int) (list []Secret) {
	if len(d.parts) < n {
		d.parts = make([]Secret, max(n, d.many))
		d.many = 32
	}
	list, d.parts = d.parts[:0:n], d.parts[n:]
	return list
}

// open reads the public part of an event.
func (d *Decoder) open(t *EventType, public []byte) error {
	e := &d.event
	*e = Event{Type: t.Name, Body: t.empty()}
	if d.reader.Read(public, (*envelope)(e)) {
		return nil
	}
	var body json.RawMessage
	*e = Event{Type: t.Name, Body: &body}
	if err := json.Unmarshal(public, (*envelope)(e)); err != nil {
		return fmt.Errorf("decode %s: %w", t.Name, err)
	}
	if e.Body = t.empty(); e.Body != nil && len(body) > 0 {
		if err := json.Unmarshal(body, e.Body); err != nil {
			return fmt.Errorf("decode body of %s: %w", t.Name, err)
		}
	}
	return nil
}

// empty is a new, empty body; nil if the type has none.
func (t *EventType) empty() any {
	if t.Body == nil {
		return nil
	}
	return t.Body()
}

// AsWritten returns a codec that reads and writes events of a type as they are, without upcasting, and reports whether
// c upcasts them.
func (c Codec) AsWritten(name string) (own Codec, upcast bool) {
	t := c.find(name)
	if t == nil {
		return Codec{}, false
	}
	as := *t
	as.Upcast = nil
	return Codec{Types: []EventType{as}}, t.Upcast != nil
}

// Has reports whether events of a type can be read.
func (c Codec) Has(name string) bool { return c.find(name) != nil }

// find returns the type with a name, or counted under that name; nil if there is none.
func (c Codec) find(name string) *EventType {
	for i := range c.Types {
		if c.Types[i].Name == name || name != "" && c.Types[i].CountedAs == name {
			return &c.Types[i]
		}
	}
	return nil
}
