package people

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
	"posthorn/events/pass"
)

// LinkLasts is how long a mailed link signs in.
const LinkLasts = 15 * time.Minute

// ErrLink is returned for a link that is unknown, used or over. It never says which.
var ErrLink = errors.New("no such sign-in link")

// LinkPurpose is what a mailed link does when its button is pressed.
type LinkPurpose string

// The purposes.
const (
	LinkSignIn  LinkPurpose = "sign-in" // signs the address's person in, who is made if new
	LinkAddress LinkPurpose = "address" // gives a person this new address
)

// Link is a single-use link that was mailed to an address.
type Link struct {
	Purpose  LinkPurpose
	Address  Address
	Person   domain.PersonID // whose address is to change; "" to sign in
	Language string          // in which it was asked for
	Expires  time.Time
}

// AskSignIn makes a link that signs an address in, to be mailed to it. Whoever asked is
// given the same answer whether it returns a link or not: send is false where the address
// has had enough, and then there is nothing to mail. Whoever asked must not be made to wait
// for it either, since the work is not the same for every address. Links that were made
// before stay as good as they were. The error is a refusal only where the address itself is
// wrong; see ParseAddress.
//
// The address of somebody of this house (confirmed, holding a seat, a host, or invited by one
// to open tables) is counted by itself, so that nobody can keep them out by asking in others'
// names.
func (s *Store) AskSignIn(ctx context.Context, a Address, language string) (token pass.Token, send bool, err error) {
	known, err := s.known(ctx, a)
	if err != nil {
		return token, false, err
	}
	if in, err := s.letIn(ctx, a, known); err != nil || !in {
		return token, false, err
	}
	return s.ask(ctx, Link{Purpose: LinkSignIn, Address: a, Language: language}, nil, func(tx *sql.Tx) (bool, error) {
		return s.maySignIn(ctx, tx, a, known)
	})
}

// known reports whether an address is that of somebody of this house.
func (s *Store) known(ctx context.Context, a Address) (known bool, err error) {
	p, err := s.ByAddress(ctx, a)
	if err != nil && !errors.Is(err, ErrNobody) {
		return false, err
	}
	if err == nil && (p.Host || !p.Confirmed.IsZero()) {
		return true, nil
	}
	if err == nil && s.seated != nil {
		if known, err = s.seated(ctx, p.ID); known || err != nil {
			return known, err
		}
	}
	return value[bool](s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM openers WHERE mailbox = ?)`, a.mailbox()), "look up who may open tables")
}

// AskAddress makes a link that gives a person a new address, to be mailed to that address.
// It answers as AskSignIn does. ErrNobody if the person is not here.
func (s *Store) AskAddress(ctx context.Context, id domain.PersonID, a Address) (token pass.Token, send bool, err error) {
	p, err := s.Person(ctx, id)
	if err != nil {
		return token, false, err
	}
	if out, err := s.banned(ctx, s.read, a); err != nil || out {
		return token, false, err
	}
	return s.ask(ctx, Link{Purpose: LinkAddress, Address: a, Language: p.Language}, key(id), func(tx *sql.Tx) (bool, error) {
		return s.allow(ctx, tx, s.mailLimits(a)...)
	})
}

func (s *Store) ask(ctx context.Context, l Link, person []byte, may func(*sql.Tx) (bool, error)) (token pass.Token, send bool, err error) {
	if _, err := ParseAddress(string(l.Address)); err != nil {
		return token, false, err
	}
	if !slices.Contains(Languages, l.Language) {
		l.Language = Languages[0]
	}
	token = pass.Random()
	hash := hashed(token.Text())
	now := s.now()
	err = s.change(ctx, "make a link", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM links WHERE expires <= ?`, millis(now)); err != nil {
			return err
		}
		var err error
		if send, err = may(tx); err != nil || !send {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO links(hash, purpose, address, person, language, expires) VALUES (?, ?, ?, ?, ?, ?)`,
			hash, string(l.Purpose), string(l.Address), person, l.Language, millis(now.Add(LinkLasts)))
		return err
	})
	if err != nil || !send {
		return pass.Token{}, false, err
	}
	return token, true, nil
}

const linkColumns = `purpose, address, person, language, expires`

func scanLink(row database.Row) (Link, error) {
	var l Link
	var person []byte
	var expires int64
	err := row.Scan(&l.Purpose, &l.Address, &person, &l.Language, &expires)
	if err := there(err, ErrLink, "read a link"); err != nil {
		return l, err
	}
	l.Person, l.Expires = domain.PersonID(hex.EncodeToString(person)), moment(expires)
	return l, nil
}

// Link shows what a link would do, for the page with its button. It uses nothing up.
func (s *Store) Link(ctx context.Context, token string) (Link, error) {
	return scanLink(s.read.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM links WHERE hash = ? AND expires > ?`, hashed(token), millis(s.now())))
}

// UseLink does what a link is for, once: only a pressed button may call it. It confirms the
// address and returns its person, who is made if new. ErrLink if it was used or is over;
// refused: address-taken, where somebody else got the new address meanwhile (the link is
// used up then, too).
func (s *Store) UseLink(ctx context.Context, token string) (p Person, err error) {
	hash := hashed(token)
	taken := false
	err = s.change(ctx, "use a link", func(tx *sql.Tx) error {
		l, err := scanLink(tx.QueryRowContext(ctx, `DELETE FROM links WHERE hash = ? AND expires > ? RETURNING `+linkColumns, hash, millis(s.now())))
		if err != nil {
			return err
		}
		if out, err := s.banned(ctx, tx, l.Address); out || err != nil { // since it was mailed
			return cmp.Or(err, ErrLink)
		}
		if l.Purpose == LinkAddress {
			p, taken, err = s.move(ctx, tx, l)
			return err
		}
		if p, err = s.ensure(ctx, tx, l.Address, l.Language); err != nil {
			return err
		}
		p, err = s.confirm(ctx, tx, p.ID)
		return err
	})
	if err == nil && taken {
		return Person{}, domain.Refuse("address-taken")
	}
	return p, err
}

func (s *Store) confirm(ctx context.Context, tx *sql.Tx, id domain.PersonID) (Person, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE people SET confirmed = coalesce(confirmed, ?) WHERE id = ?`, millis(s.now()), key(id)); err != nil {
		return Person{}, err
	}
	return scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(id)))
}

// move gives a person the link's address, and tells if it is somebody else's.
func (s *Store) move(ctx context.Context, tx *sql.Tx, l Link) (p Person, taken bool, err error) {
	other, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE mailbox = ?`, l.Address.mailbox()))
	if err == nil && other.ID != l.Person {
		return p, true, nil
	}
	if err != nil && !errors.Is(err, ErrNobody) {
		return p, false, err
	}
	if err := one(tx.ExecContext(ctx, `UPDATE people SET address = ?, mailbox = ? WHERE id = ?`, string(l.Address), l.Address.mailbox(), key(l.Person))); err != nil {
		return p, false, err
	}
	p, err = s.confirm(ctx, tx, l.Person)
	return p, false, err
}
