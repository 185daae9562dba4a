package inbound

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/authentic"
)

// errUnproved is returned for a mail that may be its writer's, which DNS could not say yet.
var errUnproved = errors.New("nobody can say yet whether a mail is its writer's")

// proof is what speaks for a mail being its writer's.
type proof struct {
	verdict authentic.Verdict
	by      authentic.Signature // see authentic.Judge
	from    people.Address      // "" if the mail is from nobody, or from several
	// signatures are those of the mail that are good, or may be: with any of them alone it could be sent again.
	signatures []string
	unsigned   bool // it is from the writer's own address, and has no signature of its domain
}

// prove judges whether a mail is its writer's, and remembers who signed it.
func (d *Door) prove(ctx context.Context, w *writer) (p proof, err error) {
	l := w.l
	if d.AnyFrom || d.Trusted && l.own() {
		return proof{verdict: authentic.Acts}, nil
	}
	p.verdict = authentic.Asks
	m := d.Checker.Read(ctx, l.head, l.raw)
	if p.from, err = people.ParseAddress(m.From); err != nil {
		return p, nil // so it is nobody's
	}
	writer := authentic.Writer{Address: l.to.Address}
	if l.own() {
		writer.Address = m.From
	}
	if writer.Domains, err = d.People.SignedBy(ctx, l.person, p.from); err != nil {
		return p, err
	}
	for i, s := range m.Signatures {
		if m.Signatures[i].Seen, err = d.Outbox.Signed(ctx, s.ID); err != nil {
			return p, err
		}
		if s.Verified || s.Fault != nil {
			p.signatures = append(p.signatures, s.ID)
		}
	}
	answered := authentic.Letter{Address: mail.ReplyAddress(d.ReplyTo, l.token), House: d.house,
		Quoted: l.head.Says(mail.ReplyMark(l.token))}
	if answered.Written, err = d.dated(ctx, l); err != nil {
		return p, err
	}
	if m.Answers != "" {
		letter, ok, err := d.Outbox.ByMessageID(ctx, m.Answers)
		if err != nil {
			return p, err
		}
		answered.Named = ok && letter.Person == l.person && letter.Table == l.table
	}
	p.unsigned = l.own() && m.Unsigned() &&
		!slices.ContainsFunc(writer.Domains, func(by string) bool { return by != people.Unsigned })
	if p.verdict, p.by = authentic.Judge(m, answered, writer, d.Now()); p.verdict == authentic.Acts &&
		p.by.Domain != "" {
		err = d.People.SetSignedBy(ctx, l.person, p.from, p.by.Domain)
	}
	return p, err
}

// house reports whether an address is the one that answers go to, with the part of any letter or none.
func (d *Door) house(address string) bool {
	_, ok := behind(d.ReplyTo, address)
	return ok || strings.EqualFold(address, d.ReplyTo)
}

// dated returns a time before the letter that a mail answers was written.
func (d *Door) dated(ctx context.Context, l *letter) (time.Time, error) {
	if l.Ahead == 0 {
		return l.at, nil
	}
	rec, err := events.LoadOne(ctx, d.Desk.Log(), l.stream, l.since+l.Ahead)
	return rec.At, err
}

// hold keeps a mail until its person says that it is theirs, and asks them.
func (d *Door) hold(ctx context.Context, w *writer, p proof) (outcome string, err error) {
	l := w.l
	a := w.answer()
	a.Key, a.Outcome, a.Fruitless, a.Last, a.Same = hex.EncodeToString(l.key), mail.OutcomeHeld, true,
		w.text("last.asked"), d.same(l)
	if p.from != "" && !l.own() {
		a.Lines = []string{w.text("held.unknown", "from", p.from.Short(), "known", l.known())}
	} else {
		a.Lines = nil
	}
	asked, err := d.Outbox.Hold(ctx,
		mail.Held{To: mail.ReplyAddress(d.ReplyTo, l.token), Sender: l.sender, From: string(p.from), By: p.by.Domain,
			Signature: strings.Join(p.signatures, " "), Unsigned: p.unsigned, Raw: l.raw}, a)
	return a.Outcome, dropIf(!asked, dropEnough, err)
}

// known names the addresses of the writer whose mails count at once, each in part: their letter is for them alone, but
// may be passed on.
func (l *letter) known() string {
	var out []string
	for _, o := range l.theirs {
		out = append(out, o.Address.Short())
	}
	return strings.Join(out, ", ")
}

// Held is an answer that waits for its person to say that it is theirs.
type Held struct {
	mail.Held
	Known bool // it says that it is from an address of its person's
	Table events.Name
	Lines []string // what it says
}

// Held returns the answer that a pass of purpose Confirm is about; ok is false if it waits no longer.
func (d *Door) Held(ctx context.Context, f pass.Facts) (h Held, ok bool, err error) {
	h, _, err = d.held(ctx, f)
	if errors.As(err, new(errDropped)) {
		return h, false, nil
	}
	return h, err == nil, err
}

func (d *Door) held(ctx context.Context, f pass.Facts) (h Held, l *letter, err error) {
	open := domain.Open{Decision: domain.Decision{Seat: f.Seat}, Since: f.Since}
	var ok bool
	if h.Held, ok, err = d.Outbox.Held(ctx, f.Person, f.Stream, open, hex.EncodeToString(f.At[:])); err != nil || !ok {
		return h, nil, dropIf(!ok, dropAgain, err)
	}
	if l, err = d.open(h.To, h.Sender, h.Raw); err != nil {
		return h, nil, err
	}
	if err := d.find(ctx, l); err != nil {
		return h, nil, err
	}
	h.Table, h.Lines, h.Known = l.table, l.head.Lines(), l.own()
	return h, l, nil
}

// Confirm carries out the answer that a pass of purpose Confirm is about, because its person says that it is theirs,
// and returns what came of it, in their language. What it shows of its provider proves their next answers; unsigned
// says that their provider signs nothing, so that the next ones need no proof. ok is false if the answer waits no
// longer.
func (d *Door) Confirm(ctx context.Context, f pass.Facts, unsigned bool) (said []string, ok bool, err error) {
	h, l, err := d.held(ctx, f)
	if errors.As(err, new(errDropped)) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	w, err := d.writer(ctx, l)
	if err != nil {
		return nil, false, err
	}
	if h.By != "" || unsigned && h.Unsigned {
		if err := d.People.SetSignedBy(ctx, l.person, people.Address(h.From), h.By); err != nil {
			return nil, false, err
		}
	}
	w.proved = true
	a, err := d.does(ctx, w, mail.Answer{Key: hex.EncodeToString(d.digest("confirmed", l.key)),
		Signatures: strings.Fields(h.Signature), Released: h.Key})
	if errors.As(err, new(errDropped)) {
		err = nil // too much came to nothing for a mail about this
	}
	d.Log.Info("an answer by mail was confirmed", "outcome", a.Outcome)
	return append([]string{a.Headline}, a.Lines...), err == nil, err
}
