package pages

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events/desk"
	"posthorn/http/door"
)

// changeSketch changes the line of the address, and redirects to where change says that it then is; done is what the
// page says.
func (v sketchPages) changeSketch(change func(s *sketch.Sketch, l *sketch.Line, at int, look desk.Look) (
	now *sketch.Line, to int, done string, err error)) error {
	to, done := "", ""
	err := v.keepSketch(func(s *sketch.Sketch, look desk.Look) error {
		l, at, err := v.sketchAt(s)
		if err != nil {
			return err
		}
		if l, at, done, err = change(s, l, at, look); err != nil {
			return err
		}
		to = v.Home() + "/sketch"
		if l != nil {
			to, s.Last = v.sketchPath(l.ID, at), l.ID
		}
		return nil
	})
	return v.after(err, to, done)
}

// sketchMove plays a press in a sketch.
func (v sketchPages) sketchMove() error {
	seat, err := strconv.Atoi(v.FormValue("seat"))
	move := v.FormValue("move")
	if err != nil || move == "" || len(move) > sketch.MaxMove || len(v.FormValue("chance")) > sketch.MaxChance {
		return door.ErrMalformed
	}
	return v.changeSketch(func(s *sketch.Sketch, l *sketch.Line, at int, look desk.Look) (*sketch.Line, int, string,
		error) {
		game, err := v.Maker.Sketching(v.Ctx(), look, l)
		if err != nil {
			return nil, 0, "", err
		}
		l, at, p, err := s.Press(l, game, at, domain.Seat(seat), move, strings.TrimSpace(v.FormValue("chance")))
		if p.Dropped {
			return l, at, "part", err
		}
		return l, at, "", err
	})
}

// sketchAgain redraws the luck of the last move.
func (v sketchPages) sketchAgain() error {
	return v.changeSketch(
		func(s *sketch.Sketch, l *sketch.Line, at int, _ desk.Look) (*sketch.Line, int, string, error) {
			if at == 0 {
				return nil, 0, "", door.ErrMalformed
			}
			if at < len(l.Plies) { // what follows was thought of for the old luck
				other := *l
				other.Name, other.Plies = "", slices.Clone(l.Plies[:at])
				var err error
				if l, err = s.Add(other); err != nil {
					return nil, 0, "", err
				}
			}
			p := &l.Plies[at-1]
			p.Chance = ""
			p.Again++
			return l, at, "redrawn", nil
		})
}

// sketchName names a line.
func (v sketchPages) sketchName() error {
	name := strings.Join(strings.Fields(v.FormValue("name")), " ")
	return v.changeSketch(
		func(_ *sketch.Sketch, l *sketch.Line, at int, _ desk.Look) (*sketch.Line, int, string, error) {
			if len(name) > sketch.MaxName {
				return nil, 0, "", domain.Refuse("sketch-name", "n", sketch.MaxName)
			}
			l.Name = name
			return l, at, "saved", nil
		})
}

// sketchDrop deletes a line.
func (v sketchPages) sketchDrop() error {
	return v.changeSketch(func(s *sketch.Sketch, l *sketch.Line, _ int, _ desk.Look) (*sketch.Line, int, string,
		error) {
		s.Drop(l.ID)
		return nil, 0, "", nil
	})
}

// sketchCarry moves the rest of a line to where the game stands now, if the game went as sketched.
func (v sketchPages) sketchCarry() error {
	return v.changeSketch(func(s *sketch.Sketch, l *sketch.Line, _ int, look desk.Look) (*sketch.Line, int, string,
		error) {
		now, err := v.fromNow(look)
		if err != nil {
			return nil, 0, "", err
		}
		gone := int(now.Version) - int(l.Version) // #nosec G115: versions are small
		if l.Stream != now.Stream || gone <= 0 || gone > len(l.Plies) {
			return nil, 0, "", domain.Refuse("sketch-changed")
		}
		now.Name, now.Seat, now.Plies = l.Name, l.Seat, slices.Clone(l.Plies[gone:])
		next, err := s.Add(now)
		return next, 0, "", err
	})
}
