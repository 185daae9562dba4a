// Package courier carries requests of browsers and programs, through NATS, from a server that only reads to the one that
// writes, and the answers back. What goes there and back is sealed with a key that follows from server.key, since
// it holds what signs people in, and what one of them alone may know. What may not live here: which requests
// are carried, and how a house answers them.
//
// A request is one message on [Subject], which goes to whoever has subscribed: the server that holds the lease takes
// it, says so at once, and answers in pieces, with a sign of life now and then. Nobody else says anything. What no
// server takes was not begun; what was taken and not answered may have been done, and is safe to send again as far as it
// was safe with one server.
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

// Subject is where requests are published. Its "stop" and an id is where one is given up.
const Subject = "posthorn.pass"

// purpose of the key of server.key that all keys here follow from.
const purpose = "passed-on requests"

// errOpen is returned for a message that was not sealed as it should be: from elsewhere, again, or after one that was lost.
var errOpen = errors.New("a message does not open")

// id names a request, and an answering server.
type id [16]byte

// newID is random.
func newID() id { return id(events.NewName()) }

func (i id) String() string { return events.Name(i).String() }

// box seals or opens the messages that go one way, in their order: each has its number for a nonce, so one that
// was left out, came twice or was changed does not open. A key is used for one way of one request alone.
type box struct {
	aead cipher.AEAD
	n    uint64
}

// newBox is the box of a request; of the answers of one server where that is named.
func newBox(root []byte, request, server id) *box {
	h := hmac.New(sha256.New, root)
	_, _ = h.Write(request[:])
	_, _ = h.Write(server[:])
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		panic("courier: " + err.Error()) // a key of 32 bytes always is one
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

// seal puts a sealed message behind what dst holds.
func (b *box) seal(dst, text []byte) []byte { return b.aead.Seal(dst, b.nonce(), text, nil) }

func (b *box) open(sealed []byte) ([]byte, error) {
	text, err := b.aead.Open(nil, b.nonce(), sealed, nil)
	if err != nil {
		return nil, errOpen
	}
	return text, nil
}

// What a message of an answer is, by its first byte.
const (
	kindTaken  byte = 't' // this server answers
	kindHead   byte = 'h' // status and headers
	kindBody   byte = 'b' // a piece of the body
	kindLiving byte = 'l' // nothing new, and somebody is there
	kindEnd    byte = 'e' // that was all
	kindBroken byte = 'x' // there will be no more, and it was not all
)

// head is what a request says before its body.
type head struct {
	Method string         `json:"method"`
	URI    string         `json:"uri"`
	Host   string         `json:"host"`
	Header nethttp.Header `json:"header"`
	Client string         `json:"client"` // the address of whoever asks
	At     time.Time      `json:"at"`
}

// answerHead is what an answer says before its body.
type answerHead struct {
	Status int            `json:"status"`
	Header nethttp.Header `json:"header"`
}

// packed is a head with the body behind it.
func packed(h head, body []byte) ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("pack a request: %w", err)
	}
	out := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(body)), uint32(len(text)))
	return append(append(out, text...), body...), nil
}

// unpacked is what packed made one of.
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
