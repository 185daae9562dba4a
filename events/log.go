// Package events is the log: immutable events appended to streams, hash-chained, branched without copying, and followed
// by position; how they are read and written; and the keys that seal and sign them.
//
// The logs themselves are in events/memory and events/sqlite and pass one conformance suite (events/logtest). What
// must not live here: who may do what, which is events/desk's, and any rule of a game.
package events

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
)

// Name is a stream's random 128-bit name. It means the same on every server. Its text is
// 32 hexadecimal digits.
type Name [16]byte

// CommandID is the 16-byte id of a command, unique at its table forever.
type CommandID [16]byte

// Hash is a link of the chain: SHA-256.
type Hash [32]byte

// NewName makes a random name.
func NewName() Name {
	var n Name
	_, _ = rand.Read(n[:]) // never fails: crypto/rand ends the program instead
	return n
}

// NewCommandID makes a random command id.
func NewCommandID() CommandID { return CommandID(NewName()) }

// IsZero reports whether the name is unset.
func (n Name) IsZero() bool { return n == Name{} }

func (n Name) String() string      { return hex.EncodeToString(n[:]) }
func (c CommandID) String() string { return hex.EncodeToString(c[:]) }
func (h Hash) String() string      { return hex.EncodeToString(h[:]) }

// MarshalText writes hexadecimal digits.
func (n Name) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// MarshalText writes hexadecimal digits.
func (c CommandID) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// MarshalText writes hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads hexadecimal digits.
func (n *Name) UnmarshalText(b []byte) error { return unhex(n[:], b) }

// UnmarshalText reads hexadecimal digits.
func (c *CommandID) UnmarshalText(b []byte) error { return unhex(c[:], b) }

// UnmarshalText reads hexadecimal digits.
func (h *Hash) UnmarshalText(b []byte) error { return unhex(h[:], b) }

// ParseName reads a name's text.
func ParseName(s string) (n Name, err error) { return n, n.UnmarshalText([]byte(s)) }

// ParseCommandID reads a command id's text.
func ParseCommandID(s string) (c CommandID, err error) { return c, c.UnmarshalText([]byte(s)) }

func unhex(dst, src []byte) error {
	if len(src) != hex.EncodedLen(len(dst)) {
		return fmt.Errorf("%d hexadecimal digits instead of %d", len(src), hex.EncodedLen(len(dst)))
	}
	if _, err := hex.Decode(dst, src); err != nil {
		return fmt.Errorf("hexadecimal digits: %w", err)
	}
	return nil
}

// Kind says what a stream is for.
type Kind string

// The kinds of stream.
const (
	KindTable Kind = "table" // people around one game; never forks
	KindLine  Kind = "line"  // one stream of play
	KindSeat  Kind = "seat"  // what a seat does in private
	KindHouse Kind = "house" // what concerns no table: people forgotten, hosts
)

// Stream is what the log knows of a stream besides its events.
type Stream struct {
	Name     Name   `json:"name"`
	Kind     Kind   `json:"kind"`
	Rulebook string `json:"rulebook,omitempty"` // of its table
	Table    Name   `json:"table"`              // the table it belongs to; a table's own name for itself
	Parent   Name   `json:"parent"`             // the line it forked from; zero if none
	// the parent's version it forked at; its own versions continue from there
	Fork uint64 `json:"fork,omitempty"`
	// Origin is what the chain of an unforked stream starts from: the zero hash for a table; for a table's first
	// line, the hash of the table's event that opened it.
	Origin Hash `json:"origin"`
}

// Draft is an event to be appended. Times are kept to the millisecond, in UTC.
type Draft struct {
	Stream  Name
	Open    *Stream // the stream, if this is its first event
	Expect  uint64  // the stream's version before this event; Open.Fork for a first event
	Guards  []Guard // the versions of other streams that the decision depended on
	Command CommandID
	Type    string
	Codec   string // how Data is written: "json"
	At      time.Time
	Meta    []byte // who and through which door, JSON
	Data    []byte // the public part
	Parts   []Part // the secret parts, sealed (see Keys.Seal)
}

