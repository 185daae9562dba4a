package inbound

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// People looks up the people who write.
type People interface {
	pass.Epochs
	// Encrypt encrypts what a person wrote, with that person's key.
	Encrypt(ctx context.Context, id domain.PersonID, text []byte) ([]byte, error)
}

// Answers records which mails were answered, and queues the letters that answer them (*mail.Outbox).
type Answers interface {
	// Made reports whether a letter of this house has the Message-ID.
	Made(ctx context.Context, messageID string) (bool, error)
	// Replied reports whether a mail was already answered.
	Replied(ctx context.Context, key string) (bool, error)
	// Answer queues the letter that answers a mail, once; next is the letter about its writer's next decision, or nil.
	Answer(ctx context.Context, a mail.Answer, next *mail.Notice) error
}

// Door takes the answers to mails.
type Door struct {
	ReplyTo   string // the address that answers go to, without the "+" part
	Passes    *pass.Maker
	Desk      *events.Desk
	Maker     *turn.Maker
	People    People
	Directory mail.Directory
	Outbox    Answers
	AnyFrom   bool // anybody who has the address may write, from any sender
	Log       *slog.Logger
	Now       func() time.Time
}

// Takes reports whether this house made the address.
func (d *Door) Takes(rcpt string) bool {
	token, ok := behind(d.ReplyTo, rcpt)
	if !ok {
		return false
	}
	_, err := d.Passes.ReadReply(token)
	return err == nil
}

// letter is a mail passing through the checks.
type letter struct {
	pass.Reply
	head   reply.Head
	key    []byte // of address and mail
	table  events.Name
	stream events.Name
	since  uint64
	person domain.PersonID
	to     mail.Recipient
	look   events.Look
}

// errDropped says why a mail is neither played nor answered.
type errDropped struct{ why string }

func (e errDropped) Error() string { return e.why }

// Handle takes an answer: it checks it, cheapest check first, plays it and answers it. It logs what became of the mail,
// but not whose it was or what it said.
func (d *Door) Handle(ctx context.Context, rcpt, sender string, raw []byte) error {
	outcome, err := d.handle(ctx, rcpt, sender, raw)
	var dropped errDropped
	if errors.As(err, &dropped) {
		d.Log.Info("an answer by mail was dropped", "why", dropped.why)
		return nil
	}
	var unread *events.Unreadable
	if errors.As(err, &unread) {
		d.Log.Info("an answer by mail was dropped", "why", "its table cannot be read")
		return nil
	}
	if err != nil {
		return fmt.Errorf("an answer by mail: %w", err)
	}
	d.Log.Info("an answer by mail", "outcome", outcome)
	return nil
}

func (d *Door) handle(ctx context.Context, rcpt, sender string, raw []byte) (outcome string, err error) {
	l, err := d.open(rcpt, sender, raw)
	if err != nil {
		return "", err
	}
	if err := d.known(ctx, l); err != nil {
		return "", err
	}
	if err := d.find(ctx, l); err != nil {
		return "", err
	}
	a := mail.Answer{Key: hex.EncodeToString(l.key), Person: l.person, Table: l.table, Stream: l.stream, Message: l.head.MessageID(),
		Open: domain.Open{Decision: domain.Decision{Seat: l.Seat}, Since: l.since}}
	w, err := d.writer(ctx, l)
	if err != nil {
		return "", err
	}
	if !d.AnyFrom && !l.own() {
		w.told("foreign", w.text("foreign"))
	} else if err := w.read(ctx, reply.Sort(l.head.Lines())); err != nil {
		return "", err
	}
	a.Outcome, a.Fruitless, a.Headline, a.Lines = w.outcome, !w.done, w.headline(), w.lines
	a.Rule = w.rule()
	next, err := d.next(ctx, l)
	if err != nil {
		return "", err
	}
	return a.Outcome, d.Outbox.Answer(ctx, a, next)
}

// own reports whether the mail claims to come from its writer's own address, and from no other.
func (l *letter) own() bool {
	from := l.head.From()
	if len(from) != 1 {
		return false
	}
	a, err := people.ParseAddress(from[0])
	return err == nil && string(a) == l.to.Address
}

