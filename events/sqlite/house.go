package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"posthorn/events"
)

// House says whose log a file is.
type House struct {
	Name events.Name // by which other files of the house know the log
	Key  events.Hash // fingerprint of the server's key that seals its secret parts
}

// House reads whose log this is; ok is false in a log that does not say so yet.
func (l *Log) House(ctx context.Context) (h House, ok bool, err error) {
	h, err = reading(ctx, l, func(r *reader) (h House, err error) {
		there, err := r.c.prepare(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'house'`)
		if err != nil {
			return h, err
		}
		if n, err := there.number(); err != nil || n == 0 {
			return h, err // a log that was made before, and is only read
		}
		read, err := r.c.prepare(`SELECT name, key FROM house`)
		if err != nil {
			return h, err
		}
		ok, err = read.one(func(row []driver.Value) error {
			name, _ := row[0].([]byte)
			key, _ := row[1].([]byte)
			if len(name) != len(h.Name) || len(key) != len(h.Key) {
				return fmt.Errorf("whose log this is: %w", errDamaged)
			}
			h.Name, h.Key = events.Name(name), events.Hash(key)
			return nil
		})
		return h, err
	})
	return h, ok, err
}

// SetHouse writes whose log this is, once and for ever.
func (l *Log) SetHouse(ctx context.Context, h House) error {
	err := l.alone(ctx, func(w *writer) error {
		set, err := w.c.prepare(`INSERT INTO house (one, name, key) VALUES (1, ?, ?)`)
		if err != nil {
			return err
		}
		_, err = set.exec(h.Name[:], h.Key[:])
		return err
	})
	if err != nil {
		return fmt.Errorf("note whose log this is: %w", err)
	}
	return nil
}

// Settle moves all of a log that nobody has open into the one file, durably, so that it may
// be renamed.
func Settle(path string) (err error) {
	c, err := connect(dsn(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	move, err := c.prepare(`PRAGMA wal_checkpoint(TRUNCATE)`)
	if err != nil {
		return err
	}
	busy, err := move.number()
	if err == nil && busy != 0 {
		err = errors.New("the log is open elsewhere")
	}
	return err
}
