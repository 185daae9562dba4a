package people

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events"
)

// Sketch returns what a person tries out at a table, and how often it was saved; empty, and 0, if nothing.
func (s *Store) Sketch(ctx context.Context, id domain.PersonID, table events.Name) (out sketch.Sketch, revision int,
	err error) {
	var sealed []byte
	err = s.read.QueryRowContext(ctx, `SELECT sketch, revision FROM sketches WHERE person = ? AND at_table = ?`,
		key(id), table[:]).Scan(&sealed, &revision)
	if errors.Is(err, sql.ErrNoRows) {
		return out, 0, nil
	}
	if err != nil {
		return out, 0, fmt.Errorf("read a sketch: %w", err)
	}
	text, err := s.Decrypt(ctx, id, sealed)
	if err != nil {
		return out, 0, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return out, 0, fmt.Errorf("read a sketch: %w", err)
	}
	return out, revision, nil
}

// SetSketch replaces the sketch that was read at a revision. It refuses with "sketch-changed" if another was saved
// since.
func (s *Store) SetSketch(ctx context.Context, id domain.PersonID, table events.Name, next sketch.Sketch,
	revision int) error {
	text, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("keep a sketch: %w", err)
	}
	sealed, err := s.Encrypt(ctx, id, text)
	if err != nil {
		return err
	}
	return s.change(ctx, "keep a sketch", func(tx *sql.Tx) error {
		var res sql.Result
		var err error
		if revision == 0 {
			res, err = tx.ExecContext(ctx,
				`INSERT INTO sketches (person, at_table, sketch, revision) VALUES (?,?,?,1) ON CONFLICT DO NOTHING`,
				key(id), table[:], sealed)
		} else {
			res, err = tx.ExecContext(ctx,
				`UPDATE sketches SET sketch = ?, revision = revision + 1 WHERE person = ? AND at_table = ? AND revision = ?`, sealed, key(id), table[:], revision)
		}
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return domain.Refuse("sketch-changed")
	})
}
