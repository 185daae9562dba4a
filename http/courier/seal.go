// Package courier carries requests from browsers and programs through NATS, from a server that only reads to the one
// that writes, and carries the answers back. It seals both with a key derived from server.key, since they hold what
// signs people in and what only one of them may know. Two things must not live here: which requests to carry, and how a
// house answers them.
//
// A request is one message on [Subject]. It goes to all subscribers: the server that holds the lease takes it, says so
// at once, and answers in pieces, with a sign of life now and then. Nobody else replies. If no server takes a request,
// it was not begun. If one took it but did not answer, it may have been done; it is as safe to send again as it would
// be with a single server.
package courier

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	nethttp "net/http"
	"time"

	"posthorn/events"
)

// Subject is where requests are published. Its "stop" plus an id is where one is cancelled.
const Subject = "posthorn.pass"

// purpose names the key, derived from server.key, from which all keys here are derived.
const purpose = "passed-on requests"

// errOpen is returned for a message that does not open: from elsewhere, repeated, or after a lost one.
var errOpen = errors.New("a message does not open")

// id names a request, and an answering server.
type id [16]byte

// newID returns a random id.
func newID() id { return id(events.NewName()) }

func (i id) String() string { return events.Name(i).String() }

// box seals or opens the messages that go one way, in order. Each message's number is its nonce, so a message that was
// left out, repeated or changed does not open. A key is used for only one direction of one request.
type box struct {
	aead cipher.AEAD
	n    uint64
}

// newBox returns the box for a request or, if a server is named, for that server's answers.
func newBox(root []byte, request, server id) *box {
	h := hmac.New(sha256.New, root)
	_, _ = h.Write(request[:])
	_, _ = h.Write(server[:])
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		panic("courier: " + err.Error()) // a 32-byte key always works
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("courier: " + err.Error())
	}
	return &box{aead: aead}
}

func (b *box) nonce() []byte {
	nonce := make([]byte, b.aead.NonceSize())
	binary.BigEndian.PutUint64(nonce, b.n)
	b.n++
	return nonce
}

// seal appends a sealed message to dst.
func (b *box) seal(dst, text []byte) []byte { return b.aead.Seal(dst, b.nonce(), text, nil) }

func (b *box) open(sealed []byte) ([]byte, error) {
	text, err := b.aead.Open(nil, b.nonce(), sealed, nil)
	if err != nil {
		return nil, errOpen
	}
	return text, nil
}

// The kinds of message in an answer, given by its first byte.
const (
	kindTaken  byte = 't' // this server answers
	kindHead   byte = 'h' // status and headers
	kindBody   byte = 'b' // a piece of the body
	kindLiving byte = 'l' // nothing new, but still working
	kindEnd    byte = 'e' // the answer is complete
	kindBroken byte = 'x' // the answer ends here, incomplete
)

// head is what a request says before its body.
type head struct {
	Method string         `json:"method"`
	URI    string         `json:"uri"`
	Host   string         `json:"host"`
	Header nethttp.Header `json:"header"`
	Client string         `json:"client"` // the client's address
	At     time.Time      `json:"at"`
}

// answerHead is what an answer says before its body.
type answerHead struct {
	Status int            `json:"status"`
	Header nethttp.Header `json:"header"`
}

// packed returns a head followed by the body.
func packed(h head, body []byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("pack a request: %w", err)
	}
	out := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(body)), uint32(len(text)))
	return append(append(out, text...), body...), nil
}

// unpacked reverses packed.
func unpacked(text []byte) (h head, body []byte, err error) {
	if len(text) < 4 || uint64(len(text)-4) < uint64(binary.BigEndian.Uint32(text)) {
		return h, nil, errOpen
	}
	n := 4 + int(binary.BigEndian.Uint32(text))
	if err := json.Unmarshal(text[4:n], &h); err != nil {
		return h, nil, fmt.Errorf("unpack a request: %w", err)
	}
	return h, text[n:], nil
}
