package people

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
)

// Ban is somebody who is kept out.
type Ban struct {
	Person domain.PersonID // "" once they were forgotten: then only their address is kept out
	Since  time.Time
	Reason []byte // sealed with the person's key, see Encrypt
}

// Ban keeps a person out: it signs their browsers out, their mailed links sign nobody in, their tokens stop working,
// and neither they nor their addresses get in again. reason is as Encrypt sealed it. Repeating it changes nothing; it
// returns ErrNobody if the person is not here. It does not touch their passes (see WithdrawPasses) or their seats.
func (s *Store) Ban(ctx context.Context, id domain.PersonID, reason []byte) error {
	p, err := s.Person(ctx, id)
	if err != nil {
		return err
	}
	if reason == nil {
		reason = []byte{}
	}
	return s.change(ctx, "ban a person", func(tx *sql.Tx) error {
		for _, query := range []string{
			`DELETE FROM sessions WHERE person = ?`,
			`DELETE FROM links WHERE person = ?1 OR lower(address) IN ` + mailboxes,
		} {
			if _, err := tx.ExecContext(ctx, query, key(id)); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO bans (mailbox, person, since, reason) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (mailbox) DO UPDATE SET person = ?2, reason = ?4`, s.digest("banned", p.Address.mailbox()), key(id), millis(s.now()), reason)
		return err
	})
}

// Unban lets a person back in. It does nothing if they were not banned.
func (s *Store) Unban(ctx context.Context, id domain.PersonID) error {
	return s.exec(ctx, "let a person in again", `DELETE FROM bans WHERE person = ?`, key(id))
}

// UnbanAddress lets the owner of an address back in, who need not be here. It reports whether they were banned.
func (s *Store) UnbanAddress(ctx context.Context, a Address) (was bool, err error) {
	err = s.change(ctx, "let an address in again", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM bans WHERE mailbox = ?3 OR person = `+whose, a.mailbox(),
			millis(s.now()), s.digest("banned", a.mailbox()))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		was = n > 0
		return err
	})
	return was, err
}

// Banned reports whether a person is banned.
func (s *Store) Banned(ctx context.Context, id domain.PersonID) (bool, error) {
	return s.bans.Of(id, func() (bool, error) {
		return value[bool](s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM bans WHERE person = ?)`, key(id)),
			"look up who is banned")
	})
}

// banned reports whether an address belongs to somebody banned, or is itself kept out.
func (s *Store) banned(ctx context.Context, from database.Reader, a Address) (bool, error) {
	return value[bool](from.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM bans WHERE mailbox = ?3 OR person = `+whose+`)`, a.mailbox(), millis(s.now()),
		s.digest("banned", a.mailbox())), "look up who is banned")
}

// Bans lists the banned, latest first.
func (s *Store) Bans(ctx context.Context) ([]Ban, error) {
	return database.All(ctx, s.read, func(row database.Row) (b Ban, err error) {
		var person []byte
		var since int64
		err = row.Scan(&person, &since, &b.Reason)
		b.Person, b.Since = domain.PersonID(hex.EncodeToString(person)), moment(since)
		return b, err
	}, `SELECT person, since, reason FROM bans ORDER BY since DESC, mailbox`)
}

// List lists people, those with a confirmed address first, by name; at most that many.
func (s *Store) List(ctx context.Context, most int) ([]Person, error) {
	return database.All(ctx, s.read, scanPerson,
		`SELECT `+personColumns+` FROM people ORDER BY confirmed IS NULL, lower(name), created, id LIMIT ?`, most)
}

// Signup says who may join this house.
type Signup string

// The policies.
const (
	SignupOpen    Signup = "open"    // anybody with an address
	SignupInvited Signup = "invited" // anybody invited to a table, or let in by a host
	SignupClosed  Signup = "closed"  // nobody new: only people who are here, hold a seat, or were let in by a host
)

// Signups lists the policies.
var Signups = []Signup{SignupOpen, SignupInvited, SignupClosed}

const settingSignup = "signup"

// Signup returns who may join this house, and whether that was fixed for the program's run (Options.Signup) and
// cannot be changed.
func (s *Store) Signup(ctx context.Context) (now Signup, pinned bool, err error) {
	if s.signup != "" {
		return s.signup, true, nil
	}
	text, err := s.Setting(ctx, settingSignup)
	if err != nil || text == "" {
		return SignupOpen, false, err
	}
	return Signup(text), false, nil
}

// SetSignup changes who may join this house. It refuses with signup-unknown or signup-pinned.
func (s *Store) SetSignup(ctx context.Context, to Signup) error {
	if err := to.known(); err != nil {
		return err
	}
	if s.signup != "" {
		return domain.Refuse("signup-pinned")
	}
	return s.SetSetting(ctx, settingSignup, string(to))
}

func (p Signup) known() error {
	for _, q := range Signups {
		if p == q {
			return nil
		}
	}
	return domain.Refuse("signup-unknown")
}

// letIn reports whether an address may sign in. known says that it belongs to somebody of this house.
func (s *Store) letIn(ctx context.Context, a Address, known bool) (bool, error) {
	if out, err := s.banned(ctx, s.read, a); out || err != nil {
		return false, err
	}
	policy, _, err := s.Signup(ctx)
	switch {
	case err != nil:
		return false, err
	case known, policy == SignupOpen:
		return true, nil
	case policy == SignupClosed:
		return false, nil
	}
	_, err = s.ByAddress(ctx, a)
	if errors.Is(err, ErrNobody) {
		return false, nil
	}
	return err == nil, err
}
