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
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// chain is what a mail plays as one press: its lines, and then those that an earlier mail left.
type chain struct {
	w      *writer
	v      *vocabulary // that of the mail which the lines answer
	text   string      // the line that was read last
	lines  []string    // those below it
	said   []string    // the moves, in words
	last   string      // the last of them, in notation
	orders []string    // those that are given beside the moves
	rest   []string    // what the earlier mail left, not begun
	former *vocabulary // that of the mail which these answer
}

// mostMoves is how many moves one mail may make.
const mostMoves = 30

// play plays lines as one press, each read at the position that the line before it led to, and then what an earlier
// mail left. Lines that are standing orders are given together at the end; a greeting is passed over.
func (w *writer) play(ctx context.Context, lines []string) error {
	c := &chain{w: w, v: &w.v, lines: lines}
	if err := c.remember(ctx); err != nil {
		return err
	}
	if err := c.press(ctx, w.asides(lines)); err != nil {
		return err
	}
	if len(c.orders) == 0 {
		return nil
	}
	if err := w.order(ctx, c.orders); err != nil || len(c.rest) == 0 || len(c.said) > 0 {
		return err
	}
	return c.afterOrder(ctx)
}

// press plays what is read next, and on from there, after what is said beside it.
func (c *chain) press(ctx context.Context, asides []string) error {
	w, lines := c.w, c.lines
	first := c.next(w.l.look.Line, true)
	if first == nil {
		return nil
	}
	w.words = append(w.words, asides...)
	// Chat goes out before the move, so that the mails about the move include it.
	if err := w.says(ctx); err != nil {
		return err
	}
	p, err := w.d.Desk.PlayAll(ctx, w.actor, desk.Move{ID: w.id("move", 0), Table: w.l.table,
		Line: w.l.look.LineName, Seat: w.l.Seat, Decision: *w.open, Move: first, Next: c.next})
	if err != nil && p.Made == 0 {
		return w.refused(err)
	}
	if err = cmp.Or(err, p.Why); err != nil {
		why, _ := w.refusal(err)
		w.leave(c.text, &reading{why: why}, false)
		w.leaveRest(c.lines)
	}
	w.achieved("played", w.text("played", "moves", strings.Join(c.said[:p.Made], "; ")))
	if slices.ContainsFunc(lines, reply.Over) {
		return w.goesOn(ctx)
	}
	return nil
}

// afterOrder goes on with what an earlier mail left, once a standing order that this one gives has answered what it
// waits for.
func (c *chain) afterOrder(ctx context.Context) error {
	w, before := c.w, c.w.l.look
	look, err := w.d.Desk.Look(ctx, w.l.table)
	if err != nil || look.LineName != before.LineName || look.Line.Version == before.Line.Version {
		return err
	}
	open := look.Line.Awaited()
	i := slices.IndexFunc(open, func(o domain.Open) bool { return o.Seat == w.l.Seat })
	if i < 0 {
		return nil
	}
	w.l.look, w.open = look, &open[i]
	c.takes()
	return c.press(ctx, nil)
}

// asides returns what is said beside moves on their lines.
func (w *writer) asides(lines []string) (said []string) {
	for _, text := range lines {
		if remark := w.v.asides[text]; remark != "" {
			said = append(said, remark)
		}
	}
	return said
}

// goesOn tells somebody who says that this is all that their turn is not over, if it could be ended.
func (w *writer) goesOn(ctx context.Context) error {
	end, unread := w.v.notation("end")
	look, err := w.d.Desk.Look(ctx, w.l.table)
	if err != nil || unread != nil {
		return err
	}
	if _, _, err := look.Line.Decide(w.l.Seat, end); err == nil {
		w.lines = append(w.lines, w.text("not.over"))
	}
	return nil
}

// remember finds what an earlier mail left, if nothing has happened since.
func (c *chain) remember(ctx context.Context) error {
	w := c.w
	left, err := w.d.Outbox.Left(ctx, w.l.person, w.l.table, w.l.look.LineName, w.l.Seat, w.l.look.Line.Version)
	if err != nil || len(left.Rest) == 0 {
		return err
	}
	mailed, err := w.d.Maker.AsMailed(ctx, w.l.table, left.Listed, w.asker())
	if err != nil {
		return err
	}
	c.former = &vocabulary{rulebook: w.v.rulebook, seat: w.v.seat, names: w.v.names, p: w.v.p, version: left.Listed,
		refuse: w.v.refuse}
	for _, g := range mailed.Groups() {
		c.former.mailed.moves = append(c.former.mailed.moves, g.Moves...)
	}
	c.rest = left.Rest
	return nil
}

