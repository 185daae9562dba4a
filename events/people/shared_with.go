package people

import (
	"context"
	"database/sql"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// MaxSharedWith is how many people a study may be shared with, and MaxSharedTo how many studies may be on somebody's
// list.
const (
	MaxSharedWith = 50
	MaxSharedTo   = 200
)

// ShareWith lets a person look at a study of its maker's. It refuses with share-many.
func (s *Store) ShareWith(ctx context.Context, maker domain.PersonID, study events.Name, person domain.PersonID) error {
	return s.change(ctx, "share a study with somebody", func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM shared_with WHERE at_table = ? AND person <> ?`,
			study[:], key(person)).Scan(&n); err != nil {
			return err
		}
		if n >= MaxSharedWith {
			return domain.Refuse("share-many", "n", MaxSharedWith)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO shared_with (at_table, maker, person) VALUES (?,?,?) ON CONFLICT DO NOTHING`, study[:], key(maker), key(person))
		return err
	})
}

// ShareNoMore stops sharing a study with a person.
func (s *Store) ShareNoMore(ctx context.Context, maker domain.PersonID, study events.Name,
	person domain.PersonID) error {
	return s.exec(ctx, "share a study with somebody no longer",
		`DELETE FROM shared_with WHERE at_table = ? AND person = ? AND maker = ?`, study[:], key(person), key(maker))
}

// SharedWith lists the people a study is shared with, by name.
func (s *Store) SharedWith(ctx context.Context, study events.Name) ([]domain.PersonID, error) {
	return s.sharing(ctx, `SELECT person FROM shared_with WHERE at_table = ? ORDER BY person`, study[:])
}

// SharedTo lists the studies that others share with a person.
func (s *Store) SharedTo(ctx context.Context, person domain.PersonID) ([]events.Name, error) {
	ids, err := s.sharing(ctx, `SELECT at_table FROM shared_with WHERE person = ? ORDER BY at_table LIMIT ?`,
		key(person), MaxSharedTo)
	out := make([]events.Name, len(ids))
	for i, id := range ids {
		if out[i], err = events.ParseName(string(id)); err != nil {
			return nil, fmt.Errorf("studies shared with somebody: %w", err)
		}
	}
	return out, err
}

// sharing reads 16-byte names.
func (s *Store) sharing(ctx context.Context, query string, args ...any) (out []domain.PersonID, err error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("with whom a study is shared: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id []byte
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("with whom a study is shared: %w", err)
		}
		out = append(out, domain.PersonID(events.Name(id).String()))
	}
	return out, rows.Err()
}
