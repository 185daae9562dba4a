package database

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Copy copies a file as it stands at one moment, for its owner alone, even while somebody else writes to it. The copy
// is one file, without a -wal beside it; to must not exist yet.
func Copy(ctx context.Context, from, to string) (err error) {
	if _, err := os.Stat(from); err != nil { // otherwise SQLite would create it
		return err
	}
	if f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	} else if err := f.Close(); err != nil {
		return err
	}
	db, err := Connect(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return fmt.Errorf("copy a database: %w", err)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
