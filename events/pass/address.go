package pass

import (
	"crypto/hmac"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// The parts of an address's proof, 120 bits together. The seal covers what the address
// itself says, so that a guess is refused without looking anything up; the proof covers all
// the facts, those that the address has no room for too.
const (
	sealSize  = 5
	proofSize = 10
)

var base32lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Address is a mail address of this server that carries a capability, as far as it speaks
// for itself. The rest of its facts is found with Facts.
type Address struct {
	Purpose Purpose
	Stream  events.Name     // of a Reply
	Person  domain.PersonID // of an Unsubscribe or a Bounce
	Seat    domain.Seat
	Since   uint64
	key     int
	proof   []byte
}

// Address makes the local part of a mail address (what stands before the @): lower-case
// letters, digits and one "+", at most 64 octets. Reply is of a seat's decision on a stream; Unsubscribe and Bounce are
// of a person. The same facts give the same address. An expiry is left out.
func (m *Maker) Address(f Facts) (Token, error) {
	f = f.addressed()
	all, err := f.encode()
	if err != nil {
		return Token{}, err
	}
	prefix := prefixes[f.Purpose]
	if prefix == "" || f.Purpose == Reply && f.Stream.IsZero() || f.Purpose != Reply && f.Person == "" {
		return Token{}, fmt.Errorf("address for purpose %d: %w", f.Purpose, ErrFacts)
	}
	k := m.keys[0]
	b := said(k.id, &f)
	b = append(b, mac(k.secret, "seal", []byte{byte(f.Purpose)}, b)[:sealSize]...)
	b = append(b, mac(k.secret, "proof", all)[:proofSize]...)
	local := prefix + base32lower.EncodeToString(b)
	if len(local) > 64 {
		return Token{}, fmt.Errorf("address of %d octets: %w", len(local), ErrFacts)
	}
	return Token{local}, nil
}

// addressed leaves out what an address does not depend on.
func (f Facts) addressed() Facts {
	f.Expires = Facts{}.Expires
	if f.Purpose == Unsubscribe || f.Purpose == Bounce {
		f = Facts{Purpose: f.Purpose, Person: f.Person, Kind: f.Kind}
	}
	return f
}

// said is what an address says openly: key, seat, the stream or person, the version.
func said(key byte, f *Facts) []byte {
	b := append(make([]byte, 0, 40), key<<3|byte(f.Seat))
	if f.Purpose == Reply {
		b = append(b, f.Stream[:]...)
		return binary.AppendUvarint(b, f.Since)
	}
	id, err := hex.DecodeString(string(f.Person))
	if err != nil {
		panic("pass: " + err.Error()) // encode has accepted it
	}
	return append(b, id...)
}

// ReadAddress reads a local part, in whatever case it comes back, and looks nothing up.
// ErrPass if this server did not make it, as far as the address alone can tell: not one in
// 10^12 guesses gets further, and then it still needs Facts.
func (m *Maker) ReadAddress(local string) (Address, error) {
	local = strings.ToLower(local)
	for purpose, prefix := range prefixes {
		if text, ok := strings.CutPrefix(local, prefix); ok && len(local) <= 64 {
			return m.readAddress(purpose, text)
		}
	}
	return Address{}, ErrPass
}

func (m *Maker) readAddress(purpose Purpose, text string) (Address, error) {
	b, err := base32lower.DecodeString(text)
	if err != nil || len(b) < 1+16+sealSize+proofSize || base32lower.EncodeToString(b) != text {
		return Address{}, ErrPass
	}
	open, seal, proof := b[:len(b)-sealSize-proofSize], b[len(b)-sealSize-proofSize:len(b)-proofSize], b[len(b)-proofSize:]
	for i, k := range m.keys {
		if k.id != open[0]>>3 || !hmac.Equal(seal, mac(k.secret, "seal", []byte{byte(purpose)}, open)[:sealSize]) {
			continue
		}
		r := reader{b: open[1:]}
		a := Address{Purpose: purpose, Seat: domain.Seat(open[0] & 7), key: i, proof: proof}
		if purpose == Reply {
			a.Stream, a.Since = events.Name(r.take(16)), r.uvarint()
		} else {
			a.Person = domain.PersonID(hex.EncodeToString(r.take(16)))
		}
		if r.short || len(r.b) != 0 {
			return Address{}, ErrPass
		}
		return a, nil
	}
	return Address{}, ErrPass
}

// Facts finds which of the candidates an address was made for. Candidates for a Reply are
// whoever holds the seat, each with the decisions that were awaited of it at the version,
// and the person's epoch now; for mails to be stopped, the kinds of mail. ErrPass if it was
// made for none of them: forged, or withdrawn.
func (m *Maker) Facts(a Address, candidates ...Facts) (Facts, error) {
	for _, f := range candidates {
		f.Purpose = a.Purpose
		f = f.addressed()
		all, err := f.encode()
		if err != nil {
			return Facts{}, err
		}
		if hmac.Equal(a.proof, mac(m.keys[a.key].secret, "proof", all)[:proofSize]) {
			return f, nil
		}
	}
	return Facts{}, ErrPass
}

// MessageID is the Message-ID, with its angle brackets, of the mail about a decision to a
// person: the same for the same facts and kind of mail, different for everything else.
func (m *Maker) MessageID(f Facts, kind, domain string) (string, error) {
	f.Epoch, f.Expires = 0, Facts{}.Expires
	all, err := f.encode()
	if err != nil {
		return "", err
	}
	return m.id("t", domain, all, []byte(kind)), nil
}

// ThreadID is the id, with its angle brackets, that all mails of a table to a person refer
// to. No mail need ever have had it.
func (m *Maker) ThreadID(table events.Name, person domain.PersonID, domain string) string {
	return m.id("g", domain, table[:], []byte(person))
}

func (m *Maker) id(kind, domain string, fields ...[]byte) string {
	sum := mac(m.keys[0].secret, "message "+kind, fields...)
	return "<" + kind + "." + base32lower.EncodeToString(sum[:20]) + "@" + domain + ">"
}
