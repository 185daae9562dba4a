package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Shrink has a connection forget the pages that it keeps. SQLite does that while it reads the statement, so one that is kept
// does it once.
const Shrink = `PRAGMA shrink_memory`

// Rest has those connections forget their pages that nobody uses now. The system keeps the pages, too.
func Rest(ctx context.Context, db *sql.DB) (err error) {
	var at []*sql.Conn
	defer func() {
		for _, c := range at {
			err = errors.Join(err, c.Close()) // back to the others
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
