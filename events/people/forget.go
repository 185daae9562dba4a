package people

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
)

// Forget erases a person: name, address, sessions, links, permissions, and the key without which what they wrote
// cannot be read. It does nothing if they are not here, so that it may run again at every start. Only a wish never to
// be mailed and the fact of a ban remain, as digests of the address.
func (s *Store) Forget(ctx context.Context, id domain.PersonID) error {
	gone := false
	err := s.change(ctx, "forget a person", func(tx *sql.Tx) (err error) {
		gone, err = s.forget(ctx, tx, key(id))
		return err
	})
	if err != nil || !gone {
		return err
	}
	return s.scrub(ctx)
}

func (s *Store) forget(ctx context.Context, tx *sql.Tx, id []byte) (bool, error) {
	if err := s.keepOut(ctx, tx, id); err != nil {
		return false, err
	}
	for _, query := range []string{
		`UPDATE bans SET reason = x'' WHERE person = ?1`,
		`DELETE FROM openers WHERE mailbox IN ` + mailboxes,
		`DELETE FROM shared_by_address WHERE mailbox IN ` + mailboxes,
		`DELETE FROM links WHERE lower(address) IN ` + mailboxes,
	} {
		if _, err := tx.ExecContext(ctx, query, id); err != nil {
			return false, err
		}
	}
	res, err := tx.ExecContext(ctx, `DELETE FROM people WHERE id = ?`, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// keepOut notes the addresses of somebody banned apart from the one by which they were, which is noted already.
func (s *Store) keepOut(ctx context.Context, tx *sql.Tx, id []byte) error {
	all, err := database.All(ctx, tx, database.Value[string],
		`SELECT mailbox FROM addresses WHERE person = ?1 AND EXISTS (SELECT 1 FROM bans WHERE person = ?1)`, id)
	for _, mailbox := range all {
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO bans (mailbox, since, reason)
				SELECT ?, since, x'' FROM bans WHERE person = ? ON CONFLICT DO NOTHING`, s.digest("banned", mailbox), id)
		}
	}
	return err
}

// scrub moves what was overwritten from the write-ahead log into the file and empties the log.
func (s *Store) scrub(ctx context.Context) error {
	for range 100 {
		var busy, frames, done int
		if err := s.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).
			Scan(&busy, &frames, &done); err != nil {
			return fmt.Errorf("overwrite what was forgotten: %w", err)
		}
		if busy == 0 {
			return nil
		}
		time.Sleep(10 * time.Millisecond) // a reader is still looking at the old contents
	}
	return fmt.Errorf("overwrite what was forgotten: the file is being read without end")
}

// Sweep erases people whom no event ever named: an invitation that was begun and never written. It only considers
// those created before a moment who never confirmed their address. It returns how many it erased.
func (s *Store) Sweep(ctx context.Context, before time.Time,
	named func(context.Context, domain.PersonID) (bool, error)) (int, error) {
	list, err := database.All(ctx, s.read, scanPerson,
		`SELECT `+personColumns+` FROM people WHERE confirmed IS NULL AND host = 0 AND created < ? ORDER BY id`,
		millis(before))
	if err != nil {
		return 0, err
	}
	swept := 0
	for _, p := range list {
		known, err := named(ctx, p.ID)
		if err != nil {
			return swept, err
		}
		if known {
			continue
		}
		if err := s.Forget(ctx, p.ID); err != nil {
			return swept, err
		}
		swept++
	}
	return swept, nil
}
