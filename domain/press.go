package domain

import (
	"slices"
	"strings"
)

// A press is what somebody plays at once: moves of one seat, made one after the other as long as nothing else is asked
// in between. The end of a turn that draws a card and keeps the hand is one.

// PressSeparator stands between the moves of a press.
const PressSeparator = "; "

const maxPress = 16 // the most moves of one

// ReadPress reads a press. A text is several moves if each part between semicolons is one; otherwise it is one move,
// in which the notation may take a semicolon for a space.
func ReadPress(rb Rulebook, text string, names []string) ([]Move, error) {
	parts := strings.Split(text, ";")
	if len(parts) > 1 && len(parts) <= maxPress {
		moves := make([]Move, 0, len(parts))
		for _, part := range parts {
			if m, err := rb.ParseMove(strings.TrimSpace(part), names); err == nil {
				moves = append(moves, m)
			}
		}
		if len(moves) == len(parts) {
			return moves, nil
		}
	}
	m, err := rb.ParseMove(text, names)
	if err != nil {
		return nil, err
	}
	return []Move{m}, nil
}

// WritePress writes a press in canonical notation.
func WritePress(rb Rulebook, moves []Move) string {
	parts := make([]string, len(moves))
	for i, m := range moves {
		parts[i] = rb.FormatMove(m, nil)
	}
	return strings.Join(parts, PressSeparator)
}

// Pressed is what became of a press. Of a seat that is asked nothing any more, nothing is left and nothing dropped.
type Pressed struct {
	Made    int   // how many moves were made
	Left    bool  // the others wait until their seat has answered what it is asked first
	Dropped bool  // the others no longer fit what their seat is asked
	Why     error // the refusal that ended it; nil if none did
}

// PlayPress makes a seat's moves one after the other by calling play with each. next returns the i-th and the line
// before it; no line if that is closed, and no move after the last one. The first that is refused ends the press, and
// so does one that would take away what the press, begun after a version, asks of others: they are to answer first.
func PlayPress(seat Seat, begun uint64, next func(i int) (*Line, Move, error), play func(i int, m Move) error) (
	p Pressed, err error) {
	for ; ; p.Made++ {
		line, m, err := next(p.Made)
		if err != nil || line == nil || m == nil {
			return p, err
		}
		if line.Unasks(seat, m, begun) {
			p.Why, p.Dropped = Refuse("press-asked"), true
			return p, nil
		}
		err = play(p.Made, m)
		if _, refused := AsRefusal(err); refused {
			p.Why = err
			p.Dropped = line.Awaits(seat) && line.asksFor(seat, m)
			p.Left = line.Awaits(seat) && !p.Dropped
			return p, nil
		}
		if err != nil {
			return p, err
		}
	}
}

// Unasks reports whether a seat's move would take away what its moves after a version asked of others while its own
// decision goes on.
func (l *Line) Unasks(seat Seat, m Move, begun uint64) bool {
	asked := slices.DeleteFunc(slices.Clone(l.open), func(o Open) bool {
		return o.Since <= begun || !slices.Contains(l.asking, question{o.Decision, seat})
	})
	if len(asked) == 0 {
		return false
	}
	after := l.Dealt(seat)
	e, _, err := after.Decide(seat, m)
	if err != nil {
		return false
	}
	after.Apply(&e)
	return slices.ContainsFunc(asked, func(o Open) bool { return !slices.Contains(after.open, o) })
}

// asksFor reports whether a seat may make a move of a move's kind, which is the first word in notation.
func (l *Line) asksFor(seat Seat, m Move) bool {
	kind := func(m Move) string {
		word, _, _ := strings.Cut(l.Rulebook.FormatMove(m, nil), " ")
		return word
	}
	for legal := range l.Rulebook.Legal(l.State, seat) {
		if kind(legal) == kind(m) {
			return true
		}
	}
	return false
}
