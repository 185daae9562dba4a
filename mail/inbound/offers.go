package inbound

import (
	"slices"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// replied returns what lines say to an offer that is open, and all that they say beside moves and orders that go with
// it. Whether their writer could take it up makes no difference.
func (v *vocabulary) replied(lines []string, line *domain.Line) (said reply.Said, besides []string) {
	sim := line.Dealt(v.seat)
	for _, text := range lines {
		open, now := v.offered(sim), v.says(text)
		r := v.read(text, sim)
		if open && said == reply.SaidNothing && now != reply.SaidNothing {
			said = now
			if v.agreed(text) != nil && !v.exact(text, sim) {
				besides = append(besides, text)
			}
		} else if open && r.order == "" || !open && r.only() == nil {
			besides = append(besides, text)
			continue
		}
		if c := r.only(); c != nil {
			if e, _, err := sim.Decide(v.seat, c.move); err == nil {
				sim.Apply(&e)
			}
		}
	}
	return said, besides
}

// several reports whether a yes or a no may answer more than one offer.
func (v *vocabulary) several(said reply.Said, at *domain.Line) bool {
	answers := v.rulebook.Extras().Answers
	return answers != nil && (said == reply.SaidYes || said == reply.SaidNo) && at.Awaits(v.seat) &&
		len(answers(at.State, v.seat, said == reply.SaidYes)) > 1
}

// offered reports whether a seat is asked what yes or no answer.
func (v *vocabulary) offered(at *domain.Line) bool {
	answers := v.rulebook.Extras().Answers
	return answers != nil && at.Awaits(v.seat) && len(answers(at.State, v.seat, true)) > 0
}

// spoke reports whether lines have a yes or a no and no move where nothing is asked that either answers.
func (v *vocabulary) spoke(lines []string, at *domain.Line) bool {
	moves := func(text string) bool {
		return v.meant(text) && v.says(text) == reply.SaidNothing || v.tries(text, at)
	}
	return reply.YesNo(lines) != reply.SaidNothing && !v.offered(at) && !slices.ContainsFunc(lines, moves)
}

// exact reports whether a text is a playable move in notation.
func (v *vocabulary) exact(text string, at *domain.Line) bool {
	m, err := v.parse(text)
	if err == nil {
		_, _, err = at.Decide(v.seat, m)
	}
	return err == nil
}

// says returns whether a text is a yes or a no, as a move or in its own words.
func (v *vocabulary) says(text string) reply.Said {
	for said, word := range map[reply.Said]string{reply.SaidYes: "yes", reply.SaidNo: "no"} {
		m, err := v.parse(word)
		typed, unread := v.parse(text)
		if err == nil && (unread == nil && typed == m || slices.Contains(v.called(text, nil), m)) {
			return said
		}
	}
	if said := reply.YesNo([]string{text}); said == reply.SaidUnsure || v.agreed(text) != nil {
		return said
	}
	return reply.SaidNothing
}

// untaken says why what the first yes or no among lines answers cannot be answered so, or "" if none says either.
func (v *vocabulary) untaken(lines []string, at *domain.Line) (why string) {
	for _, text := range lines {
		if m := v.agreed(text); m != nil && at.Awaits(v.seat) {
			if _, _, err := at.Decide(v.seat, m); err != nil {
				why, _ = v.refuse(err)
			}
			return why
		}
	}
	return ""
}

// agreed returns the move by which a text that says yes or no in its own words takes up what is offered, or nil.
func (v *vocabulary) agreed(text string) domain.Move {
	word, ok := map[reply.Said]string{reply.SaidYes: "yes", reply.SaidNo: "no"}[reply.YesNo([]string{text})]
	if !ok {
		return nil
	}
	m, err := v.parse(word)
	if err != nil {
		return nil
	}
	return m
}

// answers returns the moves that a text may mean which says yes or no to what others offer, and is no name of a choice.
func (v *vocabulary) answers(text string, at *domain.Line) []domain.Move {
	said, answers := v.says(text), v.rulebook.Extras().Answers
	if answers == nil || said != reply.SaidYes && said != reply.SaidNo || !at.Awaits(v.seat) ||
		len(v.called(text, nil)) > 0 {
		return nil
	}
	return answers(at.State, v.seat, said == reply.SaidYes)
}

// shows reports whether the mail shows the only answer that a yes or no may be: it lists the yes or the no to it.
func (v *vocabulary) shows(at *domain.Line) bool {
	return slices.ContainsFunc([]bool{true, false}, func(yes bool) bool {
		for _, m := range v.rulebook.Extras().Answers(at.State, v.seat, yes) {
			if slices.ContainsFunc(v.mailed.moves, func(n turn.Named) bool { return n.Move == m }) {
				return true
			}
		}
		return false
	})
}
