package inbound

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/guide"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// writer is somebody whose mail is being carried out.
type writer struct {
	d     *Door
	l     *letter
	actor events.Actor
	m     *turn.Model // the table as it was when the mail came
	v     vocabulary
	p     words.Printer // in the writer's language
	open  *domain.Open  // the decision that the mail answers, if still awaited
	alive bool          // what the mail answers is not over, or no later letter about the table has gone out

	words []string // still to be said
	said  int      // how many were said

	outcome string
	done    bool                 // something was done
	nothing string               // the key of the text to use if nothing was done
	did     []string             // what was done, in sentences
	lines   []string             // more sentences
	rules   map[string][2]string // for refusals: where the rule behind a sentence stands, and its reading
}

// writer returns what is needed to give a mail's commands.
func (d *Door) writer(ctx context.Context, l *letter) (*writer, error) {
	w := &writer{d: d, l: l, rules: map[string][2]string{},
		actor: events.Actor{Person: l.person, Door: events.DoorReply,
			Reply: fmt.Sprintf("%x", d.digest("event", l.key)[:8])}}
	var err error
	if w.m, err = d.Maker.Turn(ctx, l.table, w.asker()); err != nil {
		return nil, err
	}
	w.v = vocabulary{rulebook: l.look.Rulebook, seat: l.Seat, refuse: w.refusal}
	p, names, err := d.Maker.Printer(ctx, l.look, l.to.Lang)
	if err != nil {
		return nil, err
	}
	w.v.names, w.p = names, p
	if err := w.decision(ctx); err != nil {
		return nil, err
	}
	w.alive, err = w.lives(ctx)
	return w, err
}

// lives reports whether the mail's address is good for more than being told what is asked now.
func (w *writer) lives(ctx context.Context) (bool, error) {
	if w.open != nil {
		return true, nil
	}
	if mail.Answered[w.l.kind] == mail.HowYesNo {
		moot, err := w.d.Desk.Moot(ctx, w.l.look, w.question())
		if err != nil || moot == events.MootNot || moot == events.MootAnswered {
			return true, err
		}
	}
	if w.l.opens { // the letter may be about something from before
		return true, nil
	}
	over, err := w.d.Outbox.Superseded(ctx, w.question())
	return !over, err
}

func (w *writer) asker() turn.Asker {
	return turn.Asker{Person: w.l.person, Seat: w.l.Seat, Lang: w.l.to.Lang}
}

// decision finds the decision that the mail answers, and what the mail called its choices.
func (w *writer) decision(ctx context.Context) error {
	l := w.l
	for _, a := range l.look.Asks() {
		if a.Kind == events.AskTurn && a.Person == l.person && a.Stream == l.stream &&
			(a.Open.Since == l.since || l.opens && a.Open.Since < l.since) && l.Asks(a.Open.Decision) {
			if w.open != nil {
				w.open = nil // two that nothing tells apart
				return nil
			}
			w.open = &a.Open
		}
	}
	mailed := w.m
	if w.open == nil && l.kind == "" {
		return nil
	}
	if at := l.since + l.Ahead; l.kind == "" && at != l.look.Line.Version {
		var err error
		if mailed, err = w.d.Maker.AsMailed(ctx, l.table, at, w.asker()); err != nil {
			return err
		}
	}
	for _, g := range mailed.Groups() {
		w.v.mailed = append(w.v.mailed, g.Moves...)
	}
	return nil
}

// answer returns what to tell the mail's writer.
func (w *writer) answer() mail.Answer {
	l := w.l
	a := mail.Answer{Key: hex.EncodeToString(l.key), Person: l.person, Table: l.table, Stream: l.stream,
		Message: l.head.MessageID(), Reply: w.actor.Reply,
		Open:    domain.Open{Decision: domain.Decision{Seat: l.Seat, Kind: string(l.kind)}, Since: l.since},
		Outcome: w.outcome, Fruitless: !w.done, Headline: w.headline(), Lines: w.lines, Last: w.text("last")}
	a.Rule, a.Reading = w.rule()
	if !a.Unread() {
		a.Last = w.text("last.tried")
	}
	if a.Fruitless || a.Outcome == "said" {
		a.Same = w.d.same(l)
	}
	return a
}

