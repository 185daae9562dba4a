package people

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events/pass"
)

// Somebody who can read the mails to none of their addresses comes back by the word of others: Vouchers people whom
// they have played with for LostPlayed say that it is them, their addresses are told, and LostWaits later mails go to
// another one. Any no and any sign of life ends it, and for LostLasts nobody can ask again.
const (
	Vouchers   = 2
	LostPlayed = 30 * 24 * time.Hour
	LostWaits  = 3 * 24 * time.Hour
	LostLasts  = 14 * 24 * time.Hour
	mostAsked  = 20
)

// The purposes of the links of that.
const (
	LinkLost  LinkPurpose = "lost"  // asks the others, once the new address is confirmed
	LinkVouch LinkPurpose = "vouch" // says whether it is them
	LinkHere  LinkPurpose = "here"  // ends it: they read their mails
)

// LostMail is a mail about somebody's lost address.
type LostMail struct {
	What     LostWhat
	To       Address
	Token    string // of its link; "" if it has none
	Language string
	Who      string    // whose address is lost, for those who are asked
	Address  Address   // where their mails shall go
	When     time.Time // when they do at the earliest
}

// LostWhat is what such a mail is about.
type LostWhat string

// The mails.
const (
	LostAsk   LostWhat = "ask"   // to the new address: whoever reads it confirms it
	LostHere  LostWhat = "here"  // to each address: whoever reads it ends it
	LostVouch LostWhat = "vouch" // to the others
	LostSure  LostWhat = "sure"  // to the new address: enough of them have said yes
	LostWait  LostWhat = "wait"  // to the new address: it is too early
)

// AskLost makes, for an address that can no longer be read, the mail that confirms another one. It answers as AskSignIn
// does: nobody may know what it found out. There is none for a host, nor if the other address is somebody's.
func (s *Store) AskLost(ctx context.Context, old, a Address, network, language string) (m LostMail, send bool,
	err error) {
	p, err := s.ByAddress(ctx, old)
	if err != nil || p.Host {
		return m, false, unlessNobody(err)
	}
	if known, err := s.answers(ctx, old); !known || err != nil {
		return m, false, err
	}
	if out, err := s.Banned(ctx, p.ID); out || err != nil {
		return m, false, err
	}
	if _, err := s.ByAddress(ctx, a); !errors.Is(err, ErrNobody) {
		return m, false, err
	}
	if out, err := s.banned(ctx, s.read, a); out || err != nil {
		return m, false, err
	}
	token, send, err := s.ask(ctx, Link{Purpose: LinkLost, Address: a, Language: language}, key(p.ID),
		func(tx *sql.Tx) (bool, error) { return s.maySignIn(ctx, tx, a, network, false) })
	return LostMail{What: LostAsk, To: a, Token: token.Text(), Language: language, Address: a}, send, err
}

func unlessNobody(err error) error {
	if errors.Is(err, ErrNobody) {
		return nil
	}
	return err
}

