package pages

import (
	"crypto/rand"
	"encoding/binary"
	"slices"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events/desk"
)

// A sketch is what a player tries on a copy of a running game. It is kept beside the log, as a note is: nothing here
// gives the desk a command.

// tries returns the reader's sketch at the table of the address, that table as it stands, and which revision of the
// sketch it is. It refuses with "not-a-player".
func (v sketchPages) tries() (s sketch.Sketch, look desk.Look, revision int, err error) {
	if look, err = v.Look(); err != nil {
		return s, look, 0, err
	}
	if v.Me == "" || len(look.Table.SeatsOf(v.Me)) == 0 {
		return s, look, 0, domain.Refuse("not-a-player")
	}
	if s, revision, err = v.People.Sketch(v.Ctx(), v.Me, v.Table); err != nil {
		return s, look, 0, err
	}
	s.Lines = slices.DeleteFunc(s.Lines, func(l sketch.Line) bool {
		// they no longer see lines of a seat that they handed on
		return !slices.Contains(look.Table.SeatsOf(v.Me), l.Seat)
	})
	return s, look, revision, nil
}

// keepSketch changes the reader's sketch at the table of the address. It may call change more than once; only the
// last call counts.
func (v sketchPages) keepSketch(change func(*sketch.Sketch, desk.Look) error) error {
	for try := 0; ; try++ {
		s, look, revision, err := v.tries()
		if err != nil {
			return err
		}
		if err := change(&s, look); err != nil {
			return err
		}
		err = v.People.SetSketch(v.Ctx(), v.Me, v.Table, s, revision)
		if _, changed := domain.AsRefusal(err); !changed || try == 2 {
			return err
		}
	}
}

// fromNow returns a line of a sketch that begins where the game stands now. It refuses with "sketch-over".
func (v sketchPages) fromNow(look desk.Look) (sketch.Line, error) {
	if look.Line == nil || look.Table.Status != domain.TableStarted || look.Table.Due != "" {
		return sketch.Line{}, domain.Refuse("sketch-over")
	}
	seats := look.Table.SeatsOf(v.Me)
	l := sketch.Line{Stream: look.LineName.String(), Version: look.Line.Version, Seat: seats[0]}
	meant := v.Asker().Seat
	for _, seat := range slices.Backward(seats) {
		if seat == meant || l.Seat != meant && look.Line.Awaits(seat) {
			l.Seat = seat
		}
	}
	var luck [8]byte
	_, _ = rand.Read(luck[:])
	l.Luck = binary.BigEndian.Uint64(luck[:])
	return l, nil
}
