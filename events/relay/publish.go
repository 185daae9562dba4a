package relay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"posthorn/events"
)

// publisher sends the log's records, many at a time. Each message names the sequence it expects before it, so a
// record is stored at its own place or not at all: a message under way may be sent again at any time, and lands once.
// If something foreign takes a record's place, the rest of the window may still follow it. The record itself is
// refused, nothing after it is confirmed to the followers, and the next session finds the foreign message.
type publisher struct {
	relay  *Relay
	js     jetstream.JetStream
	stream jetstream.Stream
	sent   []jetstream.PubAckFuture // not yet acknowledged, oldest first
	acked  uint64                   // position of the newest acknowledged record
	told   uint64                   // position last given to the followers
}

// run publishes from a position on until something goes wrong.
func (p *publisher) run(ctx context.Context, next uint64) error {
	for {
		records, err := p.relay.log.Read(ctx, next-1, readBatch)
		if err != nil {
			return fmt.Errorf("read the log at %d: %w", next, err)
		}
		if len(records) == 0 {
			if err := p.collect(ctx, 0); err != nil {
				return err
			}
			if err := p.idle(ctx, next-1); err != nil {
				return err
			}
			continue
		}
		for i := range records {
			rec := &records[i]
			if rec.Pos != next {
				return fmt.Errorf("the log has %d after %d", rec.Pos, next-1)
			}
			of, err := p.relay.published(ctx, rec.Stream)
			if err != nil {
				return err
			}
			m, err := p.relay.prover.message(of, rec)
			if err != nil {
				return err
			}
			if err := p.send(ctx, m); err != nil {
				return fmt.Errorf("publish record %d: %w", next, err)
			}
			next++
		}
		if err := p.take(); err != nil {
			return err
		}
	}
}

func (p *publisher) send(ctx context.Context, m *nats.Msg) error {
	if len(p.sent) >= window {
		if err := p.collect(ctx, window/2); err != nil {
			return err
		}
	}
	f, err := p.js.PublishMsgAsync(m, jetstream.WithRetryAttempts(0), jetstream.WithStallWait(p.relay.opts.AckWait))
	if errors.Is(err, nats.ErrMaxPayload) && p.relay.server == nil {
		return &alarm{Stream: p.relay.opts.Stream,
			Reason: "its server does not take messages as large as the log's records"}
	}
	if err != nil {
		return fmt.Errorf("hand over to NATS: %w", err)
	}
	p.sent = append(p.sent, f)
	return nil
}

