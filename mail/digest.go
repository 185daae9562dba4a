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
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// hold puts a letter off until its person may be mailed, or bundles all their waiting letters into one mail. It returns
// false if the letter goes out alone, now.
func (s *Sender) hold(ctx context.Context, l Letter) (held bool, err error) {
	if !l.Kind.row().bundled() || l.answers() {
		return false, nil
	}
	if !l.ends().IsZero() {
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
		if end := l.ends(); !end.IsZero() && end.Sub(next) < desk.LeastSpan {
			return false, nil // by then it would be too late
		}
		return true, s.Outbox.set(ctx, l.ID, `due = ?, note = replace(note, '`+atTheTable+`', '')`, next.UnixMilli())
	}
	if !together {
		return false, nil
	}
	return s.bundle(ctx, l)
}

// lastTo returns when a person was last mailed about a table; zero for never.
func (o *Outbox) lastTo(ctx context.Context, id domain.PersonID) (time.Time, error) {
	done, err := database.Value[sql.NullInt64](o.db.QueryRowContext(ctx,
		`SELECT max(done) FROM outbox WHERE person = ? AND state = 'sent' AND kind IN (`+listed(kindRow.optional)+`)`,
		string(id)))
	if err != nil || !done.Valid {
		return time.Time{}, err
	}
	return time.UnixMilli(done.Int64), nil
}

// inOneMail is the note on a letter that a digest replaced.
const inOneMail = "in one mail with others"

// bundle makes one mail of all letters waiting for a letter's person, except about tables at whose pages they are. It
// returns true if the letter needs no sending of
// its own: it is in the bundle, was taken into one just before, was told in another mail, or is put off.
func (s *Sender) bundle(ctx context.Context, l Letter) (bundled bool, err error) {
	o := s.Outbox
	waiting, err := o.list(ctx, `WHERE person = ? AND state = 'new' AND kind IN (`+
		listed(kindRow.bundled)+`) ORDER BY id`, string(l.Person))
	if err != nil {
		return false, err
	}
	now := o.now()
	waiting = slices.DeleteFunc(waiting, func(w Letter) bool {
		if w.ID == l.ID {
			return false // it waits for nothing, or would not have come here
		}
		until, failed := s.here(ctx, w)
		err = errors.Join(err, failed)
		return w.answers() || w.Kind.row().reminds() && w.Due.After(now) || !until.IsZero()
	})
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(waiting, func(w Letter) bool { return w.ID == l.ID }) {
		return true, nil
	}
	told := func(w Letter) bool { // in another mail
		return slices.ContainsFunc(waiting, func(m Letter) bool {
			if w.Kind.row().reminds() { // in the first one about what it reminds of, or in the latest reminder of that
				return m.ask() == w.ask() && (!m.Kind.row().reminds() || m.ID > w.ID)
			}
			return w.Kind.row().on != nil && m.Table == w.Table && m.Kind.row().on == nil
		})
	}
	if told(l) {
		return true, o.drop(ctx, l.ID, "told")
	}
	for _, w := range waiting {
		if w.Kind.row().reminds() && told(w) {
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
		soon := w.Due.Sub(now) <= domain.MostGrace*time.Minute+desk.GraceSlack
		if w.Kind.row().purpose == pass.Play && w.Attempts == 0 && w.Due.After(now) && soon && w.Due.After(until) {
			until = w.Due
		}
	}
	return until
}

// entry is what a digest says about one table.
type entry struct {
	notice Notice
	model  *turn.Model
	look   desk.Look
	due    time.Time
	line   string
}

// digest writes one mail from several letters, the most urgent first. It returns an errGone if none of them is still
// needed.
func (c *Composer) digest(ctx context.Context, l Letter, r Recipient) (body content, _ []inline, err error) {
	p := c.Book.Printer(r.Lang, "", nil)
	var notices []Notice
	if err := json.Unmarshal(l.Secret, &notices); err != nil {
		return body, nil, fmt.Errorf("digest: %w", err)
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
			return body, nil, err
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return body, nil, errGone{"played"}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.due.IsZero() != b.due.IsZero() {
			return cmp.Compare(b.due.Unix(), a.due.Unix()) // entries with a deadline first
		}
		return a.due.Compare(b.due)
	})
	body = content{Lang: p.Lang(), Subject: digestSubject(p, entries, l.dated(c.Desk.Now()).In(r.Zone)),
		Headline:  p.Text("mail.digest.headline", "n", len(entries)),
		MovesHead: p.Text("mail.digest.tables"), LinksHead: p.Text("mail.turn.links")}
	body.Preheader = entries[0].model.Title + ": " + entries[0].line
	for i, e := range entries {
		token, err := c.Passes.Act(ctx, e.notice)
		if err != nil {
			return body, nil, fmt.Errorf("pass: %w", err)
		}
		label := e.model.Title + ": " + e.line
		if !e.due.IsZero() {
			label += " " + p.Text("mail.digest.due", "when", p.Moment(e.due.In(r.Zone)))
		}
		body.Places = append(body.Places, place{Name: strconv.Itoa(i + 1), Label: label, URL: c.Links.Pass(token)})
		if e.notice.Kind.row().purpose == pass.Play {
			body.Keep = p.Text("mail.turn.keep")
		}
		played, err := c.played(ctx, e.model, r)
		if err != nil {
			return body, nil, err
		}
		if played != "" {
			body.Played += e.model.Title + ": " + played + " "
		}
	}
	if body.Played != "" {
		body.Played += p.Text("mail.played.not")
	}
	return body, nil, nil
}

