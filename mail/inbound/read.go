package inbound

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/words"
)

// mostSaid is how many lines of chat one mail may post.
const mostSaid = 10

// read carries out what the lines say: first an answer to the table's question, a step taken back, or the moves; then
// chat; then being away, or back.
func (w *writer) read(ctx context.Context) error {
	if w.l.kind != "" {
		w.nothing = "none"
	}
	switch {
	case w.l.head.Unmarked(mail.ReplyMark(w.l.token)):
		w.told(mail.OutcomeUnread, w.text("unmarked"))
		return nil
	case len(w.l.lines) == 0:
		w.told(mail.OutcomeEmpty, w.text("empty"))
		return nil
	}
	if want := reply.Wants(w.l.lines); want != "" && !slices.ContainsFunc(of(w.l.lines, reply.KindOther), w.v.meant) {
		w.told(mail.OutcomeAsked, w.wanted(want))
		w.stops = want == reply.WantStop
		return nil
	}
	if w.again() {
		return w.playAgain(ctx)
	}
	if tag := reply.Language(w.l.lines, languages.Offered); tag != "" && (w.alive || w.proved) {
		return w.speak(ctx, tag)
	}
	lines := w.queried(w.pictured(w.sorted()))
	if len(lines) == 0 {
		w.shown()
		return nil
	}
	said, away, here := of(lines, reply.KindSay, reply.KindQuote), of(lines, reply.KindAway), of(lines, reply.KindHere)
	all := len(said) + len(away) + len(here)
	talks := all > 0
	if !w.alive {
		said, away, here = w.expressly(lines), nil, nil
	}
	lost := len(said)+len(away)+len(here) < all
	w.words = said[:min(len(said), mostSaid)]
	stop, err := w.act(ctx, lines, talks)
	told := !w.done && len(w.lines) > 0
	if err == nil && !w.done {
		w.lines = append(w.lines, w.standing()...)
	}
	if stop && len(w.words) > 0 {
		w.lines = append(w.lines, w.text("said.not"))
	}
	if stop || err != nil {
		return err
	}
	if lost {
		w.told("stale", w.over()...)
	}
	if err := w.chats(ctx, lines, len(said)); err != nil {
		return err
	}
	w.swallowed(lines)
	switch {
	case len(away) > 0:
		err = w.away(ctx, away[0])
	case len(here) > 0:
		err = w.here(ctx)
	}
	if err == nil && w.done && !told {
		w.unsaid(slices.DeleteFunc(of(lines, reply.KindOther), func(text string) bool { return !w.unused(text) })...)
	}
	return err
}

// swallowed says which lines went into the chat, though they may be moves: they stand below a line that a mail program
// may have broken.
func (w *writer) swallowed(lines []reply.Line) {
	for _, l := range lines {
		if i := slices.IndexFunc(l.Joined, w.v.meant); i >= 0 && w.said > 0 {
			w.lines = append(w.lines, w.text("say.joined", "text", words.Isolated(l.Joined[i])))
		}
	}
}

// speak writes to its writer in a language from now on, beginning with the answer.
func (w *writer) speak(ctx context.Context, tag string) error {
	if err := w.d.People.SetLanguage(ctx, w.l.person, tag); err != nil {
		return err
	}
	w.l.to.Lang = tag
	m, err := w.d.Maker.Turn(ctx, w.l.table, w.asker())
	if err != nil {
		return err
	}
	w.m = m
	w.achieved("language", w.text("language"))
	return nil
}

// shown tells what an answer shows to somebody who asked for nothing else.
func (w *writer) shown() {
	switch {
	case len(w.lines) > 0:
		w.nothing = "facts"
	case w.list && w.m.Decision == nil:
		w.nothing = "list.none"
	case w.list:
		w.nothing = "list"
	default:
		w.nothing = "board"
	}
	w.told("shown")
}

// pictured returns the lines that do not ask for the board or all moves in the answer. Where all that is written is
// chat, so is that.
func (w *writer) pictured(lines []reply.Line) []reply.Line {
	if w.l.kind.How() == mail.HowWords {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l reply.Line) bool {
		if l.Kind != reply.KindOther || w.v.meant(l.Text) {
			return false
		}
		board, list := reply.Board(l.Text), reply.Moves(l.Text)
		w.board, w.list = w.board || board, w.list || list
		return board || list
	})
}

