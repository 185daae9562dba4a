package events

import (
	"crypto/hmac"
	"crypto/sha256"

	"posthorn/domain"
)

// A seat's standing orders have a stream of their own, so that they move no public version. Its events say nothing in
// public; their content is a part that only the seat may read. An order that made a move opens once the table has
// ended.
const (
	// TypeOrdered is a seat's whole list of standing orders, which replaces the one before.
	TypeOrdered = "seat.ordered.v1"
	// TypeObeyed notes that an order made a move, or that the game refused the order's move.
	TypeObeyed = "seat.obeyed.v1"
)

// SeatStream names the stream of what a seat of a table does in private.
func (k *Keys) SeatStream(table Name, seat domain.Seat) Name {
	m := hmac.New(sha256.New, k.For("seat"))
	_, _ = m.Write(append(table[:], byte(seat)))
	return Name(m.Sum(nil)[:16])
}