// collect waits for acknowledgements until at most left are missing.
func (p *publisher) collect(ctx context.Context, left int) error {
	for {
		if err := p.take(); err != nil {
			return err
		}
		if len(p.sent) <= left {
			return nil
		}
		select {
		case ack := <-p.sent[0].Ok():
			if err := p.confirm(ack); err != nil {
				return err
			}
		case err := <-p.sent[0].Err():
			return fmt.Errorf("record %d: %w: %w", p.acked+1, errUnstored, err)
		case <-time.After(p.relay.opts.AckWait):
			return fmt.Errorf("record %d: %w: no acknowledgement in %v", p.acked+1, errUnstored, p.relay.opts.AckWait)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take notes the acknowledgements that have already come, and tells the followers.
func (p *publisher) take() error {
	defer p.tell()
	for len(p.sent) > 0 {
		select {
		case ack := <-p.sent[0].Ok():
			if err := p.confirm(ack); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (p *publisher) confirm(ack *jetstream.PubAck) error {
	if ack.Sequence != p.acked+1 {
		return &alarm{Stream: p.relay.opts.Stream,
			Reason: fmt.Sprintf("record %d became message %d", p.acked+1, ack.Sequence)}
	}
	p.acked = ack.Sequence
	p.sent = p.sent[1:]
	return nil
}

func (p *publisher) tell() {
	if p.told != p.acked {
		p.told = p.acked
		p.relay.advance(p.acked)
	}
}

// idle waits until the log grows, and checks now and then that the stream is still whole.
func (p *publisher) idle(ctx context.Context, at uint64) error {
	waiting, cancel := context.WithTimeout(ctx, checkEvery)
	defer cancel()
	err := p.relay.log.Wait(waiting, at)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || waiting.Err() == nil {
		return fmt.Errorf("wait for the log: %w", err)
	}
	info, err := p.stream.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at the stream: %w", err)
	}
	if s := info.State; s.LastSeq != at || s.Msgs != at {
		return fmt.Errorf("up to %d of %d: %w", s.LastSeq, at, errLost)
	}
	return nil
}

// The headers of every message, so that a subscriber can select messages without reading the payload.
const (
	// HeaderType is the event's type, e.g. "played.v1".
	HeaderType = "Posthorn-Type"
	// HeaderVersion is the event's version in its stream, in decimal digits.
	HeaderVersion = "Posthorn-Version"
	// HeaderHash is the chain's hash up to the event, 64 hexadecimal digits.
	HeaderHash = "Posthorn-Hash"
	// HeaderStream is the name of the event's stream.
	HeaderStream = "Posthorn-Stream"
	// HeaderKind is the kind of the event's stream: table, line, seat or house.
	HeaderKind = "Posthorn-Kind"
	// HeaderParent is the name of the line that the event's line forked from; absent if it did not fork.
	HeaderParent = "Posthorn-Parent"
	// HeaderFork is the parent's version at which it forked, in decimal digits: later versions of the parent are not
	// part of this line.
	HeaderFork = "Posthorn-Fork"
)

// The subjects: [SubjectPrefix] followed by rulebook and table, or [SubjectHouse].
const (
	SubjectPrefix = "posthorn.ev."
	SubjectHouse  = SubjectPrefix + "house"
	// Subjects matches every subject the relay publishes on.
	Subjects = SubjectPrefix + ">"
)

// ErrMessage is returned for a message that is not a record in the relay's form.
var ErrMessage = errors.New("not a record of the log")

// subject returns where the events of a stream are published: "posthorn.ev.<rulebook>.<table>", and
// "posthorn.ev.house" for what concerns no table.
func subject(s events.Stream) string {
	if s.Kind == events.KindHouse || s.Table.IsZero() {
		return SubjectHouse
	}
	return SubjectPrefix + token(s.Rulebook) + "." + s.Table.String()
}

// token turns a rulebook's name into one valid token of a subject.
func token(name string) string {
	if name == "" {
		return "unknown"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
}

// Encode writes a record as a message's payload: one JSON object with the keys pos, stream, version, command, type,
// codec, at (milliseconds since 1970), meta, data, parts and hash. Names and hashes are hexadecimal digits. meta and
// data appear byte for byte as in the log if they are JSON without spaces, as this program writes it, so that their
// digests can be recomputed; otherwise they appear as base64 under meta64 and data64. Parts hold audience, digest and
// the text sealed with the server's key: no payload reveals a secret.
func Encode(r *events.Record) ([]byte, error) {
	b := make([]byte, 0, 384+len(r.Meta)+len(r.Data))
	b = strconv.AppendUint(append(b, `{"pos":`...), r.Pos, 10)
	b = hex.AppendEncode(append(b, `,"stream":"`...), r.Stream[:])
	b = strconv.AppendUint(append(b, `","version":`...), r.Version, 10)
	b = hex.AppendEncode(append(b, `,"command":"`...), r.Command[:])
	b, err1 := quoted(append(b, `","type":`...), r.Type)
	b, err2 := quoted(append(b, `,"codec":`...), r.Codec)
	b = strconv.AppendInt(append(b, `,"at":`...), r.At.UnixMilli(), 10)
	b = verbatim(b, "meta", r.Meta)
	b = verbatim(b, "data", r.Data)
	var err3 error
	if len(r.Parts) > 0 {
		var parts []byte
		parts, err3 = json.Marshal(r.Parts)
		b = append(append(b, `,"parts":`...), parts...)
	}
	if err := cmp.Or(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("encode record %d: %w", r.Pos, err)
	}
	b = hex.AppendEncode(append(b, `,"hash":"`...), r.Hash[:])
	return append(b, `"}`...), nil
}

// quoted appends a text as a JSON string. A type's name needs only the quotes.
func quoted(b []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			err := enc.Encode(text)
			return append(b, bytes.TrimSuffix(out.Bytes(), []byte{'\n'})...), err
		}
	}
	return append(append(append(b, '"'), text...), '"'), nil
}

// verbatim appends a text under a key: byte for byte if it is JSON without a space that rewriting would remove,
// otherwise as base64 under the key followed by 64. It appends nothing for an empty text.
func verbatim(b []byte, key string, text []byte) []byte {
	if len(text) == 0 {
		return b
	}
	b = append(append(b, `,"`...), key...)
	if tight(text) && json.Valid(text) && string(text) != "null" {
		return append(append(b, `":`...), text...)
	}
	b = base64.StdEncoding.AppendEncode(append(b, `64":"`...), text)
	return append(b, '"')
}

// tight reports whether JSON has no space between its parts.
func tight(text []byte) bool {
	within, escaped := false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case within && c == '\\':
			escaped = true
		case c == '"':
			within = !within
		case !within && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			return false
		}
	}
	return true
}

type payload struct {
	Pos     uint64           `json:"pos"`
	Stream  events.Name      `json:"stream"`
	Version uint64           `json:"version"`
	Command events.CommandID `json:"command"`
	Type    string           `json:"type"`
	Codec   string           `json:"codec"`
	At      int64            `json:"at"`
	Meta    json.RawMessage  `json:"meta,omitempty"`
	Meta64  []byte           `json:"meta64,omitempty"`
	Data    json.RawMessage  `json:"data,omitempty"`
	Data64  []byte           `json:"data64,omitempty"`
	Parts   []events.Part    `json:"parts,omitempty"`
	Hash    events.Hash      `json:"hash"`
}

// Decode reads what Encode wrote. Its error wraps [ErrMessage] if b is not a record.
func Decode(b []byte) (events.Record, error) {
	var p payload
	if err := json.Unmarshal(b, &p); err != nil {
		return events.Record{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	if p.Pos == 0 || p.Version == 0 || p.Stream.IsZero() {
		return events.Record{}, fmt.Errorf("no position, version or stream: %w", ErrMessage)
	}
	r := events.Record{
		Pos: p.Pos, Stream: p.Stream, Version: p.Version, Command: p.Command, Type: p.Type, Codec: p.Codec,
		At: time.UnixMilli(p.At).UTC(), Meta: p.Meta, Data: p.Data, Parts: p.Parts, Hash: p.Hash,
	}
	if len(p.Meta64) > 0 {
		r.Meta = p.Meta64
	}
	if len(p.Data64) > 0 {
		r.Data = p.Data64
	}
	return r, nil
}

// message makes the message that may only become the stream's message number r.Pos.
func (p prover) message(of published, r *events.Record) (*nats.Msg, error) {
	data, err := Encode(r)
	if err != nil {
		return nil, err
	}
	m := &nats.Msg{Subject: of.subject, Data: data, Header: nats.Header{
		HeaderType:                    {r.Type},
		HeaderVersion:                 {strconv.FormatUint(r.Version, 10)},
		HeaderHash:                    {r.Hash.String()},
		"Nats-Expected-Stream":        {p.stream},
		"Nats-Expected-Last-Sequence": {strconv.FormatUint(r.Pos-1, 10)},
	}}
	of.describe(m.Header, r.Stream)
	p.sign(m, r.Pos)
	return m, nil
}

// describe describes the record's stream in a message's headers, so that followers of tables need not fold them.
func (p published) describe(h nats.Header, name events.Name) {
	h[HeaderStream], h[HeaderKind] = []string{name.String()}, []string{string(p.kind)}
	if !p.parent.IsZero() {
		h[HeaderParent], h[HeaderFork] = []string{p.parent.String()}, []string{strconv.FormatUint(p.fork, 10)}
	}
}