// text returns one of the answers' texts.
func (w *writer) text(key string, pairs ...any) string {
	return w.m.Text("mail.answer."+key, pairs...)
}

// told notes what came of a mail, and sentences about it.
func (w *writer) told(outcome string, sentences ...string) {
	if w.outcome == "" {
		w.outcome = outcome
	}
	w.lines = append(w.lines, sentences...)
}

// achieved notes something that was done.
func (w *writer) achieved(outcome, sentence string) {
	if !w.done {
		w.outcome = outcome
	}
	w.done, w.did = true, append(w.did, sentence)
}

// headline returns the answer's first sentence.
func (w *writer) headline() string {
	if len(w.did) == 0 {
		return w.text(cmp.Or(w.nothing, "nothing"))
	}
	return strings.Join(w.did, " ")
}

// refusal says why something was refused; ok is false for an error that should be retried.
func (w *writer) refusal(err error) (string, bool) {
	if r, ok := domain.AsRefusal(err); ok {
		why := w.m.Refusal(r)
		rb := w.l.look.Rulebook
		if rule := guide.Path(rb, r.Code); rule != "" {
			w.rules[why] = [2]string{rule, guide.Reading(rb, r.Code)}
		}
		return why, true
	}
	if fast, ok := events.AsTooFast(err); ok {
		return w.text("fast", "n", int(math.Ceil(fast.Wait.Minutes()))), true
	}
	return "", false
}

// rule returns where the rule stands behind the first refusal in the answer, and the reading of a rulebook that it
// follows from; "" for nowhere.
func (w *writer) rule() (rule, reading string) {
	for _, line := range w.lines {
		for why, at := range w.rules {
			if strings.Contains(line, why) {
				return at[0], at[1]
			}
		}
	}
	return "", ""
}

// refused notes why something was refused.
func (w *writer) refused(err error) error {
	why, ok := w.refusal(err)
	if !ok {
		return err
	}
	w.told("refused", why)
	return nil
}

// id returns a command id for this mail: the same mail gives the same ids.
func (w *writer) id(what string, n int) events.CommandID {
	return events.CommandID(w.d.digest("command", w.l.key, []byte(what), []byte{byte(n)})[:16])
}

// mostSaid is how many lines of chat one mail may post.
const mostSaid = 10

// read carries out what the lines say: first an answer to the table's question, a step taken back, or the moves; then
// chat; then being away.
func (w *writer) read(ctx context.Context) error {
	lines := w.l.lines
	if w.l.kind != "" {
		w.nothing = "none"
	}
	if w.l.head.Unmarked(mail.ReplyMark(w.l.token)) {
		w.told(mail.OutcomeUnread, w.text("unmarked"))
		return nil
	}
	if len(lines) == 0 {
		w.told(mail.OutcomeEmpty, w.text("empty"))
		return nil
	}
	// After the end a word that could be a move is one of the others, unless there are no others.
	over := w.l.look.Table.IsOver() && slices.ContainsFunc(lines, func(l reply.Line) bool { return !w.move(l) })
	if over || mail.Answered[w.l.kind] == mail.HowWords {
		lines = reply.Words(lines, func(l reply.Line) bool { return w.move(l) && (!over || len(parts(l.Text)) > 1) })
	}
	of := func(kinds ...reply.Kind) (out []string) {
		for _, l := range lines {
			if slices.Contains(kinds, l.Kind) {
				out = append(out, l.Text)
			}
		}
		return out
	}
	other, away := w.v.apart(of(reply.KindOther)), of(reply.KindAway)
	said := of(reply.KindSay, reply.KindQuote)
	talks := len(said)+len(away) > 0
	if !w.alive {
		said, away = nil, nil
	}
	w.words = said[:min(len(said), mostSaid)]
	act := func() (stop bool, err error) { return w.moves(ctx, other, of(reply.KindQuote), talks) }
	if mail.Answered[w.l.kind] == mail.HowYesNo {
		act = func() (stop bool, err error) { return w.yesNo(ctx, other, talks) }
	} else if len(of(reply.KindBack)) > 0 {
		act = func() (stop bool, err error) { return w.back(ctx, other) }
	}
	stop, err := act()
	if err == nil && !w.done {
		w.lines = append(w.lines, w.standing()...)
	}
	if stop && len(w.words) > 0 {
		w.lines = append(w.lines, w.text("said.not"))
	}
	if stop || err != nil {
		return err
	}
	if talks && !w.alive {
		w.told("stale", w.text("over"))
	}
	if err := w.says(ctx); err != nil {
		return err
	}
	if w.said > 0 {
		w.achieved("said", w.text("said", "n", w.said))
	}
	if w.said > 0 && slices.ContainsFunc(lines, func(l reply.Line) bool { return l.Cut }) {
		w.lines = append(w.lines, w.text("said.cut"))
	}
	if more := len(said) - mostSaid; more > 0 {
		w.lines = append(w.lines, w.text("said.most", "n", more, "most", mostSaid))
	}
	if len(away) > 0 {
		return w.away(ctx, away[0])
	}
	return nil
}

