package domain

import (
	"slices"
	"time"
)

// Undone takes back the last step of a seat, which brought nothing to light and asked nobody else anything: a rewind
// without consent.
type Undone struct {
	Person  PersonID `json:"person"`
	Seat    Seat     `json:"seat"`
	Rewound *Rewound `json:"rewound"`
	Grace   bool     `json:"grace,omitempty"` // it had asked somebody else, but the table's grace was not over
}

func (e *Undone) apply(t *Table) {
	t.follow(e.Rewound, "")
	t.Lines[len(t.Lines)-1].Undo = true
}

// MostGrace is the longest grace of a table, in minutes.
const MostGrace = 60

// Graces are the graces offered to a table, in minutes; 0 is none.
var Graces = []int{0, 2, 5, 10, 30}

// CheckGrace refuses a grace that a table must not have.
func CheckGrace(minutes int, noUndo bool) error {
	switch {
	case minutes < 0 || minutes > MostGrace:
		return Refuse("grace", "n", minutes, "most", MostGrace)
	case noUndo && minutes > 0:
		return Refuse("grace-undo")
	}
	return nil
}

// Undo takes back the one move that a person has made after a version of the main line. It refuses if the table plays
// without undo, if that move involved luck or anything hidden, if it changed what somebody else has, or if somebody
// else was asked something before it, or after it unless the person made it themselves within the table's grace.
func (t *Table) Undo(by PersonID, to uint64, main Played, line string, now time.Time) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	switch {
	case t.NoUndo:
		return nil, Refuse("undo-off")
	case t.Proposal != nil:
		return nil, Refuse("proposal-open")
	case main.Ended:
		return nil, Refuse("rewind-ended")
	case to < main.First || len(main.Moves) != 1:
		return nil, Refuse("undo-last")
	}
	seat := main.Moves[0]
	if !t.holdsAlone(by, seat) {
		return nil, Refuse("undo-last")
	}
	asks := slices.ContainsFunc(main.Awaits, func(s Seat) bool { return s != seat })
	switch {
	case len(main.Draws) > 0 || len(main.Cards) > 0 || main.Hidden > 0 || main.Dealt > 0:
		return nil, Refuse("undo-seen")
	case main.Others:
		return nil, Refuse("undo-beside")
	case main.Shared:
		return nil, Refuse("undo-shared")
	case asks && (t.Grace == 0 || main.By != by):
		return nil, Refuse("undo-asked")
	case asks && !now.Before(t.GraceOf(main.At)):
		return nil, Refuse("undo-late", "n", t.Grace)
	}
	p := Proposal{By: by, Line: main.Version, To: to}
	return &Undone{Person: by, Seat: seat, Rewound: t.rewound(&p, main, line), Grace: asks}, nil
}

// GraceOf returns until when a move made at a given time may be taken back even though it asks somebody else.
func (t *Table) GraceOf(move time.Time) time.Time {
	return move.Add(time.Duration(t.Grace) * time.Minute)
}

// holdsAlone reports whether a person alone holds a seat.
func (t *Table) holdsAlone(by PersonID, seat Seat) bool {
	return by != "" && seat >= 0 && int(seat) < len(t.Places) && t.Places[seat].Humans() &&
		slices.Equal(t.Places[seat].Holders, []PersonID{by})
}

// TakenBack returns the versions of the table at which a step was taken back that somebody knows who has seen one of
// its lines up to a version.
func (t *Table) TakenBack(line string, version uint64) (at []uint64) {
	for _, l := range t.Lines {
		if l.Parent != line {
			continue
		}
		if line = l.Name; l.Fork < version {
			if version = l.Fork; l.Undo {
				at = append(at, l.Since)
			}
		}
	}
	return at
}
