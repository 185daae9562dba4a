package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// OutcomeHeld is the outcome of a mail that waits for its person to say that it is theirs.
const OutcomeHeld = "held"

// questions is how many mails a day a person is asked about, at one table.
var questions = bound{`outcome = '` + OutcomeHeld + `'`, 20, 24 * time.Hour}

// heldLasts is how long an answer waits.
const heldLasts = 14 * 24 * time.Hour

// Held is an answer by mail that nothing proves to be its person's.
type Held struct {
	Key       string    `json:"-"` // as in Answer
	Made      time.Time `json:"-"` // when it came
	To        string    // the address that it came to
	From      string    // the one that it says it is from; "" for none or several
	Sender    string    // of its envelope
	By        string    // a domain that signed it, which proves the next ones once this one is confirmed; "" for none
	Signature string    // its signatures, as [Answer] has them, with spaces between
	// Unsigned says that it came from its person's own address without any signature of that domain.
	Unsigned bool
	Raw      []byte
}

// Hold keeps an answer until its person confirms it, in place of an earlier one about the same, and asks them, each
// once; a.Lines are said, too. It returns false if they are not asked, because they were too often; the last time
// before, the letter says so.
func (o *Outbox) Hold(ctx context.Context, h Held, a Answer) (asked bool, err error) {
	text, err := json.Marshal(h)
	if err != nil {
		return false, fmt.Errorf("hold an answer: %w", err)
	}
	n := Notice{Kind: KindConfirm, Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open}
	if err := n.Head.UnmarshalText([]byte(a.Key)); err != nil {
		return false, fmt.Errorf("key of an answer: %w", err)
	}
	err = o.change(ctx, "hold an answer", func(tx *sql.Tx) error {
		asked = true
		if fresh, err := o.reply(ctx, tx, a.Key, a); err != nil || !fresh {
			return err
		}
		left, err := o.left(ctx, tx, a)
		if asked = left >= 0; err != nil || !asked {
			return err
		}
		says := a.Lines
		if left == 0 {
			says = append(slices.Clone(says), a.Last)
		}
		if len(says) > 0 {
			n.Secret = []byte(strings.Join(says, "\n"))
		}
		if _, err = tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO held (person, stream, seat, since, key, answer, made) VALUES (?,?,?,?,?,?,?)`,
			string(a.Person), a.Stream.String(), int(a.Open.Seat), a.Open.Since, a.Key, o.close(text),
			o.now().UnixMilli()); err != nil {
			return err
		}
		return o.add(ctx, tx, n)
	})
	if err == nil {
		o.rouse()
	}
	return asked, err
}

// confirm leads to the answer that its reader is asked about.
func (c *Composer) confirm(_ context.Context, d *draft) error {
	if d.Secret != nil {
		d.Intro = append(d.Intro, strings.Split(string(d.Secret), "\n")...)
	}
	d.Button.URL = c.Links.Confirm(d.token)
	return nil
}

// Held returns the answer that a person's is held about something, if its key begins as given. ok is false if there is
// none: it was confirmed, another one came later, or it waited too long.
func (o *Outbox) Held(ctx context.Context, person domain.PersonID, stream events.Name, d domain.Open,
	begins string) (h Held, ok bool, err error) {
	var sealed []byte
	var made int64
	err = o.db.QueryRowContext(ctx,
		`SELECT key, answer, made FROM held WHERE person = ? AND stream = ? AND seat = ? AND since = ?
		AND substr(key, 1, ?) = ?`, string(person), stream.String(), int(d.Seat), d.Since, len(begins), begins).Scan(&h.Key, &sealed, &made)
	if errors.Is(err, sql.ErrNoRows) {
		return h, false, nil
	}
	if err != nil {
		return h, false, fmt.Errorf("mail queue: an answer that is held: %w", err)
	}
	text, err := o.open(sealed)
	if err != nil {
		return h, false, nil // sealed with a key that was lost
	}
	h.Made = time.UnixMilli(made).UTC()
	return h, true, json.Unmarshal(text, &h)
}

// proved notes the signatures of an answer that was taken, and forgets one that was held.
func (o *Outbox) proved(ctx context.Context, tx *sql.Tx, a Answer) error {
	for _, signature := range a.Signatures {
		if err := keepDigest(ctx, tx, pastSigned, signature); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM held WHERE key = ?`, a.Released)
	return err
}

// Signed reports whether a signature was that of an answer that was taken.
func (o *Outbox) Signed(ctx context.Context, signature string) (bool, error) {
	return isPast(ctx, o.db, pastSigned, signature)
}