// open checks what can be judged from the mail alone: its address, its size, and whether a person wrote it.
func (d *Door) open(rcpt, sender string, raw []byte) (l *letter, err error) {
	token, ok := behind(d.ReplyTo, rcpt)
	if !ok {
		return nil, errDropped{"address"}
	}
	l = &letter{}
	if l.Reply, err = d.Passes.ReadReply(token); err != nil {
		return nil, errDropped{"address"}
	}
	if l.head, err = reply.ReadHead(raw); err != nil {
		return nil, errDropped{"no mail"}
	}
	if why := l.head.Automatic(sender); why != "" {
		return nil, errDropped{why}
	}
	id := l.head.MessageID()
	if id == "" {
		sum := sha256.Sum256(l.head.Body())
		id = " body " + string(sum[:])
	}
	l.key = d.digest("mail", []byte(strings.ToLower(token)), []byte(id))
	return l, nil
}

// digest returns a keyed digest for a purpose.
func (d *Door) digest(purpose string, fields ...[]byte) []byte {
	m := hmac.New(sha256.New, d.Desk.Keys().For("answer by mail"))
	for _, f := range append([][]byte{[]byte(purpose)}, fields...) {
		_, _ = fmt.Fprintf(m, "%d:", len(f))
		_, _ = m.Write(f)
	}
	return m.Sum(nil)
}

// known drops mails seen before, and mails that this house wrote itself.
func (d *Door) known(ctx context.Context, l *letter) error {
	if made, err := d.Outbox.Made(ctx, l.head.MessageID()); made || err != nil {
		return dropIf(made, "our own", err)
	}
	again, err := d.Outbox.Replied(ctx, hex.EncodeToString(l.key))
	return dropIf(again, "again", err)
}

func dropIf(drop bool, why string, err error) error {
	if err == nil && drop {
		return errDropped{why}
	}
	return err
}

// find finds the table and the person that an address belongs to, unless it has been withdrawn.
func (d *Door) find(ctx context.Context, l *letter) error {
	if l.Pos == 0 {
		return errDropped{"address"}
	}
	recs, err := d.Desk.Log().Read(ctx, l.Pos-1, 1)
	if err != nil {
		return err
	}
	if len(recs) != 1 || recs[0].Pos != l.Pos || !l.At(recs[0].Hash) {
		return errDropped{"another history"}
	}
	s, err := d.Desk.Log().Stream(ctx, recs[0].Stream)
	if err != nil {
		return fmt.Errorf("stream of an address: %w", err)
	}
	l.stream, l.since, l.table = recs[0].Stream, recs[0].Version, s.Table
	if l.look, err = d.Desk.Look(ctx, l.table); err != nil {
		return err
	}
	var of []domain.PersonID
	for _, id := range l.look.Table.Everybody() {
		if l.Of(id) {
			of = append(of, id)
		}
	}
	if len(of) != 1 {
		return errDropped{"nobody there"}
	}
	l.person = of[0]
	epoch, err := d.People.PassEpoch(ctx, l.person)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || epoch != l.Epoch {
		return errDropped{"withdrawn"}
	}
	r, ok, err := d.Directory.Recipient(ctx, l.person)
	if err == nil && !ok {
		err = errDropped{"forgotten"}
	}
	l.to = r
	return err
}

// next returns the letter about the decision now awaited from the writer, unless they have just answered it.
func (d *Door) next(ctx context.Context, l *letter) (*mail.Notice, error) {
	look, err := d.Desk.Look(ctx, l.table)
	if err != nil {
		return nil, err
	}
	asks, err := d.Desk.Asks(ctx, look)
	if err != nil {
		return nil, err
	}
	for _, a := range asks {
		if a.Kind != events.AskTurn || a.Person != l.person || a.Open.Seat != l.Seat || a.Stream == l.stream && a.Asked() <= l.since {
			continue
		}
		rec, err := events.LoadOne(ctx, d.Desk.Log(), a.Stream, a.Asked())
		if err != nil {
			return nil, err
		}
		return &mail.Notice{Kind: mail.KindTurn, Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open, Head: rec.Hash, Again: a.Again > 0}, nil
	}
	return nil, nil
}