// LostLink returns what a link about a lost address is for, or ErrLink. It uses nothing up.
func (s *Store) LostLink(ctx context.Context, token string) (Link, error) {
	return scanLink(s.read.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM links WHERE hash IN (?, ?, ?)
		AND expires > ? AND `+lostLinkCounts, LinkLost.hashed(token), LinkVouch.hashed(token), LinkHere.hashed(token),
		millis(s.now())))
}

// lostLinkCounts holds for a link about a lost address unless what it is about has ended, or its reader's address was
// taken from them since.
const lostLinkCounts = `(purpose = '` + string(LinkLost) + `' OR
	EXISTS (SELECT 1 FROM lost WHERE lost.person = links.person AND ended = 0) AND
	(EXISTS (SELECT 1 FROM people WHERE mailbox = lower(links.address)) OR
	EXISTS (SELECT 1 FROM addresses WHERE mailbox = lower(links.address) AND until = 0)))`

// useLost uses a link of a purpose up.
func (s *Store) useLost(ctx context.Context, tx *sql.Tx, p LinkPurpose, token string) (Link, error) {
	return scanLink(tx.QueryRowContext(ctx, `DELETE FROM links WHERE hash = ? AND expires > ? AND `+lostLinkCounts+
		` RETURNING `+linkColumns, p.hashed(token), millis(s.now())))
}

// BeginLost uses a link of purpose LinkLost, for a pressed button, and returns the mails to those who are asked, of
// whom the caller knows that they have played with its person, and to all of its person's addresses. It refuses with
// lost-few if too few can be asked, and with lost-again if this was asked lately.
func (s *Store) BeginLost(ctx context.Context, token string, mates []domain.PersonID) (out []LostMail, err error) {
	err = s.change(ctx, "ask whose address is lost", func(tx *sql.Tx) error {
		l, err := s.useLost(ctx, tx, LinkLost, token)
		if err != nil {
			return err
		}
		p, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(l.Person)))
		if err == nil {
			err = s.openLost(ctx, tx, l)
		}
		if err != nil {
			return err
		}
		mail := LostMail{Who: cmp.Or(p.Name, p.Called, p.Address.Short()), Address: l.Address,
			When: s.now().Add(LostWaits)}
		have, err := s.addresses(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		for _, o := range have {
			mail.What, mail.To, mail.Language = LostHere, o.Address, p.Language
			if mail.Token, err = s.lasting(ctx, tx, LinkHere, p.ID, o.Address, p.Language); err != nil {
				return err
			}
			out = append(out, mail)
		}
		asked, err := s.asksMates(ctx, tx, mail, p.ID, mates)
		out = append(out, asked...)
		return err
	})
	return out, err
}

// openLost notes what a link asks.
func (s *Store) openLost(ctx context.Context, tx *sql.Tx, l Link) error {
	err := s.sweepLost(ctx, tx)
	if err != nil {
		return err
	}
	again, err := value[bool](tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM lost WHERE person = ?)`,
		key(l.Person)), "look up a lost address")
	if again {
		err = domain.Refuse("lost-again")
	}
	if err == nil {
		_, err = tx.ExecContext(ctx,
			`INSERT INTO lost (person, mailbox, address, language, asked) VALUES (?, ?, ?, ?, ?)`,
			key(l.Person), l.Address.mailbox(), string(l.Address), l.Language, millis(s.now()))
	}
	return err
}

// sweepLost erases what was asked about lost addresses and can come to nothing any more.
func (s *Store) sweepLost(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM lost WHERE asked <= ?`, millis(s.now().Add(-LostLasts)))
	return err
}

// asksMates returns the mails to those who are asked about a person.
func (s *Store) asksMates(ctx context.Context, tx *sql.Tx, mail LostMail, id domain.PersonID,
	mates []domain.PersonID) (out []LostMail, err error) {
	for _, mate := range mates {
		m, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?
			AND NOT EXISTS (SELECT 1 FROM bans WHERE bans.person = people.id)`, key(mate)))
		if errors.Is(err, ErrNobody) || err == nil && (mate == id || len(out) == mostAsked) {
			continue
		}
		if err != nil {
			return nil, err
		}
		mail.What, mail.To, mail.Language = LostVouch, m.Address, m.Language
		if mail.Token, err = s.lasting(ctx, tx, LinkVouch, id, m.Address, m.Language); err != nil {
			return nil, err
		}
		out = append(out, mail)
	}
	if len(out) < Vouchers {
		return nil, domain.Refuse("lost-few")
	}
	return out, nil
}

// lasting makes a link about a lost address to be mailed to somebody's.
func (s *Store) lasting(ctx context.Context, tx *sql.Tx, p LinkPurpose, id domain.PersonID, to Address,
	language string) (string, error) {
	token := pass.Random().Text()
	_, err := tx.ExecContext(ctx,
		`INSERT INTO links(hash, purpose, address, person, language, expires) VALUES (?, ?, ?, ?, ?, ?)`,
		p.hashed(token), string(p), string(to), key(id), language, millis(s.now().Add(LostLasts)))
	return token, err
}

