package mail

import (
	"context"
	"errors"
	"net"

	"posthorn/events"
	"posthorn/events/database"
)

// Dropped reports whether an error says that a letter is not needed, and why.
func Dropped(err error) (why string, ok bool) {
	var gone errGone
	ok = errors.As(err, &gone)
	return gone.why, ok
}

// Exec changes the queue's file behind the queue's back.
func (o *Outbox) Exec(ctx context.Context, query string) error {
	_, err := o.db.ExecContext(ctx, query)
	return err
}

// SizeOfBytes returns how many octets of letters the queue holds.
func (o *Outbox) SizeOfBytes(ctx context.Context) (n int, err error) {
	err = o.db.QueryRowContext(ctx,
		`SELECT coalesce(sum(length(bytes)),0) + coalesce(sum(length(secret)),0) FROM outbox`).Scan(&n)
	return n, err
}

// Tidies takes what is over out of the queue.
func (s *Sender) Tidies(ctx context.Context) error { return s.tidies(ctx) }

// FileSize returns how long the queue's file is, with all that was written in it.
func (o *Outbox) FileSize(ctx context.Context) (n int64, err error) {
	if _, err := o.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return 0, err
	}
	err = o.db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`).
		Scan(&n)
	return n, err
}

// TablesOf lists the tables that the queue has letters about to a person.
func (o *Outbox) TablesOf(ctx context.Context, person string) ([]events.Name, error) {
	return database.All(ctx, o.db, func(row database.Row) (n events.Name, err error) {
		var text string
		if err = row.Scan(&text); err == nil {
			err = n.UnmarshalText([]byte(text))
		}
		return n, err
	}, `SELECT DISTINCT table_name FROM outbox WHERE person = ?`, person)
}

// Wrap breaks a sentence into lines.
var Wrap = wrap

// ExampleOf returns the text that plays one of the moves in a mail's list.
var ExampleOf = exampleOf

// DialBy makes SMTP connect to servers by some means other than the network.
func (s *SMTP) DialBy(dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	s.server.dial = dial
}

// StopsHere reports whether the link in a mail stops its kind at one table.
func (k Kind) StopsHere() bool { return k.row().stops == stopsTable }

// Told reports whether a mail is about a table where nothing called for it.
func (k Kind) Told() bool { return k.row().told() }

// Asks reports whether a mail says what a table asks for the first time.
func (k Kind) Asks() bool { return k.row().asked }

// Reminds reports whether a mail repeats what an earlier one was about.
func (k Kind) Reminds() bool { return k.row().reminds() }
