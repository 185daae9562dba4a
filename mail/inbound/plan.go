package inbound

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// question says why nothing is played until its writer has said more.
type question struct {
	key   string // of a text; "" for none
	pairs []any
	which []choice
	why   string // shown instead of a text, or after it
	text  string // what was not understood, as it was written; "" if the answer is to suggest nothing
	// understood are moves that the mail asks for, too, in words.
	understood []string
}

// plan decides what lines mean: a question, or that they are played one after the other starting with line first.
func (v *vocabulary) plan(lines []string, line *domain.Line) (first int, q *question) {
	first, why := -1, ""
	var tried *question
	for i, text := range lines {
		switch r, _ := v.next(lines[i:], line); {
		case len(r.moves) > 1:
			return i, &question{key: "both", pairs: []any{"a", r.moves[0].label, "b", r.moves[1].label}}
		case len(r.moves) == 1:
			first = i
		case len(r.which) == 1 && !r.unsure:
			first = i
		case len(r.which) > 0:
			return i, meant(text, r.which)
		case r.tried && tried == nil:
			tried = v.garbled(text, r.why, !slices.ContainsFunc(lines[i+1:], v.orders(line)))
			if r.numbers {
				tried = cmp.Or(v.unfit(text, line), tried)
			}
			tried.why = cmp.Or(r.unorder, tried.why)
		case r.tried:
		case i == 0 && r.why != "":
			return i, &question{why: r.why}
		case i == 0 && r.order != "":
			first = i
		case r.why == "" && tried == nil && v.hints(text, line) && slices.ContainsFunc(lines[i+1:], v.meant):
			tried = v.garbled(text, "", false)
		case why == "":
			why = r.why
		}
		switch {
		case first >= 0 && why != "": // a later line must not be played instead of what was refused
			return first, &question{why: why}
		case first >= 0 && tried != nil:
			return first, tried
		case first >= 0:
			return first, v.two(lines, first, line)
		}
	}
	if tried != nil {
		return 0, tried
	}
	for i, text := range lines { // below a line that means nothing, an order counts if there is no move
		if v.read(text, line).order != "" {
			return i, nil
		}
	}
	if why == "" {
		why = v.untaken(lines, line)
	}
	if why != "" {
		return 0, &question{why: why}
	}
	for _, text := range lines {
		if v.conditional(text) {
			return 0, v.garbled(text, "", true)
		}
	}
	return 0, &question{key: "unread"}
}

// meant asks which moves a text means, of one or several.
func meant(text string, which []choice) *question {
	if len(which) == 1 {
		return &question{key: "which.one", pairs: []any{"text", text}, which: which}
	}
	return &question{key: "which", pairs: []any{"text", text}, which: which}
}

// garbled asks about a line that looks like a move and is none. Alone, the reason says enough.
func (v *vocabulary) garbled(text, why string, alone bool) *question {
	switch strange := why == "" && v.strange(text); {
	case v.conditional(text):
		return &question{key: "condition", pairs: []any{"text", words.Isolated(text)}}
	case alone && why != "":
		return &question{why: why}
	case alone && strange:
		return &question{key: "letter.alone", pairs: []any{"text", words.Isolated(text)}}
	case strange:
		return &question{key: "letter", pairs: []any{"text", words.Isolated(text)}}
	case alone && len(v.strangers(text)) > 0:
		return &question{key: "garbled.words", text: text, pairs: []any{"text", words.Isolated(text),
			"words", words.Isolated(strings.Join(v.strangers(text), ", "))}}
	case alone:
		return &question{key: "garbled.alone", text: text, pairs: []any{"text", words.Isolated(text)}}
	}
	return &question{key: "garbled", text: text, pairs: []any{"text", words.Isolated(text)}, why: why}
}

// conditional reports whether a text sets a condition and names a move.
func (v *vocabulary) conditional(text string) bool {
	return reply.If(text) && slices.ContainsFunc(reply.Clauses(text), func(clause string) bool {
		return v.meant(strings.Trim(clause, ",.;! "))
	})
}

// strange reports whether a text begins with a letter that the answered mail's list has for no choice: every mail has
// its own.
func (v *vocabulary) strange(text string) bool {
	all := tokens(text)
	return len(all) > 0 && len(all) <= mostAfterLetter && utf8.RuneCountInString(all[0]) == 1 && !number(all[0]) &&
		!slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
			return slices.ContainsFunc(n.Path, func(o turn.Option) bool { return o.Name == all[0] })
		})
}

// orders returns a function that reports whether a text was meant to be played at a position, or is an order.
func (v *vocabulary) orders(at *domain.Line) func(text string) bool {
	return func(text string) bool {
		r := v.read(text, at)
		return v.aimed(text, true) || r.tried || r.order != "" || len(r.which) > 0
	}
}

// two returns a question if the lines name two moves that could each be made now, but not one after the other, or if
// one may take back what stands above it. What comes after a line that looks like a move and is none, or that cannot be
// made, is not played.
func (v *vocabulary) two(lines []string, first int, line *domain.Line) *question {
	sim, going := line.Dealt(v.seat), true
	var meant []choice
	var back *question
	for left := lines[first:]; len(left) > 0; {
		text := left[0]
		r, n := v.next(left, sim)
		left = left[n:]
		if c := r.only(); c != nil && going {
			if e, _, err := sim.Decide(v.seat, c.move); err == nil {
				sim.Apply(&e)
				meant = append(meant, *c)
				continue
			}
		}
		if len(meant) > 0 && back == nil && r.only() == nil && reply.Retracts(text) && !v.keepsAll(text) {
			back = &question{key: "retracted", pairs: []any{"text", words.Isolated(text)}}
		}
		if going && (r.tried || r.why != "") && v.read(text, line).only() == nil {
			return back
		}
		going = going && (r.order != "" || v.passes(text, &r, sim))
		c := v.read(text, line).only()
		if c != nil && len(meant) > 0 && v.asksElse(sim) && !v.other(text, c.move, meant, sim) {
			return back // it may follow once that has been answered
		}
		if c != nil && len(meant) > 0 && !slices.ContainsFunc(meant, func(m choice) bool { return m.move == c.move }) {
			return &question{key: "both", pairs: []any{"a", meant[0].label, "b", c.label}}
		}
	}
	return back
}

// other reports whether a move, said by a text, is another answer to what one of some moves answered, and none to what
// is asked since.
func (v *vocabulary) other(text string, m domain.Move, of []choice, since *domain.Line) bool {
	verb := func(m domain.Move) string {
		word, _, _ := strings.Cut(v.rulebook.FormatMove(m, nil), " ")
		return word
	}
	if r, _ := v.afterwards(text, since); r.only() != nil {
		return false
	}
	return slices.ContainsFunc(of, func(c choice) bool { return c.move != m && verb(c.move) == verb(m) })
}

// asksElse reports whether a position asks the seat for something else than the mail did: for none of its moves.
func (v *vocabulary) asksElse(at *domain.Line) bool {
	return at.Awaits(v.seat) && !slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool {
		_, _, err := at.Decide(v.seat, n.Move)
		return err == nil
	})
}
