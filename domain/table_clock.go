package domain

import (
	"maps"
	"slices"
	"time"
)

// A table keeps time by the moments that its events name: this package reads no clock. The code that appends an event
// which opens something writes its deadline with it. This file holds what moves a deadline later, and what follows once
// it has passed.

// Clock is what a table agreed about time when it was opened. A table without one waits forever.
type Clock struct {
	Hours   int     `json:"hours"` // that count for a decision, by the calendar of the person who takes it
	Spare   int     `json:"spare"` // days that each seat has in reserve for the whole game
	TimeOut TimeOut `json:"time_out"`
}

// TimeOut is what happens once a deadline has passed and no spare day is left.
type TimeOut string

// What may happen.
const (
	TimeOutRemind TimeOut = "remind" // everybody is told, and the table keeps waiting
	TimeOutTurn   TimeOut = "turn"   // a stand-in takes this turn
	TimeOutSeat   TimeOut = "seat"   // a stand-in keeps the seat until its people are back
	TimeOutLost   TimeOut = "lost"   // the seat is lost: a stand-in plays on, ranked last
)

// TimeOuts are those a table may choose from.
var TimeOuts = []TimeOut{TimeOutRemind, TimeOutTurn, TimeOutSeat, TimeOutLost}

// paceTimes are the hours for a decision and the spare days at each pace. The slowest pace has no clock.
var paceTimes = map[string]Clock{"daily": {Hours: 24, Spare: 3}, "weekly": {Hours: 56, Spare: 5}}

// ClockOf returns the clock of a pace: nil if the pace waits forever, or if no time-out is chosen.
func ClockOf(pace string, out TimeOut) *Clock {
	c, ok := paceTimes[pace]
	if !ok || out == "" {
		return nil
	}
	c.TimeOut = out
	return &c
}

// Check refuses a clock that a table must not have.
func (c *Clock) Check() error {
	switch {
	case c == nil:
		return nil
	case !slices.Contains(TimeOuts, c.TimeOut):
		return Refuse("time-out", "name", string(c.TimeOut))
	case c.Hours < 1 || c.Hours > 31*24 || c.Spare < 0 || c.Spare > 31:
		return Refuse("pace", "pace", "")
	}
	return nil
}

// Deadline is the time by which something the table asks must be done.
type Deadline struct {
	Line  string    `json:"line,omitempty"` // the name of the decision's; "" for the answers to a proposal
	Seat  Seat      `json:"seat"`           // -1, Nobody, for the answers to a proposal, which share one
	Since uint64    `json:"since"`          // the version that brought it up
	At    time.Time `json:"at"`
}

func (d Deadline) same(e Deadline) bool {
	return d.Line == e.Line && d.Seat == e.Seat && d.Since == e.Since
}

// DeferReason is why a deadline moves.
type DeferReason string

// The reasons.
const (
	DeferAway   DeferReason = "away"   // a person announced a holiday
	DeferSpare  DeferReason = "spare"  // the seat uses a spare day
	DeferHouse  DeferReason = "house"  // the house was down
	DeferMail   DeferReason = "mail"   // the mail about it went out late or not yet
	DeferAsked  DeferReason = "asked"  // the person nudged needs longer
	DeferPaused DeferReason = "paused" // the table agreed to pause
)

// Deferred moves deadlines later.
type Deferred struct {
	Why    DeferReason `json:"why"`
	Person PersonID    `json:"person,omitempty"` // the person who is away, or who asked
	Until  time.Time   `json:"until,omitzero"`   // of a holiday: when it ends; zero: its person is back
	Due    []Deadline  `json:"due,omitempty"`    // the new ones
}

// TimedOut notes that a deadline has passed, and what follows.
type TimedOut struct {
	Due     Deadline  `json:"due"`
	Does    TimeOut   `json:"does"` // as the table chose, or only a reminder if nobody else would be left
	StandIn string    `json:"stand_in,omitempty"`
	End     EndReason `json:"end,omitempty"`
}

// Carried ends a proposal whose time is over and to which enough people agreed: silence does not count. It holds what
// follows, as the last consent does.
type Carried struct {
	Since   uint64     `json:"since"`  // the version that proposed it
	Silent  []PersonID `json:"silent"` // the people who did not answer, or null
	Rewound *Rewound   `json:"rewound,omitempty"`
	End     EndReason  `json:"end,omitempty"`
	Paused  *Paused    `json:"paused,omitempty"`
}

// Unanswered ends a proposal whose time is over and to which nobody else agreed.
type Unanswered struct {
	Since  uint64     `json:"since"`  // the version that proposed it
	Silent []PersonID `json:"silent"` // the people who did not answer, or null
}

// Paused stops the table's deadlines until a given time.
type Paused struct {
	Until time.Time  `json:"until"`
	Due   []Deadline `json:"due,omitempty"` // as they are then
}

// Turn is one turn of a seat that a stand-in takes.
type Turn struct {
	Line  string
	Since uint64 // the version that brought up the decision whose time was over
}

func (e *Deferred) apply(t *Table) {
	t.move(e.Due)
	if e.Why == DeferSpare {
		for _, d := range e.Due {
			t.Spent = maps.Clone(t.Spent)
			if t.Spent == nil {
				t.Spent = map[Seat]int{}
			}
			t.Spent[d.Seat]++
		}
	}
	if e.Why == DeferAway && e.Person != "" {
		t.away = maps.Clone(t.away)
		if t.away == nil {
			t.away = map[PersonID]time.Time{}
		}
		t.away[e.Person] = e.Until
	}
	if e.Why == DeferAsked {
		for _, d := range e.Due {
			t.nudges = maps.Clone(t.nudges)
			if n, ok := t.nudges[d.Seat]; ok {
				n.answered = true
				t.nudges[d.Seat] = n
			}
		}
	}
}

