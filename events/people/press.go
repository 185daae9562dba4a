package people

import (
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
	Other  bool      // it was pressed in another browser before
	Moved  time.Time // when a page last sent a move; zero for never
	Way    string    // what proved that it was theirs: "link", "lent" or "session"
	Device string    // what the browser calls itself
}

// Pressed returns what is known of how a person's seat at a table is used.
func (s *Store) Pressed(ctx context.Context, id domain.PersonID, table events.Name) (Press, error) {
	p, _, err := pressed(ctx, s.read, id, table)
	return p, err
}

func pressed(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, id domain.PersonID, table events.Name) (p Press, browser []byte, err error) {
	var first, moved int64
	err = db.QueryRowContext(ctx, `SELECT letter, browser, first, moved, way, device FROM presses WHERE person = ? AND at_table = ?`, key(id), table[:]).
		Scan(&p.Letter, &browser, &first, &moved, &p.Way, &p.Device)
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil, nil
	}
	if err != nil {
		return p, nil, fmt.Errorf("how a seat is used: %w", err)
	}
	p.First = moment(first)
	if moved > 0 {
		p.Moved = moment(moved)
	}
	return p, browser, nil
}

// Press notes that the link of a person's letter was pressed in a browser, which its secret identifies, and returns
// what holds then. Pressing an older letter changes nothing. Only the secret's digest is kept.
func (s *Store) Press(ctx context.Context, id domain.PersonID, table events.Name, letter uint64, secret string) (p Press, err error) {
	err = s.change(ctx, "note a press", func(tx *sql.Tx) error {
		last, browser, err := pressed(ctx, tx, id, table)
		if err != nil {
			return err
		}
		switch p = last; {
		case letter < p.Letter:
			return nil
		case letter == p.Letter && browser != nil:
			p.Other = string(browser) != string(hashed(secret))
			return nil
		}
		p.Letter, p.First = letter, moment(millis(s.now()))
		_, err = tx.ExecContext(ctx, `INSERT INTO presses (person, at_table, letter, browser, first) SELECT id, ?, ?, ?, ? FROM people WHERE id = ?
			ON CONFLICT DO UPDATE SET letter = excluded.letter, browser = excluded.browser, first = excluded.first`,
			table[:], letter, hashed(secret), millis(p.First), key(id))
		return err
	})
	return p, err
}

// Move notes how a person's move came in from a page, as an answer to what a letter asks: what an older letter lent is over.
func (s *Store) Move(ctx context.Context, id domain.PersonID, table events.Name, letter uint64, way, device string) error {
	return s.exec(ctx, "note how a move came in", `INSERT INTO presses (person, at_table, letter, moved, way, device) SELECT id, ?, ?, ?, ?, ? FROM people WHERE id = ?
		ON CONFLICT DO UPDATE SET moved = excluded.moved, way = excluded.way, device = excluded.device,
		browser = iif(excluded.letter > letter, NULL, browser), first = iif(excluded.letter > letter, 0, first), letter = max(letter, excluded.letter)`,
		table[:], letter, millis(s.now()), way, device[:min(len(device), maxLabel)], key(id))
}
