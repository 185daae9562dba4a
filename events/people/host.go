package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events/database"
)

// MakeHost makes the person with an address a host, and creates the person if there is none. They still have to
// confirm the address by signing in.
func (s *Store) MakeHost(ctx context.Context, a Address) (p Person, err error) {
	if _, err := ParseAddress(string(a)); err != nil {
		return p, err
	}
	err = s.change(ctx, "make a host", func(tx *sql.Tx) error {
		if p, err = s.ensure(ctx, tx, a, ""); err != nil {
			return err
		}
		p.Host = true
		_, err = tx.ExecContext(ctx, `UPDATE people SET host = 1 WHERE id = ?`, key(p.ID))
		return err
	})
	return p, err
}

// RemoveHost makes a host an ordinary person again.
func (s *Store) RemoveHost(ctx context.Context, id domain.PersonID) error {
	return s.set(ctx, "remove a host", `UPDATE people SET host = 0 WHERE id = ?`, key(id))
}

// Hosts lists the hosts, longest-standing person first.
func (s *Store) Hosts(ctx context.Context) ([]Person, error) {
	return database.All(ctx, s.read, scanPerson,
		`SELECT `+personColumns+` FROM people WHERE host = 1 ORDER BY created, id`)
}

// InviteOpener lets the person who confirms an address open tables, where not everybody may.
func (s *Store) InviteOpener(ctx context.Context, a Address) error {
	if _, err := ParseAddress(string(a)); err != nil {
		return err
	}
	return s.exec(ctx, "invite somebody to open tables",
		`INSERT INTO openers(mailbox, since) VALUES (?, ?) ON CONFLICT DO NOTHING`, a.mailbox(), millis(s.now()))
}

// RemoveOpener undoes InviteOpener.
func (s *Store) RemoveOpener(ctx context.Context, a Address) error {
	return s.exec(ctx, "take back who may open tables", `DELETE FROM openers WHERE mailbox = ?`, a.mailbox())
}

// Openers lists the addresses invited to open tables, in the form used to look them up.
func (s *Store) Openers(ctx context.Context) ([]Address, error) {
	return database.All(ctx, s.read, database.Value[Address], `SELECT mailbox FROM openers ORDER BY mailbox`)
}

// Invited reports whether a person has a confirmed address and is a host or was invited to open tables: who may open
// tables where not everybody may. It returns ErrNobody if the person is not here.
func (s *Store) Invited(ctx context.Context, id domain.PersonID) (bool, error) {
	return value[bool](s.read.QueryRowContext(ctx,
		`SELECT confirmed IS NOT NULL AND (host = 1 OR EXISTS (SELECT 1 FROM openers WHERE mailbox IN `+mailboxes+`)) FROM people WHERE id = ?1`, key(id)), "look up who may open tables")
}

// Setting returns the value of a setting that hosts have changed, "" if they have not.
func (s *Store) Setting(ctx context.Context, name string) (string, error) {
	v, err := value[string](s.read.QueryRowContext(ctx, `SELECT value FROM settings WHERE key = ?`, name),
		"read the setting "+name)
	if errors.Is(err, ErrNobody) {
		return "", nil
	}
	return v, err
}

// SetSetting changes a setting; "" restores the default.
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	if value == "" {
		return s.exec(ctx, "change the setting "+name, `DELETE FROM settings WHERE key = ?`, name)
	}
	return s.exec(ctx, "change the setting "+name,
		`INSERT INTO settings(key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, name,
		value)
}

// Census counts the people of a house.
type Census struct {
	Confirmed  int // people who have confirmed their address
	Asked      int // people who were invited but have not signed in yet
	SignedIn   int // people with a signed-in browser
	Suppressed int // addresses that must never be invited
	Banned     int
}

// Census counts the people.
func (s *Store) Census(ctx context.Context) (c Census, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(confirmed), count(*) - count(confirmed),
		(SELECT count(DISTINCT person) FROM sessions WHERE expires > ?), (SELECT count(*) FROM suppressed), (SELECT count(*) FROM bans) FROM people`, millis(s.now())).
		Scan(&c.Confirmed, &c.Asked, &c.SignedIn, &c.Suppressed, &c.Banned)
	if err != nil {
		return c, fmt.Errorf("count the people: %w", err)
	}
	return c, nil
}
