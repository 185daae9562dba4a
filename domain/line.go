package domain

import (
	"cmp"
	"fmt"
	"slices"
)

// Line is one stream of play, folded: the state, how far luck has been used, and which
// decisions are awaited since when. Scripts, simulations and the server play through the
// same Line.
type Line struct {
	Rulebook Rulebook
	State    State
	Luck     *Source
	Version  uint64 // of the last event applied; 0 before the first
	open     []Open
	room     []Open // for the next lists of open decisions
	spare    *Luck  // of the last decision, if nothing was drawn: nobody needs it any more
}

// Open is a decision that is awaited, and the version that brought it up.
type Open struct {
	Decision
	Since uint64 `json:"since"`
}

// NewLine is a line before its first event. Luck may be of the zero key where nothing
// will be decided, only folded.
func NewLine(rb Rulebook, luck *Source) *Line {
	return &Line{Rulebook: rb, State: rb.New(), Luck: luck}
}

// Setup makes the line's first event. If nobody is named to begin, luck draws who does.
func (l *Line) Setup(g Game) (Event, *Luck, error) {
	if g.Seats < 1 || g.Seats > MaxSeats {
		return Event{}, nil, Refuse("seats", "least", 1, "most", MaxSeats, "n", g.Seats)
	}
	luck := l.Luck.Begin()
	if g.First == Nobody {
		g.First = Seat(luck.Draw("first-seat", g.Seats))
	}
	e, err := l.Rulebook.Setup(g, luck)
	if err = cmp.Or(luck.Err(), err); err != nil {
		return Event{}, nil, err
	}
	e.Seat, e.Draws = Nobody, luck.Used()
	return e, luck, nil
}

// begin is the source's Begin. Most decisions draw nothing, and the next one takes their luck over.
func (l *Line) begin() *Luck {
	if s := l.spare; s != nil && s.unused(l.Luck) {
		return s
	}
	l.spare = l.Luck.Begin()
	return l.spare
}

// Decide judges a move by a seat: an event ready to be appended, or a *Refusal, or the
// *Impossible of a script. It changes nothing; see Apply. The luck is good until the next decision. A rulebook whose move names what
// others may not know (which card goes face down under a stack) sets Event.Move itself, with
// "?" for that, and keeps the whole move in a secret part.
func (l *Line) Decide(seat Seat, m Move) (e Event, luck *Luck, err error) {
	if l.Version == 0 {
		return Event{}, nil, Refuse("not-started")
	}
	if !l.Awaits(seat) {
		return Event{}, nil, Refuse("not-awaited", "seat", seat)
	}
	luck = l.begin()
	e, err = l.Rulebook.Decide(l.State, seat, m, luck)
	if err = cmp.Or(luck.Err(), err); err != nil {
		return Event{}, nil, err
	}
	e.Seat, e.Draws = seat, luck.Used()
	if e.Move == "" {
		e.Move = l.Rulebook.FormatMove(m, nil)
	}
	return e, luck, nil
}

// Apply folds an event in. A forked line's opening that deals nothing has no event of play: its
// version is stepped over with Skip.
func (l *Line) Apply(e *Event) {
	l.Version++
	if e.Anew {
		l.open = nil
	}
	l.Luck.Count(e.Draws)
	l.Rulebook.Evolve(l.State, e)
	l.refresh()
}

// Skip counts a version that changes nothing of the game: the opening of a forked line.
// Every decision open then is awaited anew, since that version.
func (l *Line) Skip() {
	l.Version++
	l.open = nil
	l.refresh()
}

// refresh asks the rulebook what is awaited. The list is a new one only where something
// changed, so whoever holds the old one keeps what they read.
func (l *Line) refresh() {
	now := l.Rulebook.Awaited(l.State)
	if slices.EqualFunc(now, l.open, func(d Decision, o Open) bool { return o.Decision == d }) {
		return
	}
	if len(l.room) < len(now) {
		l.room = make([]Open, max(32, len(now))) // for many lists: a long game would ask for one at every move
	}
	next := l.room[:len(now):len(now)]
	l.room = l.room[len(now):]
	for i, d := range now {
		next[i] = Open{Decision: d, Since: l.Version}
		for j := range l.open {
			if l.open[j].Decision == d {
				next[i].Since = l.open[j].Since
			}
		}
	}
	l.open = next
}

// Reshuffle makes the first event of a line that goes on from here with fresh luck: what no seat
// knows of is shuffled anew. False if the rulebook has no [Reshuffler]; luck to come is then all
// there is to be fresh. It changes nothing; see Apply.
func (l *Line) Reshuffle() (Event, bool) {
	r := l.Rulebook.Extras().Reshuffler
	if r == nil {
		return Event{}, false
	}
	luck := l.Luck.Begin()
	e := r.Reshuffle(l.State, luck)
	e.Seat, e.Move, e.Draws, e.Anew = Nobody, "", luck.Used(), true
	return e, true
}

// Awaited lists the decisions awaited, each with the version that brought it up. The
// slice must not be changed.
func (l *Line) Awaited() []Open { return l.open }

// Awaits tells whether a decision is awaited of a seat.
func (l *Line) Awaits(seat Seat) bool {
	return slices.ContainsFunc(l.open, func(o Open) bool { return o.Seat == seat })
}

// Clone copies a line; the copies share only what nothing changes.
func (l *Line) Clone() *Line {
	c := *l
	c.spare, c.room = nil, nil
	c.State = l.Rulebook.Clone(l.State)
	c.Luck = l.Luck.clone()
	c.open = slices.Clone(l.open)
	return &c
}

// Parse reads a move, as the line's rulebook does, and wraps what is not a refusal.
func (l *Line) Parse(text string, names []string) (Move, error) {
	m, err := l.Rulebook.ParseMove(text, names)
	if _, ok := AsRefusal(err); err != nil && !ok {
		err = fmt.Errorf("parse %q: %w", text, err)
	}
	return m, err
}
