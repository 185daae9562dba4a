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

// LinkLasts is how long a mailed link can sign in.
const LinkLasts = 15 * time.Minute

// ErrLink is returned for a link that is unknown, used or expired. It never says which.
var ErrLink = errors.New("no such sign-in link")

// LinkPurpose is what a mailed link does when its button is pressed.
type LinkPurpose string

// The purposes.
const (
	LinkSignIn  LinkPurpose = "sign-in" // signs in the person of the address, who is created if new
	LinkAddress LinkPurpose = "address" // gives its person this address, too
	LinkForget  LinkPurpose = "forget"  // has its person forgotten, as they ask
)

// Link is a single-use link mailed to an address.
type Link struct {
	Purpose  LinkPurpose
	Address  Address
	Person   domain.PersonID // whose address it will be; "" to sign in
	Language string          // in which it was asked for
	Expires  time.Time
}

// AskSignIn makes a link that signs an address in, to be mailed to it. The caller must give the person asking the
// same answer whether or not it returns a link: send is false if the address has had enough, and then there is
// nothing to mail. Nor may the caller keep the person waiting for it, because the work differs between addresses.
// Earlier links stay valid. The error is a refusal only if the address itself is wrong; see ParseAddress.
//
// The network that asks is counted first, by any text that names it: what it may ask for in invented names leaves room
// for others. An address of somebody of this house (confirmed, holding a seat, a host, or invited by one to open
// tables) is counted separately, so that nobody can keep them out by asking in others' names.
func (s *Store) AskSignIn(ctx context.Context, a Address, network, language string) (token pass.Token, send bool,
	err error) {
	known, err := s.known(ctx, a)
	if err != nil {
		return token, false, err
	}
	if in, err := s.letIn(ctx, a, known); err != nil || !in {
		return token, false, err
	}
	return s.ask(ctx, Link{Purpose: LinkSignIn, Address: a, Language: language}, nil, func(tx *sql.Tx) (bool, error) {
		return s.maySignIn(ctx, tx, a, network, known)
	})
}

