package domain

import (
	"slices"
	"time"
)

// An invitation is valid until the time that its event names. Those of older programs name none and are valid forever.

// InvitationLasts is how long an invitation is valid.
const InvitationLasts = 14 * 24 * time.Hour

// Expired ends an invitation that was not answered in time.
type Expired struct {
	Seat   Seat      `json:"seat"`
	Person PersonID  `json:"person"`
	Until  time.Time `json:"until"` // when it expired
}

func (e *Expired) apply(t *Table) { t.leave(e.Seat, e.Person) }

// leave takes somebody from a seat, held or kept for them, before the start.
func (t *Table) leave(seat Seat, id PersonID) {
	t.edit(seat, func(p *TablePlace) {
		p.Invited = without(p.Invited, id)
		p.Holders = without(p.Holders, id)
		if p.Kind == SeatPlayer && len(p.Invited)+len(p.Holders) == 0 {
			p.Kind = SeatOpen
		}
	})
}

// InvitedUntil returns until when an invitation made now is valid, in full hours.
func InvitedUntil(now time.Time) time.Time {
	return now.UTC().Add(InvitationLasts + time.Hour - 1).Truncate(time.Hour)
}

// AskedUntil returns until when somebody asked to take a seat may do so; zero means forever, as for the opener, who
// asks themselves.
func (t *Table) AskedUntil(seat Seat, person PersonID) time.Time {
	if person == t.Opener {
		return time.Time{}
	}
	if until, ok := t.askedUntil[asking{seat, person}]; ok {
		return until
	}
	return t.openedUntil
}

// Missing lists the people whom a table waits for before its game can begin, by seat.
func (t *Table) Missing() (out []PersonID) {
	for _, p := range t.Places {
		out = append(out, p.Invited...)
	}
	return out
}

// LastMissing returns the one person for whom the people at a table that has not begun wait, as every other seat is
// taken, not only by their opener, and the version since which that is so; ok is false if there is no such person.
func (t *Table) LastMissing() (id PersonID, since uint64, ok bool) {
	missing := t.Missing()
	free := slices.ContainsFunc(t.Places, func(p TablePlace) bool { return p.Kind == SeatOpen })
	if t.Status != TableOpen || len(missing) != 1 || free {
		return "", 0, false
	}
	other := func(id PersonID) bool { return id != missing[0] && id != t.Opener }
	if !slices.ContainsFunc(t.Places, func(p TablePlace) bool { return slices.ContainsFunc(p.Holders, other) }) {
		return "", 0, false
	}
	return missing[0], t.seated, true
}

// Expire ends an invitation. The caller must know that its time is over.
func (t *Table) Expire(seat Seat, person PersonID) (TableEvent, error) {
	p, err := t.gatheringAt(seat)
	if err != nil {
		return nil, err
	}
	until := t.AskedUntil(seat, person)
	if !slices.Contains(p.Invited, person) || until.IsZero() {
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Expired{Seat: seat, Person: person, Until: until}, nil
}
