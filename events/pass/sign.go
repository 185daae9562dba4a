// Package pass makes and reads capabilities: links that let one person do one thing at one place, until it is done or
// withdrawn.
//
// A pass is stateless. Its text carries its [Facts] and a MAC over them, made with a key of the server. So nothing is
// stored, nothing can be guessed, and the same facts always give the same bytes: a mail composed or sent again is the
// same mail. A pass ends when its decision is taken (the stream no longer stands at its [Mark] or version: the desk
// knows), when it expires, or when its person withdraws all passes, which increments the epoch among the facts.
//
// Opening a pass never does anything; only a command given with it does. Its text is a secret: it is held in a
// [Token], which never prints it by accident. What must not live here: what a pass's purpose does, and any record of
// passes.
package pass

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

var (
	// ErrPass is returned for a text that is not a pass of this server: mistyped, altered, or made with another
	// key. It never says which.
	ErrPass = errors.New("not a pass of this server")
	// ErrExpired is returned, with its facts, for an expired pass.
	ErrExpired = errors.New("the pass has expired")
	// ErrRevoked is returned, with its facts, for a pass that its person has withdrawn, or whose person has been
	// forgotten.
	ErrRevoked = errors.New("the pass has been withdrawn")
)

// Maker makes passes and reads them. It is safe for concurrent use.
type Maker struct {
	mark   byte // of its key, in every pass
	secret []byte
}

// macSize is the size of a link's MAC: 128 bits.
const macSize = 16

// New returns a Maker that signs with keys.
func New(keys *events.Keys) *Maker {
	secret := keys.For("pass")
	return &Maker{mac(secret, "key id")[0] & 0x1f, secret}
}

// mac is HMAC-SHA256 over length-prefixed fields; the first says what it is for.
func mac(secret []byte, label string, fields ...[]byte) []byte {
	h := hmac.New(sha256.New, secret)
	for _, f := range append([][]byte{[]byte("posthorn pass 1 " + label)}, fields...) {
		_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(f))))
		_, _ = h.Write(f)
	}
	return h.Sum(nil)
}

var base64url = base64.RawURLEncoding.Strict()

// Make makes the text of a link: at most 160 characters of the alphabet of file names and addresses (A-Z a-z 0-9 -
// _), at most 110 for a decision whose kind has up to 15 octets. The same facts give the same text. It returns
// ErrFacts if a pass cannot carry them.
func (m *Maker) Make(f Facts) (Token, error) {
	b, err := f.encode()
	if err != nil {
		return Token{}, err
	}
	b = append([]byte{m.mark}, b...)
	return Token{base64url.EncodeToString(append(b, mac(m.secret, "link", b)[:macSize]...))}, nil
}

// Read reads the text of a link. It returns ErrPass if it is not a pass, and ErrExpired (with its facts) if it has
// expired. Only Open checks whether it was withdrawn.
func (m *Maker) Read(text string, now time.Time) (Facts, error) {
	b, err := base64url.DecodeString(text)
	if err != nil || len(b) < 1+1+macSize || base64url.EncodeToString(b) != text {
		return Facts{}, ErrPass
	}
	body, sum := b[:len(b)-macSize], b[len(b)-macSize:]
	if m.mark != body[0] || !hmac.Equal(sum, mac(m.secret, "link", body)[:macSize]) {
		return Facts{}, ErrPass
	}
	f, err := decode(body[1:])
	if err == nil && !f.Expires.IsZero() && now.After(f.Expires) {
		err = ErrExpired
	}
	return f, err
}

// Epochs knows how often a person has withdrawn all passes. Passes are made with the current count, and those made
// with another are withdrawn. Any error means that the person is not there.
type Epochs interface {
	PassEpoch(ctx context.Context, id domain.PersonID) (uint32, error)
}

// Open is Read, but also returns ErrRevoked (with the facts) for a pass that its person has withdrawn. Passes that
// belong to nobody are never withdrawn.
func (m *Maker) Open(ctx context.Context, text string, now time.Time, epochs Epochs) (Facts, error) {
	f, err := m.Read(text, now)
	if err != nil || f.Person == "" {
		return f, err
	}
	epoch, err := epochs.PassEpoch(ctx, f.Person)
	if ctx.Err() != nil {
		return Facts{}, fmt.Errorf("look up the person of a pass: %w", ctx.Err())
	}
	if err != nil || epoch != f.Epoch {
		return f, ErrRevoked
	}
	return f, nil
}
