package domain

import "slices"

// Any member may play for a seat that several people hold as a team. The table asks each of them for consent: a team
// has no voice of its own and agrees only if everybody says yes.

// Left notes that somebody has left a team that plays on.
type Left struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
}

func (e *Left) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		p.Holders = without(p.Holders, e.Person)
		p.Gone = append(slices.Clone(p.Gone), e.Person)
	})
}

// Team reports whether several people hold a seat.
func (p TablePlace) Team() bool { return len(p.Holders) > 1 }

// LeaveTeam takes somebody out of a team of several. The last member resigns instead (see Resign).
func (t *Table) LeaveTeam(by PersonID, seat Seat) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	if !p.Holds(by) || !p.stays() || !p.Team() {
		return nil, Refuse("not-your-seat", "seat", seat)
	}
	return &Left{Seat: seat, Person: by}, nil
}