// moves plays the mail's moves. stop means that the mail has to be written again. Next to chat, lines that are no move
// are only a greeting.
func (w *writer) moves(ctx context.Context, lines, quotes []string, says bool) (stop bool, err error) {
	_, again, err := w.d.Desk.Done(ctx, w.l.table, w.id("move", 0))
	if err != nil {
		return false, err
	}
	if again { // the program stopped between the move and its answer
		w.achieved("played", w.text("played.before"))
		return false, nil
	}
	if w.open == nil {
		if orders := w.standingOrders(lines); len(orders) > 0 && w.alive {
			return false, w.order(ctx, orders)
		}
		if !says || slices.ContainsFunc(lines, w.v.aimed) {
			why, err := w.stale(ctx, lines)
			if err != nil {
				return false, err
			}
			w.told("stale", why)
		}
		return false, nil
	}
	first, q := 0, (*question)(nil)
	said, besides := w.v.replied(lines, w.l.look.Line)
	switch {
	case said == reply.SaidYes && reply.Qualified(said, besides, true):
		q = &question{key: "qualified.yes"}
	case said == reply.SaidNo && reply.Qualified(said, besides, false):
		q = &question{key: "qualified.no"}
	case len(lines) > 0:
		first, q = w.v.plan(lines, w.l.look.Line)
	}
	if q != nil && q.key == "unread" && said == reply.SaidUnsure {
		q.key = "yesno"
	}
	if q == nil && len(lines) > 0 {
		err := w.play(ctx, lines[first:])
		if w.done && (said == reply.SaidYes || said == reply.SaidNo) && reply.Besides(besides) {
			w.lines = append(w.lines, w.text("besides"))
		}
		return false, err
	}
	for _, text := range quotes {
		if w.v.read(text, w.l.look.Line).only() != nil {
			w.told(mail.OutcomeAsked, w.text("quote", "text", words.Isolated(text)))
			w.words = slices.DeleteFunc(w.words, func(said string) bool { return said == text })
			return true, nil
		}
	}
	if q == nil || q.key == "unread" && says {
		return false, nil
	}
	w.ask(q)
	return true, nil
}

// mostWhich is how many of the moves that a text may mean an answer lists.
const mostWhich = 12

func (w *writer) ask(q *question) {
	switch {
	case q.key == "":
		w.told("refused", q.why)
	case q.key == "unread":
		w.told(mail.OutcomeUnread, w.text(q.key))
	default:
		w.told(mail.OutcomeAsked, w.text(q.key, q.pairs...))
		if q.why != "" {
			w.lines = append(w.lines, q.why)
		}
	}
	for i, c := range q.which {
		if i == mostWhich {
			w.lines = append(w.lines, w.text("more", "n", len(q.which)-mostWhich))
			break
		}
		w.lines = append(w.lines, c.label)
	}
}

// stale says why the decision that the mail answers is no longer awaited.
func (w *writer) stale(ctx context.Context, lines []string) (string, error) {
	l := w.l
	if l.kind != "" {
		return w.text("unasked"), nil
	}
	moot, err := w.d.Desk.Moot(ctx, l.look,
		events.Ask{Kind: events.AskTurn, Person: l.person, Table: l.table, Stream: l.stream,
			Open: domain.Open{Decision: domain.Decision{Seat: l.Seat}, Since: l.since}})
	if err != nil {
		return "", err
	}
	switch moot {
	case events.MootMoved:
		return w.text("stale.moved"), nil
	case events.MootEnded:
		return w.text("stale.ended"), nil
	case events.MootRewound:
		return w.text("stale.rewound"), nil
	}
	if len(lines) > 0 && !slices.ContainsFunc(lines, func(text string) bool {
		return w.v.aimed(text) || w.v.tries(text)
	}) {
		return w.text("stale.words"), nil
	}
	return w.text("stale.played"), nil
}

