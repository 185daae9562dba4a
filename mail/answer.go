package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/projections/turn"
)

// Answer tells somebody what became of a mail they sent.
type Answer struct {
	Key        string          `json:"-"` // of the mail being answered: each is answered once
	Person     domain.PersonID `json:"-"`
	Table      events.Name     `json:"-"`
	Stream     events.Name     `json:"-"` // the line and the decision that the mail was about
	Open       domain.Open     `json:"-"`
	Asked      time.Time       `json:"-"`                   // when that decision came up; mails about earlier ones do not count against it
	Outcome    string          `json:"-"`                   // one word for the log
	Fruitless  bool            `json:"fruitless,omitempty"` // the mail achieved nothing
	Signatures []string        `json:"-"`                   // those of the mail; each proves nothing again
	Released   string          `json:"-"`                   // the key of the held mail that it answers, which its person has confirmed
	Same       string          `json:"-"`                   // a digest of what it says, apart from chat
	// says that further mails like it get no answer, for the last one that gets one
	Last     string   `json:"-"`
	Headline string   `json:"headline"`
	Lines    []string `json:"lines,omitempty"`
	Rule     string   `json:"rule,omitempty"`    // the address, on this server, of the rule behind the refusal
	Reading  string   `json:"reading,omitempty"` // that of the reading of a rulebook that it follows from
	Reply    string   `json:"reply,omitempty"`   // what the events that the mail brought about keep of it
	Board    bool     `json:"board,omitempty"`   // the mail asks for a picture of the board
	List     bool     `json:"list,omitempty"`    // the mail asks for all moves
	Stops    bool     `json:"stops,omitempty"`   // the mail wants no more: the answer has the link of a turn mail for that
	Message  string   `json:"message,omitempty"` // the answered mail's Message-ID, without angle brackets
	Took     bool     `json:"-"`                 // the mail went on with what an earlier one left, or said that it does not
	Soon     bool     `json:"-"`                 // only computers move before its reader is asked again, or the game ends
	Waits
}

// Waits is what an answer leaves to its reader's next reply.
type Waits struct {
	Meant   []string `json:"meant,omitempty"`   // the moves that a yes plays, in notation
	Rest    []string `json:"rest,omitempty"`    // lines of the answered mail: what they say goes on after what is asked first
	Listed  uint64   `json:"listed,omitempty"`  // the version of the line that the mail lists which Rest answers
	Version uint64   `json:"version,omitempty"` // that at which this was written: it holds no longer than that
}

// The outcomes that the house counts.
const (
	OutcomeAsked   = "asked"   // the house answers with a question
	OutcomeUnread  = "unread"  // no line of it means anything here
	OutcomeEmpty   = "empty"   // it has no text of its own
	OutcomeForeign = "foreign" // it came from somebody else's address
)

// bound limits how many of one person's mails to one table get an answer.
type bound struct {
	which string // of the table reply's rows; :same stands for the digest of what the mail says
	most  int
	span  time.Duration
}

const (
	unread = `outcome IN ('` + OutcomeUnread + `', '` + OutcomeEmpty + `', '` + OutcomeForeign + `')`
	// inRow is what came to nothing since the last mail that did something.
	inRow = `fruitless = 1 AND made > coalesce((SELECT max(r.made) FROM reply r WHERE r.person = reply.person
		AND r.table_name = reply.table_name AND r.fruitless = 0), 0) AND `
)

// Two machines do not write to each other for ever, so what cannot be read is soon left unanswered, and so is what the
// house has to ask about again and again. Whoever is refused or comes too late wrote what means something here: only
// the same again and again is left unanswered.
var (
	fruitless = bound{inRow + unread, 5, time.Hour}
	unclear   = bound{inRow + `outcome = '` + OutcomeAsked + `'`, 20, 24 * time.Hour}
	attempts  = bound{inRow + `outcome NOT IN ('` + OutcomeHeld + `', '` + OutcomeAsked + `') AND NOT ` + unread +
		` AND same = :same`, 20, 24 * time.Hour}
)

// Unread reports whether a mail that achieved nothing says nothing that the house could read, so that a program may
// have written it.
func (a Answer) Unread() bool {
	return a.Fruitless && (a.Outcome == OutcomeUnread || a.Outcome == OutcomeEmpty || a.Outcome == OutcomeForeign)
}

// mostSame is how many mails with the same text a person can have written within sameSpan: only programs write more.
const (
	mostSame = 3
	sameSpan = 7 * 24 * time.Hour
)

