package inbound

import (
	"context"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// guess makes of a question one that a yes answers, if the lines can be read in one way only, though one of them is not
// clear enough to be played. Otherwise it notes which moves among them were understood.
func (w *writer) guess(q *question, lines []string) {
	if q.key == "" && q.why == "" || q.key == "both" || w.v.offered(w.l.look.Line) {
		return
	}
	sim, whole, doubt := w.l.look.Line.Dealt(w.l.Seat), true, ""
	var all []domain.Move
	var said []choice
	for _, text := range lines {
		r := w.v.read(text, sim)
		c := r.only()
		if c == nil && len(r.moves)+len(r.which) == 1 {
			c, doubt = &slices.Concat(r.moves, r.which)[0], text
		}
		if c == nil {
			whole = whole && w.v.passes(text, &r, sim) && !w.v.hints(text, sim)
			continue
		}
		e, _, err := sim.Decide(w.l.Seat, c.move)
		if err != nil {
			whole = false
			continue
		}
		said, all = append(said, choice{move: c.move, label: turn.InWords(w.p, sim, c.move)}), append(all, c.move)
		sim.Apply(&e)
	}
	switch {
	case whole && doubt != "":
		*q = question{key: "guess", pairs: []any{"text", words.Isolated(doubt)}, which: said}
		for _, m := range all {
			w.meant = append(w.meant, w.v.rulebook.FormatMove(m, nil))
		}
	case !whole && q.key != "unread" && q.key != "yesno" && len(q.which) == 0:
		for _, c := range said {
			q.understood = append(q.understood, c.label)
		}
	}
}

// confirmed returns the moves that the answer asked about to which lines say yes and nothing else, if nothing has
// happened since; otherwise the lines.
func (w *writer) confirmed(ctx context.Context, lines []string) ([]string, error) {
	at := w.l.look.Line
	asks := func(text string) bool { return strings.Contains(text, "?") }
	if reply.YesNo(lines) != reply.SaidYes || reply.Qualified(reply.SaidYes, lines, reply.Glad) || w.v.offered(at) ||
		slices.ContainsFunc(lines, asks) {
		return lines, nil
	}
	for _, id := range w.l.head.Answers() {
		letter, ok, err := w.d.Outbox.ByMessageID(ctx, id)
		if err != nil {
			return nil, err
		}
		waits, asks := mail.WaitsBy(letter.Notice)
		if ok && asks && len(waits.Meant) > 0 && letter.Person == w.l.person && letter.Stream == w.l.look.LineName &&
			letter.Open.Seat == w.l.Seat && waits.Version == at.Version {
			return waits.Meant, nil
		}
	}
	return lines, nil
}
