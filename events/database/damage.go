package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	lib "modernc.org/sqlite/lib"
)

// ErrUnsound is an error of a file that SQLite opens, and that does not hold together.
var ErrUnsound = errors.New("the file does not hold together")

// Damaged reports whether an error is of a file that is no database, or does not hold together.
func Damaged(err error) bool {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		code := coded.Code() & 0xff
		return code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB
	}
	return errors.Is(err, ErrUnsound)
}

// Check looks whether a file that could not be opened for some reason is damaged. It is nil where nothing is
// wrong with the file itself.
func Check(ctx context.Context, path string) (err error) {
	db, err := Connect(path, "query_only(ON)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return Sound(ctx, db)
}

// Sound reads a file through, and is an ErrUnsound if it does not hold together.
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
