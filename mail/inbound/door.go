package inbound

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// People looks up the people who write.
type People interface {
	pass.Epochs
	Person(ctx context.Context, id domain.PersonID) (people.Person, error)
	// Addresses lists a person's addresses.
	Addresses(ctx context.Context, id domain.PersonID) ([]people.Owned, error)
	// SignedBy lists the domains that sign a person's mails from an address; people.Unsigned alone says that none does.
	SignedBy(ctx context.Context, id domain.PersonID, from people.Address) ([]string, error)
	// SetSignedBy notes one, or people.Unsigned.
	SetSignedBy(ctx context.Context, id domain.PersonID, from people.Address, by string) error
	// Wrote notes that a mail of a person's came in, and how it is dated.
	Wrote(ctx context.Context, id domain.PersonID, at time.Time) error
	// SetName gives a person a name, or refuses it.
	SetName(ctx context.Context, id domain.PersonID, name string) error
	// SetLanguage sets the language a person is written to in.
	SetLanguage(ctx context.Context, id domain.PersonID, language string) error
	// Write encrypts what a person wrote, with that person's key.
	Write(ctx context.Context, id domain.PersonID, text string) (desk.Written, error)
}

// Answers records which mails were answered, and queues the letters that answer them (*mail.Outbox).
type Answers interface {
	// Made reports whether a letter of this house has the Message-ID.
	Made(ctx context.Context, messageID string) (bool, error)
	// Replied reports whether a mail was already answered.
	Replied(ctx context.Context, key string) (bool, error)
	// SameAgain reports whether a person has sent the same text too often for a person.
	SameAgain(ctx context.Context, person domain.PersonID, same string) (bool, error)
	// ByMessageID returns the letter that went out under a Message-ID.
	ByMessageID(ctx context.Context, id string) (l mail.Letter, ok bool, err error)
	// Left returns what a person's earlier mail left until they have answered what a line asks of their seat at a
	// version.
	Left(ctx context.Context, person domain.PersonID, table, line events.Name, seat domain.Seat, version uint64) (
		mail.Waits, error)
	// Superseded reports whether the latest letter to a person about a table was about something else than an ask, and
	// when it went out; zero if that is not known.
	Superseded(ctx context.Context, a desk.Ask) (over bool, at time.Time, err error)
	// Signed reports whether a signature has proved an answer.
	Signed(ctx context.Context, signature string) (bool, error)
	// Hold keeps an answer until its person confirms it, and asks them, unless they were asked too often.
	Hold(ctx context.Context, h mail.Held, a mail.Answer) (asked bool, err error)
	// Held returns an answer that is held.
	Held(ctx context.Context, person domain.PersonID, stream events.Name, d domain.Open, begins string) (h mail.Held,
		ok bool, err error)
	// Mailed lists who was ever written to about a table.
	Mailed(ctx context.Context, table events.Name) ([]domain.PersonID, error)
	// Answer queues the letter that answers a mail, once; next is the letter about its writer's next decision, or nil.
	// It returns false if the mail gets no answer, because too many like it came to nothing.
	Answer(ctx context.Context, a mail.Answer, next *mail.Notice) (answered bool, err error)
}

// Door takes the answers to mails.
type Door struct {
	ReplyTo   string // the address that answers go to, without the "+" part
	Passes    *pass.Maker
	Desk      *desk.Desk
	Maker     *turn.Maker
	People    People
	Directory mail.Directory
	Outbox    Answers
	Checker   authentic.Checker
	AnyFrom   bool // anybody who has the address may write, from any sender
	Trusted   bool // who hands mails over knows whose they are: the built-in mailbox
	Log       *slog.Logger
	Now       func() time.Time
	// Again opens the game of a finished table once more with the same people, or finds the table where one of them
	// has; ok is false if that person may not. It is nil where that is not offered.
	Again func(ctx context.Context, person domain.PersonID, table events.Name) (again events.Name, ok bool, err error)
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
	raw    []byte
	token  string // of its address
	sender string // of its envelope
	lines  []reply.Line
	key    []byte    // of address and mail
	kind   mail.Kind // of what a table itself asks or tells; "" for a decision of play
	table  events.Name
	stream events.Name
	since  uint64
	opens  bool      // that opened a line: what is asked may have come up before it
	at     time.Time // when that came up
	person domain.PersonID
	to     mail.Recipient
	theirs []people.Owned // the addresses of that person
	look   desk.Look
}

// errDropped says why a mail is neither played nor answered.
type errDropped struct{ why Drop }

func (e errDropped) Error() string { return string(e.why) }

