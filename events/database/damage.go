package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	lib "modernc.org/sqlite/lib"
)

// ErrUnsound is returned for a file that SQLite opens but that is inconsistent.
var ErrUnsound = errors.New("the file does not hold together")

// Damaged reports whether an error comes from a file that is not a database, or is inconsistent.
func Damaged(err error) bool {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		code := coded.Code() & 0xff
		return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB
	}
	return errors.Is(err, ErrUnsound)
}

// Check checks whether a file that could not be opened is damaged. It returns nil if nothing is wrong with the file
// itself.
func Check(ctx context.Context, path string) (err error) {
	db, err := Connect(path, "query_only(ON)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return Sound(ctx, db)
}

// Sound reads a file through, and returns ErrUnsound if it is inconsistent.
func Sound(ctx context.Context, db *sql.DB) error {
	said, err := Value[string](db.QueryRowContext(ctx, `PRAGMA quick_check(1)`))
	if err != nil {
		return fmt.Errorf("check the file: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", ErrUnsound, said)
	}
	return nil
}
