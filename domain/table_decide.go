package domain

import "slices"

// OpenTable judges the opening of a table. Places say who is asked to sit where; the opener is asked like everybody
// else, so that they contribute after seeing the commitment.
func OpenTable(rb Rulebook, by PersonID, choices Choices, places []TablePlace, pace string, given []byte,
	branch *Branch, seed Key) (*Opened, error) {
	full, err := Complete(rb, choices)
	if err != nil {
		return nil, err
	}
	least, most := rb.Seats(full)
	if len(places) < least || len(places) > most {
		return nil, Refuse("seats", "least", least, "most", most, "n", len(places))
	}
	if !slices.Contains(Paces, pace) {
		return nil, Refuse("pace", "pace", pace)
	}
	humans := 0
	for i, p := range places {
		if err := p.check(Seat(i)); err != nil {
			return nil, err
		}
		if len(p.Holders) > 0 || p.Resigned {
			return nil, Refuse("seat-taken", "seat", Seat(i)) // people sit down by contributing
		}
		if p.Humans() {
			humans++
		}
	}
	if humans == 0 {
		return nil, Refuse("nobody-plays")
	}
	return &Opened{Opener: by, Rulebook: rb.Name(), Edition: rb.Edition(), Choices: full, Pace: pace,
		Given: given, Places: places, Branch: branch, Seed: seed, KeepsLuck: true}, nil
}

// Paces are the paces a table may agree on, from quick to slow.
var Paces = []string{"daily", "weekly", "relaxed"}

// StandIns are the computer players that may hold a seat, the strongest first.
var StandIns = []string{"thoughtful", "steady", "random"}

// HouseStandIns are those that the house gives to an absent seat: first the one it gives now, then those it gave
// before, so that old tables stay as they were played.
var HouseStandIns = []string{"thoughtful", "steady"}

func (p TablePlace) check(s Seat) error {
	switch p.Kind {
	case SeatStandIn:
		if !slices.Contains(StandIns, p.StandIn) || len(p.Invited)+len(p.Holders) > 0 {
			return Refuse("stand-in", "seat", s, "name", p.StandIn)
		}
	case SeatPlayer:
		if len(p.Invited)+len(p.Holders) != 1 {
			return Refuse("one-player", "seat", s)
		}
	case SeatTeam:
		if len(p.Invited)+len(p.Holders) == 0 {
			return Refuse("empty-team", "seat", s)
		}
		for i, id := range p.Invited {
			if slices.Contains(p.Invited[:i], id) {
				return Refuse("named-twice", "seat", s)
			}
		}
	case SeatOpen:
		if len(p.Invited)+len(p.Holders) > 0 {
			return Refuse("open-seat", "seat", s)
		}
	default:
		return Refuse("seat-kind", "seat", s, "kind", string(p.Kind))
	}
	return nil
}

func (t *Table) place(s Seat) (TablePlace, error) {
	if s < 0 || int(s) >= len(t.Places) {
		return TablePlace{}, Refuse("no-seat", "seat", s)
	}
	return t.Places[s], nil
}

// inPlay returns a place of a table whose game is on.
func (t *Table) inPlay(s Seat) (TablePlace, error) {
	if err := t.playing(); err != nil {
		return TablePlace{}, err
	}
	return t.place(s)
}

func (t *Table) gathering() error {
	switch t.Status {
	case TableOpen:
		return nil
	case TableEnded:
		return t.Closed()
	default:
		return Refuse("table-started")
	}
}

// gatheringAt returns a place of a table that has not started.
func (t *Table) gatheringAt(s Seat) (TablePlace, error) {
	if err := t.gathering(); err != nil {
		return TablePlace{}, err
	}
	return t.place(s)
}

func (t *Table) playing() error {
	switch t.Status {
	case TableOpen:
		return Refuse("not-started")
	case TableStarted:
		if t.Due == "" {
			return nil
		}
	}
	return t.Closed()
}

// Join seats a person who was invited there, or any person on an open seat.
func (t *Table) Join(by PersonID, seat Seat, contribution []byte) (TableEvent, error) {
	p, err := t.gatheringAt(seat)
	switch {
	case err != nil:
		return nil, err
	case p.Holds(by):
		return nil, Refuse("seated-self", "seat", seat)
	case p.Kind != SeatOpen && !slices.Contains(p.Invited, by):
		return nil, Refuse("not-invited", "seat", seat)
	case len(contribution) < MinContribution:
		return nil, Refuse("contribution", "least", MinContribution)
	}
	return &Joined{Seat: seat, Contribution: Contribution{Person: by, Bytes: contribution}}, nil
}

