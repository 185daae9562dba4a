package record

import (
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/domain/script"
	"posthorn/events"
)

// ErrScript is returned for a record that cannot be a script.
var ErrScript = errors.New("this record cannot be written as a script")

// Script returns the main line of a record as a script (docs/notation.md), with the luck that the table had: it plays
// to the same position. It verifies the record first. It returns ErrScript if the record's luck is not open, or its
// line is not all set-up and moves.
func Script(f *File, named func(string) (domain.Rulebook, bool)) ([]byte, error) {
	v := newVerifier(f)
	if err := v.all(named, nil); err != nil {
		return nil, err
	}
	switch {
	case !v.report.Judged || v.rulebook == nil:
		return nil, fmt.Errorf("%w: its luck is not open, which it is once the table has ended", ErrScript)
	case v.table.Branch != nil:
		return nil, fmt.Errorf("%w: it goes on from another table", ErrScript)
	}
	lines := slices.DeleteFunc(slices.Clone(v.lines), func(l namedLine) bool { _, ok := v.streams[l.name]; return !ok })
	if len(lines) == 0 {
		return nil, fmt.Errorf("%w: nothing was played", ErrScript)
	}
	main := lines[len(lines)-1]
	key := v.table.LineKeyOf(main.Keyed)
	w := script.Written{Rulebook: v.rulebook, Choices: v.table.Choices, Seats: len(v.table.Places), Luck: &key,
		Given: v.table.Given}
	for version := uint64(1); version <= v.last[main.name]; version++ {
		i, _ := v.find(main.name, version) // it was verified
		e, played, err := v.decode(v.rulebook, i)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrScript, err)
		}
		if !played {
			continue
		}
		w.Again = append(w.Again, v.drawnElsewhere(f.Events[i].Stream, key, e.Draws)...)
		if e.Move == "" {
			if version > 1 {
				return nil, fmt.Errorf("%w: with version %d of its main line cards were dealt anew", ErrScript, version)
			}
			continue
		}
		m, err := domain.WholeMove(v.rulebook, &e)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrScript, err)
		}
		w.Moves = append(w.Moves, script.Moved{Seat: e.Seat, Move: m})
	}
	return w.Text()
}

// drawnElsewhere returns those draws of an event that came from a key other than the main line's.
func (v *verifier) drawnElsewhere(stream events.Name, main domain.Key, draws []domain.Draw) (out []script.Again) {
	l := v.line(stream.String())
	for _, d := range draws {
		from := l.Keyed
		for _, t := range l.Taken {
			if t.Purpose == d.Purpose && t.K == d.K {
				from = t.Line
			}
		}
		if key := v.table.LineKeyOf(from); key != main {
			out = append(out, script.Again{Purpose: d.Purpose, K: d.K, Key: key})
		}
	}
	return out
}
