package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Fetched is how far a folder of a mailbox at a provider has been read.
type Fetched struct {
	Validity uint32    // the server's word for as long as its numbers mean the same (UIDVALIDITY)
	UID      uint32    // the number up to which all mails were looked at
	At       time.Time // when that was
}

// Fetched returns how far a folder was read; ok is false for one that never was.
func (o *Outbox) Fetched(ctx context.Context, folder string) (f Fetched, ok bool, err error) {
	var at int64
	err = o.db.QueryRowContext(ctx, `SELECT validity, uid, at FROM fetched WHERE folder = ?`, o.digest(folder)).
		Scan(&f.Validity, &f.UID, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return f, false, nil
	}
	if err != nil {
		return f, false, fmt.Errorf("mail queue: how far a mailbox is read: %w", err)
	}
	f.At = time.UnixMilli(at)
	return f, true, nil
}

// SetFetched notes it.
func (o *Outbox) SetFetched(ctx context.Context, folder string, f Fetched) error {
	return o.change(ctx, "how far a mailbox is read", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO fetched (folder, validity, uid, at) VALUES (?,?,?,?)
			ON CONFLICT (folder) DO UPDATE SET validity = excluded.validity, uid = excluded.uid, at = excluded.at`,
			o.digest(folder), f.Validity, f.UID, f.At.UnixMilli())
		return err
	})
}
