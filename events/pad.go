package events

import (
	"encoding/binary"
	"strings"

	"posthorn/domain"
)

// Texts are padded before they are sealed, because anybody who has the database or listens to NATS sees their length,
// which must not reveal the text. The types of a game\'s events name what holds the longest secret parts they can have
// (domain.EventType.PadTo). Parts sealed before there was padding still open; digests cover the text alone.

// DefaultPad is what the length of a secret part whose type names none is padded to a multiple of, in bytes.
const DefaultPad = 256

// What a seat does in private is padded to these: they hold the longest list of orders, and any one order with what is
// left of it. obeyedPad stays below a quarter of an SQLite page; anything longer takes a page of its own.
const (
	orderedPad = 8192
	obeyedPad  = 832
)

// PadOf returns what the secret parts of an event logged under a type are padded to.
func PadOf(rb domain.Rulebook, typ string) int {
	switch typ {
	case TypeOrdered:
		return orderedPad
	case TypeObeyed:
		return obeyedPad
	}
	if rb == nil {
		return DefaultPad
	}
	if name, ok := strings.CutPrefix(typ, rb.Name()+"."); ok {
		for _, t := range rb.Codec().Types {
			if (t.Name == name || t.CountedAs == name) && t.PadTo > 0 {
				return t.PadTo
			}
		}
	}
	return DefaultPad
}

// Pad writes the length of a text in four bytes, the text, and zeros up to a multiple of to (DefaultPad if 0).
func Pad(text []byte, to int) []byte {
	if to <= 0 {
		to = DefaultPad
	}
	size := (4 + len(text) + to - 1) / to * to
	b := binary.BigEndian.AppendUint32(make([]byte, 0, size), uint32(len(text)))
	return append(b, text...)[:size]
}

// Unpad returns the text that was padded. ok is false if Pad did not make it.
func Unpad(padded []byte) (text []byte, ok bool) {
	if len(padded) < 4 {
		return nil, false
	}
	n := binary.BigEndian.Uint32(padded)
	if uint64(n) > uint64(len(padded)-4) {
		return nil, false
	}
	return padded[4 : 4+n], true
}
