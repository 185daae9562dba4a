package people

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
	"posthorn/events/pass"
)

// MaxAddresses is how many addresses a person may have.
const MaxAddresses = 5

// BackLasts is how long an address that is older than others can take back what was changed about them, though it was
// removed itself, and nobody else gets it: whoever sits at a browser that is signed in must not get the account for
// good.
const BackLasts = 7 * 24 * time.Hour

// failedLasts is how long no mail goes to an address from which mails came back, if there is another.
const failedLasts = 30 * 24 * time.Hour

// linkBack is the purpose of the link that takes a change of addresses back.
const linkBack LinkPurpose = "back"

// Owned is an address of a person.
type Owned struct {
	Address Address
	Main    bool      // mails go there
	Since   time.Time // when it was confirmed
	Until   time.Time // it was removed, and can take that back until then; zero for one that stays
	Failed  time.Time // since when mails to it come back; zero while they do not
}

// Changes are what can become of an address.
const (
	AddressAdded   = "added"   // it was added
	AddressMain    = "main"    // mails go there now
	AddressRemoved = "removed" // it was removed
	AddressFailed  = "failed"  // mails go there now, because those to another one come back
)

// Change is what became of an address of a person's, and who is told.
type Change struct {
	Address  Address
	What     string // AddressAdded and so on
	Language string // of their mails
	Tell     []Told
	// Removed says that one was removed: withdraw what was mailed until now, and mail afresh what is still asked.
	Removed bool
}

// Told is an address that is told of a change.
type Told struct {
	Address Address
	Back    string // the text of the link that takes it back; "" where none does
}

// whose is the id of the person who has the mailbox ?1 at the moment ?2.
const whose = `coalesce((SELECT id FROM people WHERE mailbox = ?1),
	(SELECT person FROM addresses WHERE mailbox = ?1 AND (until = 0 OR until > ?2)))`

// mailboxes are those of the person ?1.
const mailboxes = `(SELECT mailbox FROM people WHERE id = ?1 UNION SELECT mailbox FROM addresses WHERE person = ?1)`

// SameAs reports whether two addresses are of the same mailbox.
func (a Address) SameAs(b Address) bool { return a.mailbox() == b.mailbox() }

// Addresses lists a person's addresses: the one that mails go to, then the others, oldest first. It lists none for
// somebody who is not here.
func (s *Store) Addresses(ctx context.Context, id domain.PersonID) ([]Owned, error) {
	return s.addresses(ctx, s.read, id)
}

func (s *Store) addresses(ctx context.Context, from database.Reader, id domain.PersonID) ([]Owned, error) {
	return database.All(ctx, from, func(row database.Row) (o Owned, err error) {
		var since, until, failed int64
		err = row.Scan(&o.Address, &o.Main, &since, &until, &failed)
		o.Since = moment(since)
		if until > 0 {
			o.Until = moment(until)
		}
		if failed > 0 {
			o.Failed = moment(failed)
		}
		return o, err
	}, `SELECT p.address, 1, coalesce(a.since, p.confirmed, p.created), 0, coalesce(a.failed, 0)
		FROM people p LEFT JOIN addresses a ON a.mailbox = p.mailbox AND a.person = p.id WHERE p.id = ?1
		UNION ALL SELECT address, 0, since, until, failed FROM addresses WHERE person = ?1 AND (until = 0 OR until > ?2)
		AND mailbox NOT IN (SELECT mailbox FROM people) ORDER BY 2 DESC, 3, 1`, key(id), millis(s.now()))
}

// Stay returns those addresses that were not removed: by them alone their person is known.
func Stay(all []Owned) []Owned {
	return slices.DeleteFunc(slices.Clone(all), func(o Owned) bool { return !o.Until.IsZero() })
}

// Theirs returns one of a person's addresses as they gave it. ok is false if it is none of theirs.
func Theirs(all []Owned, a Address) (o Owned, ok bool) {
	if i := slices.IndexFunc(all, func(o Owned) bool { return o.Address.SameAs(a) }); i >= 0 {
		return all[i], true
	}
	return o, false
}

