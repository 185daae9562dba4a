package inbound

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/words"
)

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
		orders, why := w.standingOrders(lines)
		switch {
		case len(orders) > 0 && w.alive:
			return false, w.order(ctx, orders)
		case why != "":
			w.told("refused", why)
			return false, nil
		}
		offer, err := w.offering(ctx)
		if err != nil {
			return false, err
		}
		aimed := func(text string) bool { return w.v.aimed(text, offer) }
		if !says || slices.ContainsFunc(lines, aimed) {
			outcome, why, err := w.stale(ctx, lines, aimed)
			if err != nil {
				return false, err
			}
			w.told(outcome, why)
		}
		return false, nil
	}
	if lines, err = w.confirmed(ctx, lines); err != nil {
		return false, err
	}
	first, q := 0, (*question)(nil)
	said, besides := w.v.replied(lines, w.l.look.Line)
	switch {
	case said == reply.SaidYes && reply.Qualified(said, besides, reply.Glad):
		q = &question{key: "qualified.yes"}
	case said == reply.SaidNo && reply.Qualified(said, besides, w.v.reason):
		q = w.notThat()
	case len(lines) > 0:
		first, q = w.v.plan(lines, w.l.look.Line)
	}
	if q != nil && strings.HasPrefix(q.key, "qualified") && w.v.several(said, w.l.look.Line) {
		_, which := w.v.plan(lines, w.l.look.Line) // that word alone would not say which offer
		q = cmp.Or(which, q)
	}
	if q != nil && q.key != "condition" && w.v.spoke(lines, w.l.look.Line) {
		q = &question{key: "unread"}
	}
	if q != nil && (q.key == "unread" || q.key == "condition") && said == reply.SaidUnsure {
		q.key = "yesno"
	}
	if q == nil && len(lines) > 0 {
		w.unsaid(lines[:first]...)
		err := w.play(ctx, lines[first:])
		if w.done && (said == reply.SaidYes || said == reply.SaidNo) {
			w.unheard(besides)
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
	w.guess(q, lines)
	w.ask(q)
	return true, nil
}

// notThat asks about a no with something else beside it: that may be another offer.
func (w *writer) notThat() *question {
	if line := w.typed(); line != "" {
		return &question{key: "qualified.no.offer", pairs: []any{"example", line}}
	}
	return &question{key: "qualified.no"}
}

// typed returns a line that fills in a form of what is asked, as its player may type it; "" if there is none.
func (w *writer) typed() string {
	for _, f := range w.m.Forms {
		if line := w.m.Say(f.Typed); line != "" {
			return words.Isolated(line)
		}
	}
	return ""
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
		if q.text != "" {
			w.suggest(q.text)
		}
	}
	w.options(q.which)
	if len(q.understood) > 0 {
		w.lines = append(w.lines, w.text("understood", "moves", strings.Join(q.understood, "; ")))
	}
}

// options lists what a text may mean, and where that lies if it is not all in one place.
func (w *writer) options(which []choice) {
	several := slices.ContainsFunc(which, func(c choice) bool { return c.lies != which[0].lies })
	for i, c := range which {
		if i == mostWhich {
			w.lines = append(w.lines, w.text("more", "n", len(which)-mostWhich))
			break
		}
		if label, inWords := strings.CutSuffix(c.label, ")"); several && c.lies != "" {
			c.label = label + ", " + c.lies + map[bool]string{true: ")"}[inWords]
		}
		w.lines = append(w.lines, c.label)
	}
}