// wanted says how what somebody wants is had.
func (w *writer) wanted(want reply.Want) string {
	if how := w.l.kind.How(); want == reply.WantHelp && (how == mail.HowYesNo || how == mail.HowWords) {
		return w.text("want.help." + string(how))
	}
	return w.text("want." + string(want))
}

// unused reports whether a line came to nothing in a mail that did something else: a move says for itself what it left.
func (w *writer) unused(text string) bool {
	order := func(part string) bool { return w.v.read(part, w.l.look.Line).order != "" }
	switch w.outcome {
	case "said", "away", "here", "back":
		return !reply.Polite(text)
	case "ordered":
		return !reply.Polite(text) && !slices.ContainsFunc(w.v.apart([]string{text}), order)
	}
	return false
}

// expressly returns the lines that begin with a word for chat, or that the letter asked for as chat. They are said
// whatever has happened since, if more than its address proves whose they are.
func (w *writer) expressly(lines []reply.Line) []string {
	switch {
	case !w.proved:
		return nil
	case w.l.kind.How() == mail.HowWords:
		return of(lines, reply.KindSay, reply.KindQuote)
	}
	return of(w.l.lines, reply.KindSay)
}

// sorted returns the mail's lines, each for what it is for here.
func (w *writer) sorted() []reply.Line {
	lines, chat := w.l.lines, w.l.kind.How() == mail.HowWords
	if w.l.look.Table.AwayUntil(w.l.person).IsZero() { // whoever says that they are back only greets the others
		lines = slices.Clone(lines)
		for i := range lines {
			if chat && lines[i].Kind == reply.KindHere {
				lines[i].Kind = reply.KindOther
			}
		}
		if len(lines) > 1 {
			lines = slices.DeleteFunc(lines, func(l reply.Line) bool { return l.Kind == reply.KindHere })
		}
	}
	// After the end a word that could be a move is one of the others, unless there are no others.
	over := w.l.look.Table.IsOver() && slices.ContainsFunc(lines, func(l reply.Line) bool { return !w.move(l) })
	if over || chat {
		lines = reply.Words(lines, func(l reply.Line) bool { return w.move(l) && (!over || len(parts(l.Text)) > 1) })
	}
	return lines
}

// of returns the texts of the lines of some kinds.
func of(lines []reply.Line, kinds ...reply.Kind) (out []string) {
	for _, l := range lines {
		if slices.Contains(kinds, l.Kind) {
			out = append(out, l.Text)
		}
	}
	return out
}

// act answers the table's question, takes a step back, or plays the moves. stop means that the mail has to be written
// again.
func (w *writer) act(ctx context.Context, lines []reply.Line, talks bool) (stop bool, err error) {
	others := of(lines, reply.KindOther)
	n := len(others)
	if others, err = w.unorder(ctx, others); err != nil || n > 0 && len(others) == 0 {
		return false, err
	}
	other := w.v.apart(others)
	switch {
	case w.l.kind.How() == mail.HowYesNo:
		return w.yesNo(ctx, other, talks)
	case len(of(lines, reply.KindBack)) > 0:
		return w.back(ctx, other)
	case slices.ContainsFunc(others, w.wishes):
		w.nothing = "back.nothing"
		w.told(mail.OutcomeAsked, w.text("back.alone"))
		return true, nil
	}
	return w.moves(ctx, other, of(lines, reply.KindQuote), talks)
}

// wishes reports whether a line takes a step back and names a move instead.
func (w *writer) wishes(line string) bool { return w.v.meant(reply.Undone(line)) }

// chats posts what is left of the chat, and says what became of the n lines that are for it.
func (w *writer) chats(ctx context.Context, lines []reply.Line, n int) error {
	if !w.done {
		if err := w.d.again(ctx, w.l); err != nil {
			return err
		}
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
	if more := n - mostSaid; more > 0 {
		w.lines = append(w.lines, w.text("said.most", "n", more, "most", mostSaid))
	}
	return nil
}

// over says that the mail is over, and the game if it is, and which mail is not.
func (w *writer) over() (why []string) {
	if w.l.look.Table.Status == domain.TableEnded {
		why = append(why, w.m.Text("status.ended"))
	}
	if w.newer.IsZero() {
		return append(why, w.text("over"))
	}
	return append(why, w.text("over.newer", "when", w.m.When(w.newer)))
}
