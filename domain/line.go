package domain

import (
	"cmp"
	"fmt"
	"slices"
)

// Line is one stream of play, folded: the state, how far luck has been used, and which decisions are awaited, since
// when. Scripts, simulations and the server all play through Line.
type Line struct {
	Rulebook Rulebook
	State    State
	Luck     *Source
	Version  uint64 // of the last event applied; 0 before the first
	open     []Open
	arena    []Open     // memory for the next lists of open decisions
	spare    *Luck      // of the last decision
	fleeting bool       // the last decision was written over another: see DecideOver
	turns    [2][]Open  // if so, the lists of open decisions alternate between these two
	asking   []question // never changed, only replaced, as copies of the line share it
	again    []comeback // likewise
}

// Open is an awaited decision and the version that brought it up.
type Open struct {
	Decision
	Since uint64 `json:"since"`
}

// question is an open decision that a seat's own move asked of another, while the seat's own decision went on: an offer
// that somebody is to answer.
type question struct {
	Decision
	by Seat
}

// comeback is a seat to which a decision that went on came back.
type comeback struct {
	seat  Seat
	since uint64
}

// NewLine returns a line before its first event. Luck may have the zero key if nothing will be decided, only folded.
func NewLine(rb Rulebook, luck *Source) *Line {
	return &Line{Rulebook: rb, State: rb.New(), Luck: luck}
}

// Setup makes the line's first event. If Game.First names nobody, luck draws who begins.
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

// begin is the source's Begin. Most decisions draw nothing, and the next one reuses their Luck; so it does if the draws
// were only listed in an event that nobody needs any more.
func (l *Line) begin(over []Draw) *Luck {
	if s := l.spare; s != nil && s.src == l.Luck {
		if s.unused() {
			return s
		}
		if len(over) > 0 && len(s.used) > 0 && &over[0] == &s.used[0] {
			s.used, s.dictated, s.err = s.used[:0], nil, nil
			return s
		}
	}
	l.spare = l.Luck.Begin()
	return l.spare
}

// Decide judges a move by a seat. It returns an event ready to be appended, or a *Refusal, or a script's *Impossible.
// It changes nothing; see Apply. The luck is valid until the next decision. A rulebook whose move names what others
// must not know (which card goes face down under a stack) sets Event.Move itself, with "?" for that, and keeps the
// whole move in a secret part.
func (l *Line) Decide(seat Seat, m Move) (e Event, luck *Luck, err error) {
	if err = l.asks(seat); err != nil {
		return Event{}, nil, err
	}
	l.fleeting, luck = false, l.begin(nil)
	e, err = l.Rulebook.Decide(l.State, seat, m, luck)
	if err = cmp.Or(luck.Err(), err); err != nil {
		return Event{}, nil, err
	}
	e.Seat, e.Draws = seat, luck.Used()
	l.Name(&e, m)
	return e, luck, nil
}

// DecideOver is Decide for callers that keep no events: it reuses the memory of an event of this line that nobody needs
// any more; see [Extras]. A refused move leaves nothing there. A list that Awaited returned is valid only until then,
// too. Event.Move stays empty, as nothing depends on it; a caller that wants it calls Name.
func (l *Line) DecideOver(e *Event, seat Seat, m Move) (err error) {
	if err = l.asks(seat); err != nil {
		return err
	}
	l.fleeting = true
	luck := l.begin(e.Draws)
	if over := l.Rulebook.Extras().DecideOver; over != nil {
		err = over(e, l.State, seat, m, luck)
	} else {
		*e, err = l.Rulebook.Decide(l.State, seat, m, luck)
	}
	if luck.Err() != nil {
		err = luck.Err()
	}
	if err != nil {
		*e = Event{}
		return err
	}
	e.Seat, e.Draws = seat, luck.Used()
	return nil
}

