// Package people knows who is who: names, addresses, languages, sessions, and what may be mailed to whom. It stands
// beside the log, because people can be forgotten and events cannot: events name people only by a random id, and what
// people wrote is encrypted with a key that is kept here and erased with them.
//
// A [Store] is one SQLite file with one writer. Every change is durable when it returns, and deleted data is
// overwritten. Secrets that people hold (cookies, sign-in links) are stored as hashes. Reading never writes, so a
// page that only shows changes nothing.
//
// Nobody learns whether an address is known, suppressed or over its quota: the answer is the same, and only the mail
// is missing.
//
// What must not live here: what people do at tables, and sending mail.
package people

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/recent"
)

// Store knows who is who. It is safe for concurrent use; one process at a time may open a file.
type Store struct {
	write  *sql.DB // one connection
	read   *sql.DB
	wrap   cipher.AEAD // seals people's keys in storage
	hash   []byte      // key for digests of addresses
	quotas Quotas
	now    func() time.Time
	seated func(context.Context, domain.PersonID) (bool, error)
	full   func(domain string)
	signup Signup // "": as hosts have set it
	// MailKinds are the kinds of mail that people can switch off, and PostedKinds those that may be posted, too.
	MailKinds, PostedKinds []string
	// Answers to what each request asks, cached since the last change.
	persons  *recent.Recall[domain.PersonID, Person]
	tokens   *recent.Recall[[32]byte, Token]
	sessions *recent.Recall[[32]byte, Session]
	bans     *recent.Recall[domain.PersonID, bool]
}

// mostRecalled is how many of each are remembered.
const mostRecalled = 4096

// Options configure a Store. The zero value is for ordinary use.
type Options struct {
	Now    func() time.Time // the clock; time.Now if nil
	Quotas *Quotas          // DefaultQuotas if nil
	// Seated reports whether a person holds a seat at some table; if nil, nobody does.
	Seated func(context.Context, domain.PersonID) (bool, error)
	// Full is called for each sign-in link not made because strangers have asked for as many as Quotas allow for that
	// domain or, with "", in all. It must return at once.
	Full func(domain string)
	// Signup says who may join this house, whatever hosts have set; "" leaves it to them.
	Signup      Signup
	MailKinds   []string // that people can switch off
	PostedKinds []string // those that may be posted to webhooks, too
}

// Open opens a file, and creates it if it does not exist.
func Open(ctx context.Context, path string, keys *events.Keys, o Options) (*Store, error) {
	s := &Store{hash: keys.For("people digest"), now: o.Now, quotas: DefaultQuotas, seated: o.Seated, full: o.Full,
		signup: o.Signup, MailKinds: o.MailKinds, PostedKinds: o.PostedKinds,
		persons:  recent.NewRecall[domain.PersonID, Person](mostRecalled),
		tokens:   recent.NewRecall[[32]byte, Token](mostRecalled),
		sessions: recent.NewRecall[[32]byte, Session](mostRecalled),
		bans:     recent.NewRecall[domain.PersonID, bool](mostRecalled)}
	if s.now == nil {
		s.now = time.Now
	}
	if o.Quotas != nil {
		s.quotas = *o.Quotas
	}
	err := error(nil)
	if s.signup != "" {
		err = s.signup.known()
	}
	if err != nil {
		return nil, fmt.Errorf("who may sign up: %q: %w", s.signup, err)
	}
	if s.wrap, err = events.NewBox(keys.For("people keys")); err != nil {
		return nil, fmt.Errorf("make the key of people's keys: %w", err)
	}
	settings := []string{"synchronous(FULL)", "secure_delete(ON)", "foreign_keys(ON)"}
	if s.write, err = database.Open(ctx, path, "people", settings...); err != nil {
		return nil, fmt.Errorf("open the people: %w", err)
	}
	if s.read, err = database.Connect(path, append(settings, "query_only(ON)")...); err != nil {
		return nil, errors.Join(fmt.Errorf("open the people: %w", err), s.write.Close())
	}
	return s, nil
}

// Sound reads the whole file to check it; database.Damaged says what its error means.
func (s *Store) Sound(ctx context.Context) error { return database.Sound(ctx, s.read) }

// Close closes the file.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// change runs one transaction, the only one writing at the time. Afterwards the caches are read again, whether it
// succeeded or not.
func (s *Store) change(ctx context.Context, what string, f func(*sql.Tx) error) error {
	defer func() {
		s.persons.Forget()
		s.tokens.Forget()
		s.sessions.Forget()
		s.bans.Forget()
	}()
	return database.Change(ctx, s.write, what, f)
}

// exec runs a change of one statement.
func (s *Store) exec(ctx context.Context, what, query string, args ...any) error {
	return s.change(ctx, what, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// set runs a change of one statement about somebody. It returns ErrNobody if they are not here.
func (s *Store) set(ctx context.Context, what, query string, args ...any) error {
	return s.change(ctx, what, func(tx *sql.Tx) error { return one(tx.ExecContext(ctx, query, args...)) })
}

// revoke removes something of a person's by its Ref, or returns none.
func (s *Store) revoke(ctx context.Context, from string, none error, id domain.PersonID, ref string) error {
	err := s.set(ctx, "revoke one of a person's "+from,
		`DELETE FROM `+from+` WHERE person = ? AND lower(hex(substr(hash, 1, 12))) = ?`, key(id), ref)
	if errors.Is(err, ErrNobody) {
		return none
	}
	return err
}

// hashed returns what is stored of a secret.
func hashed(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// over reports whether something that lasts until then has expired.
func (s *Store) over(expires time.Time) bool { return millis(expires) <= millis(s.now()) }

// there turns a missing row into none, and says what was being read when anything else failed.
func there(err, none error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// value reads something about somebody, or returns ErrNobody.
func value[T any](row *sql.Row, what string) (T, error) {
	v, err := database.Value[T](row)
	return v, there(err, ErrNobody, what)
}

// digest stands in for an address or a name where nobody needs to read it.
func (s *Store) digest(label, text string) []byte {
	h := hmac.New(sha256.New, s.hash)
	_, _ = fmt.Fprintf(h, "%s\x00%s", label, text)
	return h.Sum(nil)[:16]
}

func millis(t time.Time) int64 { return t.UnixMilli() }

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ErrNobody
	}
	return err
}

// settingLog is the setting with the name of the log that these people play in.
const settingLog = "log"

// LogName returns the name of the log that these people play in. ok is false for a file that was never beside one.
func (s *Store) LogName(ctx context.Context) (name events.Name, ok bool, err error) {
	text, err := s.Setting(ctx, settingLog)
	if err != nil || text == "" {
		return name, false, err
	}
	if name, err = events.ParseName(text); err != nil {
		return name, false, fmt.Errorf("whose people these are: %w", err)
	}
	return name, true, nil
}

// SetLogName notes which log these people play in.
func (s *Store) SetLogName(ctx context.Context, name events.Name) error {
	return s.SetSetting(ctx, settingLog, name.String())
}

// Anybody reports whether the file holds anybody.
func (s *Store) Anybody(ctx context.Context) (bool, error) {
	return value[bool](s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM people)`), "look for people")
}
