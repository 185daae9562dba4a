package mail

import (
	"context"
	"fmt"
	"time"

	"posthorn/events"
	"posthorn/events/clock"
	"posthorn/events/database"
)

// Told tells what became of the mail about an ask: whether it still waits to go out, and else when
// it did. One that is not wanted, and one that nothing is known of, stands in nobody's way.
func (o *Outbox) Told(ctx context.Context, a events.Ask) (clock.Told, error) {
	type letter struct {
		state State
		done  int64
	}
	rows, err := database.All(ctx, o.db, func(row database.Row) (l letter, err error) {
		err = row.Scan(&l.state, &l.done)
		return l, err
	}, `SELECT state, done FROM outbox WHERE kind = ? AND person = ? AND table_name = ? AND stream = ? AND seat = ? AND decision = ? AND serial = ? AND since = ? ORDER BY id DESC LIMIT 1`,
		string(a.Kind), string(a.Person), a.Table.String(), a.Stream.String(), int(a.Open.Seat), a.Open.Kind, a.Open.Serial, a.Open.Since)
	if err != nil {
		return clock.Told{}, fmt.Errorf("mail queue: what became of a letter: %w", err)
	}
	if len(rows) == 0 {
		return clock.Told{}, nil
	}
	switch l := rows[0]; l.state {
	case StateNew, StateComposed, StateSending:
		return clock.Told{Waits: true}, nil
	case StateSent:
		return clock.Told{At: time.UnixMilli(l.done).UTC()}, nil
	default:
		return clock.Told{}, nil
	}
}
