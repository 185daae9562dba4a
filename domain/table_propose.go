package domain

import (
	"slices"
	"time"
)

// ProposeRewind asks to go on from an earlier version. It takes effect at once if one person holds all the seats that
// people decide for.
func (t *Table) ProposeRewind(by PersonID, to uint64, fresh bool, reason []byte, main Played, line string) (TableEvent,
	error) {
	if err := t.mayPropose(by); err != nil {
		return nil, err
	}
	switch {
	case main.Ended:
		return nil, Refuse("rewind-ended")
	case main.Version <= main.First:
		return nil, Refuse("rewind-none")
	case to < main.First || to >= main.Version:
		return nil, Refuse("rewind-version", "first", int(main.First), "last", int(main.Version)-1)
	case !fresh && to < main.Dealt:
		return nil, Refuse("rewind-dealt", "to", int(main.Dealt))
	}
	p := Proposal{Kind: ProposeRewind, By: by, Line: main.Version, To: to, Fresh: fresh, Reason: reason,
		Seen: main.Seen()}
	e := &Proposed{Proposal: p}
	if t.alone() {
		e.Rewound = t.rewound(&p, main, line)
	}
	return e, nil
}

// ProposeEnd asks to stop the game as it stands.
func (t *Table) ProposeEnd(by PersonID, reason []byte, main Played) (TableEvent, error) {
	if err := t.mayPropose(by); err != nil {
		return nil, err
	}
	if main.Ended {
		return nil, Refuse("table-ended")
	}
	e := &Proposed{Proposal: Proposal{Kind: ProposeEnd, By: by, Line: main.Version, Reason: reason}}
	if t.alone() {
		e.End = EndAgreed
	}
	return e, nil
}

func (t *Table) mayPropose(by PersonID) error {
	if err := t.playing(); err != nil {
		return err
	}
	if err := t.Player(by); err != nil {
		return err
	}
	if t.Proposal != nil {
		return Refuse("proposal-open")
	}
	if len(t.People()) == 1 && !t.alone() {
		return Refuse("nobody-here")
	}
	return nil
}

// alone reports whether the game belongs to one person. Somebody whose seat a stand-in keeps may come back, so the only
// other person cannot agree to anything without them.
func (t *Table) alone() bool { return len(t.holders(TablePlace.stays)) == 1 }

// MostPause is the longest a table may agree to pause at once.
const MostPause = 30 * 24 * time.Hour

// ProposePause asks to stop the table's deadlines until a given time.
func (t *Table) ProposePause(by PersonID, until, now time.Time, reason []byte, main Played) (TableEvent, error) {
	if err := t.timed(); err != nil {
		return nil, err
	}
	if err := t.mayPropose(by); err != nil {
		return nil, err
	}
	if !until.After(now) || until.Sub(now) > MostPause {
		return nil, Refuse("pause-days", "most", int(MostPause.Hours()/24))
	}
	e := &Proposed{Proposal: Proposal{Kind: ProposePause, By: by, Line: main.Version, Until: until, Reason: reason}}
	if t.alone() {
		e.Paused = &Paused{Until: until}
	}
	return e, nil
}

// Agree consents to the open proposal made at the table's version since.
func (t *Table) Agree(by PersonID, since uint64, main Played, line string) (TableEvent, error) {
	p, err := t.mayAnswer(by, since)
	if err != nil {
		return nil, err
	}
	if p.Agreed[by] {
		return nil, Refuse("agreed-already")
	}
	if p.lapsesAt(main.Version) {
		return nil, Refuse("proposal-lapsed")
	}
	e := &Agreed{Person: by}
	if t.agreed(by) {
		e.Rewound, e.End, e.Paused = t.follows(p, main, line)
	}
	return e, nil
}

// follows returns what an accepted proposal leads to.
func (t *Table) follows(p *Proposal, main Played, line string) (*Rewound, EndReason, *Paused) {
	switch p.Kind {
	case ProposeEnd:
		return nil, EndAgreed, nil
	case ProposePause:
		return nil, "", &Paused{Until: p.Until}
	}
	return t.rewound(p, main, line), "", nil
}

// lapsesAt reports whether a move has overtaken a proposal. No move overtakes a pause.
func (p *Proposal) lapsesAt(line uint64) bool { return p.Kind != ProposePause && p.Line != line }

