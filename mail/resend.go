package mail

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// Failed lists the letters that were refused or given up permanently, oldest first.
func (o *Outbox) Failed(ctx context.Context) ([]Letter, error) {
	return o.list(ctx, `WHERE state = 'failed' ORDER BY id`)
}

// To calls each with the letters to a person, those that were taken out first, and else oldest first: what they are
// about, not what they say. Of those that were taken out there are those of a month.
func (o *Outbox) To(ctx context.Context, person domain.PersonID, each func(Letter)) error {
	if err := o.sentTo(ctx, person, each); err != nil {
		return err
	}
	for last := int64(0); ; {
		some, err := o.list(ctx, `WHERE person = ? AND id > ? ORDER BY id LIMIT 500`, string(person), last)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, l := range some {
			each(l)
			last = l.ID
		}
	}
}

// Again selects the permanently failed letters to send again: those with these numbers, those about this table, or all.
type Again struct {
	IDs   []int64
	Table events.Name
	All   bool
}

// Resend has permanently failed letters written and sent again, under the same Message-ID, if they are still needed. It
// leaves out sign-ins, whose links have expired. It returns how many letters that is.
func (o *Outbox) Resend(ctx context.Context, which Again) (n int64, err error) {
	where, args := `id IN (`+strings.TrimSuffix(strings.Repeat("?,", len(which.IDs)), ",")+`)`,
		[]any{o.now().UnixMilli()}
	for _, id := range which.IDs {
		args = append(args, id)
	}
	switch {
	case which.All:
		where, args = `1`, args[:1]
	case !which.Table.IsZero():
		where, args = `table_name = ?`, append(args[:1], which.Table.String())
	}
	err = o.change(ctx, "send again", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx,
			`UPDATE outbox SET state = 'new', attempts = 0, tried = 0, done = 0, note = '', due = ?
			WHERE state = 'failed' AND kind <> 'sign-in' AND `+where, args...)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	o.rouse()
	return n, err
}

// Afresh has what a person is still asked mailed to them once more, because the links and addresses of the letters
// until now count no longer.
func (o *Outbox) Afresh(ctx context.Context, person domain.PersonID) error {
	err := o.change(ctx, "mail afresh", func(tx *sql.Tx) error {
		had, err := database.All(ctx, tx, func(row database.Row) (id string, err error) { return id, row.Scan(&id) },
			`UPDATE outbox SET state = 'new', bytes = NULL, attempts = 0, tried = 0, done = 0, note = '', due = ?,
			seen = 0, afresh = afresh + 1
			WHERE person = ? AND state IN ('new', 'composed', 'sending', 'sent') AND kind IN (`+
				listed(func(r kindRow) bool { return r.asked && r.how != HowWords })+`) RETURNING message_id`,
			o.now().UnixMilli(), string(person))
		for _, id := range had { // it is still one of ours that is answered
			if err == nil && id != "" {
				err = keepDigest(ctx, tx, pastMessage, id)
			}
		}
		return err
	})
	o.rouse()
	return err
}

// rouse makes the sender and the caller look at the queue.
func (o *Outbox) rouse() {
	for _, c := range []chan struct{}{o.wake, o.ring} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Summary returns a letter in one line, without an address, for the people who run a house.
func (l Letter) Summary() string {
	return fmt.Sprintf("%s, %s of table %s to seat %s", l.Made.UTC().Format("2006-01-02 15:04"), l.Kind, l.Table,
		l.Open.Seat.Letter())
}
