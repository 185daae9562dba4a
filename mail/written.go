package mail

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"posthorn/events/database"
)

// thread fills in what earlier letters left for a new one: the subject to continue under, how far they told what
// people did, what they showed, and what was asked and not mailed.
func (o *Outbox) thread(ctx context.Context, l Letter) (Letter, error) {
	var sealed []byte
	var told sql.NullInt64
	var err error
	if l.Unmailed, err = o.notMailed(ctx, l); err != nil {
		return l, err
	}
	if l.Kept, err = o.kept(ctx, o.db, l.Person, l.Table); err != nil {
		return l, err
	}
	err = o.db.QueryRowContext(ctx, `SELECT subject, told, coalesce(shown_line, ''), coalesce(shown, 0) FROM thread
		WHERE table_name = ? AND person = ?`, l.Table.String(), string(l.Person)).Scan(&sealed, &told, &l.Shown.Line, &l.Shown.Version)
	if errors.Is(err, sql.ErrNoRows) && !l.Table.IsZero() {
		l.Others, err = database.All(ctx, o.db, func(row database.Row) (string, error) {
			var sealed []byte
			err := row.Scan(&sealed)
			plain, _ := o.open(sealed) // under an old key it is no longer known
			return string(plain), err
		}, `SELECT subject FROM thread WHERE person = ?`, string(l.Person))
		return l, err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return l, nil
	}
	if err != nil {
		return l, fmt.Errorf("mail queue: thread of letter %d: %w", l.ID, err)
	}
	if plain, err := o.open(sealed); err == nil { // under a new key a new thread begins
		l.Subject = string(plain)
	}
	l.Told = math.MaxUint64 // for a row older than this column, so that nothing is told twice
	if told.Valid {
		l.Told = uint64(told.Int64)
	}
	return o.replaced(ctx, l)
}

// composed stores a letter's bytes, its recipient, how much it tells, and the subject for later letters about the
// table.
func (o *Outbox) composed(ctx context.Context, l Letter, w Written) error {
	return o.change(ctx, fmt.Sprintf("letter %d", l.ID), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE outbox SET state = 'composed', message_id = ?, bytes = ?,
			shown_line = nullif(?, ''), shown = nullif(?, 0) WHERE id = ?`,
			w.MessageID, o.close(append(fmt.Appendf(nil, "%s %d\n", w.To, w.Told), w.Message...)),
			w.Shown.Line, w.Shown.Version, l.ID)
		if err == nil && !l.Table.IsZero() {
			_, err = tx.ExecContext(ctx, `INSERT INTO thread (table_name, person, subject, told) VALUES (?,?,?,0)
				ON CONFLICT DO UPDATE SET subject = excluded.subject`,
				l.Table.String(), string(l.Person), o.closeIn([]byte(w.Thread), subjectPad))
		}
		if err == nil && w.Unmailed {
			_, err = tx.ExecContext(ctx, `UPDATE unmailed SET letter = ? WHERE person = ? AND table_name = ?`, l.ID,
				string(l.Person), l.Table.String())
		}
		return err
	})
}

// bytes returns a composed letter's recipient and message, and how far it tells what people did.
func (o *Outbox) bytes(ctx context.Context, id int64) (w Written, err error) {
	sealed, err := database.Value[[]byte](o.db.QueryRowContext(ctx, `SELECT bytes FROM outbox WHERE id = ?`, id))
	var plain []byte
	if err == nil {
		plain, err = o.open(sealed)
	}
	if err != nil {
		return w, fmt.Errorf("mail queue: letter %d: %w", id, err)
	}
	first, message, ok := bytes.Cut(plain, []byte("\n"))
	if !ok {
		return w, fmt.Errorf("mail queue: letter %d has no recipient", id)
	}
	to, told, ok := strings.Cut(string(first), " ")
	w.To, w.Message = to, message
	if ok { // otherwise the letter is older than this field
		w.Told, err = strconv.ParseUint(told, 10, 64)
	}
	return w, err
}

// sent notes that a letter was accepted, and what later letters about its table need not repeat.
func (o *Outbox) sent(ctx context.Context, l Letter, told uint64, note string) error {
	return o.change(ctx, fmt.Sprintf("letter %d", l.ID), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE outbox SET state = 'sent', bytes = NULL, secret = ?, note = ?, done = ? WHERE id = ?`,
			o.waits(l.Notice), withoutAddresses(note), o.now().UnixMilli(), l.ID)
		if err == nil && !l.Table.IsZero() {
			_, err = tx.ExecContext(ctx, `UPDATE thread SET told = max(coalesce(thread.told, 0), ?),
				shown_line = coalesce(outbox.shown_line, thread.shown_line), shown = coalesce(outbox.shown, thread.shown)
				FROM outbox WHERE outbox.id = ? AND thread.table_name = ? AND thread.person = ?`,
				told, l.ID, l.Table.String(), string(l.Person))
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM unmailed WHERE letter = ?`, l.ID)
		}
		if err == nil {
			err = o.dropped(ctx, tx, l)
		}
		if err == nil {
			err = noteLatest(ctx, tx, l.Notice, o.now())
		}
		return err
	})
}

// anew has a letter written again that the server has certainly not taken: what it says may be outdated by then.
func (o *Outbox) anew(ctx context.Context, id int64) error {
	return o.set(ctx, id, `state = 'new', bytes = NULL`)
}
