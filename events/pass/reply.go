package pass

import (
	"crypto/hmac"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// Reply is the content of the address that answers to a mail go to: whose turn it was, and where. It is short,
// because it stands before the @ of an address: it has a position of the log instead of a stream and version, and
// fingerprints to compare with the log's event and the table's people.
type Reply struct {
	Pos   uint64 // of the event that brought the decision up, in the whole log
	Seat  domain.Seat
	Epoch uint32 // of the person's passes, see Epochs
	Ahead uint64 // how many versions later the mail was written: its choices have the names they had then

	who  [4]byte // of the person
	what [2]byte // of the decision's kind and serial number
	at   [3]byte // of the chain's hash there
	by   *Maker
}

// replyMAC is the size of an address's MAC: 120 bits.
const replyMAC = 15

// Limits of an address's numbers, so that it is never longer than MaxReply. A log stays far below them.
const (
	mostPos   = 1 << 35
	mostEpoch = 1 << 14
	mostAhead = 1 << 14
)

// MaxReply is the longest text that [Maker.ReplyTo] makes, in characters.
const MaxReply = 55

// ReplyLen returns how long a text is for a decision at a position of the log, at an ordinary table: the epoch and what
// went on since stay small.
func ReplyLen(pos uint64) int {
	return base32lower.EncodedLen(1 + len(binary.AppendUvarint(nil, pos)) + 4 + 2 + 3 + 1 + 1 + replyMAC)
}

// ReplyTo makes the local part of the address for answers to the mail about a decision: letters and digits that mean
// the same in upper and lower case. f are the facts of the decision's own pass; pos is the position of the event at
// f.Since; ahead is how many versions later the mail was written. The same facts make the same text.
func (m *Maker) ReplyTo(f Facts, pos, ahead uint64) (Token, error) {
	id, err := hex.DecodeString(string(f.Person))
	if err != nil || len(id) != 16 || f.Seat < 0 || f.Seat >= domain.MaxSeats || pos >= mostPos ||
		f.Epoch >= mostEpoch || ahead >= mostAhead {
		return Token{}, fmt.Errorf("address of a reply: %w", ErrFacts)
	}
	who, what := m.person(f.Person), m.decision(f.Kind, f.Serial)
	b := binary.AppendUvarint([]byte{m.mark<<3 | byte(f.Seat)}, pos)
	b = append(append(append(b, who[:]...), what[:]...), f.At[:3]...)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(f.Epoch)), ahead)
	return Token{base32lower.EncodeToString(append(b, mac(m.secret, "reply", b)[:replyMAC]...))}, nil
}

// ReadReply reads what ReplyTo made, in upper or lower case. It returns ErrPass if text is not one. It looks nothing
// up: [Reply.At], [Reply.Of] and [Reply.Asks] check that the log, the table and its people match.
func (m *Maker) ReadReply(text string) (Reply, error) {
	text = strings.ToLower(text)
	b, err := base32lower.DecodeString(text)
	if err != nil || len(text) > MaxReply || len(b) <= replyMAC || base32lower.EncodeToString(b) != text {
		return Reply{}, ErrPass
	}
	body, sum := b[:len(b)-replyMAC], b[len(b)-replyMAC:]
	if m.mark != body[0]>>3 || !hmac.Equal(sum, mac(m.secret, "reply", body)[:replyMAC]) {
		return Reply{}, ErrPass
	}
	r := reader{b: body}
	out := Reply{by: m, Seat: domain.Seat(r.byte() & 7), Pos: r.uvarint()}
	copy(out.who[:], r.take(4))
	copy(out.what[:], r.take(2))
	copy(out.at[:], r.take(3))
	out.Epoch, out.Ahead = uint32(r.uvarint()), r.uvarint()
	if r.short || len(r.b) != 0 {
		return Reply{}, ErrPass
	}
	return out, nil
}

// String hides the content of an address, and the key that reads it.
func (Reply) String() string { return "(reply)" }

// GoString hides it too.
func (Reply) GoString() string { return "(reply)" }

// At reports whether the address belongs to an event with this hash: after a backup is restored another may be at its
// position.
func (r Reply) At(h events.Hash) bool { return [3]byte(h[:3]) == r.at }

// Of reports whether the address belongs to a person.
func (r Reply) Of(id domain.PersonID) bool { return r.by.person(id) == r.who }

// Asks reports whether the address is for this decision, apart from its version.
func (r Reply) Asks(d domain.Decision) bool {
	return d.Seat == r.Seat && r.by.decision(d.Kind, d.Serial) == r.what
}

func (m *Maker) person(id domain.PersonID) (out [4]byte) {
	copy(out[:], mac(m.secret, "reply person", []byte(id)))
	return out
}

func (m *Maker) decision(kind string, serial int) (out [2]byte) {
	copy(out[:], mac(m.secret, "reply decision", []byte(kind), binary.AppendUvarint(nil, uint64(serial))))
	return out
}
