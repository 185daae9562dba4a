package domain

import (
	"errors"
	"slices"
)

// Who may move on a line, and which events nobody moves: what begins a line, and what everybody can see.

// MayMove refuses a move for a seat on a line, unless it is only the game that may refuse it. Answers is the decision
// that it takes; of a written move that is not known.
func (j *Judge) MayMove(line string, seat Seat, answers Open) error {
	t := j.Table
	if err := t.playing(); err != nil {
		return because(err, "the table was not being played then")
	}
	main, _ := t.Main()
	switch {
	case !j.Written && j.Line == nil:
		return Refuse("not-started")
	case main.Name != line:
		return because(Refuse("line-closed"), "this was not the main line then")
	case !j.Written && j.Line.Over(): // its end is not noted yet
		return Refuse("table-ended")
	case !j.Written && seat == Nobody && answers.Kind == "":
		return j.unasked()
	case seat < 0 || int(seat) >= len(t.Places):
		return because(Refuse("no-seat", "seat", seat), "the table has no such seat")
	}
	if err := j.mayMoveFor(seat, answers); err != nil {
		return err
	}
	if !j.Written && (answers.Seat != seat || !slices.Contains(j.Line.Awaited(), answers)) {
		return Refuse("overtaken")
	}
	return nil
}

// mayMoveFor refuses a move for a seat of the main line to whoever does not decide for it then.
func (j *Judge) mayMoveFor(seat Seat, answers Open) error {
	p, house, waits := j.Table.Places[seat], j.By == "", j.Table.Proposal != nil
	instead := p.Humans() && (j.Door == DoorForced || j.Door == DoorClock && j.takesTurn(p, answers))
	switch err := j.Table.Plays(j.By, seat); {
	case house && instead && !waits:
		return nil
	case house && (p.Humans() || j.Door != DoorRunner):
		return because(Refuse("not-your-seat", "seat", seat),
			"the house moves for stand-ins alone, and seat %s was none", seat.Letter())
	case !house && err != nil:
		return because(err, "it was moved by somebody who did not hold seat %s", seat.Letter())
	case waits && (house || j.Door == DoorOrder):
		return because(Refuse("proposal-open"), "stand-ins and orders wait while something is proposed")
	}
	return nil
}

// takesTurn reports whether a stand-in may move for people whose time is over.
func (j *Judge) takesTurn(p TablePlace, o Open) bool {
	main, _ := j.Table.Main()
	if j.Written { // whether it took this decision shows once the line is played again
		return p.Turn != nil && p.Turn.Line == main.Name
	}
	return j.TakenOver(o)
}

// TakenOver reports whether a stand-in takes a decision of a seat that people hold: that whose time ran out and, as
// long as the stand-in's own moves bring up the seat's next one, the rest of the turn.
func (j *Judge) TakenOver(o Open) bool {
	main, _ := j.Table.Main()
	turn := j.Table.Places[o.Seat].Turn
	if turn == nil || turn.Line != main.Name || o.Since < turn.Since {
		return false
	}
	return o.Since == turn.Since || (j.Written || len(j.Table.Places) > 1) && j.Opened(o.Seat, o.Since).Clock
}

// unasked refuses a move that answers no decision, as when a caller was told that none is open.
func (j *Judge) unasked() error {
	i := slices.IndexFunc(j.Table.Places, func(p TablePlace) bool { return p.Holds(j.By) })
	switch seat := Seat(i); {
	case i < 0:
		return Refuse("not-a-player")
	case !j.Line.Awaits(seat):
		return Refuse("not-awaited", "seat", seat)
	}
	return Refuse("no-move")
}

// FirstEvent makes the first event of a line on the line as it stands at its fork: the set-up, the deal of a branch, by
// what a viewer knows there, or after a rewind with fresh luck what nobody knew, shuffled anew. plays is false for
// another rewind: its first event only opens the line.
func (t *Table) FirstEvent(l TableLine, line *Line, viewer Viewer) (e Event, plays bool, err error) {
	switch {
	case l.Deal:
		e, ok := line.Reshuffle()
		if !ok {
			err = errors.New("the game has nothing to shuffle anew")
		}
		return e, true, err
	case l.Index > 0:
		return e, false, nil
	case t.Branch != nil:
		luck := line.Luck.Begin()
		e = line.Rulebook.Blind(line.State, viewer, luck)
		e.Seat, e.Draws = Nobody, luck.Used()
		return e, true, luck.Err()
	}
	e, _, err = line.Setup(Game{Choices: t.Choices, Seats: len(t.Places), First: Nobody, Given: t.Given})
	return e, true, err
}

// OnlyMove returns the move of a decision if everybody can see that there is no other.
func (l *Line) OnlyMove(d Decision) (Move, bool) {
	only := l.Rulebook.Extras().Forced
	if only == nil {
		return nil, false
	}
	return only(l.Rulebook.View(l.State, Spectator), d)
}
