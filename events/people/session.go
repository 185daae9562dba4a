package people

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
	"posthorn/events/pass"
)

// ErrSession is returned for a cookie that opens no session: it is unknown, revoked or expired.
var ErrSession = errors.New("no such session")

// maxLabel is the longest text kept of what a browser says about itself.
const maxLabel = 200

// Session is a signed-in browser.
type Session struct {
	Ref     string // names it in lists; grants nothing
	Person  domain.PersonID
	Label   string // what the browser called itself
	Created time.Time
	Expires time.Time
}

// OpenSession signs a browser in for a time and returns the cookie's secret, of which only the SHA-256 is stored.
// Every sign-in is a new session.
func (s *Store) OpenSession(ctx context.Context, id domain.PersonID, label string, lasts time.Duration) (pass.Token,
	error) {
	secret := pass.Random()
	hash := hashed(secret.Text())
	now := s.now()
	if len(label) > maxLabel {
		label = label[:maxLabel]
	}
	return secret, s.change(ctx, "open a session", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires <= ?`, millis(now)); err != nil {
			return err
		}
		return one(tx.ExecContext(ctx,
			`INSERT INTO sessions(hash, person, label, created, expires) SELECT ?, id, ?, ?, ? FROM people WHERE id = ?`,
			hash, label, millis(now), millis(now.Add(lasts)), key(id)))
	})
}

const sessionColumns = `hash, person, label, created, expires`

func scanSession(row database.Row) (Session, error) {
	var hash, person []byte
	var created, expires int64
	var v Session
	err := row.Scan(&hash, &person, &v.Label, &created, &expires)
	if err := there(err, ErrSession, "read a session"); err != nil {
		return v, err
	}
	v.Ref, v.Person = hex.EncodeToString(hash[:12]), domain.PersonID(hex.EncodeToString(person))
	v.Created, v.Expires = moment(created), moment(expires)
	return v, nil
}

// Session returns the session that a cookie's secret opens, or ErrSession. It writes nothing.
func (s *Store) Session(ctx context.Context, secret string) (Session, error) {
	hash := hashed(secret)
	v, err := s.sessions.Of([32]byte(hash), func() (Session, error) {
		return scanSession(s.read.QueryRowContext(ctx,
			`SELECT `+sessionColumns+` FROM sessions WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM bans WHERE bans.person = sessions.person)`, hash))
	})
	if err == nil && s.over(v.Expires) {
		return Session{}, ErrSession
	}
	return v, err
}

// Sessions lists a person's sessions, newest first.
func (s *Store) Sessions(ctx context.Context, id domain.PersonID) ([]Session, error) {
	return database.All(ctx, s.read, scanSession,
		`SELECT `+sessionColumns+` FROM sessions WHERE person = ? AND expires > ? ORDER BY created DESC, hash`, key(id),
		millis(s.now()))
}

// RevokeSession signs one of a person's browsers out, by its Ref. It returns ErrSession if it is not theirs.
func (s *Store) RevokeSession(ctx context.Context, id domain.PersonID, ref string) error {
	return s.revoke(ctx, "sessions", ErrSession, id, ref)
}

// RevokeSessions signs all of a person's browsers out.
func (s *Store) RevokeSessions(ctx context.Context, id domain.PersonID) error {
	return s.exec(ctx, "revoke sessions", `DELETE FROM sessions WHERE person = ?`, key(id))
}
