package mail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/projections/turn"
)

// bundled reports whether a mail waits for its person's rhythm, to go out in one mail with others.
func (k Kind) bundled() bool { return k.optional() && k != KindDigest }

// hold puts a letter off until its person may be mailed, or bundles all their waiting letters into one mail. It returns
// false if the letter goes out alone, now.
func (s *Sender) hold(ctx context.Context, l Letter) (held bool, err error) {
	if !l.Kind.bundled() || l.answers() {
		return false, nil
	}
	if l.Kind == KindReminder {
		told, err := s.Outbox.toldLately(ctx, l.Notice)
		if err != nil {
			return false, err
		}
		if told {
			return true, s.Outbox.drop(ctx, l.ID, "told")
		}
	}
	last, err := s.Outbox.lastTo(ctx, l.Person)
	if err != nil {
		return false, err
	}
	next, together, err := s.Composer.Directory.Next(ctx, l.Person, s.Now(), last)
	if err != nil {
		return false, err
	}
	if next.After(s.Now()) {
		if end := l.ends(); !end.IsZero() && end.Sub(next) < leastSpan {
			return false, nil // by then it would be too late
		}
		return true, s.Outbox.set(ctx, l.ID, `due = ?`, next.UnixMilli())
	}
	if !together {
		return false, nil
	}
	return s.Outbox.bundle(ctx, l)
}

// lastTo returns when a person was last mailed about a table; zero for never.
func (o *Outbox) lastTo(ctx context.Context, id domain.PersonID) (time.Time, error) {
	done, err := database.Value[sql.NullInt64](o.db.QueryRowContext(ctx,
		`SELECT max(done) FROM outbox WHERE person = ? AND state = 'sent' AND kind IN ('digest',`+bundledKinds+`)`,
		string(id)))
	if err != nil || !done.Valid {
		return time.Time{}, err
	}
	return time.UnixMilli(done.Int64), nil
}

// inOneMail is the note on a letter that a digest replaced.
const inOneMail = "in one mail with others"

// bundledKinds lists the kinds that Kind.bundled reports, for SQL.
const bundledKinds = `'turn','consent','invitation','over','news','reminder','nudge'`

// bundle makes one mail of all letters waiting for a letter's person. It returns true if the letter needs no sending of
// its own: it is in the bundle, was taken into one just before, was told in another mail, or is put off.
func (o *Outbox) bundle(ctx context.Context, l Letter) (bundled bool, err error) {
	waiting, err := o.list(ctx, `WHERE person = ? AND state = 'new' AND kind IN (`+bundledKinds+`) ORDER BY id`,
		string(l.Person))
	if err != nil {
		return false, err
	}
	now := o.now()
	waiting = slices.DeleteFunc(waiting, func(w Letter) bool {
		return w.answers() || w.Kind.reminds() && w.Due.After(now)
	})
	if !slices.ContainsFunc(waiting, func(w Letter) bool { return w.ID == l.ID }) {
		return true, nil
	}
	told := func(w Letter) bool { // in another mail
		return slices.ContainsFunc(waiting, func(m Letter) bool {
			if w.Kind.reminds() { // in the first one about what it reminds of, or in the latest reminder of that
				return m.ask() == w.ask() && (!m.Kind.reminds() || m.ID > w.ID)
			}
			return w.Kind == KindNews && m.Table == w.Table && m.Kind != KindNews
		})
	}
	if told(l) {
		return true, o.drop(ctx, l.ID, "told")
	}
	for _, w := range waiting {
		if w.Kind.reminds() && told(w) {
			if err := o.drop(ctx, w.ID, "told"); err != nil {
				return false, err
			}
		}
	}
	waiting = slices.DeleteFunc(slices.Clone(waiting), told)
	if later := o.notYet(waiting); !later.IsZero() {
		return true, o.set(ctx, l.ID, `due = ?`, later.UnixMilli())
	}
	if len(waiting) == 1 {
		return false, nil
	}
	var notices []Notice
	var ids []string
	for _, w := range waiting {
		notices, ids = append(notices, w.Notice), append(ids, strconv.FormatInt(w.ID, 10))
	}
	content, err := json.Marshal(notices)
	if err != nil {
		return false, fmt.Errorf("bundle of letters: %w", err)
	}
	list := strings.Join(ids, ",")
	digest := Notice{Kind: KindDigest, Person: l.Person, Secret: content,
		Head: events.Hash(sha256.Sum256([]byte("digest " + list)))}
	return true, o.change(ctx, "bundle letters", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', note = '`+inOneMail+
			`', done = ? WHERE state = 'new' AND id IN (`+list+`)`, o.now().UnixMilli())
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != int64(len(ids)) {
			return errors.Join(err, errors.New("letters were taken up while they were bundled"))
		}
		return o.add(ctx, tx, digest)
	})
}

