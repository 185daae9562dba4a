package mail

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/projections/turn"
)

// KindReply is our answer to what somebody wrote to a mail's address.
const KindReply = Kind("reply")

// Answer tells somebody what became of a mail they sent.
type Answer struct {
	Key       string          `json:"-"` // of the mail being answered: each is answered once
	Person    domain.PersonID `json:"-"`
	Table     events.Name     `json:"-"`
	Stream    events.Name     `json:"-"` // the line and the decision that the mail was about
	Open      domain.Open     `json:"-"`
	Outcome   string          `json:"-"` // one word for the log
	Fruitless bool            `json:"-"` // the mail achieved nothing
	Headline  string          `json:"headline"`
	Lines     []string        `json:"lines,omitempty"`
	Rule      string          `json:"rule,omitempty"`    // the address, on this server, of the rule behind the refusal
	Message   string          `json:"message,omitempty"` // the answered mail's Message-ID, without angle brackets
}

// How many of one person's fruitless mails to one table are answered in an hour. People who make mistakes get help, but
// two machines do not write to each other forever.
const (
	mostFruitless  = 5
	fruitlessSpans = time.Hour
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
	if n.Kind != KindReply && n.Kind != KindTurn || n.Secret == nil {
		return a, false
	}
	return a, json.Unmarshal(n.Secret, &a) == nil
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
	return n > 0, nil
}

// Made reports whether a letter of this house has the Message-ID.
func (o *Outbox) Made(ctx context.Context, messageID string) (bool, error) {
	if messageID == "" {
		return false, nil
	}
	n, err := database.Value[int](o.db.QueryRowContext(ctx, `SELECT count(*) FROM outbox WHERE message_id = ? AND message_id <> ''`, messageID))
	if err != nil {
		return false, fmt.Errorf("mail queue: %w", err)
	}
	return n > 0, nil
}

// Answer queues the letter that answers a mail, once. If the mail brought up its writer's own next decision, next is
// the letter about that decision; it then says both, unless it has already gone out.
func (o *Outbox) Answer(ctx context.Context, a Answer, next *Notice) error {
	letter, err := a.notice()
	if err != nil {
		return err
	}
	err = o.change(ctx, "answer", func(tx *sql.Tx) error {
		now := o.now().UnixMilli()
		res, err := tx.ExecContext(ctx, `INSERT INTO reply (key, person, table_name, outcome, fruitless, made) VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
			a.Key, string(a.Person), a.Table.String(), a.Outcome, a.Fruitless, now)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err // already answered
		}
		if a.Fruitless {
			n, err := database.Value[int](tx.QueryRowContext(ctx, `SELECT count(*) FROM reply WHERE person = ? AND table_name = ? AND fruitless = 1 AND made > ?`,
				string(a.Person), a.Table.String(), now-fruitlessSpans.Milliseconds()))
			if err != nil || n > mostFruitless {
				return err
			}
		}
		if next != nil {
			said, err := o.say(ctx, tx, *next, letter.Secret)
			if said || err != nil {
				return err
			}
		}
		return o.add(ctx, tx, letter)
	})
	if err != nil {
		return err
	}
	o.rouse()
	return nil
}

// say puts an answer at the top of the letter about a decision and makes that letter due now, queueing it if need be.
// It returns false if the letter was already written.
func (o *Outbox) say(ctx context.Context, tx *sql.Tx, n Notice, secret []byte) (bool, error) {
	n.Secret, n.Wait = nil, 0
	if err := o.add(ctx, tx, n); err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, `UPDATE outbox SET secret = ?, due = ? WHERE key = ? AND state = 'new'`, o.close(secret), o.now().UnixMilli(), n.key())
	if err != nil {
		return false, err
	}
	rows, err := res.RowsAffected()
	return rows > 0, err
}

// rule returns a link to the rule behind an answer's refusal.
func (c *Composer) rule(m *turn.Model, a Answer) link {
	if a.Rule == "" {
		return link{}
	}
	return link{m.Text("mail.answer.rule"), c.Links.Rule(a.Rule, m.Lang())}
}

// answer tells what became of a mail, and how the table stands.
func (c *Composer) answer(ctx context.Context, body *content, m *turn.Model, l Letter, visit string) error {
	a, ok := AnswerOf(l.Notice)
	if !ok {
		return errors.New("an answer that says nothing")
	}
	body.Headline, body.Preheader, body.InReplyTo = a.Headline, a.Headline, a.Message
	body.Intro, body.Rule = a.Lines, c.rule(m, a)
	c.story(body, m)
	if m.Decision == nil {
		body.Intro = append(body.Intro, m.Sentence)
		body.Button = link{m.Text("mail.table"), c.Links.Pass(visit)}
		if m.Line.IsZero() || m.Status != domain.TableStarted {
			return nil
		}
		return c.answerable(ctx, body, m, l.Notice) // chat is still welcome
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
	c.choices(body, m, token)
	return c.answerable(ctx, body, m, n)
}
