package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/events"
	"posthorn/events/database"
)

// ErrOtherHouse is returned for a mail queue that belongs to another house.
var ErrOtherHouse = errors.New("the mail queue is of another house")

// mostTried is how many of a queue's oldest subjects are tried with this house's key.
const mostTried = 16

// Belongs checks that the queue is of the house with this log, and returns ErrOtherHouse if it is not. A queue that
// does not say yet whose it is says so from then on.
func (o *Outbox) Belongs(ctx context.Context, log events.Name) error {
	whose, err := database.Value[string](o.db.QueryRowContext(ctx, `SELECT log FROM house`))
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && whose == "":
		if err := o.opens(ctx); err != nil {
			return err
		}
		_, err = o.db.ExecContext(ctx, `INSERT INTO house (one, log, anew) VALUES (1, ?, 0)
			ON CONFLICT DO UPDATE SET log = excluded.log`, log.String())
	case err == nil && whose != log.String():
		return ErrOtherHouse
	}
	if err != nil {
		return fmt.Errorf("mail queue: whose it is: %w", err)
	}
	return nil
}

// opens returns ErrOtherHouse for a queue from before it said whose it is, if this house's key opens nothing in it.
func (o *Outbox) opens(ctx context.Context) error {
	sealed, err := database.All(ctx, o.db, database.Value[[]byte], `SELECT subject FROM thread LIMIT ?`, mostTried)
	if err != nil {
		return fmt.Errorf("mail queue: whose it is: %w", err)
	}
	for _, s := range sealed {
		if _, err := o.open(s); err == nil {
			return nil
		}
	}
	if len(sealed) > 0 {
		return ErrOtherHouse
	}
	return nil
}

// begins notes that the queue was made beside an older log.
func (o *Outbox) begins(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO house (one, log, anew) VALUES (1, '', 1) ON CONFLICT DO UPDATE SET anew = 1`)
	return err
}

// madeAnew reads whether the queue was made beside an older log, and nobody was reminded since.
func (o *Outbox) madeAnew(ctx context.Context) (bool, error) {
	return database.Value[bool](o.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM house WHERE anew = 1)`))
}

// written notes that everybody was written to about what is open.
func (o *Outbox) written(ctx context.Context) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE house SET anew = 0`); err != nil {
		return fmt.Errorf("mail queue: %w", err)
	}
	o.Fresh = false
	return nil
}
