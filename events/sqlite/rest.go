package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"posthorn/events/database"
)

// restKnown is how many streams are remembered by a log at rest.
const restKnown = 16

// Rest gives back the memory that is only there to make the next reading faster: pages of the file, which the system keeps too,
// and what is remembered of most streams.
func (l *Log) Rest(ctx context.Context) error {
	l.known.byName.Trim(restKnown)
	l.known.byID.Trim(restKnown)
	l.heads.Trim(restKnown)
	var errs []error
	if l.queue != nil {
		errs = append(errs, l.alone(ctx, func(w *writer) error {
			w.heads.Trim(restKnown)
			return w.c.shrink(ctx)
		}))
	}
	for range readers {
		select {
		case r := <-l.free:
			if r != nil {
				errs = append(errs, r.c.shrink(ctx))
			}
			l.free <- r
		default: // in use
		}
	}
	return errors.Join(errs...)
}

// shrink has a connection forget the pages that it keeps.
func (c *conn) shrink(ctx context.Context) error {
	if _, err := c.c.(driver.ExecerContext).ExecContext(ctx, database.Shrink, nil); err != nil {
		return fmt.Errorf("forget pages of the log: %w", err)
	}
	return nil
}
