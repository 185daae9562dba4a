package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// Withhold keeps a person's next invitation from being mailed: they want none, or have had enough of them. The table
// still shows it.
func (o *Outbox) Withhold(ctx context.Context, person domain.PersonID) error {
	if _, err := o.db.ExecContext(ctx, `INSERT INTO withheld (person) VALUES (?)`, string(person)); err != nil {
		return fmt.Errorf("mail queue: %w", err)
	}
	return nil
}

// withhold drops an invitation that was just added, if the person's next invitation must be withheld.
func withhold(ctx context.Context, tx *sql.Tx, added sql.Result, n Notice) error {
	id, err := added.LastInsertId()
	if rows, e := added.RowsAffected(); err != nil || e != nil || rows == 0 {
		return errors.Join(err, e)
	}
	held, err := withheld(ctx, tx, n, id)
	if err != nil {
		return err
	} else if !held {
		return supersede(ctx, tx, n, id)
	}
	_, err = tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', note = 'withheld', done = made WHERE id = ?`, id)
	return err
}

// withheld reports whether an invitation is not to be mailed. One that comes back to its person is mailed or not as it
// was at first.
func withheld(ctx context.Context, tx *sql.Tx, n Notice, id int64) (bool, error) {
	if n.Again {
		first, err := database.Value[bool](tx.QueryRowContext(ctx, `SELECT note = 'withheld' FROM outbox
			WHERE id < ? AND kind = ? AND `+ofAsk+` ORDER BY id LIMIT 1`, aboutAsk(n.ask(), id, string(n.Kind))...))
		if !errors.Is(err, sql.ErrNoRows) {
			return first, err
		}
	}
	res, err := tx.ExecContext(ctx, `DELETE FROM withheld WHERE id = (SELECT min(id) FROM withheld WHERE person = ?)`,
		string(n.Person))
	if err != nil {
		return false, err
	}
	rows, err := res.RowsAffected()
	return rows > 0, err
}

// supersede drops unsent invitations of the same person to the same table: an invitation made again replaces them.
func supersede(ctx context.Context, tx *sql.Tx, n Notice, by int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', bytes = NULL, secret = NULL, note = 'sent again', done = max(done, made)
		WHERE kind = ? AND table_name = ? AND person = ? AND id < ? AND state IN ('new','composed','sending')`,
		string(n.Kind), n.Table.String(), string(n.Person), by)
	return err
}

// Invitation returns a person's newest invitation to a table, and what came back of it; ok is false if none was ever
// queued.
func (o *Outbox) Invitation(ctx context.Context, table events.Name, person domain.PersonID) (l Letter, r Return,
	ok bool, err error) {
	all, err := o.list(ctx, `WHERE table_name = ? AND person = ? AND kind = ? ORDER BY id DESC LIMIT 1`, table.String(),
		string(person), string(KindInvitation))
	if err != nil || len(all) == 0 {
		return l, r, false, err
	}
	l = all[0]
	err = o.db.QueryRowContext(ctx,
		`SELECT kind, status, why FROM returns WHERE letter = ? AND kind <> ? ORDER BY kind LIMIT 1`, l.ID,
		string(ReturnComplaint)).Scan(&r.Kind, &r.Status, &r.Why)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err != nil {
		return l, r, false, fmt.Errorf("mail queue: what came back of letter %d: %w", l.ID, err)
	}
	return l, r, true, nil
}
