package events

import (
	"encoding/json"
	"fmt"
	"time"

	"posthorn/domain"
)

// TypeForked is the first event of a line that a rewind opened, unless fresh luck shuffles anew what nobody knew. It
// changes nothing in the game; earlier events load from the parent.
const TypeForked = "line.forked.v1"

// Meta is what stands beside an event: who, through which door, with which wish.
type Meta struct {
	By   domain.PersonID `json:"by,omitempty"` // empty for the house itself
	Door string          `json:"door"`
	// Wish is a keyed digest of the command's id and wish. It shows when an id is used twice for different wishes,
	// but reveals neither a hidden move nor that two moves were the same.
	Wish string `json:"wish,omitempty"`
	// Reply is a keyed digest of the mail that the command came in, and of the address it was sent to: anybody who
	// has both can be shown that the command was theirs. It holds none of the text.
	Reply string `json:"reply,omitempty"`
	// Opened is the hash of the table's event that opened this line; in its first event only.
	Opened *Hash `json:"opened,omitempty"`
	// Due is the deadlines of what this event opens; none if the table has no clock.
	Due []Due `json:"due,omitempty"`
}

// Actor is who gives a command and through which door. The house itself has no Person.
type Actor struct {
	Person domain.PersonID
	Door   string
	Reply  string // for a command that came by mail: the digest that its event keeps
}

// Clock is the actor of what follows from a deadline.
var Clock = Actor{Door: domain.DoorClock}

// House is the actor of commands that nobody typed.
var House = Actor{Door: domain.DoorRunner}

// Bytes returns the meta data as it is logged.
func (m Meta) Bytes() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic("events: " + err.Error()) // strings and hashes always marshal
	}
	return b
}

// Hand returns who made a move themselves; empty for the house, the clock, a stand-in or a standing order.
func (m Meta) Hand() domain.PersonID {
	if m.Door == domain.DoorOrder {
		return ""
	}
	return m.By
}

// ByHand returns who made a move themselves, and when.
func ByHand(r *Record) (domain.PersonID, time.Time, error) {
	m, err := ReadMeta(r)
	return m.Hand(), r.At, err
}

// ReadMeta reads what stands beside an event.
func ReadMeta(r *Record) (Meta, error) {
	var m Meta
	if err := json.Unmarshal(r.Meta, &m); err != nil {
		return m, fmt.Errorf("meta of position %d: %w", r.Pos, err)
	}
	return m, nil
}

// ClockSet is how far a corrected clock may go back. Beyond that it counts as another clock.
const ClockSet = time.Hour