// notice returns the letter that carries the answer.
func (a Answer) notice() (Notice, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return Notice{}, fmt.Errorf("answer: %w", err)
	}
	n := Notice{Kind: KindReply, Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open, Secret: text}
	if err := n.Head.UnmarshalText([]byte(a.Key)); err != nil {
		return n, fmt.Errorf("key of an answer: %w", err)
	}
	return n, nil
}

// AnswerOf returns the answer that a letter carries; ok is false if it carries none.
func AnswerOf(n Notice) (a Answer, ok bool) {
	if n.Kind.How() != HowMoves && n.Kind != KindOver || n.Secret == nil {
		return a, false
	}
	return a, json.Unmarshal(n.Secret, &a) == nil && a.Headline != ""
}

// WaitsBy returns what a letter leaves to its reader's next reply, also once it has gone out; false if that is nothing.
func WaitsBy(n Notice) (w Waits, ok bool) {
	return w, n.Secret != nil && json.Unmarshal(n.Secret, &w) == nil && len(w.Meant)+len(w.Rest) > 0
}

// waits returns all that is kept of an answer that has gone out; nil for nothing.
func (o *Outbox) waits(n Notice) []byte {
	w, ok := WaitsBy(n)
	if !ok {
		return nil
	}
	kept, err := json.Marshal(w)
	if err != nil {
		return nil
	}
	return o.close(kept)
}

// plain reports whether an answer says only that all that was written was done. Who switched answers off gets none such
// once nothing more is asked of them: until then it is the only mail that asks.
func (a Answer) plain() bool { return !a.Fruitless && !a.Board && !a.List && len(a.Lines) == 0 }

// most returns how many moves an answer lists.
func (a Answer) most() int {
	if a.List {
		return mostListed
	}
	return mostBest
}

// replyOf returns what the events keep that came about by the mail that a letter answers; "" if it answers none.
func replyOf(n Notice) string {
	a, _ := AnswerOf(n)
	return a.Reply
}

// answers reports whether a letter answers a mail: its person asked for it and is waiting for it.
func (n Notice) answers() bool {
	_, ok := AnswerOf(n)
	return ok
}

// Replied reports whether a mail was already answered.
func (o *Outbox) Replied(ctx context.Context, key string) (bool, error) {
	n, err := database.Value[int](o.db.QueryRowContext(ctx, `SELECT count(*) FROM reply WHERE key = ?`, key))
	if err != nil {
		return false, fmt.Errorf("mail queue: %w", err)
	}
	if n == 0 {
		return isPast(ctx, o.db, pastReply, key)
	}
	return true, nil
}

// Made reports whether a letter of this house has the Message-ID.
func (o *Outbox) Made(ctx context.Context, messageID string) (bool, error) {
	if messageID == "" {
		return false, nil
	}
	n, err := database.Value[int](o.db.QueryRowContext(ctx,
		`SELECT count(*) FROM outbox WHERE message_id = ? AND message_id <> ''`, messageID))
	if err != nil {
		return false, fmt.Errorf("mail queue: %w", err)
	}
	if n == 0 {
		return isPast(ctx, o.db, pastMessage, messageID)
	}
	return true, nil
}

// Mailed lists who was ever written to about a table.
func (o *Outbox) Mailed(ctx context.Context, table events.Name) ([]domain.PersonID, error) {
	all, err := database.All(ctx, o.db, func(row database.Row) (id domain.PersonID, err error) {
		return id, row.Scan(&id)
	}, `SELECT person FROM thread WHERE table_name = ? AND person <> ''
		UNION SELECT person FROM outbox WHERE table_name = ? AND person <> ''`, table.String(), table.String())
	if err != nil {
		return nil, fmt.Errorf("mail queue: who was written to: %w", err)
	}
	return all, nil
}

// SameAgain reports whether a person has sent the same text too often for a person.
func (o *Outbox) SameAgain(ctx context.Context, person domain.PersonID, same string) (bool, error) {
	n, err := database.Value[int](o.db.QueryRowContext(ctx, `SELECT count(*) FROM reply
		WHERE same = ? AND same <> '' AND person = ? AND made > ?`,
		same, string(person), o.now().Add(-sameSpan).UnixMilli()))
	if err != nil {
		return false, fmt.Errorf("mail queue: %w", err)
	}
	return n >= mostSame, nil
}

