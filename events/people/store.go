package people

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	_ "modernc.org/sqlite" // the driver

	"posthorn/domain"
	"posthorn/events"
	"posthorn/migrations"
)

// Store is who is who. It is safe for concurrent use; one process at a time may open a file.
type Store struct {
	write  *sql.DB // one connection
	read   *sql.DB
	wrap   cipher.AEAD // seals people's keys at rest
	hash   []byte      // key of digests of addresses
	quotas Quotas
	now    func() time.Time
	seated func(context.Context, domain.PersonID) (bool, error)
	full   func(domain string)
}

// Options of a Store. The zero value is for ordinary use.
type Options struct {
	Now    func() time.Time // the clock; time.Now if nil
	Quotas *Quotas          // DefaultQuotas if nil
	// Seated tells whether a person holds a seat at some table; nobody does if nil.
	Seated func(context.Context, domain.PersonID) (bool, error)
	// Full is told of each sign-in link that was not made because strangers have asked for as
	// many as Quotas allow for that domain, or, with "", in all. It must return at once.
	Full func(domain string)
}

func dsn(path string, more ...string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{
		"busy_timeout(10000)", "synchronous(FULL)", "secure_delete(ON)", "foreign_keys(ON)", "trusted_schema(OFF)", "mmap_size(0)",
	}, more...)}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}
	return u.String()
}

// Open opens a file, and makes it if it is not there.
func Open(ctx context.Context, path string, keys *events.Keys, o Options) (*Store, error) {
	s := &Store{hash: keys.For("people digest"), now: o.Now, quotas: DefaultQuotas, seated: o.Seated, full: o.Full}
	if s.now == nil {
		s.now = time.Now
	}
	if o.Quotas != nil {
		s.quotas = *o.Quotas
	}
	block, err := aes.NewCipher(keys.For("people keys"))
	if err != nil {
		return nil, fmt.Errorf("make the key of people's keys: %w", err)
	}
	if s.wrap, err = cipher.NewGCM(block); err != nil {
		return nil, fmt.Errorf("make the key of people's keys: %w", err)
	}
	if s.write, err = sql.Open("sqlite", dsn(path, "journal_mode(WAL)")); err != nil {
		return nil, fmt.Errorf("open the people: %w", err)
	}
	s.write.SetMaxOpenConns(1)
	if err := migrations.Apply(ctx, s.write, "people"); err != nil {
		return nil, errors.Join(err, s.write.Close())
	}
	if s.read, err = sql.Open("sqlite", dsn(path, "query_only(ON)")); err != nil {
		return nil, errors.Join(fmt.Errorf("open the people: %w", err), s.write.Close())
	}
	return s, nil
}

// Close closes the file.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// change runs one transaction, the only one that writes at the time.
func (s *Store) change(ctx context.Context, what string, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := f(tx); err != nil {
		if back := tx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// digest stands for an address or a name where nobody needs to read it.
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
