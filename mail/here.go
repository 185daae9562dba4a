package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/events/database"
	"posthorn/events/desk"
)

// atTheTable is the note on a letter that waits while its person is at the table's page.
const atTheTable = "held: at the table"

// here reports until when a letter waits because its person is at the table's page, which says the same; zero if it
// does not. Invitations do not wait: their inviter is told how they are doing.
func (s *Sender) here(ctx context.Context, l Letter) (until time.Time, err error) {
	if s.Here == nil || !l.Kind.row().bundled() || l.Kind.ToStrangers() || l.answers() {
		return until, nil
	}
	if until, err = s.Here(ctx, l.Person, l.Table); err != nil || !until.After(s.Now()) {
		return time.Time{}, err
	}
	return until, nil
}

// seen puts a letter off while its person is at the table's page. What they answer there needs no letter: seen drops
// it, for the next one to say so. It returns false if the letter takes the usual way.
func (s *Sender) seen(ctx context.Context, l Letter) (bool, error) {
	until, err := s.here(ctx, l)
	if err != nil || until.IsZero() && l.seen == 0 {
		return false, err
	}
	r, ok, err := s.Composer.Directory.Recipient(ctx, l.Person)
	if err != nil || !ok || !l.wanted(r) {
		return false, err
	}
	var gone errGone
	if err := s.Composer.StillNeeded(ctx, l.Notice); errors.As(err, &gone) {
		return true, s.Outbox.unmailed(ctx, l, gone.why)
	} else if err != nil {
		return true, s.retry(ctx, l, err)
	}
	if until.IsZero() {
		return false, nil
	}
	return true, s.Outbox.set(ctx, l.ID, `due = ?, note = '`+atTheTable+`', seen = max(seen, ? * (seen = 0))`,
		until.Add(time.Millisecond-1).UnixMilli(), s.Now().UnixMilli())
}

// unmailed drops a letter whose person has answered at the table's page, and keeps what it asked for the next letter,
// unless another was about the same.
func (o *Outbox) unmailed(ctx context.Context, l Letter, why string) error {
	if l.Kind == KindTurn && l.seen > 0 {
		if mailed, err := o.GoneOut(ctx, l.ask()); err != nil {
			return err
		} else if !mailed {
			return o.change(ctx, "what was asked at the page", func(tx *sql.Tx) error {
				_, err1 := tx.ExecContext(ctx, `INSERT INTO unmailed (person, table_name, stream, since)
					VALUES (?,?,?,?) ON CONFLICT DO NOTHING`, string(l.Person), l.Table.String(), l.Stream.String(), l.Open.Since)
				_, err2 := tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', secret = NULL, note = ?, done = ?
					WHERE id = ?`, why, o.now().UnixMilli(), l.ID)
				return errors.Join(err1, err2)
			})
		}
	}
	return o.drop(ctx, l.ID, why)
}

// GoneOut reports whether a letter about an ask is on its way, or has gone out.
func (o *Outbox) GoneOut(ctx context.Context, a desk.Ask) (bool, error) {
	mailed, err := database.Value[bool](o.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM outbox WHERE kind = ?
		AND (state IN ('composed','sending','sent') OR note = '`+inOneMail+`') AND `+ofAsk+`)`,
		aboutAsk(a, string(a.Kind))...))
	if err != nil {
		return false, fmt.Errorf("mail queue: whether something was mailed: %w", err)
	}
	return mailed, nil
}

// notMailed lists the versions that asked a person of a table what no letter has said to them.
func (o *Outbox) notMailed(ctx context.Context, l Letter) ([]uint64, error) {
	return database.All(ctx, o.db, database.Value[uint64],
		`SELECT since FROM unmailed WHERE person = ? AND table_name = ? ORDER BY since`, string(l.Person), l.Table.String())
}

// mostUnmailed is how many versions a letter lists of what was not mailed.
const mostUnmailed = 40

// unmailed says before a letter's receipt what was asked at the table's page and not mailed.
func (c *Composer) unmailed(d *draft) {
	all := slices.Compact(slices.Clone(d.Unmailed))
	if len(all) == 0 {
		return
	}
	var list []string
	for _, version := range all[:min(mostUnmailed, len(all))] {
		list = append(list, strconv.FormatUint(version, 10))
	}
	if len(all) > mostUnmailed {
		list = append(list, "…")
	}
	d.content.unmailed = true
	d.ReceiptIs = d.m.Text("mail.receipt.unmailed", "n", len(all), "list", strings.Join(list, ", ")) + " " + d.ReceiptIs
}
