package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Shrink makes a connection drop its cached pages. SQLite does that while it parses the statement, so a kept
// statement does it only once.
const Shrink = `PRAGMA shrink_memory`

// Rest makes the idle connections drop their cached pages. The system caches the pages, too.
func Rest(ctx context.Context, db *sql.DB) (err error) {
	var at []*sql.Conn
	defer func() {
		for _, c := range at {
			err = errors.Join(err, c.Close()) // back to the pool
		}
	}()
	for range db.Stats().Idle {
		c, err := db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("a connection at rest: %w", err)
		}
		at = append(at, c)
		err = c.Raw(func(driven any) error {
			if k, ok := driven.(*keeper); ok {
				_, err := k.fullConn.ExecContext(ctx, Shrink, nil)
				return err
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("forget pages: %w", err)
		}
	}
	return nil
}
