package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// SetShared notes whether a study's maker lets anybody with its link look at it.
func (s *Store) SetShared(ctx context.Context, id domain.PersonID, study events.Name, on bool) error {
	if on {
		return s.exec(ctx, "share a study", `INSERT INTO shared (at_table, person) VALUES (?,?) ON CONFLICT DO NOTHING`,
			study[:], key(id))
	}
	return s.exec(ctx, "share a study no longer", `DELETE FROM shared WHERE at_table = ? AND person = ?`, study[:],
		key(id))
}

// Shared reports whether a study is shared.
func (s *Store) Shared(ctx context.Context, study events.Name) (bool, error) {
	_, err := database.Value[int](s.read.QueryRowContext(ctx, `SELECT 1 FROM shared WHERE at_table = ?`, study[:]))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("is a study shared: %w", err)
	}
	return true, nil
}
