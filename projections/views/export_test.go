package views

import (
	"context"
	"errors"
	"os"
)

// AnyIsFar lets the views write each table once as soon as they are behind at all.
func (v *Views) AnyIsFar() { v.far = 0 }

// Unread lets the views take their file for one that was too large to be read whole when it was opened.
func (v *Views) Unread() { v.unread = true }

// Forget leaves the rows as a program wrote them that did not note where a branch forked from.
func (v *Views) Forget(ctx context.Context) error {
	_, err := v.db.ExecContext(ctx, `UPDATE tables SET fork = ''`)
	return err
}

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