// asks refuses a move by a seat from which none is awaited.
func (l *Line) asks(seat Seat) error {
	if l.Version == 0 {
		return Refuse("not-started")
	}
	switch {
	case l.Awaits(seat):
		return nil
	case l.Over():
		return Refuse("table-ended")
	}
	return Refuse("not-awaited", "seat", seat)
}

// Over reports whether the line's game has ended: it has begun, and awaits nobody.
func (l *Line) Over() bool { return l.Version > 0 && len(l.Awaited()) == 0 }

// Name writes a decided move into its event, unless the rulebook already did.
func (l *Line) Name(e *Event, m Move) {
	if e.Move == "" {
		e.Move = l.Rulebook.FormatMove(m, nil)
	}
}

// Apply folds an event in. A forked line's opening that deals nothing has no event of play: Skip steps over its
// version.
func (l *Line) Apply(e *Event) {
	l.Version++
	if e.Anew {
		l.forget()
	}
	l.Luck.Count(e.Draws)
	l.Rulebook.Evolve(l.State, e)
	l.refresh(e.Seat)
}

// Skip counts a version that changes nothing of the game: the opening of a forked line. Every open decision is then
// awaited anew, since that version.
func (l *Line) Skip() {
	l.Version++
	l.forget()
	l.refresh(Nobody)
}

// forget has everything that is awaited be awaited anew.
func (l *Line) forget() { l.open, l.asking, l.again = nil, nil, nil }

// refresh asks the rulebook what is awaited after a seat's move. It makes a new list only if something changed, so a
// caller holding the old one keeps what they read.
func (l *Line) refresh(mover Seat) {
	now := l.Rulebook.Awaited(l.State)
	if l.Again(mover) > 0 {
		l.without(mover)
	}
	if l.awaitsAll(now) {
		return
	}
	next := l.listOf(len(now))
	for i, d := range now {
		next[i] = Open{Decision: d, Since: l.Version}
		for j := range l.open {
			if l.open[j].Decision == d {
				next[i].Since = l.open[j].Since
			}
		}
	}
	was := l.open
	l.open = next
	if len(next) > 1 || len(l.asking) > 0 {
		l.comeBack(mover, was)
	}
}

// comeBack notes what a move asked of others while its seat's own decision goes on, and to whom such a decision comes
// back by somebody else's move: nobody else is asked any more, and nothing new is asked of its seat. was are the
// decisions before the move.
func (l *Line) comeBack(mover Seat, was []Open) {
	before, by := l.asking, Nobody // whoever waits for what this move asks
	l.asking = nil
	if i := slices.IndexFunc(before, func(a question) bool { return a.Seat == mover }); i >= 0 {
		by = before[i].by // the question is passed on
	}
	if slices.ContainsFunc(was, func(o Open) bool { return o.Seat == mover && slices.Contains(l.open, o) }) {
		by = mover
	}
	for _, o := range l.open {
		i := slices.IndexFunc(before, func(a question) bool { return a.Decision == o.Decision })
		switch {
		case i >= 0:
			l.asking = append(l.asking, before[i])
		case o.Since == l.Version && by != Nobody && o.Seat != by:
			l.asking = append(l.asking, question{o.Decision, by})
		}
	}
	for _, a := range before {
		waits := slices.ContainsFunc(l.asking, func(b question) bool { return b.by == a.by })
		told := slices.ContainsFunc(l.open, func(o Open) bool { return o.Seat == a.by && o.Since == l.Version })
		if a.by != mover && !waits && !told && l.Awaits(a.by) {
			l.without(a.by)
			l.again = append(l.again, comeback{a.by, l.Version})
		}
	}
}

// without forgets that a decision came back to a seat. Copies of the line keep their list.
func (l *Line) without(seat Seat) {
	l.again = slices.DeleteFunc(slices.Clone(l.again), func(a comeback) bool { return a.seat == seat })
}

