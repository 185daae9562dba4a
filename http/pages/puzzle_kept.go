package pages

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
)

// A puzzle asks others about a decision in a finished game. It is kept beside the log, as a sketch is, and played on a
// copy: what its seat did not know then is dealt afresh.

// puzzleFrom returns a puzzle made from the table of the address, before it has words. It refuses with "puzzle-private"
// for a study, "puzzle-running" while anything of the game is still secret, or "puzzle-moment" if nobody had to decide
// anything.
func (v puzzlePages) puzzleFrom(line string, version uint64, seat domain.Seat) (p people.Puzzle, look desk.Look,
	err error) {
	if look, err = v.Look(); err != nil {
		return p, look, err
	}
	switch {
	case look.Table.Private:
		return p, look, domain.Refuse("puzzle-private")
	case !look.Table.Open():
		return p, look, domain.Refuse("puzzle-running")
	}
	name, err := v.History().LineAt(look, line, version)
	if err != nil {
		return p, look, err
	}
	at, err := v.Desk.LineAt(v.Ctx(), look, name, version)
	if err != nil {
		return p, look, err
	}
	if len(at.Awaited()) == 0 || seat != domain.Nobody && !at.Awaits(seat) {
		return p, look, domain.Refuse("puzzle-moment")
	}
	if seat == domain.Nobody {
		seat = at.Awaited()[0].Seat
	}
	var luck [8]byte
	_, _ = rand.Read(luck[:])
	return people.Puzzle{Table: look.Name.String(), Line: line, Version: version, Seat: seat,
		Luck: binary.BigEndian.Uint64(luck[:])}, look, nil
}

// keepPuzzle stores the reader's puzzle, with its solutions as the notation writes them. It refuses solutions that are
// not moves there.
func (v puzzlePages) keepPuzzle(p people.Puzzle, look desk.Look, solutions []string) (events.Name, error) {
	for _, text := range solutions {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		move, err := v.puzzleMove(p, look, text)
		if err != nil {
			return events.Name{}, err
		}
		if !slices.Contains(p.Solutions, move) {
			p.Solutions = append(p.Solutions, move)
		}
	}
	return v.People.AddPuzzle(v.Ctx(), v.Me, p)
}

// puzzleOf returns the puzzle at an address and moves the visit to its table. It returns ErrNoStream if there is no
// such puzzle, or not everybody may see its table.
func (v puzzlePages) puzzleOf(text string) (p people.Puzzle, maker domain.PersonID, look desk.Look, err error) {
	name, err := events.ParseName(text)
	if err != nil {
		return p, "", look, events.ErrNoStream
	}
	if p, maker, err = v.People.Puzzle(v.Ctx(), name); errors.Is(err, people.ErrNoPuzzle) {
		return p, "", look, events.ErrNoStream
	} else if err != nil {
		return p, "", look, err
	}
	if v.Table, err = events.ParseName(p.Table); err != nil {
		return p, "", look, events.ErrNoStream
	}
	if err = v.MaySee(v.Table, ""); err != nil {
		return p, "", look, err
	}
	if look, err = v.Look(); err == nil && !look.Table.Open() {
		err = events.ErrNoStream
	}
	return p, maker, look, err
}

// puzzleLine returns a puzzle as a line of a sketch, with the moves of a press after its moment, if any.
func puzzleLine(rb domain.Rulebook, p people.Puzzle, press string) *sketch.Line {
	l := &sketch.Line{Stream: p.Line, Version: p.Version, Seat: p.Seat, Luck: p.Luck}
	moves, _ := domain.ReadPress(rb, press, nil) // one that the rulebook reads no longer has no moves
	for _, m := range moves {
		l.Plies = append(l.Plies, sketch.Ply{Seat: p.Seat, Move: rb.FormatMove(m, nil)})
	}
	return l
}

// solves reports whether an answer to a puzzle is one of its solutions, or begins with one.
func solves(p people.Puzzle, answer string) bool {
	return slices.ContainsFunc(p.Solutions, func(solution string) bool {
		return strings.HasPrefix(answer+domain.PressSeparator, solution+domain.PressSeparator)
	})
}

// puzzleMove reads a press that answers a puzzle, and returns it as the notation writes it. It refuses what cannot be
// played there; what would be asked in between its moves is no part of the answer.
func (v puzzlePages) puzzleMove(p people.Puzzle, look desk.Look, text string) (string, error) {
	if len(text) > sketch.MaxMove {
		return "", door.ErrMalformed
	}
	l := puzzleLine(look.Rulebook, p, "")
	game, err := v.Maker.Sketching(v.Ctx(), look, l)
	if err != nil {
		return "", err
	}
	_, _, pressed, err := new(sketch.Sketch).Press(l, game, 0, p.Seat, text, "")
	if err == nil && pressed.Dropped {
		err = pressed.Why
	}
	if err != nil {
		return "", err
	}
	moves, err := domain.ReadPress(look.Rulebook, text, nil)
	return domain.WritePress(look.Rulebook, moves), err
}
