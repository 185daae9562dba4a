package inbound

import (
	"slices"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// list is what a mail lists, or would list if it were about a position.
type list struct {
	moves []turn.Named
	ways  []entry         // the moves by their words; nil before it is needed
	words map[string]bool // of the moves; nil before it is needed
}

// position is where a line stood: it may go on since.
type position struct {
	line    *domain.Line
	version uint64
}

// lists returns the lists whose words a text may have at a position: the position's own, and then the answered mail's.
// Letters are the mail's alone.
func (v *vocabulary) lists(at *domain.Line) []*list {
	if at == nil || at.Version == v.version || len(v.mailed.moves) == 0 || !at.Awaits(v.seat) {
		return []*list{&v.mailed}
	}
	here := position{at, at.Version}
	if v.own[here] == nil {
		if v.own == nil {
			v.own = map[position]*list{}
		}
		v.own[here] = &list{moves: turn.ListOf(v.p, at, v.seat)}
	}
	return []*list{v.own[here], &v.mailed}
}

// listed reports whether a word is in one of the moves that are listed at a position, and none of the short ones, which
// any sentence has.
func (v *vocabulary) listed(word string, at *domain.Line) bool {
	return slices.ContainsFunc(v.lists(at), func(l *list) bool {
		if l.words == nil {
			l.words = map[string]bool{}
			for _, n := range l.moves {
				for _, text := range []string{n.Name, n.Short, n.Label(), v.rulebook.FormatMove(n.Move, v.names)} {
					for _, w := range parts(text) {
						l.words[w] = len(w) > 2
					}
				}
			}
		}
		return l.words[word]
	})
}