// reply notes that a mail is answered. It returns false if it was before.
func (o *Outbox) reply(ctx context.Context, tx *sql.Tx, key string, a Answer) (fresh bool, err error) {
	if past, err := isPast(ctx, tx, pastReply, key); err != nil || past {
		return false, err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO reply (key, person, table_name, outcome, fruitless, same, made)
		VALUES (?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
		key, string(a.Person), a.Table.String(), a.Outcome, a.Fruitless, a.Same, o.now().UnixMilli())
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// left returns how many more mails like the one just noted get an answer; negative if that one gets none.
func (o *Outbox) left(ctx context.Context, tx *sql.Tx, a Answer) (int, error) {
	b := attempts
	switch {
	case a.Outcome == OutcomeHeld:
		b = questions
	case a.Unread():
		b = fruitless
	case a.Fruitless && a.Outcome == OutcomeAsked:
		b = unclear
	case !a.Fruitless:
		return b.most, nil
	}
	n, err := database.Value[int](tx.QueryRowContext(ctx, `SELECT count(*) FROM reply
		WHERE person = :person AND table_name = :table AND made > :after AND `+b.which,
		sql.Named("person", string(a.Person)), sql.Named("table", a.Table.String()),
		sql.Named("after", max(o.now().Add(-b.span).UnixMilli(), a.Asked.UnixMilli()-1)), sql.Named("same", a.Same)))
	return b.most - n, err
}

// Answer queues the letter that answers a mail, once. If the mail brought up its writer's own next decision or the end,
// next is the letter about that; it then says both, unless it has already gone out. It returns false if the mail gets
// no answer, because too many like it came to nothing; the last one before says so.
func (o *Outbox) Answer(ctx context.Context, a Answer, next *Notice) (answered bool, err error) {
	err = o.change(ctx, "answer", func(tx *sql.Tx) error {
		answered = true
		if fresh, err := o.reply(ctx, tx, a.Key, a); err != nil || !fresh {
			return err
		}
		if err := errors.Join(o.proved(ctx, tx, a), o.took(ctx, tx, a)); err != nil {
			return err
		}
		left, err := o.left(ctx, tx, a)
		if answered = left >= 0; err != nil || !answered {
			return err
		}
		if left == 0 && a.Last != "" {
			a.Lines = append(slices.Clone(a.Lines), a.Last)
		}
		letter, err := a.notice()
		if err != nil {
			return err
		}
		if next != nil {
			said, err := o.say(ctx, tx, *next, letter.Secret)
			if said || err != nil {
				return err
			}
		}
		if a.Soon {
			letter.Wait = soon
		}
		return o.add(ctx, tx, letter)
	})
	if err != nil {
		return false, err
	}
	o.rouse()
	return answered, nil
}

// soon is how long an answer waits for the letter that asks its reader again once a computer has moved.
const soon = 10 * time.Second

// inTheNext is the note on an answer that is said in such a letter.
const inTheNext = "said in the next mail"

// joins puts an answer that waits for a letter at the top of that, and makes it due now. It shows the board, which has
// changed since.
func (o *Outbox) joins(ctx context.Context, tx *sql.Tx, n Notice) error {
	if n.Kind != KindTurn && n.Kind != KindOver {
		return nil
	}
	now := o.now().UnixMilli()
	waits, err := database.All(ctx, tx, o.scan, selectLetters+
		`WHERE kind = ? AND person = ? AND table_name = ? AND state = 'new' AND attempts = 0 AND due > ?`,
		string(KindReply), string(n.Person), n.Table.String(), now)
	if err != nil || len(waits) != 1 {
		return err
	}
	a, _ := AnswerOf(waits[0].Notice)
	a.Board = true
	secret, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	res, err := tx.ExecContext(ctx, `UPDATE outbox SET secret = ?, due = ? WHERE key = ? AND state = 'new'
		AND secret IS NULL`, o.close(secret), now, n.key())
	if err != nil {
		return err
	}
	if said, err := res.RowsAffected(); err != nil || said == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', secret = NULL, note = ?, done = ? WHERE id = ?`,
		inTheNext, now, waits[0].ID)
	return err
}

// say puts an answer at the top of the letter about a decision and makes that letter due now, queueing it if need be.
// It returns false if the letter was already written.
func (o *Outbox) say(ctx context.Context, tx *sql.Tx, n Notice, secret []byte) (bool, error) {
	n.Secret, n.Wait = nil, 0
	if err := o.add(ctx, tx, n); err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, `UPDATE outbox SET secret = ?, due = ? WHERE key = ? AND state = 'new'`,
		o.close(secret), o.now().UnixMilli(), n.key())
	if err != nil {
		return false, err
	}
	rows, err := res.RowsAffected()
	return rows > 0, err
}

