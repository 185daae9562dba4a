package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"posthorn/domain"
)

// Written is one line of play to write as a script, with seats named by letter.
type Written struct {
	Rulebook domain.Rulebook
	Choices  domain.Choices
	Seats    int
	Seed     *uint64     // of a game played with throw-away luck
	Luck     *domain.Key // or the key of a table's line
	Again    []Again     // draws made with another key
	Given    []byte      // a position to start from, or nil
	Moves    []Moved
}

// Again is a draw made with another key than the line's, as after a rewind with the same luck.
type Again struct {
	Purpose string
	K       uint64
	Key     domain.Key
}

// Moved is a move by a seat.
type Moved struct {
	Seat domain.Seat
	Move domain.Move
}

// Text returns the script.
func (w Written) Text() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "game %s\n", w.Rulebook.Name())
	for _, key := range slices.Sorted(maps.Keys(w.Choices)) {
		fmt.Fprintf(&b, "option %s %s\n", key, w.Choices[key])
	}
	names := make([]string, w.Seats)
	for i := range names {
		names[i] = domain.Seat(i).Letter()
		fmt.Fprintf(&b, "seat %s\n", names[i])
	}
	if w.Seed != nil {
		fmt.Fprintf(&b, "seed %d\n", *w.Seed)
	}
	if w.Luck != nil {
		fmt.Fprintf(&b, "luck %x\n", w.Luck[:])
	}
	for _, a := range w.Again {
		fmt.Fprintf(&b, "luck %s %d %x\n", a.Purpose, a.K, a.Key[:])
	}
	if w.Given != nil {
		b.WriteString("given ")
		if err := json.Compact(&b, w.Given); err != nil {
			return nil, fmt.Errorf("write the position of a script: %w", err)
		}
		b.WriteByte('\n')
	}
	for _, m := range w.Moves {
		fmt.Fprintf(&b, "%s: %s\n", m.Seat.Letter(), w.Rulebook.FormatMove(m.Move, names))
	}
	return b.Bytes(), nil
}
