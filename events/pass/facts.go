package pass

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Purpose is what a pass is for. A pass never serves another purpose than its own.
type Purpose byte

// The purposes.
const (
	Play        Purpose = 1 // to take the decision
	View        Purpose = 2 // to look at the table as its person may, while its letter is their latest
	Answer      Purpose = 3 // to agree to a proposal or refuse it
	Unsubscribe Purpose = 4 // to stop mails of the kind, or all if it is empty
	SignIn      Purpose = 5 // to be asked whether to sign in
	Join        Purpose = 6 // to take a seat; belongs to nobody if the link may be shared
	Seat        Purpose = 7 // to be lent its person's seat at one table, whose stream it names; Since as in Lent
	Withdraw    Purpose = 8 // to withdraw all passes of its person, itself among them
	Calendar    Purpose = 9 // to read what is awaited of its person, as a calendar
	// Lent is what a browser holds that was lent a seat, and no link: Since orders the letters that lend it.
	Lent    Purpose = 10
	Confirm Purpose = 11 // to say that an answer by mail is its person's; At names it
)

// Mark ties a pass to a history: the first 64 bits of the chain's hash at the version since which the decision is
// awaited. After a backup is restored, or on another line, the same version has another mark.
type Mark [8]byte

// MarkOf returns the mark of a hash of the chain.
func MarkOf(h events.Hash) Mark { return Mark(h[:8]) }

// KindClaim is the Kind of a Join pass that belongs to nobody and takes back a seat at a table that came from another
// server; Serial says which of the seat's holders.
const KindClaim = "claim"

// maxKind is the most octets of a decision's kind in a pass.
const maxKind = 31

// Facts are what a pass says. The zero value of a field is "none".
type Facts struct {
	Purpose Purpose
	Person  domain.PersonID // 32 hexadecimal digits
	Stream  events.Name     // the line or the table; its table is known to the log
	Seat    domain.Seat
	Kind    string // of the decision, or of mail
	Serial  int    // of the decision, not negative
	Since   uint64 // version of Stream since which it is awaited
	At      Mark   // of the chain at Since
	Epoch   uint32 // of the person's passes, see Epochs
	// Expires is when the pass expires, rounded up to the minute. Zero: never.
	Expires time.Time
}

// ErrFacts is returned for facts that no pass can carry.
var ErrFacts = errors.New("no pass can say this")

// The second half of the first octet; the first half is the purpose.
const (
	hasPerson = 1 << iota
	hasStream
	hasDecision
	hasExpiry
)

// encode writes facts in their one binary form.
func (f *Facts) encode() ([]byte, error) {
	b := make([]byte, 1, 80)
	b[0] = byte(f.Purpose) << 4
	if f.Person != "" {
		id, err := hex.DecodeString(string(f.Person))
		if err != nil || len(id) != 16 || hex.EncodeToString(id) != string(f.Person) {
			return nil, fmt.Errorf("person's id: %w", ErrFacts)
		}
		b[0] |= hasPerson
		b = binary.AppendUvarint(append(b, id...), uint64(f.Epoch))
	}
	if !f.Stream.IsZero() {
		b[0] |= hasStream
		b = append(b, f.Stream[:]...)
	}
	if f.Person == "" && f.Epoch != 0 {
		return nil, fmt.Errorf("epoch of nobody: %w", ErrFacts)
	}
	if f.Seat < 0 || f.Seat >= domain.MaxSeats || f.Serial < 0 || len(f.Kind) > maxKind || f.Purpose < Play ||
		f.Purpose > Confirm {
		return nil, fmt.Errorf("purpose %d, seat %d, serial %d, kind of %d octets: %w", f.Purpose, f.Seat, f.Serial,
			len(f.Kind), ErrFacts)
	}
	if f.Kind != "" || f.Serial != 0 || f.Since != 0 || f.Seat != 0 || f.At != (Mark{}) {
		b[0] |= hasDecision
		b = append(b, byte(f.Seat)<<5|byte(len(f.Kind)))
		b = append(append(b, f.Kind...), f.At[:]...)
		b = binary.AppendUvarint(binary.AppendUvarint(b, f.Since), uint64(f.Serial))
	}
	if !f.Expires.IsZero() {
		minute := (f.Expires.Unix() + 59) / 60
		if minute <= 0 || minute > math.MaxUint32 {
			return nil, fmt.Errorf("expiry: %w", ErrFacts)
		}
		b[0] |= hasExpiry
		b = binary.BigEndian.AppendUint32(b, uint32(minute))
	}
	return b, nil
}

// decode reads what encode wrote. It is only ever given bytes whose MAC was right.
func decode(b []byte) (f Facts, err error) {
	r := reader{b: b}
	has := r.byte()
	f.Purpose = Purpose(has >> 4)
	if has&hasPerson != 0 {
		f.Person = domain.PersonID(hex.EncodeToString(r.take(16)))
		f.Epoch = uint32(r.uvarint())
	}
	if has&hasStream != 0 {
		copy(f.Stream[:], r.take(16))
	}
	if has&hasDecision != 0 {
		head := r.byte()
		f.Seat = domain.Seat(head >> 5)
		f.Kind = string(r.take(int(head & maxKind)))
		copy(f.At[:], r.take(8))
		f.Since = r.uvarint()
		f.Serial = int(r.uvarint())
	}
	if has&hasExpiry != 0 {
		if m := r.take(4); len(m) == 4 {
			f.Expires = time.Unix(int64(binary.BigEndian.Uint32(m))*60, 0).UTC()
		}
	}
	if r.short || len(r.b) != 0 {
		return Facts{}, ErrPass
	}
	return f, nil
}

type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.short = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.short = true
		return 0
	}
	r.b = r.b[n:]
	return v
}
