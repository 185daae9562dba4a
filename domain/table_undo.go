package domain

import "slices"

// Undone takes back the last step of a seat, which has brought nothing to light and asked nobody else
// anything: a rewind without consent.
type Undone struct {
	Person  PersonID `json:"person"`
	Seat    Seat     `json:"seat"`
	Rewound *Rewound `json:"rewound"`
}

func (e *Undone) apply(t *Table) {
	t.follow(e.Rewound, "")
	t.Lines[len(t.Lines)-1].Undo = true
}

// Undo takes back the one move that a person has made after a version of the main line. It is refused
// where the table plays without, where luck or anything hidden was in that move, and where somebody
// else is asked something before it or after it.
func (t *Table) Undo(by PersonID, to uint64, main Played, line string) (TableEvent, error) {
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
	if seat < 0 || int(seat) >= len(t.Places) || !t.Places[seat].Humans() || !slices.Equal(t.Places[seat].Holders, []PersonID{by}) {
		return nil, Refuse("undo-last")
	}
	switch {
	case len(main.Draws) > 0 || len(main.Cards) > 0 || main.Hidden > 0 || main.Dealt > 0:
		return nil, Refuse("undo-seen")
	case main.Others || slices.ContainsFunc(main.Awaits, func(s Seat) bool { return s != seat }):
		return nil, Refuse("undo-asked")
	}
	p := Proposal{By: by, Line: main.Version, To: to}
	return &Undone{Person: by, Seat: seat, Rewound: t.rewound(&p, main, line)}, nil
}