// changeAddresses changes a person's addresses in one transaction, given those that they have, and notes who is told:
// all of them but one that was added or chosen. It returns ErrNobody if the person is not here.
func (s *Store) changeAddresses(ctx context.Context, what string, id domain.PersonID,
	f func(*sql.Tx, []Owned) (Change, error)) (c Change, err error) {
	err = s.change(ctx, what, func(tx *sql.Tx) error {
		p, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(id)))
		if err != nil {
			return err
		}
		if err := s.sweepAddresses(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO addresses (mailbox, person, address, since)
			SELECT mailbox, id, address, coalesce(confirmed, created) FROM people WHERE id = ?1
			ON CONFLICT DO UPDATE SET since = iif(person = excluded.person, since, excluded.since), until = 0,
			person = excluded.person, address = excluded.address`,
			key(id)); err != nil {
			return err
		}
		before, err := s.addresses(ctx, tx, id)
		if err != nil {
			return err
		}
		if c, err = f(tx, before); err != nil || c.What == "" {
			return err
		}
		c.Language = p.Language
		return s.tells(ctx, tx, id, before, &c)
	})
	return c, err
}

// sweepAddresses erases the addresses that were removed and take that back no longer.
func (s *Store) sweepAddresses(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM addresses WHERE until BETWEEN 1 AND ?
		AND mailbox NOT IN (SELECT mailbox FROM people WHERE people.id = addresses.person)`, millis(s.now()))
	return err
}

// tells lists who is told of a change. Whoever has an address that stays and is younger than theirs is told how to take
// the change back: the younger never stand against the older.
func (s *Store) tells(ctx context.Context, tx *sql.Tx, id domain.PersonID, before []Owned, c *Change) error {
	now, err := s.addresses(ctx, tx, id)
	if err != nil {
		return err
	}
	for _, o := range before {
		if _, stays := Theirs(Stay(now), o.Address); !stays && o.Until.IsZero() {
			c.Removed = true
		}
		if o.Address.SameAs(c.Address) && (c.What == AddressAdded || c.What == AddressMain) {
			continue
		}
		t := Told{Address: o.Address}
		if _, theirs := Theirs(now, o.Address); theirs && slices.ContainsFunc(now, o.before) {
			if t.Back, err = s.back(ctx, tx, id, o, c.Language, s.now().Add(BackLasts)); err != nil {
				return err
			}
		}
		c.Tell = append(c.Tell, t)
	}
	return nil
}

// back makes the link by which an address takes back what was changed until some time.
func (s *Store) back(ctx context.Context, tx *sql.Tx, id domain.PersonID, o Owned, language string,
	until time.Time) (string, error) {
	token := pass.Random().Text()
	_, err := tx.ExecContext(ctx,
		`INSERT INTO links(hash, purpose, address, person, language, expires) VALUES (?, ?, ?, ?, ?, ?)`,
		linkBack.hashed(token), string(linkBack), string(o.Address), key(id), language, millis(until))
	return token, err
}

// AskBack makes, for a removed address by which somebody asks to sign in, what tells it that it was removed, with
// another link that takes that back. send is false if it has had enough.
func (s *Store) AskBack(ctx context.Context, id domain.PersonID, o Owned) (c Change, send bool, err error) {
	c = Change{Address: o.Address, What: AddressRemoved}
	err = s.change(ctx, "make a link", func(tx *sql.Tx) error {
		p, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(id)))
		if err != nil {
			return err
		}
		c.Language = p.Language
		if send, err = s.allow(ctx, tx, s.mailLimits(o.Address)...); err != nil || !send {
			return err
		}
		back, err := s.back(ctx, tx, id, o, p.Language, o.Until)
		c.Tell = []Told{{Address: o.Address, Back: back}}
		return err
	})
	return c, send, err
}

// before reports whether another address stays and was confirmed after this one.
func (o Owned) before(other Owned) bool { return other.Until.IsZero() && o.Since.Before(other.Since) }

// AddAddress uses a link of purpose LinkAddress: it gives the person whose it is this address, once, and mails go there
// if main. Call it only for a button that this person pressed. It returns ErrLink if it is not theirs, was used or has
// expired, and refuses with address-taken if somebody else got the address meanwhile, and with addresses-many.
func (s *Store) AddAddress(ctx context.Context, id domain.PersonID, token string, main bool) (c Change, err error) {
	return s.changeAddresses(ctx, "add an address", id, func(tx *sql.Tx, have []Owned) (c Change, err error) {
		l, err := scanLink(tx.QueryRowContext(ctx, `DELETE FROM links WHERE hash = ? AND expires > ? AND purpose = ?
			AND person = ? RETURNING `+linkColumns, hashed(token), millis(s.now()), string(LinkAddress), key(id)))
		if err != nil {
			return c, err
		}
		return s.add(ctx, tx, id, have, l.Address, main)
	})
}

