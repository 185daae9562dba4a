package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"posthorn/events/database"
)

// restKnown is how many streams a log at rest remembers.
const restKnown = 16

// Rest frees the memory that only makes the next reads faster: pages of the file, which the system caches too, and
// what is remembered of most streams.
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

// shrink makes a connection drop its cached pages.
func (c *conn) shrink(ctx context.Context) error {
	if _, err := c.c.(driver.ExecerContext).ExecContext(ctx, database.Shrink, nil); err != nil {
		return fmt.Errorf("forget pages of the log: %w", err)
	}
	return nil
}
