package views

import (
	"context"
	"errors"
	"os"
)

// Spoil overwrites all pages but the first behind SQLite's back, and lets it look again.
func (v *Views) Spoil(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return err
	}
	v.db.SetMaxIdleConns(0)
	v.db.SetMaxIdleConns(1)
	f, err := os.OpenFile(v.path(v.number), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, 2)
	if err == nil {
		_, err = f.WriteAt(make([]byte, size-4096), 4096)
	}
	return errors.Join(err, f.Close())
}