// Guard is a version of another stream that an append depends on.
type Guard struct {
	Stream  Name
	Version uint64
}

// Part is a secret part of an event: who may read it, the salted digest that is in the
// chain, and salt and text sealed with the server's key. Sealed is empty in a redacted record.
type Part struct {
	To     domain.Audience `json:"to"`
	Digest Hash            `json:"digest"`
	Sealed []byte          `json:"sealed,omitempty"`
}

// Record is an event in the log.
type Record struct {
	Pos     uint64 // place in the whole log, from 1, without gaps
	Stream  Name
	Version uint64 // number in its stream, from 1, going on across a fork
	Command CommandID
	Type    string
	Codec   string
	At      time.Time
	Meta    []byte
	Data    []byte
	Parts   []Part
	Hash    Hash // of the chain up to here
}

// Head is where a stream stands.
type Head struct {
	Version uint64 `json:"version"`
	Hash    Hash   `json:"hash"`
}

// Log is the truth: events appended to streams. Every implementation passes logtest.
//
// Records and the slices in them are shared and must not be changed.
type Log interface {
	// Append writes one event durably before it returns. It returns a *Conflict if the stream is at another version
	// than expected or a guard does not hold, and a *Duplicate, with the record made the first time, if the table
	// already knows the command id.
	Append(ctx context.Context, d Draft) (Record, error)
	// Adopt writes records that another server made (a handover), in order, all or none, under their own hashes,
	// which must fit. They get new positions.
	Adopt(ctx context.Context, streams []Stream, records []Record) error
	// Stream returns what the log knows of a stream. It returns ErrNoStream if the stream is unknown.
	Stream(ctx context.Context, name Name) (Stream, error)
	// Streams lists the streams of a table, the table's own first, in the order they were opened.
	Streams(ctx context.Context, table Name) ([]Stream, error)
	// Head returns where a stream stands. It returns ErrNoStream if the stream is unknown.
	Head(ctx context.Context, name Name) (Head, error)
	// Load returns the events of a stream with versions above after and up to upTo (0: all), in order. Those before a
	// fork come from the ancestors.
	Load(ctx context.Context, name Name, after, upTo uint64) ([]Record, error)
	// Find returns the record that a command made at a table. It returns ErrNoRecord if there is none.
	Find(ctx context.Context, table Name, id CommandID) (Record, error)
	// Read returns up to limit records with positions above after, in order.
	Read(ctx context.Context, after uint64, limit int) ([]Record, error)
	// Last returns the position of the newest record, 0 in an empty log.
	Last(ctx context.Context) (uint64, error)
	// Wait returns once the log holds a position above after, or the context ends.
	Wait(ctx context.Context, after uint64) error
	// Close closes the log after it finishes the appends under way.
	Close() error
}

// LoadOne reads one event of a stream. It returns ErrNoRecord if the stream has no such version.
func LoadOne(ctx context.Context, l Log, stream Name, version uint64) (Record, error) {
	err := ErrNoRecord
	if version > 0 {
		var recs []Record
		if recs, err = l.Load(ctx, stream, version-1, version); err == nil && len(recs) == 1 {
			return recs[0], nil
		}
	}
	return Record{}, fmt.Errorf("version %d of stream %s: %w", version, stream, cmp.Or(err, ErrNoRecord))
}

var (
	// ErrNoStream is returned for a stream the log does not hold.
	ErrNoStream = errors.New("no such stream")
	// ErrNoRecord is returned for a command the table does not know.
	ErrNoRecord = errors.New("no such record")
	// ErrClosed is returned by a closed log.
	ErrClosed = errors.New("log is closed")
)

// Conflict is an append whose expectation did not hold. Nothing was written.
type Conflict struct {
	Stream           Name
	Expected, Actual uint64
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("stream %s is at version %d, expected %d", c.Stream, c.Actual, c.Expected)
}

// Duplicate is an append whose command the table already knows.
type Duplicate struct{ Record Record }

func (d *Duplicate) Error() string {
	return fmt.Sprintf("command %s was done at position %d", d.Record.Command, d.Record.Pos)
}
