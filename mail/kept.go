package mail

import (
	"context"
	"database/sql"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// What a reply says below a question that came in between waits with the letter that answers it, until its writer has
// answered: by a reply, which goes on with it, or elsewhere, which the next letter says.

// kept returns the letters to a person about a table with which such lines wait, the newest first.
func (o *Outbox) kept(ctx context.Context, from database.Reader, person domain.PersonID, table events.Name) (
	all []Letter, err error) {
	some, err := database.All(ctx, from, o.scan, selectLetters+
		`WHERE table_name = ? AND person = ? AND secret IS NOT NULL ORDER BY id DESC`, table.String(), string(person))
	for _, l := range some {
		if w, ok := WaitsBy(l.Notice); ok && len(w.Rest) > 0 {
			all = append(all, l)
		}
	}
	return all, err
}

// Left returns what a person's earlier mail left until they have answered what a line asks of their seat at a version.
func (o *Outbox) Left(ctx context.Context, person domain.PersonID, table, line events.Name, seat domain.Seat,
	version uint64) (Waits, error) {
	all, err := o.kept(ctx, o.db, person, table)
	for _, l := range all {
		if w, _ := WaitsBy(l.Notice); l.Stream == line && l.Open.Seat == seat && w.Version == version {
			return w, nil
		}
	}
	return Waits{}, err
}

// took forgets what earlier mails left, if a mail dealt with it.
func (o *Outbox) took(ctx context.Context, tx *sql.Tx, a Answer) error {
	if !a.Took {
		return nil
	}
	return o.forgetKept(ctx, tx, a.Person, a.Table, func(Letter) bool { return true })
}

// forgetKept forgets the lines that wait with some letters which have gone out.
func (o *Outbox) forgetKept(ctx context.Context, tx *sql.Tx, person domain.PersonID, table events.Name,
	which func(Letter) bool) error {
	all, err := o.kept(ctx, tx, person, table)
	for _, l := range all {
		if err == nil && l.State == StateSent && which(l) {
			_, err = tx.ExecContext(ctx, `UPDATE outbox SET secret = NULL WHERE id = ?`, l.ID)
		}
	}
	return err
}

// dropped forgets the lines of which a letter that has gone out says that they are not played any more.
func (o *Outbox) dropped(ctx context.Context, tx *sql.Tx, l Letter) error {
	var by Shown
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(shown_line, ''), coalesce(shown, 0) FROM outbox WHERE id = ?`,
		l.ID).Scan(&by.Line, &by.Version); err != nil {
		return err
	}
	return o.forgetKept(ctx, tx, l.Person, l.Table, func(k Letter) bool { return k.ID != l.ID && k.passed(by) })
}

// passed reports whether what waits with a letter has been overtaken by what another one shows.
func (l Letter) passed(by Shown) bool {
	w, _ := WaitsBy(l.Notice)
	return by.Line != "" && (by.Line != l.Stream.String() || by.Version > w.Version)
}

// drops says which lines of its reader's replies are not played any more, as they answered otherwise what was asked
// first.
func (c *Composer) drops(d *draft) {
	for _, l := range d.Kept {
		if w, _ := WaitsBy(l.Notice); l.ID != d.ID && l.passed(d.content.Shown) {
			d.Intro = append(d.Intro, d.m.Text("mail.answer.kept.not", "text", strings.Join(w.Rest, " / ")))
		}
	}
}