// digestSubject says how many games wait for a digest's reader, and which first and until when, if that is today.
func digestSubject(p words.Printer, entries []entry, now time.Time) string {
	waits := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool {
		return e.notice.Kind.row().purpose == pass.View
	})
	if len(waits) == 0 {
		return p.Text("mail.digest.news", "n", len(entries))
	}
	subject, first := p.Text("mail.digest.subject", "n", len(waits)), entries[0]
	until := p.Text("mail.digest.until", "subject", subject, "game", first.model.Game,
		"time", first.due.In(now.Location()).Format("15:04"))
	if first.due.IsZero() || first.due.Sub(now) > 24*time.Hour || utf8.RuneCountInString(until) > mostSubject {
		return subject
	}
	return until
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
	d := draft{Letter: Letter{Notice: n}, m: e.model}
	again, err := c.remind(ctx, &d)
	if err != nil {
		return e, err
	}
	n, e.notice, e.look = d.Notice, d.Notice, look
	for _, a := range look.Asks() {
		if a.Kind == desk.AskKind(n.Kind) && a.Person == n.Person && a.Open == n.Open {
			e.due = a.Due
		}
	}
	if n.Stream != n.Table && e.model.Decision != nil {
		e.model.Answer(n.Open) // of several decisions their person is asked for
	}
	e.line = e.model.Sentence
	if line := n.Kind.row().line; line != nil {
		e.line, err = line(c, ctx, &e)
	}
	if again != "" {
		e.line = again + " " + e.line
	}
	return e, err
}

func (c *Composer) lineOfConsent(_ context.Context, e *entry) (string, error) {
	if e.model.Proposal == nil {
		return e.model.Sentence, nil
	}
	return e.model.Proposal.Sentence, nil
}

func (c *Composer) lineOfInvitation(_ context.Context, e *entry) (string, error) {
	if e.look.Again(e.notice.ask()) > 0 {
		return e.model.Sentence, nil
	}
	return e.model.Text("mail.digest.invitation"), nil
}

func (c *Composer) lineOfOver(_ context.Context, e *entry) (string, error) {
	m := e.model
	return strings.Join(append([]string{m.Text("table.ended." + string(m.End))},
		m.Result[:min(1, len(m.Result))]...), " "), nil
}

func (c *Composer) lineOfNews(ctx context.Context, e *entry) (string, error) {
	part, err := c.Maker.TableTimeline(ctx, e.notice.Table, turn.Asker{Person: e.notice.Person, Lang: e.model.Lang()},
		e.notice.Open.Since+1, 1, func(domain.PersonID, []byte) string { return "" })
	if err != nil || len(part.Happenings) == 0 {
		return e.model.Text("mail.talk.new"), err // what was said is on the page
	}
	return strings.Join(part.Happenings[len(part.Happenings)-1].Sentences, " "), nil
}
