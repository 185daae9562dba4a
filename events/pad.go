package events

import (
	"encoding/binary"
	"strings"

	"posthorn/domain"
)

// Texts are padded before they are sealed, because anybody who has the database or listens to NATS sees their length,
// which must not reveal the text. The rooms of a game's event types hold the longest secret parts they can have
// (domain.EventType.Room). Parts sealed before there was padding still open; digests cover the text alone.

// DefaultRoom is the room, in bytes, of a secret part whose type names none.
const DefaultRoom = 256

// Rooms for what a seat does in private: they hold the longest list of orders, and any one order with what is left of
// it. obeyedRoom stays below a quarter of an SQLite page; anything longer takes a page of its own.
const (
	orderedRoom = 8192
	obeyedRoom  = 832
)

// RoomOf returns the room of the secret parts of an event logged under a type.
func RoomOf(rb domain.Rulebook, typ string) int {
	switch typ {
	case TypeOrdered:
		return orderedRoom
	case TypeObeyed:
		return obeyedRoom
	}
	if rb == nil {
		return DefaultRoom
	}
	if name, ok := strings.CutPrefix(typ, rb.Name()+"."); ok {
		for _, t := range rb.Codec().Types {
			if (t.Name == name || t.CountedAs == name) && t.Room > 0 {
				return t.Room
			}
		}
	}
	return DefaultRoom
}

// Pad puts a text into a room: its length in four bytes, the text, and zeros up to a multiple of the room
// (DefaultRoom if 0).
func Pad(text []byte, room int) []byte {
	if room <= 0 {
		room = DefaultRoom
	}
	size := (4 + len(text) + room - 1) / room * room
	b := binary.BigEndian.AppendUint32(make([]byte, 0, size), uint32(len(text)))
	return append(b, text...)[:size]
}

// Unpad takes a text out of its room. ok is false if Pad did not make it.
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
