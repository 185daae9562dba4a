// Package rivals is The Rivals for Catan, for two: the introduction, the three ages and the
// Duel of the Princes. The cards are a table (cards.json); what they do is a small vocabulary
// of effects that the rules interpret. Where the printed rules leave a question open, comments
// name the reading that is played by: all are listed in docs/notation-rivals.md.
//
// A row's effect says when (on), what (do) and how much. When: an action card is played
// (play), before the roll (before), a settlement is built (settle), the card itself is built
// (build), the dice (produce, brigand, trade, harvest), an event (event, plenty, riots,
// plague), an attack (attack, burn), a loss (loss), a payment (cost, search), an exchange
// (bank), or always (points, store). A further card like others is a row, which says of what it
// is like, the size of its set, and its words; a new kind of effect is a word in vocabulary and
// its branch in perform, whenBuilt or resolveEvent. What a row says that means nothing is found
// when the table is loaded.
//
// A decision works on a copy of the state and notes every change as an outcome (Op); folding
// an event applies the same outcomes. What stands before the turn can go on, choices and
// next steps alike, is a queue of tasks in the state; a choice that is none makes itself.
package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
)

// Standing is the victory points; there is nothing to come at the end.
func (Room) Standing(s *state.State, _ domain.Viewer) domain.Standing {
	a, b := s.Victory(0), s.Victory(1)
	d := domain.Standing{Scores: []int{a, b}, Final: []int{a, b}}
	if s.Phase == state.Over {
		d.Ended = true
		d.Ranks, d.Result = result(s)
	}
	return d
}

// result is the ranks of a game that is over, and what is said of it.
func result(s *state.State) (ranks []int, say []domain.Say) {
	if s.Winner == domain.Nobody {
		return []int{1, 1}, []domain.Say{domain.S("result.draw", "n", s.Victory(0))}
	}
	ranks = []int{2, 2}
	ranks[s.Winner] = 1
	n, m := s.Victory(s.Winner), s.Victory(state.Other(s.Winner))
	if n < int(s.Goal) {
		return ranks, []domain.Say{domain.S("result.closed", "seat", s.Winner, "n", n, "m", m)}
	}
	return ranks, []domain.Say{domain.S("result.won", "seat", s.Winner, "n", n, "goal", int(s.Goal))}
}
