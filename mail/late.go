package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/clock"
	"posthorn/events/database"
	"posthorn/events/desk"
)

// Latest reports whether the latest letter to a person about a table was about an ask.
func (o *Outbox) Latest(ctx context.Context, a desk.Ask) (bool, error) {
	is, err := database.Value[bool](o.db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM thread WHERE table_name = ? AND person = ? AND latest = ?)`,
		a.Table.String(), string(a.Person), digestOfAsk(a)))
	if err != nil {
		return false, fmt.Errorf("mail queue: the latest letter to a person: %w", err)
	}
	return is, nil
}

// Superseded reports whether the latest letter to a person about a table was about something else than an ask, and when
// it went out; zero if that is not known.
func (o *Outbox) Superseded(ctx context.Context, a desk.Ask) (over bool, at time.Time, err error) {
	is, over, err := o.newer(ctx, a)
	return over, is.At, err
}

// newer returns what the latest letter to a person about a table is about, if that is something else than an ask.
func (o *Outbox) newer(ctx context.Context, a desk.Ask) (is about, ok bool, err error) {
	list, err := database.All(ctx, o.db, func(row database.Row) (text string, err error) {
		return text, row.Scan(&text)
	}, `SELECT coalesce(latest_ask, '{}') FROM thread WHERE table_name = ? AND person = ? AND latest <> ?`,
		a.Table.String(), string(a.Person), digestOfAsk(a))
	for _, text := range list {
		ok, err = true, json.Unmarshal([]byte(text), &is)
	}
	if err != nil {
		return is, ok, fmt.Errorf("mail queue: the latest letter to a person: %w", err)
	}
	return is, ok, nil
}

// digestOfAsk tells one table's letters to a person apart by what they are about: what a seat is asked since the same
// event has one letter.
func digestOfAsk(a desk.Ask) []byte {
	return digestOf("ask", fmt.Sprintf("%s|%d|%d", a.Stream, a.Open.Seat, a.Open.Since))
}

// noteLatest notes what the latest letter about a table is about, or each of several in one mail, and when it went out.
func noteLatest(ctx context.Context, tx *sql.Tx, n Notice, at time.Time) error {
	all := []Notice{n}
	if n.Kind.row().bundles() {
		if err := json.Unmarshal(n.Secret, &all); err != nil {
			return fmt.Errorf("digest: %w", err)
		}
	}
	for _, n := range all {
		if !n.Kind.row().optional() {
			continue // no event called for it: an earlier one is still the latest about the game
		}
		about, err := json.Marshal(about{n.Stream, n.Open, at})
		if err != nil {
			return fmt.Errorf("what a letter is about: %w", err)
		}
		if _, err := tx.ExecContext(ctx,
			`UPDATE thread SET latest = ?, latest_ask = ? WHERE table_name = ? AND person = ?`,
			digestOfAsk(n.ask()), string(about), n.Table.String(), string(n.Person)); err != nil {
			return err
		}
	}
	return nil
}

// about is what a letter is about, as the queue keeps it of the latest one, and when that went out.
type about struct {
	Stream events.Name
	Open   domain.Open
	At     time.Time `json:",omitzero"`
}

// replaced fills in what the latest letter to a letter's person is about if replies to this one's address come too
// late: they can be written to the address of that one.
func (o *Outbox) replaced(ctx context.Context, l Letter) (Letter, error) {
	is, over, err := o.newer(ctx, l.ask())
	if err == nil && over && l.Kind == KindReply {
		l.Latest = &Notice{Kind: KindReply, Person: l.Person, Table: l.Table, Stream: is.Stream, Open: is.Open}
	}
	return l, err
}

// Told returns what became of the first mail about an ask: whether it is still waiting to go out, or when it went. A
// mail that is not wanted, or that nothing is known about, holds nothing up.
func (o *Outbox) Told(ctx context.Context, a desk.Ask) (clock.Told, error) {
	type letter struct {
		state     State
		due, done int64
		id, tried int64
		note      string
		seen      int64
	}
	read := func(row database.Row) (l letter, err error) {
		err = row.Scan(&l.state, &l.due, &l.done, &l.id, &l.tried, &l.note, &l.seen)
		return l, err
	}
	const columns = `SELECT state, due, done, id, attempts, note, seen FROM outbox WHERE `
	rows, err := database.All(ctx, o.db, read, columns+`kind = ? AND `+ofAsk+` ORDER BY note = '`+askedAgain+
		`', id LIMIT 1`,
		aboutAsk(a, string(a.Kind))...)
	if err != nil {
		return clock.Told{}, fmt.Errorf("mail queue: what became of a letter: %w", err)
	}
	if len(rows) == 0 {
		return clock.Told{}, nil
	}
	l := rows[0]
	if l.state == StateDropped && l.note == inOneMail { // that is, the next digest to that person
		if rows, err = database.All(ctx, o.db, read,
			columns+`kind IN (`+listed(kindRow.bundles)+`) AND person = ? AND id > ? ORDER BY id LIMIT 1`,
			string(a.Person), l.id); err != nil {
			return clock.Told{}, fmt.Errorf("mail queue: what became of a letter: %w", err)
		}
		if len(rows) > 0 {
			l = rows[0]
		}
	}
	if l.seen > 0 {
		return clock.Told{At: time.UnixMilli(l.seen).UTC()}, nil // at the table's page
	}
	switch l.state {
	case StateNew, StateComposed, StateSending:
		if l.state == StateNew && l.tried == 0 && l.due > o.now().UnixMilli() {
			return clock.Told{}, nil // held until the person's own hour: nothing is wrong with sending
		}
		return clock.Told{Waits: true}, nil
	case StateSent:
		return clock.Told{At: time.UnixMilli(l.done).UTC()}, nil
	default:
		return clock.Told{}, nil
	}
}
