package people

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// Press is what is known of how a person's seat at a table is used: the latest letter that was acted on, and how their
// last move came in from a page.
type Press struct {
	Letter uint64    // orders a person's letters about a table; 0 if none was acted on
	First  time.Time // when that letter's link was pressed first; zero if what it asked was answered otherwise
	// when the letter was first pressed by which another browser was lent the seat until now; zero for none
	Lost   time.Time
	Other  bool      // it was pressed in another browser before, which it lends the seat no longer
	Moved  time.Time // when a page last sent a move; zero for never
	Way    string    // what proved that it was theirs
	Device string    // what the browser calls itself
	held   time.Time // since when the browser in which it was pressed last has been the one with the latest letter
}

// Pressed returns what is known of how a person's seat at a table is used.
func (s *Store) Pressed(ctx context.Context, id domain.PersonID, table events.Name) (Press, error) {
	p, _, err := pressed(ctx, s.read, id, table)
	return p, err
}

func pressed(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, id domain.PersonID, table events.Name) (p Press, browser []byte, err error) {
	var first, moved, held int64
	err = db.QueryRowContext(ctx, `SELECT letter, browser, first, held, moved, way, device FROM presses WHERE person = ? AND at_table = ?`, key(id), table[:]).
		Scan(&p.Letter, &browser, &first, &held, &moved, &p.Way, &p.Device)
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil, nil
	}
	if err != nil {
		return p, nil, fmt.Errorf("how a seat is used: %w", err)
	}
	p.First, p.held = moment(first), moment(held)
	if moved > 0 {
		p.Moved = moment(moved)
	}
	return p, browser, nil
}

// Lends reports whether what a person's letter lent to a browser, which its secret identifies, still stands as far as
// their presses go: no later letter was acted on, nothing was done signed in, and the letter was pressed in no other
// browser since. It returns since when no other browser was lent the seat.
func (s *Store) Lends(ctx context.Context, id domain.PersonID, table events.Name, letter uint64,
	secret string) (since time.Time, lent bool, err error) {
	p, browser, err := pressed(ctx, s.read, id, table)
	return p.held, err == nil && p.Letter == letter && secret != "" && bytes.Equal(browser, hashed(secret)), err
}

// Press notes that the link of a person's letter was pressed at a time in a browser, which its secret identifies, and
// returns what holds then. Pressing an older letter changes nothing. Only the secret's digest is kept.
func (s *Store) Press(ctx context.Context, id domain.PersonID, table events.Name, letter uint64, secret string,
	at time.Time) (p Press, err error) {
	err = s.change(ctx, "note a press", func(tx *sql.Tx) error {
		if err := s.alive(ctx, tx, id); err != nil {
			return err
		}
		last, browser, err := pressed(ctx, tx, id, table)
		if err != nil {
			return err
		}
		p = last
		same, here := letter == p.Letter && browser != nil, bytes.Equal(browser, hashed(secret))
		if letter < p.Letter || same && here {
			return nil
		}
		if browser != nil && !here {
			p.Lost = p.First
		}
		p.Letter, p.Other = letter, same
		if !same {
			p.First = moment(millis(s.now()))
		}
		if !here {
			p.held = at
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO presses (person, at_table, letter, browser, first, held) SELECT id, ?, ?, ?, ?, ? FROM people WHERE id = ?
			ON CONFLICT DO UPDATE SET letter = excluded.letter, browser = excluded.browser, first = excluded.first, held = excluded.held`,
			table[:], letter, hashed(secret), millis(p.First), millis(p.held), key(id))
		return err
	})
	return p, err
}

// The ways in which a move comes in from a page: what proves whose it is.
const (
	WayLink    = "link"    // the link of a mail
	WayLent    = "lent"    // a seat that the browser was lent
	WaySession = "session" // signed in
)

// Move notes how a person's move came in from a page, as an answer to what a letter asks: what an older letter lent is
// over, and once they are signed in, what any lent. For a link's letter, 0: Press notes that.
func (s *Store) Move(ctx context.Context, id domain.PersonID, table events.Name, letter uint64, way,
	device string) error {
	return s.exec(ctx, "note how a move came in",
		`INSERT INTO presses (person, at_table, letter, moved, way, device) SELECT id, ?, ?, ?, ?, ? FROM people WHERE id = ?
		ON CONFLICT DO UPDATE SET moved = excluded.moved, way = excluded.way, device = excluded.device,
		browser = iif(excluded.letter > letter OR excluded.way = '`+WaySession+`', NULL, browser),
		first = iif(excluded.letter > letter, 0, first), letter = max(letter, excluded.letter)`,
		table[:], letter, millis(s.now()), way, device[:min(len(device), maxLabel)], key(id))
}

// Acted notes that a person did something else at a table signed in, at the time of a letter about that: what was lent
// before is over.
func (s *Store) Acted(ctx context.Context, id domain.PersonID, table events.Name, letter uint64) error {
	return s.exec(ctx, "note what was done at a table",
		`INSERT INTO presses (person, at_table, letter) SELECT id, ?, ? FROM people WHERE id = ?
		ON CONFLICT DO UPDATE SET browser = NULL, first = 0, letter = max(letter, excluded.letter)`, table[:], letter, key(id))
}
