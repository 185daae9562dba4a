package people

import (
	"context"
	"database/sql"
	"encoding/hex"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// maxSharedWith is how many people a study may be shared with, and maxSharedTo how many studies may be on somebody's
// list.
const (
	maxSharedWith = 50
	maxSharedTo   = 200
)

// ShareWith lets a person look at a study of its maker's. It refuses with share-many.
func (s *Store) ShareWith(ctx context.Context, maker domain.PersonID, study events.Name, person domain.PersonID) error {
	return s.share(ctx, study,
		`INSERT INTO shared_with (at_table, maker, person) VALUES (?,?,?) ON CONFLICT DO NOTHING`, study[:], key(maker), key(person))
}

// ShareWithAddress lets whoever has an address look at a study of its maker's. It refuses with share-many.
func (s *Store) ShareWithAddress(ctx context.Context, maker domain.PersonID, study events.Name, a Address) error {
	return s.share(ctx, study, `INSERT INTO shared_by_address (at_table, maker, mailbox, typed) VALUES (?,?,?,?)
		ON CONFLICT DO NOTHING`, study[:], key(maker), a.mailbox(), string(a))
}

func (s *Store) share(ctx context.Context, study events.Name, query string, args ...any) error {
	return s.change(ctx, "share a study with somebody", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM shared_with WHERE at_table = ?1) +
			(SELECT count(*) FROM shared_by_address WHERE at_table = ?1)`, study[:]).Scan(&n); err != nil {
			return err
		}
		if n > maxSharedWith {
			return domain.Refuse("share-many", "n", maxSharedWith)
		}
		return nil
	})
}

// ShareNoMore stops sharing a study with a person.
func (s *Store) ShareNoMore(ctx context.Context, maker domain.PersonID, study events.Name,
	person domain.PersonID) error {
	return s.exec(ctx, "share a study with somebody no longer",
		`DELETE FROM shared_with WHERE at_table = ? AND person = ? AND maker = ?`, study[:], key(person), key(maker))
}

// ShareWithAddressNoMore stops sharing a study with whoever has an address.
func (s *Store) ShareWithAddressNoMore(ctx context.Context, maker domain.PersonID, study events.Name, a Address) error {
	return s.exec(ctx, "share a study with somebody no longer",
		`DELETE FROM shared_by_address WHERE at_table = ? AND mailbox = ? AND maker = ?`, study[:], a.mailbox(),
		key(maker))
}

// IsSharedWith reports whether a study is shared with a person or their address.
func (s *Store) IsSharedWith(ctx context.Context, study events.Name, person domain.PersonID) (bool, error) {
	return value[bool](s.read.QueryRowContext(ctx, `SELECT
		EXISTS (SELECT 1 FROM shared_with WHERE at_table = ?2 AND person = ?1) OR
		EXISTS (SELECT 1 FROM shared_by_address WHERE at_table = ?2 AND mailbox IN `+mailboxes+`)`,
		key(person), study[:]), "with whom a study is shared")
}

// SharedWithAddresses lists the addresses a study is shared with, as its maker typed them.
func (s *Store) SharedWithAddresses(ctx context.Context, study events.Name) ([]Address, error) {
	return database.All(ctx, s.read, database.Value[Address],
		`SELECT typed FROM shared_by_address WHERE at_table = ? ORDER BY mailbox`, study[:])
}

// SharedWith lists the people a study is shared with, by name.
func (s *Store) SharedWith(ctx context.Context, study events.Name) ([]domain.PersonID, error) {
	return database.All(ctx, s.read, func(row database.Row) (domain.PersonID, error) {
		id, err := database.Value[[]byte](row)
		return domain.PersonID(hex.EncodeToString(id)), err
	}, `SELECT person FROM shared_with WHERE at_table = ? ORDER BY person`, study[:])
}

// SharedTo lists the studies that others share with a person.
func (s *Store) SharedTo(ctx context.Context, person domain.PersonID) ([]events.Name, error) {
	return database.All(ctx, s.read, func(row database.Row) (n events.Name, err error) {
		id, err := database.Value[[]byte](row)
		copy(n[:], id)
		return n, err
	}, `SELECT at_table FROM shared_with WHERE person = ?1 UNION
		SELECT at_table FROM shared_by_address WHERE mailbox IN `+mailboxes+` ORDER BY at_table LIMIT ?2`,
		key(person), maxSharedTo)
}