// Close ends the open proposal once its time is over: only those who answered count, and at least one other person must
// have said yes. The caller must know that the time is over.
func (t *Table) Close(since uint64, main Played, line string) (TableEvent, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	p := t.Proposal
	if p == nil || p.Since != since {
		return nil, Refuse("no-proposal")
	}
	if p.lapsesAt(main.Version) {
		return nil, Refuse("proposal-lapsed")
	}
	silent, yes := []PersonID{}, 0
	for _, id := range t.People() {
		switch {
		case !p.Agreed[id]:
			silent = append(silent, id)
		case id != p.By:
			yes++
		}
	}
	if yes == 0 {
		return &Unanswered{Since: since, Silent: silent}, nil
	}
	e := &Carried{Since: since, Silent: silent}
	e.Rewound, e.End, e.Paused = t.follows(p, main, line)
	return e, nil
}

// agreed reports whether everybody has agreed to the open proposal, counting one more person if given.
func (t *Table) agreed(more PersonID) bool {
	return !slices.ContainsFunc(t.People(), func(id PersonID) bool { return id != more && !t.Proposal.Agreed[id] })
}

// Dismiss refuses the open proposal, or withdraws the person's own.
func (t *Table) Dismiss(by PersonID, since uint64) (TableEvent, error) {
	if _, err := t.mayAnswer(by, since); err != nil {
		return nil, err
	}
	return &Dismissed{Person: by}, nil
}

// Overtaken reports whether an open proposal can no longer be answered: somebody moved on the line, now at this
// version, or those who had not agreed have resigned.
func (t *Table) Overtaken(line uint64) bool {
	return t.Proposal != nil && (t.Proposal.lapsesAt(line) || t.agreed(""))
}

// Lapse notes that a proposal was overtaken. It is the runner's command.
func (t *Table) Lapse(since uint64) (TableEvent, error) {
	if t.Proposal == nil || t.Proposal.Since != since {
		return nil, Refuse("no-proposal")
	}
	return &Dismissed{}, nil
}

func (t *Table) mayAnswer(by PersonID, since uint64) (*Proposal, error) {
	if err := t.playing(); err != nil {
		return nil, err
	}
	if t.Proposal == nil || t.Proposal.Since != since {
		return nil, Refuse("no-proposal")
	}
	if err := t.Player(by); err != nil {
		return nil, err
	}
	return t.Proposal, nil
}

func (t *Table) rewound(p *Proposal, main Played, line string) *Rewound {
	old, _ := t.Main()
	r := &Rewound{Closed: old.Name, Version: p.Line, Line: line, Index: len(t.Lines), Fork: p.To, Fresh: p.Fresh}
	if p.Fresh {
		r.Deal = main.Reshuffles
		return r
	}
	r.Taken = t.taken(old, main)
	if t.KeepsLuck {
		key := t.keyed(r)
		r.Taken = slices.DeleteFunc(r.Taken, func(d Taken) bool { return d.Line == key })
	}
	return r
}

// keyed returns the number of the line whose key a new line draws with: with the same luck that of the line which it
// closes, so that going back gives nobody other draws to come. It is not that of the line that held the fork: what that
// one went on to draw before fresh luck would be foreseen.
func (t *Table) keyed(r *Rewound) int {
	if i := len(t.Lines) - 1; t.KeepsLuck && !r.Fresh && i >= 0 {
		return t.Lines[i].Keyed
	}
	return r.Index
}

// taken lists what a new line takes over: the draws made after the fork, each with the line whose key gave it, and
// those that the closing line had taken over but not used. It includes draws that nobody saw: a card that came to light
// from a stack shuffled since then comes again only if the whole stack does.
func (t *Table) taken(closing TableLine, main Played) []Taken {
	var out []Taken
	used := map[drawID]bool{}
	for _, d := range main.Draws {
		used[drawID{d.Purpose, d.K}] = true
		out = append(out, Taken{Purpose: d.Purpose, K: d.K, Line: t.keyOf(d)})
	}
	for _, d := range closing.Taken {
		if !used[drawID{d.Purpose, d.K}] {
			out = append(out, d)
		}
	}
	return out
}

