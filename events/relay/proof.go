package relay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"

	"posthorn/events"
)

// Whoever may publish to NATS could continue a house's chain: hashes need no key. So each message carries a MAC under
// a key derived from server.key, and only what carries a valid one is ever adopted.

// HeaderMAC is the MAC of a message, 64 hexadecimal digits.
const HeaderMAC = "Posthorn-Mac"

const ours = "Posthorn-" // what the names of the headers that a MAC covers begin with

// ErrUnproved is returned for a message without a MAC.
var ErrUnproved = fmt.Errorf("it does not prove that a server of this house wrote it: %w", ErrMessage)

// prover makes and checks the MACs of a stream's messages.
type prover struct {
	key    []byte
	stream string
}

func newProver(keys *events.Keys, stream string) prover { return prover{keys.For("messages"), stream} }

// mac returns the MAC over everything that a reader uses of a message: its place, its headers and its payload.
func (p prover) mac(seq uint64, subject string, header nats.Header, data []byte) []byte {
	h := hmac.New(sha256.New, p.key)
	field(h, "posthorn-message-1")
	field(h, p.stream)
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, seq))
	field(h, subject)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if !strings.HasPrefix(name, ours) || name == HeaderMAC {
			continue // the server adds headers of its own
		}
		field(h, name)
		for _, value := range header[name] {
			field(h, value)
		}
	}
	_, _ = h.Write(data)
	return h.Sum(nil)
}

// field writes a text behind its length.
func field(h hash.Hash, text string) {
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(text))))
	_, _ = h.Write([]byte(text))
}

// sign adds its MAC to a message that may only become message number seq.
func (p prover) sign(m *nats.Msg, seq uint64) {
	m.Header[HeaderMAC] = []string{hex.EncodeToString(p.mac(seq, m.Subject, m.Header, m.Data))}
}

// received reads a message of the stream and checks its MAC, and that it is what its place says.
func (p prover) received(seq uint64, under place, data []byte) (r events.Record, err error) {
	given := under.header.Get(HeaderMAC)
	mac := hex.EncodeToString(p.mac(seq, under.subject, under.header, data))
	if given == "" {
		return r, fmt.Errorf("message %d has no MAC: %w", seq, ErrUnproved)
	}
	if !hmac.Equal([]byte(given), []byte(mac)) {
		return r, fmt.Errorf("the MAC of message %d is wrong: %w", seq, ErrMessage)
	}
	if r, err = Decode(data); err != nil {
		return r, err
	}
	if r.Pos != seq || under.header.Get(HeaderHash) != r.Hash.String() {
		return r, fmt.Errorf("message %d says it is record %d: %w", seq, r.Pos, ErrMessage)
	}
	return r, nil
}
