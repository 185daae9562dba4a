package domain

import (
	"maps"
	"slices"
	"time"
)

// People at the table may remind a person it is waiting for, and that person may let a stand-in play until they are
// back.

// Nudged is a reminder that somebody at the table requested.
type Nudged struct {
	Seat  Seat      `json:"seat"`
	Line  string    `json:"line"`  // the name of the line
	Since uint64    `json:"since"` // the version that brought the decision up
	By    PersonID  `json:"by"`    // who requested it
	At    time.Time `json:"at"`    // full hours
}

// Lent gives a seat to a stand-in until one of its people is back.
type Lent struct {
	Seat    Seat     `json:"seat"`
	Person  PersonID `json:"person"`
	StandIn string   `json:"stand_in"` // which one
}

// Returned takes a seat back from the stand-in that kept it.
type Returned struct {
	Seat   Seat       `json:"seat"`
	Person PersonID   `json:"person"`
	Due    []Deadline `json:"due,omitempty"` // of its open decisions
}

func (e *Nudged) apply(t *Table) {
	t.nudges = maps.Clone(t.nudges)
	if t.nudges == nil {
		t.nudges = map[Seat]nudge{}
	}
	t.nudges[e.Seat] = nudge{version: t.Version, line: e.Line, since: e.Since, at: e.At, by: e.By}
}

func (e *Lent) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Lent, p.StandIn = true, e.StandIn })
}

func (e *Returned) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		if p.Lent {
			p.Lent, p.StandIn = false, ""
		}
		if slices.Contains(p.Former, e.Person) {
			p.Seen = without(slices.Concat(p.Seen, p.Holders, p.Former), e.Person)
			p.Holders, p.Former, p.Offer = []PersonID{e.Person}, nil, nil
		}
	})
	t.move(e.Due)
}

// nudge is a seat's latest nudge.
type nudge struct {
	version  uint64 // of the table
	line     string
	since    uint64
	at       time.Time
	by       PersonID
	answered bool
}

// Nudge returns the latest reminder that somebody requested about a decision still open: the version of the table that
// noted it, and who requested it.
func (t *Table) Nudge(line string, seat Seat, since uint64) (version uint64, by PersonID, ok bool) {
	n, ok := t.nudges[seat]
	return n.version, n.by, ok && n.line == line && n.since == since && !n.answered
}

// LeastNudge is the minimum time between two nudges of one seat.
const LeastNudge = 24 * time.Hour

// Remind requests a nudge of the people who owe a decision, at most once a day.
func (t *Table) Remind(by PersonID, line string, seat Seat, since uint64, now time.Time) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	switch {
	case len(t.SeatsOf(by)) == 0:
		return nil, Refuse("not-a-player")
	case p.Holds(by):
		return nil, Refuse("nudge-self")
	case !p.Humans():
		return nil, Refuse("nudge-stand-in", "seat", seat)
	}
	if n, ok := t.nudges[seat]; ok && now.Sub(n.at) < LeastNudge {
		return nil, Refuse("nudged", "seat", seat)
	}
	return &Nudged{Seat: seat, Line: line, Since: since, By: by, At: now.UTC().Truncate(time.Hour)}, nil
}

// Lend gives a person's own seat to a stand-in until that person is back.
func (t *Table) Lend(by PersonID, seat Seat) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	if err := p.plays(by, seat); err != nil {
		return nil, err
	}
	for i, q := range t.Places {
		if Seat(i) != seat && q.Humans() {
			return &Lent{Seat: seat, Person: by, StandIn: HouseStandIns[0]}, nil
		}
	}
	return nil, Refuse("lend-last")
}

// Return takes back a seat that a stand-in kept; due are the deadlines of its open decisions.
func (t *Table) Return(by PersonID, seat Seat, due []Deadline) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(p.Former, by) && !p.Resigned:
	case !p.Holds(by) || p.Resigned:
		return nil, Refuse("not-your-seat", "seat", seat)
	case !p.Lent:
		return nil, Refuse("not-lent", "seat", seat)
	}
	return &Returned{Seat: seat, Person: by, Due: due}, nil
}