// Decline says no to a seat, or gives one up before the start. The opener may withdraw an invitation the same way.
func (t *Table) Decline(by PersonID, seat Seat, person PersonID) (TableEvent, error) {
	p, err := t.gatheringAt(seat)
	switch {
	case err != nil:
		return nil, err
	case by != person && by != t.Opener:
		return nil, Refuse("opener-only")
	case !slices.Contains(p.Invited, person) && !p.Holds(person):
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Declined{Seat: seat, Person: person}, nil
}

// Invite asks somebody to take an open seat, or one more person to join a team. A person who has not answered may be
// asked again.
func (t *Table) Invite(by PersonID, seat Seat, person PersonID) (TableEvent, error) {
	p, err := t.gatheringAt(seat)
	switch {
	case err != nil:
		return nil, err
	case by != t.Opener:
		return nil, Refuse("opener-only")
	case p.Holds(person):
		return nil, Refuse("seated-already", "seat", seat)
	case p.Kind != SeatOpen && p.Kind != SeatTeam && !slices.Contains(p.Invited, person):
		return nil, Refuse("seat-taken", "seat", seat)
	}
	return &Invited{Seat: seat, Person: person, By: by}, nil
}

// Fill changes what an empty seat is: open, or a stand-in.
func (t *Table) Fill(by PersonID, seat Seat, place TablePlace) (TableEvent, error) {
	p, err := t.gatheringAt(seat)
	switch {
	case err != nil:
		return nil, err
	case by != t.Opener:
		return nil, Refuse("opener-only")
	case len(p.Holders) > 0:
		return nil, Refuse("seat-taken", "seat", seat)
	case place.Kind != SeatOpen && place.Kind != SeatStandIn:
		return nil, Refuse("seat-kind", "seat", seat, "kind", string(place.Kind))
	}
	if err := place.check(seat); err != nil {
		return nil, err
	}
	return &Placed{Seat: seat, Place: place}, nil
}

// Start opens the first line of a full table. It is the runner's command.
func (t *Table) Start(line string) (TableEvent, error) {
	if err := t.gathering(); err != nil {
		return nil, err
	}
	if !t.Full() {
		return nil, Refuse("not-full")
	}
	return &Started{Line: line}, nil
}

// Abandon gives up a table that has not started. It is the opener's command.
func (t *Table) Abandon(by PersonID) (TableEvent, error) {
	if err := t.gathering(); err != nil {
		return nil, err
	}
	if by != t.Opener {
		return nil, Refuse("opener-only")
	}
	return &Ended{Reason: EndAbandoned, Seed: t.Seed}, nil
}

// Resign gives up a seat: a stand-in plays on, ranked last. The table ends if fewer than two seats that people decide
// for are left.
func (t *Table) Resign(by PersonID, seat Seat) (TableEvent, error) {
	p, err := t.inPlay(seat)
	if err != nil {
		return nil, err
	}
	if err := p.plays(by, seat); err != nil {
		return nil, err
	}
	e := &Resigned{Seat: seat, Person: by, StandIn: HouseStandIns[0]}
	left := 0
	for i, q := range t.Places {
		if Seat(i) != seat && q.stays() {
			left++
		}
	}
	if left < 2 {
		e.End = EndResigned
	}
	return e, nil
}

// Finish notes the end of a table and opens its secrets, unless a table that it goes on from is still running. It is
// the runner's command, for when the main line has come to its end (finished) or an end is due. The standing is what
// readers of the event may know: the referee's, unless the secrets stay sealed.
func (t *Table) Finish(main Played, standing Standing) (TableEvent, error) {
	if t.Status != TableStarted {
		return nil, Refuse("not-started")
	}
	reason := t.Due
	if main.Ended {
		reason = EndFinished // regardless of anything decided after its last move
	}
	if reason == "" {
		return nil, Refuse("not-ended")
	}
	line, _ := t.Main()
	if t.Waits {
		return &EndedSealed{Reason: reason, Line: line.Name, Version: main.Version, Ranks: t.ranks(standing, reason),
			Points: standing.Points()}, nil
	}
	return &Ended{Reason: reason, Line: line.Name, Version: main.Version, Ranks: t.ranks(standing, reason),
		Points: standing.Points(), Seed: t.Seed}, nil
}

// ranks returns the standing's ranks by seat, with those who resigned behind everybody else. A game broken off has no
// ranks, except by resignation.
func (t *Table) ranks(s Standing, reason EndReason) []int {
	if len(s.Ranks) != len(t.Places) && reason == EndFinished {
		return s.Ranks
	}
	ranks := make([]int, len(t.Places))
	stay := 0
	for i, p := range t.Places {
		if p.Resigned {
			continue
		}
		stay++
		ranks[i] = 1
		for j, q := range t.Places {
			if reason == EndFinished && !q.Resigned && s.Ranks[j] < s.Ranks[i] {
				ranks[i]++
			}
		}
	}
	for i, p := range t.Places {
		if p.Resigned {
			ranks[i] = stay + 1
		}
	}
	if reason != EndFinished && stay == len(t.Places) {
		return nil
	}
	return ranks
}

// Chat says something at the table before, during or after the game; the text is encrypted with its author's key.
func (t *Table) Chat(by PersonID, text []byte) (TableEvent, error) {
	switch {
	case !t.Knows(by):
		return nil, Refuse("not-a-player")
	case t.End == EndHanded:
		return nil, t.Closed()
	case len(text) == 0:
		return nil, Refuse("empty-text")
	}
	return &Said{Person: by, Text: text}, nil
}

// Claim seats a person of this server where a person of another server sat.
func (t *Table) Claim(by PersonID, seat Seat, was PersonID) (TableEvent, error) {
	p, err := t.place(seat)
	switch {
	case t.Status == TableEnded:
		return nil, t.Closed()
	case err != nil:
		return nil, err
	case !p.Holds(was):
		return nil, Refuse("not-invited", "seat", seat)
	}
	return &Claimed{Seat: seat, Was: was, Person: by}, nil
}

// HandOver closes the table here. It is the host's command.
func (t *Table) HandOver(to string) (TableEvent, error) {
	if t.Status == TableEnded {
		return nil, t.Closed()
	}
	return &HandedOver{To: to}, nil
}

// Arrive goes on with a table that another server handed over, or keeps a finished one that came along with its branch.
// It is the host's command there.
func (t *Table) Arrive(key []byte, receipts []string, closing *Closing) (TableEvent, error) {
	if t.Status == TableEnded && !t.Revealed {
		return nil, Refuse("table-ended")
	}
	return &Arrived{Key: key, Receipts: receipts, Closing: closing}, nil
}