// known reports whether an address belongs to somebody of this house.
func (s *Store) known(ctx context.Context, a Address) (known bool, err error) {
	if known, err = s.answers(ctx, a); known || err != nil {
		return known, err
	}
	return value[bool](s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM openers WHERE mailbox = ?)`,
		a.mailbox()), "look up who may open tables")
}

// answers reports whether an address is a host's, or somebody's who has followed a link mailed to it: to sign in, or to
// take a seat.
func (s *Store) answers(ctx context.Context, a Address) (bool, error) {
	p, err := s.ByAddress(ctx, a)
	switch {
	case errors.Is(err, ErrNobody):
		return false, nil
	case err != nil || p.Host || !p.Confirmed.IsZero():
		return err == nil, err
	case s.seated == nil:
		return false, nil
	}
	return s.seated(ctx, p.ID)
}

// AskAddress makes a link that gives a person another address, to be mailed to that address. It answers as AskSignIn
// does. If the address is somebody else's, there is no link, and taken says that this is to be mailed there: nobody but
// its owner may know. It returns ErrNobody if the person is not here.
func (s *Store) AskAddress(ctx context.Context, id domain.PersonID, a Address) (token pass.Token, send, taken bool,
	err error) {
	p, err := s.Person(ctx, id)
	if err != nil {
		return token, false, false, err
	}
	if out, err := s.banned(ctx, s.read, a); err != nil || out {
		return token, false, false, err
	}
	other, err := s.ByAddress(ctx, a)
	if err != nil && !errors.Is(err, ErrNobody) {
		return token, false, false, err
	}
	if err == nil && other.ID != id {
		taken, err = s.Allow(ctx, s.mailLimits(a)...)
		return token, false, taken, err
	}
	token, send, err = s.ask(ctx, Link{Purpose: LinkAddress, Address: a, Language: p.Language}, key(id),
		func(tx *sql.Tx) (bool, error) {
			return s.allow(ctx, tx, s.mailLimits(a)...)
		})
	return token, send, false, err
}

func (s *Store) ask(ctx context.Context, l Link, person []byte, may func(*sql.Tx) (bool, error)) (token pass.Token,
	send bool, err error) {
	if _, err := ParseAddress(string(l.Address)); err != nil {
		return token, false, err
	}
	if !slices.Contains(offered, l.Language) {
		l.Language = offered[0]
	}
	token = pass.Random()
	hash := l.Purpose.hashed(token.Text())
	now := s.now()
	err = s.change(ctx, "make a link", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM links WHERE expires <= ?`, millis(now)); err != nil {
			return err
		}
		if err := s.sweepLost(ctx, tx); err != nil {
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

// hashed is what is stored of a link. A program that does not know its purpose does not find it, and signs nobody in by
// it.
func (p LinkPurpose) hashed(token string) []byte {
	if p != LinkSignIn && p != LinkAddress {
		token = string(p) + " " + token
	}
	return hashed(token)
}

const linkColumns = `purpose, address, person, language, expires`

// MayForget refuses what keeps a person from having themselves forgotten: with forget-host for a host, and with
// forget-later while an older address may take back what was changed about their addresses, since whoever finds a
// browser signed in must not end the account of somebody else.
func (s *Store) MayForget(ctx context.Context, id domain.PersonID) error {
	p, err := s.Person(ctx, id)
	if err != nil {
		return err
	}
	if p.Host {
		return domain.Refuse("forget-host")
	}
	later, err := value[bool](s.read.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM links WHERE person = ? AND purpose = ? AND expires > ?)`, key(id),
		string(linkBack), millis(s.now())), "look up who may take back a change")
	if err == nil && later {
		err = domain.Refuse("forget-later")
	}
	return err
}

// AskForget makes a link by which a person has themselves forgotten, to be mailed to the address that mails go to. It
// refuses as MayForget does. send is false if the address has had enough.
func (s *Store) AskForget(ctx context.Context, id domain.PersonID) (token pass.Token, to Address, send bool,
	err error) {
	if err := s.MayForget(ctx, id); err != nil {
		return token, "", false, err
	}
	p, err := s.Person(ctx, id)
	if err != nil {
		return token, "", false, err
	}
	token, send, err = s.ask(ctx, Link{Purpose: LinkForget, Address: p.Address, Language: p.Language}, key(id),
		func(tx *sql.Tx) (bool, error) { return s.allow(ctx, tx, s.mailLimits(p.Address)...) })
	return token, p.Address, send, err
}

// ForgetLink returns whom a link has forgotten, or ErrLink. Forgetting them uses it up.
func (s *Store) ForgetLink(ctx context.Context, token string) (Link, error) {
	return scanLink(s.read.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM links WHERE hash = ? AND expires > ?`,
		LinkForget.hashed(token), millis(s.now())))
}

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

// Link returns what a link would do, for the page with its button. It uses nothing up.
func (s *Store) Link(ctx context.Context, token string) (Link, error) {
	return scanLink(s.read.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM links WHERE hash = ? AND expires > ?`,
		hashed(token), millis(s.now())))
}

// UseLink signs a link's address in, once: call it only for a pressed button. It confirms the address and returns its
// person, created if new. It returns ErrLink if the link is for something else, was used or has expired.
func (s *Store) UseLink(ctx context.Context, token string) (p Person, err error) {
	hash := hashed(token)
	err = s.change(ctx, "use a link", func(tx *sql.Tx) error {
		l, err := scanLink(tx.QueryRowContext(ctx, `DELETE FROM links WHERE hash = ? AND expires > ? AND purpose = ?
			RETURNING `+linkColumns, hash, millis(s.now()), string(LinkSignIn)))
		if err != nil {
			return err
		}
		if out, err := s.banned(ctx, tx, l.Address); out || err != nil { // since it was mailed
			return cmp.Or(err, ErrLink)
		}
		if p, err = s.ensure(ctx, tx, l.Address, l.Language); err != nil {
			return err
		}
		have, err := s.addresses(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if o, _ := Theirs(have, l.Address); !o.Until.IsZero() { // removed since
			return ErrLink
		}
		if _, err := tx.ExecContext(ctx, `UPDATE addresses SET failed = 0 WHERE mailbox = ?`,
			l.Address.mailbox()); err != nil {
			return err
		}
		if err := s.alive(ctx, tx, p.ID); err != nil {
			return err
		}
		p, err = s.confirm(ctx, tx, p.ID)
		return err
	})
	return p, err
}

func (s *Store) confirm(ctx context.Context, tx *sql.Tx, id domain.PersonID) (Person, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE people SET confirmed = coalesce(confirmed, ?) WHERE id = ?`,
		millis(s.now()), key(id)); err != nil {
		return Person{}, err
	}
	return scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(id)))
}