// answers puts at the top of a letter what became of the mail that brought up what it is about.
func (c *Composer) answers(body *content, m *turn.Model, l Letter) {
	if a, ok := AnswerOf(l.Notice); ok {
		body.Intro = slices.Concat(a.Lines, []string{body.Headline}, body.Intro)
		body.Headline, body.Preheader, body.InReplyTo = a.Headline, a.Headline, a.Message
		c.rules(body, m, a)
	}
}

// rules links to the rule behind an answer's refusal, and to the reading of a rulebook that it follows from.
func (c *Composer) rules(body *content, m *turn.Model, a Answer) {
	if a.Rule != "" {
		body.Rule = link{m.Text("mail.answer.rule"), c.Links.Rule(a.Rule, m.Lang())}
	}
	if a.Reading != "" {
		body.Reading = link{m.Text("mail.answer.reading"), c.Links.Rule(a.Reading, m.Lang())}
	}
}

// answer tells what became of a mail, and how the table stands.
func (c *Composer) answer(ctx context.Context, d *draft) error {
	body, m, l := &d.content, d.m, d.Letter
	a, ok := AnswerOf(l.Notice)
	if !ok {
		return errors.New("an answer that says nothing")
	}
	body.Headline, body.Preheader, body.InReplyTo = a.Headline, a.Headline, a.Message
	body.Intro, body.Subject = a.Lines, body.Thread
	c.rules(body, m, a)
	if stands(m, l.Notice) {
		return c.askAgain(ctx, d, l.Notice)
	}
	if m.Decision == nil {
		c.story(body, m)
		n := l.Notice
		if l.Latest != nil {
			n = *l.Latest // nothing is taken any more at the address of what is answered
		}
		if stands(m, n) {
			return c.askAgain(ctx, d, n)
		}
		if a.plain() && !d.r.Wants(KindReply, l.Table) {
			return errGone{switchedOff}
		}
		body.Intro = append(body.Intro, m.Sentence)
		body.Button = link{m.Text("mail.table"), c.Links.Table(l.Table)}
		if n.how() == HowYesNo {
			n.Open.Kind = string(KindNews) // that is answered, or over: what they write now is chat
		}
		if d.about = &n; n.Stream.IsZero() {
			d.about = nil
		}
		return nil
	}
	body.Intro = append(body.Intro, m.Yours()) // the button leads there
	rec, err := events.LoadOne(ctx, c.Desk.Log(), m.Line, m.Decision.Since)
	if err != nil {
		return fmt.Errorf("a decision's version: %w", err)
	}
	n := Notice{Kind: KindTurn, Person: l.Person, Table: l.Table, Stream: m.Line, Open: *m.Decision, Head: rec.Hash}
	token, err := c.Passes.Act(ctx, n)
	if err != nil {
		return fmt.Errorf("pass: %w", err)
	}
	c.puts(body, m, token, a.most())
	if !a.Fruitless || a.Board { // what came to nothing changed nothing
		c.tells(body, m)
	}
	body.Sender = m.Text("mail.from.turn", "house", c.SiteName)
	body.Keep, d.about = m.Text("mail.turn.keep"), &n
	return nil
}

// reply writes what became of a mail: nothing of the table to somebody who may no longer look at it.
func (c *Composer) reply(ctx context.Context, l Letter, r Recipient) (content, []inline, error) {
	seen, failed := c.Desk.SeenBy(ctx, l.Table, l.Person)
	if seen {
		return c.letter(ctx, l, r)
	}
	d, _, err := c.draft(ctx, l, r)
	if err = errors.Join(failed, err); err != nil {
		return content{}, nil, err
	}
	a, _ := AnswerOf(l.Notice)
	if a.plain() && !r.Wants(KindReply, l.Table) {
		return content{}, nil, errGone{switchedOff}
	}
	d.Headline, d.Preheader, d.Intro, d.InReplyTo = a.Headline, a.Headline, a.Lines, a.Message
	d.Receipt, d.ReceiptIs, d.content.Told, d.content.Subject = "", "", 0, d.Thread
	return d.content, nil, nil
}
