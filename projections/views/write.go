package views

import (
	"context"
	"database/sql"
	"fmt"

	"posthorn/domain"
	"posthorn/events/desk"
)

// write writes a table's rows. A table that cannot be read keeps its old rows. same means that nothing has happened at
// the table itself since they were written: only its game went on.
func (v *Views) write(ctx context.Context, tx *sql.Tx, look desk.Look, same bool) error {
	t, name := look.Table, look.Name
	opened, err := v.stamp(ctx, name, 1)
	if err != nil {
		return err
	}
	moved, err := v.stamp(ctx, name, look.TableHead.Version)
	if err != nil {
		return err
	}
	if played, err := v.stamp(ctx, look.LineName, look.LineHead.Version); err != nil {
		return err
	} else if played > moved {
		moved = played
	}
	open := 0
	for _, p := range t.Places {
		if p.Kind == domain.SeatOpen {
			open++
		}
	}
	house, err := v.desk.AwaitsHouse(ctx, look)
	if err != nil {
		return err
	}
	fork, err := forkOf(t)
	if err != nil {
		return err
	}
	w := writer{ctx: ctx, tx: tx, table: name.String(), ended: t.Status == domain.TableEnded}
	if same { // the rest changes only with the table's own events
		w.exec(`UPDATE tables SET version = ?, moved = ?, house = ?, due = ? WHERE name = ?`, look.LineHead.Version,
			moved, house, milli(look.NextDeadline()), w.table)
	} else {
		w.exec(`DELETE FROM places WHERE table_name = ?`, w.table)
		w.exec(`INSERT OR REPLACE INTO tables (name, rulebook, status, ending, opener, seats, open, branch, fork, version, opened, moved, house, hidden, due, sealed, listed)
			VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`, w.table, t.Rulebook, string(t.Status), string(t.End), string(t.Opener), len(t.Places),
			open, branchOf(t), fork, look.LineHead.Version, opened, moved, house, t.Private, milli(look.NextDeadline()),
			t.Sealed(), t.Listed && !t.Private)
		w.places(t)
	}
	w.exec(`DELETE FROM awaited WHERE table_name = ?`, w.table)
	if err := v.awaited(ctx, &w, look); err != nil {
		return err
	}
	return w.err
}

// writer runs statements until one fails.
type writer struct {
	ctx   context.Context
	tx    *sql.Tx
	table string
	ended bool // whether the table has ended
	err   error
}

func (w *writer) exec(query string, args ...any) {
	if w.err != nil {
		return
	}
	if _, err := w.tx.ExecContext(w.ctx, query, args...); err != nil {
		w.err = fmt.Errorf("write rows: %w", err)
	}
}

func (w *writer) place(person domain.PersonID, seat domain.Seat, role string) {
	w.exec(`INSERT OR REPLACE INTO places (table_name, person, seat, role, ended) VALUES (?,?,?,?,?)`, w.table,
		string(person), int(seat), role, w.ended)
}

// places writes who has a part in a table, as far as they may look at it: an offer ends with the game, and a study that
// is over is for those alone who still have a seat in it.
func (w *writer) places(t *domain.Table) {
	place := func(id domain.PersonID, seat domain.Seat, role string) {
		if t.SeenBy(id) {
			w.place(id, seat, role)
		}
	}
	place(t.Opener, domain.Nobody, "opened")
	for i, p := range t.Places {
		role := "plays"
		if p.Resigned {
			role = "resigned"
		}
		for _, h := range p.Holders {
			place(h, domain.Seat(i), role)
		}
		if p.Offer != nil && t.Status == domain.TableStarted {
			place(p.Offer.Person, domain.Seat(i), "invited")
		}
		for _, h := range p.Former {
			place(h, domain.Seat(i), "resigned")
		}
		for _, h := range p.Invited {
			place(h, domain.Seat(i), "invited")
		}
	}
}

// awaited writes what the table asks of people, except for seeing its end, which needs no answer.
func (v *Views) awaited(ctx context.Context, w *writer, look desk.Look) error {
	asks, err := v.desk.Asks(ctx, look)
	if err != nil {
		return err
	}
	for _, a := range asks {
		if a.Kind == desk.AskOver {
			continue
		}
		at, err := v.stamp(ctx, a.Stream, a.Asked())
		if err != nil {
			return err
		}
		opened, err := v.stamp(ctx, a.Stream, a.Open.Since)
		if err != nil {
			return err
		}
		half, tenth, err := v.desk.Reminders(ctx, look, a, fromMilli(opened))
		if err != nil {
			return err
		}
		o := a.Open
		w.exec(`INSERT OR REPLACE INTO awaited (table_name, person, seat, kind, serial, since, since_at, due, half, tenth)
			VALUES (?,?,?,?,?,?,?,?,nullif(?, 0),nullif(?, 0))`, w.table, string(a.Person), int(o.Seat), o.Kind, o.Serial, o.Since, at, milli(a.Due),
			milli(half), milli(tenth))
	}
	return nil
}