// Vouch uses a link of purpose LinkVouch, for a pressed button: whoever it was mailed to says whether it is them. Once
// enough have said yes it returns the mail to the new address that says when mails go there.
func (s *Store) Vouch(ctx context.Context, token string, yes bool) (out []LostMail, err error) {
	err = s.change(ctx, "vouch for somebody", func(tx *sql.Tx) error {
		l, err := s.useLost(ctx, tx, LinkVouch, token)
		if err != nil {
			return err
		}
		by, err := s.byAddress(ctx, tx, l.Address)
		if err != nil {
			return err
		}
		if !yes {
			return s.alive(ctx, tx, l.Person)
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO vouched (person, by) SELECT person, ? FROM lost
			WHERE person = ? AND ended = 0`, key(by.ID), key(l.Person)); err != nil {
			return err
		}
		m := LostMail{What: LostSure}
		var asked int64
		err = tx.QueryRowContext(ctx, `SELECT address, language, asked FROM lost WHERE person = ? AND ended = 0
			AND (SELECT count(*) FROM vouched v WHERE v.person = lost.person) = ?`, key(l.Person), Vouchers).
			Scan(&m.To, &m.Language, &asked)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		m.Address, m.When = m.To, moment(asked).Add(LostWaits)
		out = append(out, m)
		return err
	})
	return out, err
}

// Here ends what was asked about a person's lost address: they say that they are here, by a link of purpose LinkHere
// or, if token is empty, signed in.
func (s *Store) Here(ctx context.Context, id domain.PersonID, token string) error {
	return s.change(ctx, "an address is not lost", func(tx *sql.Tx) error {
		if token != "" {
			if _, err := s.useLost(ctx, tx, LinkHere, token); err != nil {
				return err
			}
		}
		return s.alive(ctx, tx, id)
	})
}

// Alive ends what was asked about the lost address of a person who did something.
func (s *Store) Alive(ctx context.Context, id domain.PersonID) error {
	if p, err := s.Person(ctx, id); err != nil || p.Lost.IsZero() {
		return unlessNobody(err)
	}
	return s.Here(ctx, id, "")
}

// alive ends what was asked about a person's lost address.
func (s *Store) alive(ctx context.Context, tx *sql.Tx, id domain.PersonID) error {
	_, err := tx.ExecContext(ctx, `UPDATE lost SET ended = ? WHERE person = ? AND ended = 0`, millis(s.now()), key(id))
	return err
}

// Regained returns whose mails shall go to an address that they have not yet: others have vouched for them, and they
// had time to say no and did nothing. Before that it returns nobody and, unless the address has had enough, the mail
// that says so. It returns ErrNobody if the address waits for nothing.
func (s *Store) Regained(ctx context.Context, a Address) (id domain.PersonID, wait *LostMail, err error) {
	var person []byte
	var asked int64
	var said int
	m := LostMail{What: LostWait}
	err = s.read.QueryRowContext(ctx, `SELECT person, address, language, asked,
		(SELECT count(*) FROM vouched v WHERE v.person = lost.person) FROM lost
		WHERE mailbox = ?1 AND ended = 0 AND asked > ?2 AND NOT EXISTS (SELECT 1 FROM people WHERE mailbox = ?1)`,
		a.mailbox(), millis(s.now().Add(-LostLasts))).Scan(&person, &m.To, &m.Language, &asked, &said)
	if err := there(err, ErrNobody, "look up a lost address"); err != nil {
		return "", nil, err
	}
	m.Address, m.When = m.To, moment(asked).Add(LostWaits)
	if said >= Vouchers && !s.now().Before(m.When) {
		return domain.PersonID(hex.EncodeToString(person)), nil, nil
	}
	if send, err := s.Allow(ctx, s.mailLimits(a)...); err != nil || !send {
		return "", nil, err
	}
	return "", &m, nil
}
