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

// MaxNote is the longest note, in bytes.
const MaxNote = 8000

// SetNote replaces a person's private note at a table. It refuses with note-long.
func (s *Store) SetNote(ctx context.Context, id domain.PersonID, table events.Name, text string) error {
	if len(text) > MaxNote {
		return domain.Refuse("note-long", "n", MaxNote)
	}
	if text == "" {
		return s.exec(ctx, "take a note away", `DELETE FROM notes WHERE person = ? AND at_table = ?`, key(id), table[:])
	}
	sealed, err := s.Encrypt(ctx, id, []byte(text))
	if err != nil {
		return err
	}
	return s.exec(ctx, "keep a note",
		`INSERT INTO notes (person, at_table, note) VALUES (?,?,?) ON CONFLICT DO UPDATE SET note = excluded.note`,
		key(id), table[:], sealed)
}

// Note returns a person's private note at a table; "" for none.
func (s *Store) Note(ctx context.Context, id domain.PersonID, table events.Name) (string, error) {
	sealed, err := database.Value[[]byte](s.read.QueryRowContext(ctx,
		`SELECT note FROM notes WHERE person = ? AND at_table = ?`, key(id), table[:]))
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read a note: %w", err)
	}
	text, err := s.Decrypt(ctx, id, sealed)
	return string(text), err
}
