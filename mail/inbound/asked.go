package inbound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// yesNo answers the table's question as the mail does. stop means that the mail has to be written again. Beside chat,
// lines that say neither yes nor no are only a greeting.
func (w *writer) yesNo(ctx context.Context, lines []string, says bool) (stop bool, err error) {
	_, again, err := w.d.Desk.Done(ctx, w.l.table, w.id("answer", 0))
	if err != nil {
		return false, err
	}
	if again { // the program stopped before its answer
		w.achieved("answered", w.text("answered.before"))
		return false, nil
	}
	said := reply.YesNo(lines)
	if said == reply.SaidNothing && says {
		return false, nil
	}
	stale, err := w.d.Desk.Stale(ctx, w.l.look, w.question())
	if err != nil {
		return false, err
	}
	regrets := stale == desk.StaleAnswered && said == reply.SaidNo && (w.l.kind == mail.KindConsent || w.seated())
	switch {
	case stale != desk.StillAsked && !regrets:
		why, err := w.overtaken(ctx, stale)
		if err != nil {
			return false, err
		}
		outcome := "stale"
		if said == reply.SaidNothing {
			outcome = mail.OutcomeUnread
		}
		w.told(outcome, why...)
		return false, nil
	case said != reply.SaidYes && said != reply.SaidNo:
		w.told(mail.OutcomeAsked, w.text("yesno"))
		return true, nil
	case reply.Qualified(said, lines, w.beside(said)):
		w.told(mail.OutcomeAsked, w.text(qualified[said]))
		return true, nil
	}
	err = w.decide(ctx, said == reply.SaidYes)
	if w.done {
		w.unheard(lines)
	}
	return false, err
}

// beside returns what may stand beside an answer to the table's question; nil for anything.
func (w *writer) beside(said reply.Said) func(clause string) bool {
	switch {
	case said == reply.SaidNo:
		return func(string) bool { return false }
	case w.l.kind == mail.KindConsent || w.offered():
		return reply.Glad
	}
	return nil
}

// qualified are the keys of the texts that ask whether a yes or a no was meant.
var qualified = map[reply.Said]string{reply.SaidYes: "qualified.yes", reply.SaidNo: "qualified.no"}

// question returns what the table asked in the mail.
func (w *writer) question() desk.Ask {
	l := w.l
	return desk.Ask{Kind: desk.AskKind(l.kind), Person: l.person, Table: l.table, Stream: l.stream,
		Open: domain.Open{Decision: domain.Decision{Seat: l.Seat, Kind: string(l.kind)}, Since: l.since}}
}

// overtaken says why the table's question is no longer asked.
func (w *writer) overtaken(ctx context.Context, stale desk.Stale) ([]string, error) {
	switch {
	case w.l.kind == mail.KindConsent:
		return []string{w.text("late." + string(stale))}, nil
	case w.seated():
		return []string{w.text("late.seated", "letter", w.l.Seat.Letter())}, nil
	}
	return w.outside(ctx)
}

// seated reports whether the writer has the seat that the mail is about.
func (w *writer) seated() bool {
	places := w.l.look.Table.Places
	return w.l.Seat >= 0 && int(w.l.Seat) < len(places) && places[w.l.Seat].Holds(w.l.person)
}

// outside tells somebody who has no seat, and is invited to none, how they can still get in.
func (w *writer) outside(ctx context.Context) ([]string, error) {
	t := w.l.look.Table
	if t.Status != domain.TableOpen {
		return []string{w.text("late.began")}, nil
	}
	p, _, err := w.d.Maker.Printer(ctx, w.l.look, w.l.to.Lang)
	if err != nil {
		return nil, err
	}
	opener, err := w.d.Maker.NameAt(ctx, p, t, t.Opener)
	if err != nil {
		return nil, err
	}
	why := []string{w.text("late.seat"), w.text("late.again", "who", opener)}
	seen, err := w.d.Desk.SeenBy(ctx, w.l.table, w.l.person)
	if seen && slices.ContainsFunc(t.Places, func(p domain.TablePlace) bool { return p.Kind == domain.SeatOpen }) {
		why = append(why, w.text("late.open"))
	}
	return why, err
}