// stale says why the decision that the mail answers is no longer awaited, and what became of the mail: lines that are
// no attempt at a move could not be read, as if it were.
func (w *writer) stale(ctx context.Context, lines []string, aimed func(string) bool) (outcome, why string, err error) {
	l := w.l
	tries := slices.ContainsFunc(lines, func(text string) bool { return aimed(text) || w.v.tries(text, nil) })
	if outcome = "stale"; len(lines) > 0 && !tries {
		outcome = mail.OutcomeUnread
	}
	switch {
	case l.kind != "" && l.look.Table.Status == domain.TableEnded:
		return outcome, w.text("stale.ended"), nil
	case l.kind != "":
		return outcome, w.text("unasked"), nil
	}
	stale, err := w.d.Desk.Stale(ctx, l.look,
		desk.Ask{Kind: desk.AskTurn, Person: l.person, Table: l.table, Stream: l.stream,
			Open: domain.Open{Decision: domain.Decision{Seat: l.Seat}, Since: l.since}})
	switch {
	case err != nil:
		return "", "", err
	case stale == desk.StaleMoved:
		return outcome, w.text("stale.moved"), nil
	case stale == desk.StaleEnded:
		return outcome, w.text("stale.ended"), nil
	case outcome == mail.OutcomeUnread:
		return outcome, w.text("stale.words"), nil
	case stale == desk.StaleRewound:
		return outcome, w.text("stale.rewound"), nil
	}
	if taken, err := w.taken(ctx); err != nil || taken != "" {
		return outcome, taken, err
	}
	if waits, err := w.waits(ctx); err != nil || waits {
		return outcome, w.text("stale.waiting"), err
	}
	return outcome, w.text("stale.played"), nil
}

// taken says what ended an offer that the mail asked its writer about, which somebody else may have taken up; "" if it
// asked about none, or its writer ended it.
func (w *writer) taken(ctx context.Context) (string, error) {
	asked, err := w.offering(ctx)
	if err != nil || !asked || w.l.stream != w.l.look.LineName {
		return "", err
	}
	for _, h := range w.m.Since {
		if h.Version <= w.l.since || h.Table || h.Seat == w.l.Seat {
			continue
		}
		at, err := w.d.Desk.LineAt(ctx, w.l.look, w.l.stream, h.Version)
		if err != nil {
			return "", err
		}
		if !w.v.offered(at) && len(h.Sentences) > 0 {
			return w.text("stale.offer", "what", strings.Join(h.Sentences, " ")), nil
		}
	}
	return "", nil
}

// waits reports whether the mail answers an answer that said that it is not its writer's turn, which it still is not.
func (w *writer) waits(ctx context.Context) (bool, error) {
	mine := func(a desk.Ask) bool { return a.Kind == desk.AskTurn && a.Person == w.l.person }
	if slices.ContainsFunc(w.l.look.Asks(), mine) {
		return false, nil
	}
	for _, id := range w.l.head.Answers() {
		letter, ok, err := w.d.Outbox.ByMessageID(ctx, id)
		if err != nil || ok && letter.Kind == mail.KindReply {
			return err == nil, err
		}
	}
	return false, nil
}

// offering reports whether the mail asked its writer what yes or no answer.
func (w *writer) offering(ctx context.Context) (bool, error) {
	if w.l.kind != "" {
		return false, nil
	}
	at, err := w.d.Desk.LineAt(ctx, w.l.look, w.l.stream, w.l.since)
	if err != nil {
		return false, err
	}
	return w.v.offered(at), nil
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

// leaveRest tells the writer what became of the lines below one that was not played: moves were not played either, and
// words went to nobody.
func (w *writer) leaveRest(lines []string) {
	moves := func(text string) bool { return w.v.orders(w.l.look.Line)(text) || w.v.hints(text, w.l.look.Line) }
	if slices.ContainsFunc(lines, moves) {
		w.lines = append(w.lines, w.text("left.rest"))
		return
	}
	w.unsaid(lines...)
}

// leave tells the writer that a line was not played, and why.
func (w *writer) leave(text string, r *reading, over bool) {
	why := r.why
	switch {
	case over:
		why = w.text("left.over")
	case len(r.which) > 0:
		q := meant(text, r.which)
		why = w.text(q.key, q.pairs...)
	case why == "":
		why = cmp.Or(r.unorder, w.text("left.unread"))
	}
	w.lines = append(w.lines, w.text("left", "text", words.Isolated(strings.TrimRight(text, ".!; ")), "why", why))
	if !over {
		w.options(r.which)
	}
}