func (s *Store) add(ctx context.Context, tx *sql.Tx, id domain.PersonID, have []Owned, a Address,
	main bool) (c Change, err error) {
	if out, err := s.banned(ctx, tx, a); out || err != nil {
		return c, cmp.Or(err, ErrLink)
	}
	if other, err := s.byAddress(ctx, tx, a); err == nil && other.ID != id {
		return c, domain.Refuse("address-taken")
	} else if err != nil && !errors.Is(err, ErrNobody) {
		return c, err
	}
	_, known := Theirs(have, a)
	if !known && len(have) >= MaxAddresses {
		return c, domain.Refuse("addresses-many", "n", MaxAddresses)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO addresses (mailbox, person, address, since) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET person = excluded.person, address = excluded.address, until = 0, failed = 0`,
		a.mailbox(), key(id), string(a), millis(s.now())); err != nil {
		return c, err
	}
	c = Change{Address: a, What: AddressAdded}
	if main || known && have[0].Address.SameAs(a) {
		c.What = AddressMain
		err = s.setMain(ctx, tx, id, a)
	}
	if err == nil {
		_, err = s.confirm(ctx, tx, id)
	}
	return c, err
}

// Readdress gives a person whom a host knows otherwise another address, and has mails go there. The one that they went
// to is removed: it is told, and takes that back for BackLasts. It refuses as AddAddress does, and with address-same.
func (s *Store) Readdress(ctx context.Context, id domain.PersonID, a Address) (Change, error) {
	if _, err := ParseAddress(string(a)); err != nil {
		return Change{}, err
	}
	return s.changeAddresses(ctx, "give a person an address", id, func(tx *sql.Tx, have []Owned) (c Change, err error) {
		if have[0].Address.SameAs(a) {
			return c, domain.Refuse("address-same")
		}
		if c, err = s.add(ctx, tx, id, have, a, true); err == nil {
			err = s.remove(ctx, tx, id, have[0], true)
		}
		return c, err
	})
}

func (s *Store) setMain(ctx context.Context, tx *sql.Tx, id domain.PersonID, a Address) error {
	return one(tx.ExecContext(ctx, `UPDATE people SET address = a.address, mailbox = a.mailbox
		FROM addresses a WHERE people.id = ?1 AND a.person = ?1 AND a.mailbox = ?2`, key(id), a.mailbox()))
}

// SetMain has a person's mails go to another of their addresses. It refuses with address-gone if it is none of theirs,
// or was removed.
func (s *Store) SetMain(ctx context.Context, id domain.PersonID, a Address) (Change, error) {
	return s.changeAddresses(ctx, "change where mails go", id, func(tx *sql.Tx, have []Owned) (c Change, err error) {
		o, ok := Theirs(have, a)
		if !ok || !o.Until.IsZero() {
			return c, domain.Refuse("address-gone")
		}
		if o.Main {
			return c, nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE addresses SET failed = 0 WHERE mailbox = ?`, a.mailbox()); err != nil {
			return c, err
		}
		return Change{Address: o.Address, What: AddressMain}, s.setMain(ctx, tx, id, a)
	})
}

// RemoveAddress takes one of a person's addresses from them: it is known for theirs no longer. Unless it is the
// youngest it takes that back for BackLasts, and is nobody else's until then. It refuses with address-main for the one
// that mails go to, and with address-gone for one that is not theirs. What was shared with it, and who may open tables
// by it, goes on by the one that mails go to.
func (s *Store) RemoveAddress(ctx context.Context, id domain.PersonID, a Address) (Change, error) {
	return s.changeAddresses(ctx, "remove an address", id, func(tx *sql.Tx, have []Owned) (c Change, err error) {
		o, ok := Theirs(have, a)
		switch {
		case !ok || !o.Until.IsZero():
			return c, domain.Refuse("address-gone")
		case o.Main:
			return c, domain.Refuse("address-main")
		}
		later := slices.ContainsFunc(have, o.before)
		return Change{Address: o.Address, What: AddressRemoved}, s.remove(ctx, tx, id, o, later)
	})
}