// Again returns the version at which a decision came back to a seat: its own move had asked others something while the
// decision went on, and the last of them has answered. It returns 0 if there was no such thing, or once the seat has
// moved since.
func (l *Line) Again(seat Seat) uint64 {
	for _, a := range l.again {
		if a.seat == seat {
			return a.since
		}
	}
	return 0
}

// awaitsAll reports whether these decisions are the open ones. It runs after every move, and a number is enough to tell
// most lists apart.
func (l *Line) awaitsAll(now []Decision) bool {
	if len(now) != len(l.open) {
		return false
	}
	for i := range now {
		d, o := &now[i], &l.open[i]
		if d.Serial != o.Serial || d.Seat != o.Seat || d.Kind != o.Kind {
			return false
		}
	}
	return true
}

// listOf returns memory for a list of n open decisions: new memory, unless nobody holds the old lists.
func (l *Line) listOf(n int) []Open {
	if l.fleeting {
		l.turns[0], l.turns[1] = l.turns[1], slices.Grow(l.turns[0][:0], n)[:n]
		return l.turns[1]
	}
	if len(l.arena) < n {
		l.arena = make([]Open, max(32, n)) // for many lists: a long game would allocate one at every move
	}
	list := l.arena[:n:n]
	l.arena = l.arena[n:]
	return list
}

// Reshuffle makes the first event of a line that goes on from here with fresh luck: it shuffles anew what no seat
// knows. It returns false if the rulebook shuffles nothing; then only luck to come can be fresh. It changes nothing;
// see Apply.
func (l *Line) Reshuffle() (Event, bool) {
	shuffle := l.Rulebook.Extras().Reshuffle
	if shuffle == nil {
		return Event{}, false
	}
	luck := l.Luck.Begin()
	e := shuffle(l.State, luck)
	e.Seat, e.Move, e.Draws, e.Anew = Nobody, "", luck.Used(), true
	return e, true
}

// Awaited lists the awaited decisions, each with the version that brought it up. Callers must not change the slice.
func (l *Line) Awaited() []Open { return l.open }

// Awaits reports whether a decision is awaited from a seat.
func (l *Line) Awaits(seat Seat) bool {
	for i := range l.open { // asked before every move
		if l.open[i].Seat == seat {
			return true
		}
	}
	return false
}

// Clone copies a line; the copies share only what never changes.
func (l *Line) Clone() *Line {
	c := *l
	c.spare, c.arena, c.turns = nil, nil, [2][]Open{}
	c.State = l.Rulebook.Clone(l.State)
	c.Luck = l.Luck.clone()
	c.open = slices.Clone(l.open)
	return &c
}

// Dealt returns a copy in which everything a seat does not know is dealt afresh, with throw-away luck: trying things
// there reveals nothing about this line.
func (l *Line) Dealt(seat Seat) *Line {
	c := l.Clone()
	c.Luck = NewThrowaway(1)
	luck := c.Luck.Begin()
	e := c.Rulebook.Blind(c.State, ViewOf(seat), luck)
	e.Seat, e.Draws = Nobody, luck.Used()
	c.Apply(&e)
	return c
}

// Lend returns the line as it stands for callers that only read it. The two share everything, so from then on nothing
// may be applied to the line itself: clone it first. Anybody may clone the lent line, but nobody decides on it.
func (l *Line) Lend() *Line {
	c, luck := *l, *l.Luck
	c.spare, c.arena, c.turns = nil, nil, [2][]Open{}
	luck.msg, luck.sum, luck.spare, luck.mac = nil, nil, nil, nil // what decisions write to
	c.Luck = &luck
	return &c
}

// Parse reads a move with the line's rulebook and wraps every error that is not a refusal.
func (l *Line) Parse(text string, names []string) (Move, error) {
	m, err := l.Rulebook.ParseMove(text, names)
	if _, ok := AsRefusal(err); err != nil && !ok {
		err = fmt.Errorf("parse %q: %w", text, err)
	}
	return m, err
}