// standing says what a no that answers no question leaves as it is: the writer's yes to an open proposal, or the seat
// that they have taken in a game yet to begin.
func (w *writer) standing() []string {
	var lines []string
	for _, l := range w.l.lines {
		if l.Kind == reply.KindOther {
			lines = append(lines, l.Text)
		}
	}
	t, me := w.l.look.Table, w.l.person
	switch p := t.Proposal; {
	case w.l.kind.How() == mail.HowYesNo || reply.YesNo(lines) != reply.SaidNo:
	case t.Status == domain.TableOpen && w.seated():
		return []string{w.text("standing.seat", "letter", w.l.Seat.Letter())}
	case t.Status == domain.TableStarted && p != nil && p.By != me && p.Agreed[me]:
		return []string{w.text("standing.consent")}
	}
	return nil
}

// offered reports whether the mail offers a seat of a game that is being played.
func (w *writer) offered() bool {
	return w.l.kind == mail.KindInvitation && w.l.look.Table.Status == domain.TableStarted
}

// decide gives the command of the button that the mail leads to.
func (w *writer) decide(ctx context.Context, yes bool) error {
	l := w.l
	offer := w.offered()
	if offer && w.d.AnyFrom && !l.own() { // whoever takes it over sees a hand
		w.told(mail.OutcomeForeign, w.text("foreign"))
		return nil
	}
	var c desk.Command
	done := ""
	switch {
	case l.kind == mail.KindConsent && yes:
		c, done = desk.Agree{Since: l.since}, w.text("agreed")
	case l.kind == mail.KindConsent:
		c, done = desk.Refuse{Since: l.since}, w.text("against")
	case offer && yes:
		c, done = desk.TakeOver{Seat: l.Seat}, w.text("joined", "letter", l.Seat.Letter())
	case offer:
		c, done = desk.WithdrawOffer{Seat: l.Seat}, w.text("declined")
	case yes:
		c, done = desk.Join{Seat: l.Seat, Chance: l.chance()}, w.text("joined", "letter", l.Seat.Letter())
	case w.seated():
		c, done = desk.Decline{Seat: l.Seat, Person: l.person}, w.text("given", "letter", l.Seat.Letter())
	default:
		c, done = desk.Decline{Seat: l.Seat, Person: l.person}, w.text("declined")
	}
	ans, err := w.d.Desk.Do(ctx, w.actor, l.table, w.id("answer", 0), c)
	if err != nil {
		return w.refused(err)
	}
	w.achieved("answered", done)
	if _, ok := c.(desk.Agree); ok {
		if err := w.followed(ctx, ans.Record.Version); err != nil {
			return err
		}
	}
	join, joins := c.(desk.Join)
	if joins {
		w.lines = append(w.lines, w.text("chance", "chance", string(join.Chance)))
	}
	if _, takes := c.(desk.TakeOver); joins || takes {
		if err := w.named(ctx); err != nil {
			return err
		}
	}
	_, _ = w.d.Desk.Advance(ctx, l.table) // begins the game or goes back now; otherwise the runner would
	return nil
}

// followed tells what followed from the writer's consent, an event of the table: the last one goes back or pauses.
func (w *writer) followed(ctx context.Context, version uint64) error {
	none := func(domain.PersonID, []byte) string { return "" }
	part, err := w.d.Maker.TableTimeline(ctx, w.l.table, w.asker(), version+1, 1, none)
	for _, h := range part.Happenings {
		if len(h.Sentences) > 0 {
			w.did = append(w.did, h.Sentences[1:]...) // the first says that they agreed
		}
	}
	return err
}

// chance is the mail's part of the table's luck: a digest of the Message-ID that its writer's mail program made, which
// they can check in the mail that they sent; or of the whole mail if it has none.
func (l *letter) chance() []byte {
	made := []byte(l.head.MessageID())
	if len(made) == 0 {
		made = l.raw
	}
	sum := sha256.Sum256(made)
	return []byte(hex.EncodeToString(sum[:]))
}

// named gives somebody whom nobody has given a name yet the one that they sign their mail with, as they do on the page,
// and tells them what the others see.
func (w *writer) named(ctx context.Context) error {
	p, err := w.d.People.Person(ctx, w.l.person)
	if err != nil || p.Name != "" {
		return err
	}
	if name := w.l.head.Name(); p.Called == "" && name != "" {
		err := w.d.People.SetName(ctx, p.ID, name)
		if _, refused := domain.AsRefusal(err); err != nil && !refused {
			return err
		} else if err == nil {
			p.Name = name
		}
	}
	w.lines = append(w.lines, w.text("named", "name", words.Isolated(turn.Called(w.p, p.ID, p.Display()))))
	return nil
}