func (t *Table) move(due []Deadline) {
	if len(due) == 0 {
		return
	}
	t.moved = maps.Clone(t.moved)
	if t.moved == nil {
		t.moved = map[Seat]movedTo{}
	}
	for _, d := range due {
		t.moved[d.Seat] = movedTo{d, t.Version}
	}
}

func (e *TimedOut) apply(t *Table) {
	t.passed = maps.Clone(t.passed)
	if t.passed == nil {
		t.passed = map[Seat]Deadline{}
	}
	t.passed[e.Due.Seat] = e.Due
	t.edit(e.Due.Seat, func(p *TablePlace) {
		switch e.Does {
		case TimeOutTurn:
			p.Turn, p.StandIn = &Turn{Line: e.Due.Line, Since: e.Due.Since}, e.StandIn
		case TimeOutSeat:
			p.Lent, p.StandIn = true, e.StandIn
		case TimeOutLost:
			p.Resigned, p.StandIn = true, e.StandIn
		}
	})
	t.follow(nil, e.End)
}

func (e *Carried) apply(t *Table) {
	t.Proposal = nil
	t.follow(e.Rewound, e.End)
	t.pause(e.Paused)
}

func (e *Unanswered) apply(t *Table) { t.Proposal = nil }

func (t *Table) pause(p *Paused) {
	if p != nil {
		t.PausedUntil, t.Proposal = p.Until, nil
		t.move(p.Due)
	}
}

// movedTo is a deadline that was moved, and the version that moved it.
type movedTo struct {
	Deadline
	version uint64
}

// Moved returns a deadline as it stands: the original one, or the later one it was moved to.
func (t *Table) Moved(d Deadline) Deadline {
	if m, ok := t.moved[d.Seat]; ok && m.same(d) {
		return m.Deadline
	}
	return d
}

// MovedAt returns the version of the table that last moved a deadline; 0 if it stands as it was first written.
func (t *Table) MovedAt(d Deadline) uint64 {
	if m, ok := t.moved[d.Seat]; ok && m.same(d) {
		return m.version
	}
	return 0
}

// Passed reports whether an event notes that a deadline, as it stands, has passed.
func (t *Table) Passed(d Deadline) bool {
	p, ok := t.passed[d.Seat]
	return ok && p.same(d) && !d.At.After(p.At)
}

// SpareLeft returns how many spare days a seat has left.
func (t *Table) SpareLeft(seat Seat) int {
	if t.Clock == nil {
		return 0
	}
	return max(0, t.Clock.Spare-t.Spent[seat])
}

// Announce tells the table that somebody is on holiday until a given time, which moves their deadlines.
func (t *Table) Announce(by PersonID, until time.Time, due []Deadline) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	switch {
	case len(t.SeatsOf(by)) == 0:
		return nil, Refuse("not-a-player")
	case !until.After(t.away[by]):
		return nil, Refuse("away-known")
	case len(due) > 0 && t.Clock == nil:
		return nil, Refuse("no-clock")
	}
	return &Deferred{Why: DeferAway, Person: by, Until: until, Due: due}, nil
}

// Back tells the table that somebody is no longer on holiday. Deadlines that were moved for it stay where they are.
func (t *Table) Back(by PersonID) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	switch {
	case len(t.SeatsOf(by)) == 0:
		return nil, Refuse("not-a-player")
	case t.away[by].IsZero():
		return nil, Refuse("not-away")
	}
	return &Deferred{Why: DeferAway, Person: by}, nil
}

// AwayUntil returns until when somebody has told the table they are away; zero if they have not, or are back.
func (t *Table) AwayUntil(id PersonID) time.Time { return t.away[id] }

// Defer moves deadlines later. The caller must check what they move from and to.
func (t *Table) Defer(why DeferReason, person PersonID, due []Deadline) (TableEvent, error) {
	if err := t.timed(); err != nil {
		return nil, err
	}
	if len(due) == 0 {
		return nil, Refuse("no-deadline")
	}
	if why == DeferSpare && (len(due) != 1 || t.SpareLeft(due[0].Seat) == 0) {
		return nil, Refuse("no-deadline")
	}
	return &Deferred{Why: why, Person: person, Due: due}, nil
}

func (t *Table) timed() error {
	if err := t.playing(); err != nil {
		return err
	}
	if t.Clock == nil {
		return Refuse("no-clock")
	}
	return nil
}

// TimeOut notes that the deadline of a decision has passed. The caller must know that the decision is open and due.
func (t *Table) TimeOut(d Deadline) (TableEvent, error) {
	if err := t.timed(); err != nil {
		return nil, err
	}
	p, err := t.place(d.Seat)
	if err != nil {
		return nil, err
	}
	main, _ := t.Main()
	if !p.Humans() || main.Name != d.Line || t.Passed(d) {
		return nil, Refuse("overtaken")
	}
	e := &TimedOut{Due: d, Does: t.Clock.TimeOut}
	here, stay := 0, 0
	for i, q := range t.Places {
		if Seat(i) == d.Seat {
			continue
		}
		if q.Humans() {
			here++
		}
		if q.stays() {
			stay++
		}
	}
	if e.Does == TimeOutSeat && here == 0 {
		e.Does = TimeOutRemind // otherwise stand-ins would play on among themselves
	}
	if e.Does != TimeOutRemind {
		e.StandIn = HouseStandIns[0]
	}
	if e.Does == TimeOutLost && stay < 2 {
		e.End = EndResigned
	}
	return e, nil
}