func (t *Table) keyOf(d PastDraw) int {
	for _, l := range t.Lines {
		if l.Name != d.Line {
			continue
		}
		for _, over := range l.Taken {
			if over.Purpose == d.Purpose && over.K == d.K {
				return over.Line
			}
		}
		return l.Keyed
	}
	return 0
}

// Played is what a rewind must know about the main line: call NewPlayed, and then Add for each event after the version
// to go back to.
type Played struct {
	Version uint64      // its head
	Ended   bool        // the game has come to its end
	First   uint64      // the earliest version to which a rewind may go
	Draws   []PastDraw  // the draws after the version to go back to
	Cards   []PastCards // the hidden cards that came to light after it
	// Reshuffles says that fresh luck shuffles something anew: see [Line.Reshuffle].
	Reshuffles bool
	// Dealt is the last version that shuffled anew after the one to go back to; 0 if there is none. What came to light
	// from there on cannot come again from before it.
	Dealt uint64
	seats int
	// What decides whether a step can be taken back without consent: see [Table.Undo].
	Moves  []Seat // whose moves come after the version to go back to
	Hidden int    // how many of their parts are for some eyes only
	Others bool   // somebody other than its mover was asked something before one of them
	Shared bool   // the first of them changed what another seat has
	Awaits []Seat // who is asked at the head
	// Who made the last of the moves in person, and when: nobody if a standing order, a stand-in, the clock or the
	// house made it.
	By PersonID
	At time.Time
}

// PastDraw is a draw used on a line of the table.
type PastDraw struct {
	Draw
	Line string // whose event used it
	Seat Seat   // whose move
}

// PastCards is how many hidden cards a move brought to light.
type PastCards struct {
	Seat Seat // whose move
	N    int
}

// NewPlayed returns the main line of a table as it stands, with nothing taken back yet.
func NewPlayed(t *Table, main *Line) Played {
	p := Played{Version: main.Version, Ended: main.Over(), First: t.Branch.First(), seats: len(t.Places),
		Reshuffles: main.Rulebook.Extras().Reshuffle != nil}
	for _, o := range main.Awaited() {
		p.Awaits = append(p.Awaits, o.Seat)
	}
	return p
}

// Add notes a whole event of play that would be taken back: before is the line before it, line the name of the line
// whose stream holds it.
func (p *Played) Add(before *Line, e *Event, line string) {
	for _, d := range e.Draws {
		p.Draws = append(p.Draws, PastDraw{Draw: d, Line: line, Seat: e.Seat})
	}
	if len(p.Moves) == 0 {
		p.Shared = before.gives(e, p.seats)
	}
	p.Moves, p.Hidden = append(p.Moves, e.Seat), p.Hidden+len(e.Secrets)
	p.Others = p.Others || slices.ContainsFunc(before.Awaited(), func(o Open) bool { return o.Seat != e.Seat })
	if e.Anew {
		p.Dealt = before.Version + 1
		return
	}
	if uncovered := before.Rulebook.Extras().Uncovered; uncovered != nil {
		if n := uncovered(before.State, e); n > 0 {
			p.Cards = append(p.Cards, PastCards{Seat: e.Seat, N: n})
		}
	}
}

// gives reports whether an event after the line changes what seats other than its mover have.
func (l *Line) gives(e *Event, seats int) bool {
	goods := l.Rulebook.Extras().Goods
	if goods == nil {
		return false
	}
	after := l.Clone()
	after.Apply(e)
	had, has := goods(l.Rulebook.View(l.State, Referee)), goods(l.Rulebook.View(after.State, Referee))
	for i := range min(seats, len(had.Each)) {
		if Seat(i) != e.Seat && !slices.Equal(had.Each[i], has.Each[i]) {
			return true
		}
	}
	return false
}

// Seen counts what came to light by seat, in the order of the seats' first draws, then of their first cards.
func (p Played) Seen() []SeenDraws {
	var out []SeenDraws
	of := func(s Seat) *SeenDraws {
		i := slices.IndexFunc(out, func(x SeenDraws) bool { return x.Seat == s })
		if i < 0 {
			i, out = len(out), append(out, SeenDraws{Seat: s})
		}
		return &out[i]
	}
	for _, d := range p.Draws {
		if !d.Unseen {
			of(d.Seat).Draws++
		}
	}
	for _, c := range p.Cards {
		of(c.Seat).Cards += c.N
	}
	return out
}