// Handle takes an answer: it checks it, cheapest check first, plays it and answers it. It logs what became of the mail,
// but not whose it was or what it said.
func (d *Door) Handle(ctx context.Context, rcpt, sender string, raw []byte) error {
	outcome, err := d.handle(ctx, rcpt, sender, raw)
	if errors.As(err, new(*desk.Unreadable)) {
		err = errDropped{dropUnreadable}
	}
	var dropped errDropped
	if errors.As(err, &dropped) {
		d.Log.Info("an answer by mail was dropped", "why", string(dropped.why))
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
	w, err := d.writer(ctx, l)
	if err != nil {
		return "", err
	}
	p, err := d.prove(ctx, w)
	switch {
	case err != nil:
		return "", err
	case p.verdict == authentic.Waits:
		return "", fmt.Errorf("%w: %w", errUnproved, p.by.Fault)
	case p.verdict == authentic.Asks && !w.alive:
		return "", errDropped{dropUnproved}
	case p.verdict == authentic.Asks && len(l.lines) > 0:
		if err := d.again(ctx, l); err != nil {
			return "", err
		}
		return d.hold(ctx, w, p)
	}
	w.proved = !d.AnyFrom && !p.unsigned
	if at, ok := l.head.Date(); ok && w.proved {
		if err := d.People.Wrote(ctx, l.person, at); err != nil {
			return "", err
		}
	}
	a, err := d.does(ctx, w, mail.Answer{Key: hex.EncodeToString(l.key), Signatures: p.signatures})
	return a.Outcome, err
}

// does carries out what a mail says, and answers it.
func (d *Door) does(ctx context.Context, w *writer, as mail.Answer) (a mail.Answer, err error) {
	if err := w.read(ctx); err != nil {
		return a, err
	}
	a = w.answer()
	if a.Fruitless {
		if err := d.again(ctx, w.l); err != nil {
			return a, err
		}
	}
	a.Key, a.Signatures, a.Released = as.Key, as.Signatures, as.Released
	next, alone, err := d.next(ctx, w.l, a)
	if err != nil {
		return a, err
	}
	a.Soon = alone && next == nil && a.Outcome == "played"
	answered, err := d.Outbox.Answer(ctx, a, next)
	return a, dropIf(!answered, dropEnough, err)
}

// own reports whether the mail claims to come from an address of its writer's, and from no other.
func (l *letter) own() bool {
	from := l.head.From()
	if len(from) != 1 {
		return false
	}
	a, err := people.ParseAddress(from[0])
	_, theirs := people.Theirs(l.theirs, a)
	return err == nil && theirs
}

// open checks what can be judged from the mail alone: its address, its size, and whether a person wrote it.
func (d *Door) open(rcpt, sender string, raw []byte) (l *letter, err error) {
	token, ok := behind(d.ReplyTo, rcpt)
	if !ok {
		return nil, errDropped{dropAddress}
	}
	l = &letter{raw: raw, token: token, sender: sender}
	if l.Reply, err = d.Passes.ReadReply(token); err != nil {
		return nil, errDropped{dropAddress}
	}
	if l.head, err = written(raw, sender); err != nil {
		return nil, err
	}
	id := l.head.MessageID()
	if id == "" {
		sum := sha256.Sum256(l.head.Body())
		id = " body " + string(sum[:])
	}
	l.key = d.digest("mail", []byte(strings.ToLower(token)), []byte(id))
	return l, nil
}

// written reads the header of a mail, unless no person wrote it.
func written(raw []byte, sender string) (reply.Head, error) {
	head, err := reply.ReadHead(raw)
	if err != nil {
		return head, errDropped{dropNoMail}
	}
	if why := head.Automatic(sender); why != "" {
		return head, errDropped{Drop(why)}
	}
	return head, nil
}

// digest returns a keyed digest for a purpose.
func (d *Door) digest(purpose string, fields ...[]byte) []byte {
	return digest(d.Desk.Keys(), purpose, fields...)
}

func digest(keys *events.Keys, purpose string, fields ...[]byte) []byte {
	m := hmac.New(sha256.New, keys.For("answer by mail"))
	for _, f := range append([][]byte{[]byte(purpose)}, fields...) {
		_, _ = fmt.Fprintf(m, "%d:", len(f))
		_, _ = m.Write(f)
	}
	return m.Sum(nil)
}

// known drops mails seen before, and mails that this house wrote itself.
func (d *Door) known(ctx context.Context, l *letter) error {
	if made, err := d.Outbox.Made(ctx, l.head.MessageID()); made || err != nil {
		return dropIf(made, dropOwn, err)
	}
	again, err := d.Outbox.Replied(ctx, hex.EncodeToString(l.key))
	return dropIf(again, dropAgain, err)
}

func dropIf(drop bool, why Drop, err error) error {
	if err == nil && drop {
		return errDropped{why}
	}
	return err
}

// find finds the table and the person that an address belongs to, unless it has been withdrawn, and what they wrote.
func (d *Door) find(ctx context.Context, l *letter) error {
	if l.Pos == 0 {
		return errDropped{dropAddress}
	}
	recs, err := d.Desk.Log().Read(ctx, l.Pos-1, 1)
	if err != nil {
		return err
	}
	if len(recs) != 1 || recs[0].Pos != l.Pos || !l.At(recs[0].Hash) {
		return errDropped{dropHistory}
	}
	s, err := d.Desk.Log().Stream(ctx, recs[0].Stream)
	if err != nil {
		return fmt.Errorf("stream of an address: %w", err)
	}
	l.stream, l.since, l.at, l.table = recs[0].Stream, recs[0].Version, recs[0].At, s.Table
	if l.since > 1 && l.stream != l.table {
		before, err := events.LoadOne(ctx, d.Desk.Log(), l.stream, l.since-1)
		if err != nil {
			return err
		}
		l.opens = before.Stream != l.stream
	}
	if l.look, err = d.Desk.Look(ctx, l.table); err != nil {
		return err
	}
	if l.stream == l.table {
		l.kind = l.asked()
	}
	if l.person, err = d.sender(ctx, l); err != nil {
		return err
	}
	epoch, err := d.People.PassEpoch(ctx, l.person)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || epoch != l.Epoch {
		return errDropped{dropWithdrawn}
	}
	r, ok, err := d.Directory.Recipient(ctx, l.person)
	if err != nil || !ok {
		return dropIf(!ok, dropForgotten, err)
	}
	l.to, l.lines = r, reply.Sort(l.head.Lines())
	all, err := d.People.Addresses(ctx, l.person)
	l.theirs = people.Stay(all)
	return err
}

// sender returns the person that an address belongs to: of those at the table, or else of those who were there.
func (d *Door) sender(ctx context.Context, l *letter) (domain.PersonID, error) {
	now := l.look.Table.Everybody()
	for _, p := range l.look.Table.Places {
		if now = append(now, p.Invited...); p.Offer != nil {
			now = append(now, p.Offer.Person)
		}
	}
	if i := slices.IndexFunc(now, l.Of); i >= 0 {
		return now[i], nil
	}
	once, err := d.Outbox.Mailed(ctx, l.table)
	if i := slices.IndexFunc(once, l.Of); i >= 0 && err == nil {
		return once[i], nil
	}
	return "", dropIf(true, dropNobody, err)
}

// asked returns what a table itself asked or told in the mail that an address belongs to.
func (l *letter) asked() mail.Kind {
	for _, k := range mail.Kinds() {
		if l.Asks(domain.Decision{Seat: l.Seat, Kind: string(k)}) {
			return k
		}
	}
	return mail.KindNews
}

// leastSame is how long a text must be to be recognised when it comes again: people repeat short ones.
const leastSame = 30

// others returns the mail's lines that are for nothing certain. No program writes "say" or a step back before its text.
func (l *letter) others() (text string) {
	for _, line := range of(l.lines, reply.KindOther) {
		text += line + "\n"
	}
	return text
}

// again drops a mail that says so much, and says it so often, that only a program does. It is asked about what plays
// nothing: a move is played however often it was refused before.
func (d *Door) again(ctx context.Context, l *letter) error {
	if len(l.others()) < leastSame {
		return nil
	}
	again, err := d.Outbox.SameAgain(ctx, l.person, d.same(l))
	return dropIf(again, dropSame, err)
}

// same returns a digest of what a mail says, apart from chat.
func (d *Door) same(l *letter) string {
	return hex.EncodeToString(d.digest("same", []byte(l.others())))
}

// next returns the letter about the decision now awaited from the writer, unless they have just answered it, or about
// the end that their mail brought; and whether only computers have the other seats.
func (d *Door) next(ctx context.Context, l *letter, a mail.Answer) (n *mail.Notice, alone bool, err error) {
	if a.Outcome == mail.OutcomeAsked && l.kind != "" {
		return nil, false, nil // the answer asks about something else
	}
	look, err := d.Desk.Look(ctx, l.table)
	if err != nil {
		return nil, false, err
	}
	asks, err := d.Desk.Asks(ctx, look)
	if err != nil {
		return nil, false, err
	}
	alone = look.Table.Status == domain.TableStarted && look.Table.Grace == 0 && len(look.Table.Places) > 1
	for seat, p := range look.Table.Places {
		alone = alone && (domain.Seat(seat) == l.Seat || p.Kind == domain.SeatStandIn)
	}
	for _, a := range asks {
		turn := a.Kind == desk.AskTurn && a.Open.Seat == l.Seat && (a.Stream != l.stream || a.Asked() > l.since)
		ends := a.Kind == desk.AskOver && l.look.Table.Status != domain.TableEnded
		if a.Person != l.person || !turn && !ends {
			continue
		}
		rec, err := events.LoadOne(ctx, d.Desk.Log(), a.Stream, a.Asked())
		if err != nil {
			return nil, false, err
		}
		return &mail.Notice{Kind: mail.Kind(a.Kind), Person: a.Person, Table: a.Table, Stream: a.Stream, Open: a.Open,
			Head: rec.Hash, Again: a.Again > 0}, alone, nil
	}
	return nil, alone, nil
}