// notYet returns how long a digest must wait because of letters whose subject may still be taken back; zero if there
// are none.
func (o *Outbox) notYet(waiting []Letter) (until time.Time) {
	now := o.now()
	for _, w := range waiting {
		soon := w.Due.Sub(now) <= domain.MostGrace*time.Minute+events.GraceSlack
		if w.Kind == KindTurn && w.Attempts == 0 && w.Due.After(now) && soon && w.Due.After(until) {
			until = w.Due
		}
	}
	return until
}

// entry is what a digest says about one table.
type entry struct {
	notice Notice
	model  *turn.Model
	due    time.Time
	line   string
}

// digest writes one mail from several letters, the most urgent first. It returns an errGone if none of them is still
// needed.
func (c *Composer) digest(ctx context.Context, l Letter, r Recipient) (content, error) {
	p := c.Book.Printer(r.Lang, "", nil)
	var notices []Notice
	if err := json.Unmarshal(l.Secret, &notices); err != nil {
		return content{}, fmt.Errorf("digest: %w", err)
	}
	var entries []entry
	for _, n := range notices {
		if !n.wanted(r) {
			continue
		}
		e, err := c.entry(ctx, n, r)
		if gone := (errGone{}); errors.As(err, &gone) {
			continue
		}
		if err != nil {
			return content{}, err
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return content{}, errGone{"played"}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.due.IsZero() != b.due.IsZero() {
			return cmp.Compare(b.due.Unix(), a.due.Unix()) // entries with a deadline first
		}
		return a.due.Compare(b.due)
	})
	body := content{Lang: p.Lang(), Subject: p.Text("mail.digest.subject", "n", len(entries)),
		Headline:  p.Text("mail.digest.headline", "n", len(entries)),
		MovesHead: p.Text("mail.digest.tables"), LinksHead: p.Text("mail.turn.links")}
	body.Preheader = entries[0].model.Title + ": " + entries[0].line
	for i, e := range entries {
		token, err := c.Passes.Act(ctx, e.notice)
		if err != nil {
			return content{}, fmt.Errorf("pass: %w", err)
		}
		label := e.model.Title + ": " + e.line
		if !e.due.IsZero() {
			label += " " + p.Text("mail.digest.due", "when", p.Moment(e.due.In(r.Zone)))
		}
		body.Places = append(body.Places, place{Name: strconv.Itoa(i + 1), Label: label, URL: c.Links.Pass(token)})
		if e.notice.Kind == KindTurn {
			body.Keep = p.Text("mail.turn.keep")
		}
		played, err := c.played(ctx, e.model, r)
		if err != nil {
			return content{}, err
		}
		if played != "" {
			body.Played += e.model.Title + ": " + played + " "
		}
	}
	if body.Played != "" {
		body.Played += p.Text("mail.played.not")
	}
	return body, nil
}

// entry returns what a digest says about a notice's table.
func (c *Composer) entry(ctx context.Context, n Notice, r Recipient) (e entry, err error) {
	if err := c.StillNeeded(ctx, n); err != nil {
		return e, err
	}
	look, err := c.Desk.Look(ctx, n.Table)
	if err != nil {
		return e, err
	}
	if e.model, err = c.Maker.Turn(ctx, n.Table,
		turn.Asker{Person: n.Person, Seat: n.Open.Seat, Lang: r.Lang}); err != nil {
		return e, err
	}
	l, again, err := c.remind(ctx, e.model, Letter{Notice: n})
	if err != nil {
		return e, err
	}
	n, e.notice = l.Notice, l.Notice
	for _, a := range look.Asks() {
		if a.Kind == events.AskKind(n.Kind) && a.Person == n.Person && a.Open == n.Open {
			e.due = a.Due
		}
	}
	switch {
	case n.Kind == KindConsent && e.model.Proposal != nil:
		e.line = e.model.Proposal.Sentence
	case n.Kind == KindOver:
		e.line = strings.Join(append([]string{e.model.Text("table.ended." + string(e.model.End))},
			e.model.Result[:min(1, len(e.model.Result))]...), " ")
	case n.Kind == KindInvitation:
		e.line = e.model.Text("mail.digest.invitation")
		if look.Again(n.ask()) > 0 {
			e.line = e.model.Sentence
		}
	case n.Kind == KindNews:
		part, err := c.Maker.TableTimeline(ctx, n.Table, turn.Asker{Person: n.Person, Lang: r.Lang}, n.Open.Since+1, 1,
			func(domain.PersonID, []byte) string { return "" })
		if err != nil {
			return e, err
		}
		for _, h := range part.Happenings {
			e.line = strings.Join(h.Sentences, " ")
		}
		if len(part.Happenings) == 0 {
			e.line = e.model.Text("mail.talk.new") // what was said is on the page
		}
	default:
		if n.Kind == KindTurn && e.model.Decision != nil {
			e.model.Answer(n.Open) // of several decisions their person is asked for
		}
		e.line = e.model.Sentence
	}
	if again != "" {
		e.line = again + " " + e.line
	}
	return e, nil
}
