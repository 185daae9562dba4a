package views

import (
	"context"
	"errors"
	"os"
)

// AnyIsFar makes the views write each table only once as soon as they are behind at all.
func (v *Views) AnyIsFar() { v.far = 0 }

// Unread makes the views treat their file as too large to check on opening.
func (v *Views) Unread() { v.unread = true }

// Forget leaves the rows as an older program wrote them, which did not note where a branch forked from.
func (v *Views) Forget(ctx context.Context) error {
	_, err := v.db.ExecContext(ctx, `UPDATE tables SET fork = ''`)
	return err
}

// Spoil overwrites all pages but the first behind SQLite's back, and has the views check again.
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