// next reads the next move at a position, as [desk.Move.Next] does.
func (c *chain) next(at *domain.Line, settled bool) domain.Move {
	for c.more() {
		r, n := c.v.next(c.lines, at)
		text, below, asked := c.lines[0], c.lines[n:], at.Awaits(c.v.seat)
		only := r.only()
		move, order := only != nil && asked, only == nil && r.order != ""
		passed := !move && !order && c.passes(text, below, &r, at)
		if asked && !settled && !move && !order && !passed {
			return nil // until standing orders have answered what is asked
		}
		c.text, c.lines = text, below
		switch {
		case move && len(c.said) == mostMoves:
			c.drops()
			c.lines = nil
			c.w.lines = append(c.w.lines, c.w.text("left.rest"))
		case move:
			if len(c.rest) > 0 && !c.former.asksElse(at) {
				c.drops()
			}
			c.said = append(c.said, turn.InWords(c.w.p, at, only.move))
			c.last = c.v.rulebook.FormatMove(only.move, nil)
			return only.move
		case order:
			c.orders = append(c.orders, r.order)
		case passed:
			c.w.unsaid(text)
		case !asked && c.last != "" && (c.v.repeated(text, c.last) || c.v.keepsAll(text)):
			// "that's all from me, end turn"; no exchange where none came
		default:
			c.stops(&r, at, asked)
		}
	}
	return nil
}

// more reports whether there are lines to be read. Those of an earlier mail follow a move that answered what they wait
// for.
func (c *chain) more() bool {
	if len(c.lines) == 0 && len(c.rest) > 0 && len(c.said) > 0 {
		c.takes()
	}
	return len(c.lines) > 0
}

// takes begins what an earlier mail left.
func (c *chain) takes() { c.v, c.lines, c.rest, c.w.took = c.former, c.rest, nil, true }

// passes reports whether a line is passed over.
func (c *chain) passes(text string, below []string, r *reading, at *domain.Line) bool {
	return c.v.passes(text, r, at) && !(c.v.hints(text, at) && slices.ContainsFunc(below, c.v.meant))
}

// drops says that what an earlier mail left is not played any more, unless it is said again.
func (c *chain) drops() {
	again := func(text string) bool { return text == c.text || slices.Contains(c.lines, text) }
	c.w.took = c.w.took || len(c.rest) > 0
	if c.rest = slices.DeleteFunc(c.rest, again); len(c.rest) > 0 {
		c.w.lines = append(c.w.lines, c.w.text("kept.not", "text", quoted(c.rest)))
	}
	c.rest = nil
}

// stops ends the press at the line read last, which is no move at a position. If it is one once its writer has answered
// what is asked there, it waits for that with the lines below it.
func (c *chain) stops(r *reading, at *domain.Line, asked bool) {
	w, below := c.w, c.lines
	c.drops()
	c.lines = nil
	if asked && len(c.said) > 0 && len(r.which) == 0 {
		switch after, waits := c.v.afterwards(c.text, at); {
		case waits && after.only() != nil:
			said := func(text string) bool { return w.v.beside[text] }
			all := append([]string{c.text}, slices.DeleteFunc(slices.Clone(below), said)...)
			w.rest = mail.Waits{Rest: all, Listed: c.v.version, Version: at.Version}
			w.lines = append(w.lines, w.text("kept", "text", quoted(all)))
			return
		case waits && after.why != "":
			r = &after
		}
	}
	w.leave(c.text, r, !asked)
	w.leaveRest(below)
	if r.also != "" {
		w.lines = append(w.lines, w.text("left.order", "order", w.ordered(r.also)))
	}
}

// mostAsked is how many questions may come between two lines.
const mostAsked = 4

// afterwards reads a line where its writer has answered what a position asks in some way; waits is false if nothing
// comes in between there.
func (v *vocabulary) afterwards(text string, at *domain.Line) (r reading, waits bool) {
	sim, asks := at.Dealt(v.seat), v.asks(at)
	for range mostAsked {
		for m := range sim.Rulebook.Legal(sim.State, v.seat) {
			e, _, err := sim.Decide(v.seat, m)
			if err != nil {
				return r, false
			}
			sim.Apply(&e)
			break
		}
		switch now := v.asks(sim); {
		case now == "":
			return r, false
		case now != asks:
			if r = v.read(text, sim); r.only() != nil {
				return r, true
			}
			waits = waits || r.why != ""
		}
	}
	return r, waits
}

// asks returns what a position asks of the seat, as the catalogue calls it; "" for nothing.
func (v *vocabulary) asks(at *domain.Line) string {
	for _, o := range at.Awaited() {
		if o.Seat == v.seat {
			return domain.WhatIsAsked(at.Rulebook, at.State, o.Decision)
		}
	}
	return ""
}

// quoted joins lines for a sentence that quotes them.
func quoted(lines []string) string {
	var all []string
	for _, text := range lines {
		all = append(all, words.Isolated(strings.TrimRight(text, ".!; ")))
	}
	return strings.Join(all, " / ")
}
