package domain

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
)

// Seat is a place at a table, counted from 0. Its letter is A for 0, B for 1, …
type Seat int8

// Nobody is the seat of events that no seat made: a set-up, a deal.
const Nobody Seat = -1

// MaxSeats is the most seats any table can have.
const MaxSeats = 8

// Letter returns the seat's letter on boards and in canonical notation: "A", "B", … It is "-" for Nobody.
func (s Seat) Letter() string {
	if s < 0 || s >= 26 {
		return "-"
	}
	return string(rune('A' + s))
}

// Viewer is somebody who looks: a seat (its number), the Spectator, or the Referee.
type Viewer int8

const (
	// Spectator knows what is public.
	Spectator Viewer = -1
	// Referee knows everything: scripts, simulations, and everybody once a table is open (see Table.Open).
	Referee Viewer = -2
)

// Seat returns the viewer's seat, or Nobody for a spectator or the referee.
func (v Viewer) Seat() Seat {
	if v < 0 {
		return Nobody
	}
	return Seat(v)
}

// ViewOf returns the viewer who holds a seat.
func ViewOf(s Seat) Viewer { return Viewer(s) }

// Audience is the set of seats that may read a secret part; the zero value is empty.
type Audience uint16

// To makes an audience of the given seats.
func To(seats ...Seat) Audience {
	var a Audience
	for _, s := range seats {
		if s >= 0 && s < MaxSeats {
			a |= 1 << s
		}
	}
	return a
}

// Admits reports whether a viewer may read what this audience may.
func (a Audience) Admits(v Viewer) bool {
	return v == Referee || v >= 0 && a&(1<<v) != 0
}

// Len returns the number of seats in the audience.
func (a Audience) Len() int { return bits.OnesCount16(uint16(a)) }

// String lists the seats' letters, "AC", or "-" for nobody.
func (a Audience) String() string {
	var b strings.Builder
	for s := range Seat(MaxSeats) {
		if a&(1<<s) != 0 {
			b.WriteString(s.Letter())
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// MarshalJSON writes an audience as its letters.
func (a Audience) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Audience) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("audience: %w", err)
	}
	*a = 0
	for _, r := range strings.TrimSuffix(s, "-") {
		if r < 'A' || r >= 'A'+MaxSeats {
			return fmt.Errorf("audience: no seat %q", r)
		}
		*a |= 1 << (r - 'A')
	}
	return nil
}
