package people

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"posthorn/events"
)

// settingLog is where the name of the log that these people play in is kept.
const settingLog = "log"

// LogName is the name of the log that these people play in; ok is false in a file that was
// never beside one.
func (s *Store) LogName(ctx context.Context) (name events.Name, ok bool, err error) {
	var text string
	err = s.read.QueryRowContext(ctx, `SELECT value FROM settings WHERE key = ?`, settingLog).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return name, false, nil
	}
	if err == nil {
		name, err = events.ParseName(text)
	}
	if err != nil {
		return name, false, fmt.Errorf("whose people these are: %w", err)
	}
	return name, true, nil
}

// SetLogName notes which log these people play in.
func (s *Store) SetLogName(ctx context.Context, name events.Name) error {
	return s.change(ctx, "note whose people these are", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)`, settingLog, hex.EncodeToString(name[:]))
		return err
	})
}

// Anybody tells whether the file knows anybody.
func (s *Store) Anybody(ctx context.Context) (yes bool, err error) {
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM people)`).Scan(&yes); err != nil {
		return false, fmt.Errorf("look for people: %w", err)
	}
	return yes, nil
}