// remove takes an address from a person, who has another one that mails go to.
func (s *Store) remove(ctx context.Context, tx *sql.Tx, id domain.PersonID, o Owned, later bool) error {
	until := s.now()
	if later {
		until = until.Add(BackLasts)
	}
	for _, query := range []string{
		`UPDATE OR IGNORE shared_by_address SET mailbox = (SELECT mailbox FROM people WHERE id = ?1) WHERE mailbox = ?2`,
		`UPDATE OR IGNORE openers SET mailbox = (SELECT mailbox FROM people WHERE id = ?1) WHERE mailbox = ?2`,
		`DELETE FROM openers WHERE mailbox = ?2`,
		`DELETE FROM links WHERE (person = ?1 OR person IS NULL) AND lower(address) = ?2`,
	} {
		if _, err := tx.ExecContext(ctx, query, key(id), o.Address.mailbox()); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE addresses SET until = ? WHERE person = ? AND mailbox = ?`, millis(until),
		key(id), o.Address.mailbox()); err != nil {
		return err
	}
	return s.sweepAddresses(ctx, tx)
}

// BackLink returns what a link that takes a change of addresses back is about: whose it is, and the address that would
// be theirs again. It uses nothing up. It returns ErrLink if it was used or has expired, or that address is not theirs.
func (s *Store) BackLink(ctx context.Context, token string) (Link, error) {
	return s.backLink(ctx, s.read, token)
}

func (s *Store) backLink(ctx context.Context, from database.Reader, token string) (Link, error) {
	l, err := scanLink(from.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM links WHERE hash = ? AND expires > ?`,
		linkBack.hashed(token), millis(s.now())))
	if err != nil {
		return l, err
	}
	p, err := s.byAddress(ctx, from, l.Address)
	if errors.Is(err, ErrNobody) || err == nil && p.ID != l.Person {
		err = ErrLink
	}
	return l, err
}

// UseBackLink takes back what was changed about a person's addresses: mails go to the link's address again, those that
// were removed stay, and those that are younger than it and were added in the last BackLasts are theirs no longer. All
// their browsers are signed out, and their tokens end, as do webhooks that were made meanwhile. Withdraw their passes,
// too. Call it only for a pressed button. It returns ErrLink as BackLink does.
func (s *Store) UseBackLink(ctx context.Context, token string) (l Link, err error) {
	err = s.change(ctx, "take back a change of addresses", func(tx *sql.Tx) error {
		if l, err = s.backLink(ctx, tx, token); err != nil {
			return err
		}
		have, err := s.addresses(ctx, tx, l.Person)
		if err != nil {
			return err
		}
		mine, _ := Theirs(have, l.Address)
		if err := s.setMain(ctx, tx, l.Person, l.Address); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE addresses SET until = 0 WHERE person = ?`, key(l.Person)); err != nil {
			return err
		}
		since := s.now().Add(-BackLasts)
		for _, o := range have {
			if o.Since.After(mine.Since) && o.Since.After(since) {
				if err := s.remove(ctx, tx, l.Person, o, false); err != nil {
					return err
				}
			}
		}
		for _, from := range []string{"sessions", "tokens", "links"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+from+` WHERE person = ?`, key(l.Person)); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM hooks WHERE person = ? AND created > ?`, key(l.Person), millis(since))
		return err
	})
	return l, err
}

// FallBack notes that mails to the address that somebody's go to come back, and has them go to the oldest other address
// from which they do not. c.What is "" if there is none.
func (s *Store) FallBack(ctx context.Context, id domain.PersonID) (Change, error) {
	return s.changeAddresses(ctx, "mails come back", id, func(tx *sql.Tx, have []Owned) (c Change, err error) {
		now := s.now()
		i := slices.IndexFunc(have, func(o Owned) bool {
			return !o.Main && o.Until.IsZero() && now.Sub(o.Failed) > failedLasts
		})
		if i < 0 {
			return c, nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE addresses SET failed = ? WHERE mailbox = ?`, millis(now),
			have[0].Address.mailbox()); err != nil {
			return c, err
		}
		return Change{Address: have[i].Address, What: AddressFailed}, s.setMain(ctx, tx, id, have[i].Address)
	})
}