// play plays lines one after the other, as long as its own moves bring up the seat's next decision. Lines that are
// standing orders are given together at the end.
func (w *writer) play(ctx context.Context, lines []string) error {
	look := w.l.look
	var played, orders []string
	for i, text := range lines {
		r, open := w.v.read(text, look.Line), w.awaited(look)
		c := r.only()
		if c != nil && open != nil {
			if len(played) > 0 && i >= mostMoves {
				break
			}
			// Chat goes out before the move, so that the mails about the move include it.
			if err := w.says(ctx); err != nil {
				return err
			}
			_, err := w.d.Desk.Play(ctx, w.actor,
				events.Move{ID: w.id("move", len(played)), Table: w.l.table, Line: look.LineName, Seat: w.l.Seat,
					Decision: *open, Move: c.move})
			if err != nil {
				if len(played) > 0 {
					w.left(text, err)
					break
				}
				return w.refused(err)
			}
			played = append(played, w.shown(c.move))
			if look, err = w.d.Desk.Look(ctx, w.l.table); err != nil {
				return err
			}
			if look.Line == nil || look.LineName != w.l.stream {
				break
			}
			continue
		}
		if r.order != "" {
			orders = append(orders, r.order)
			continue
		}
		if len(played) > 0 && (w.v.meant(text) || w.v.tries(text)) {
			w.leave(text, r.why, open == nil)
			if open != nil && slices.ContainsFunc(lines[i+1:], w.v.meant) {
				w.lines = append(w.lines, w.text("left.rest"))
			}
			if r.also != "" {
				w.lines = append(w.lines, w.text("left.order", "order", w.ordered(r.also)))
			}
		}
		break
	}
	if len(played) > 0 {
		_ = w.d.Desk.Settle(ctx, w.l.table) // the moves stand whatever becomes of the orders; the runner tells the host
		w.achieved("played", w.text("played", "moves", strings.Join(played, "; ")))
	}
	if len(orders) > 0 {
		return w.order(ctx, orders)
	}
	return nil
}

// shown returns a move as people may type it, without the underscores in names.
func (w *writer) shown(m domain.Move) string {
	return strings.ReplaceAll(w.v.rulebook.FormatMove(m, w.v.names), "_", " ")
}

// mostMoves is how many moves one mail may make.
const mostMoves = 30

// awaited returns the seat's next decision: the one that the mail answers, or one that the mail's own moves brought up.
func (w *writer) awaited(look events.Look) (open *domain.Open) {
	if look.Line == nil {
		return nil
	}
	now := look.Line.Awaited()
	if slices.Contains(now, *w.open) {
		return w.open
	}
	for _, o := range now { // brought up since, or awaited beside the other all along
		if o.Seat == w.l.Seat && (o.Since > w.l.look.Line.Version || slices.Contains(w.l.look.Line.Awaited(), o)) {
			return &o
		}
	}
	return nil
}

// move reports whether a line is no chat and was meant as moves, also as ones that another mail lists by now: people
// answer the wrong mail of a thread.
func (w *writer) move(l reply.Line) bool {
	if l.Kind != reply.KindOther {
		return false
	}
	return slices.ContainsFunc(w.v.apart([]string{l.Text}), func(text string) bool {
		if w.v.meant(text) || lettered(text) || w.l.look.Line == nil {
			return w.v.meant(text) || lettered(text)
		}
		r := w.v.read(text, w.l.look.Line)
		return len(r.moves)+len(r.which) > 0
	})
}

func (w *writer) left(text string, err error) {
	why, _ := w.refusal(err)
	w.leave(text, why, false)
}

// leave tells the writer that a line was not played, and why.
func (w *writer) leave(text, why string, over bool) {
	switch {
	case over:
		why = w.text("left.over")
	case why == "":
		why = w.text("left.unread")
	}
	w.lines = append(w.lines, w.text("left", "text", words.Isolated(text), "why", why))
}
