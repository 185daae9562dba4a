package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/events"
	"posthorn/events/database"
)

// Standing says how the queue stands with the next server. A fault of the session says nothing about a letter: the
// whole queue then waits, and one letter at a time tests whether sending works again.
type Standing struct {
	Since   time.Time // since when the server has taken no mail at all; zero if it takes mail
	Why     string    // the last fault, without addresses
	Tries   int       // since then
	Next    time.Time // the next try
	Letters int       // waiting to go out now, or for another try; not those that are due later
	SignIns int       // how many of these are sign-ins
	Later   int       // letters that are due later
	Held    int       // that wait because their people are at the tables' pages
	Tables  []events.Name
}

// Stopped reports whether the whole queue waits.
func (s Standing) Stopped() bool { return !s.Since.IsZero() }

// Names lists some of the tables that waiting letters are about.
func (s Standing) Names() string {
	const most = 10
	var names []string
	for _, t := range s.Tables[:min(most, len(s.Tables))] {
		names = append(names, t.String())
	}
	if more := len(s.Tables) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// Pauses between tries of a server that takes no mail: a minute more each time, up to five.
const (
	probePause    = time.Minute
	longestProbes = 5
)

// waits is whether a letter is due or was tried already, for SQL.
const waits = `state IN ('new','composed','sending') AND (state <> 'new' OR attempts > 0 OR due <= ?)`

// Standing returns how the queue stands.
func (o *Outbox) Standing(ctx context.Context) (Standing, error) {
	s, err := o.circuit(ctx)
	if err != nil {
		return s, err
	}
	now := o.now().UnixMilli()
	s.Tables, err = database.All(ctx, o.db, func(row database.Row) (n events.Name, err error) {
		var text string
		if err := row.Scan(&text); err != nil {
			return n, err
		}
		return n, n.UnmarshalText([]byte(text))
	}, `SELECT table_name FROM outbox WHERE `+waits+` AND kind <> 'sign-in' GROUP BY table_name ORDER BY min(id)`, now)
	if err == nil {
		err = o.db.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE kind = 'sign-in'),
			(SELECT count(*) FROM outbox WHERE state = 'new' AND attempts = 0 AND due > ?) FROM outbox WHERE `+waits, now,
			now).Scan(&s.Letters, &s.SignIns, &s.Later)
	}
	if err == nil {
		s.Held, err = database.Value[int](o.db.QueryRowContext(ctx,
			`SELECT count(*) FROM outbox WHERE state = 'new' AND due > ? AND note = '`+atTheTable+`'`, now))
	}
	if err != nil {
		return s, fmt.Errorf("mail queue: what waits: %w", err)
	}
	return s, nil
}

// circuit returns the part of the standing that is about the server.
func (o *Outbox) circuit(ctx context.Context) (s Standing, err error) {
	var since, next int64
	err = o.db.QueryRowContext(ctx, `SELECT since, why, tries, next FROM circuit`).Scan(&since, &s.Why, &s.Tries, &next)
	if errors.Is(err, sql.ErrNoRows) {
		return Standing{}, nil
	}
	if err != nil {
		return s, fmt.Errorf("mail queue: circuit: %w", err)
	}
	s.Since, s.Next = time.UnixMilli(since), time.UnixMilli(next)
	return s, nil
}

// broke notes that the server takes no mail, and returns when to try again.
func (o *Outbox) broke(ctx context.Context, why error) (Standing, error) {
	s, err := o.circuit(ctx)
	if err != nil {
		return s, err
	}
	now := o.now()
	if s.Since.IsZero() {
		s.Since = now
	}
	s.Tries++
	s.Why, s.Next = withoutAddresses(why.Error()), now.Add(probePause*time.Duration(min(s.Tries, longestProbes)))
	if _, err := o.db.ExecContext(ctx,
		`INSERT OR REPLACE INTO circuit (one, since, why, tries, next) VALUES (1,?,?,?,?)`,
		s.Since.UnixMilli(), s.Why, s.Tries, s.Next.UnixMilli()); err != nil {
		return s, fmt.Errorf("mail queue: circuit: %w", err)
	}
	return s, nil
}

// works notes that the server takes mail again.
func (o *Outbox) works(ctx context.Context) error {
	if _, err := o.db.ExecContext(ctx, `DELETE FROM circuit`); err != nil {
		return fmt.Errorf("mail queue: circuit: %w", err)
	}
	return nil
}

// SignInLasts is how long a sign-in mail is useful: as long as its link.
const SignInLasts = 15 * time.Minute

// expire drops letters that are no longer of use, whatever was to happen to them. Its condition is worded as the index
// is, for it runs each time that letters are taken.
func (o *Outbox) expire(ctx context.Context) error {
	_, err := o.db.ExecContext(ctx,
		`UPDATE outbox SET state = 'dropped', bytes = NULL, secret = NULL, note = 'expired', done = ?
		WHERE (kind <> 'sign-in') = 0 AND state IN ('new','composed','sending') AND made <= ?`, o.now().UnixMilli(), o.now().Add(-SignInLasts).UnixMilli())
	if err != nil {
		return fmt.Errorf("mail queue: expired letters: %w", err)
	}
	return nil
}
