package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Watch reports whether a file was changed by any process.
type Watch struct {
	db      *sql.DB
	conn    *sql.Conn
	known   bool
	version int64
}

// NewWatch starts to watch an existing file.
func NewWatch(ctx context.Context, path string) (*Watch, error) {
	db, err := Connect(path, "query_only(ON)")
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx) // the answers hold for this connection only
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watch %s: %w", path, err), db.Close())
	}
	return &Watch{db: db, conn: conn}, nil
}

// Changed reports whether the file was changed since the last call; the first call always reports true.
func (w *Watch) Changed(ctx context.Context) (bool, error) {
	version, err := Value[int64](w.conn.QueryRowContext(ctx, `PRAGMA data_version`))
	if err != nil {
		w.known = false
		return false, fmt.Errorf("has a database changed: %w", err)
	}
	changed := !w.known || version != w.version
	w.known, w.version = true, version
	return changed, nil
}

// Close ends the watch.
func (w *Watch) Close() error { return errors.Join(w.conn.Close(), w.db.Close()) }
