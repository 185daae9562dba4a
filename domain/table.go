package domain

import (
	"maps"
	"slices"
	"time"
)

// PersonID names a person. It reveals nothing about them: names and addresses are kept elsewhere and can be deleted.
// The empty id is the house itself.
type PersonID string

// SeatKind is who may hold a seat.
type SeatKind string

// The kinds of seat.
const (
	SeatOpen    SeatKind = "open"     // anyone with the table's link
	SeatPlayer  SeatKind = "player"   // one person, invited
	SeatTeam    SeatKind = "team"     // several people, any of whom may move
	SeatStandIn SeatKind = "stand-in" // a computer player
)

// TableStatus is how far a table has come.
type TableStatus string

// The states of a table.
const (
	TableOpen    TableStatus = "open"    // gathering people
	TableStarted TableStatus = "started" // a line is being played
	TableEnded   TableStatus = "ended"
)

// TablePlace is a seat at a table, with the people who hold it.
type TablePlace struct {
	Kind     SeatKind   `json:"kind"`
	Invited  []PersonID `json:"invited,omitempty"` // people who have not yet answered
	Holders  []PersonID `json:"holders,omitempty"`
	StandIn  string     `json:"stand_in,omitempty"` // thoughtful, steady or random, for a stand-in
	Resigned bool       `json:"resigned,omitempty"` // a stand-in plays on; ranked last
	Lent     bool       `json:"-"`                  // a stand-in plays until one of its people is back
	Offer    *Offer     `json:"-"`                  // who is asked to take it over, or nil
	Former   []PersonID `json:"-"`                  // people who held it before and may come back
	Gone     []PersonID `json:"-"`                  // people who left its team
	// people who held it and cannot come back, because an earlier holder did
	Seen []PersonID `json:"-"`
	Turn *Turn      `json:"-"` // the last turn that a stand-in took, once its time was over
}

// Humans reports whether people decide for the seat.
func (p TablePlace) Humans() bool { return p.stays() && !p.Lent }

// stays reports whether the seat belongs to people, even if a stand-in is keeping it.
func (p TablePlace) stays() bool { return p.Kind != SeatStandIn && !p.Resigned }

// Holds reports whether a person holds the seat.
func (p TablePlace) Holds(id PersonID) bool { return slices.Contains(p.Holders, id) }

func (p TablePlace) full() bool {
	return p.Kind == SeatStandIn || len(p.Holders) > 0 && len(p.Invited) == 0
}

// TableLine is one line of a table.
type TableLine struct {
	Name   string `json:"name"`   // of its stream
	Index  int    `json:"index"`  // its number, from 0
	Keyed  int    `json:"keyed"`  // the number of the line whose key it draws with
	Parent string `json:"parent"` // the line it forked from: at this table or, for a branch, at another
	Fork   uint64 `json:"fork"`   // the parent's version
	Closed bool   `json:"closed"`
	Since  uint64 `json:"since"` // the table's version that opened it
	// Taken lists the draws that come again with another key than this: those that its closed parent made after the
	// fork.
	Taken []Taken `json:"taken,omitempty"`
	Fresh bool    `json:"fresh,omitempty"` // with its own luck from the fork on
	// Deal says that its first event shuffles anew what nobody knew, see [Line.Reshuffle]. Fresh lines opened by older
	// programs did not.
	Deal bool `json:"deal,omitempty"`
	Undo bool `json:"undo,omitempty"` // a step was taken back without consent: the closed parent ends with that step
}

// Branch says where a table's first line forked from.
type Branch struct {
	Table   string `json:"table"`   // the name of the table whose line it goes on from
	Line    string `json:"line"`    // the name of that line
	Version uint64 `json:"version"` // and its version
	Kind    string `json:"kind"`    // "game", "study" or "puzzle"
}

// First returns the earliest version of its line that belongs to the table, and 1 for a table that is no branch.
func (b *Branch) First() uint64 {
	if b == nil {
		return 1
	}
	return b.Version + 1
}

// Proposal is something the people of a table are asked to agree to.
type Proposal struct {
	Kind   ProposalKind      `json:"kind"`
	By     PersonID          `json:"by"`
	Agreed map[PersonID]bool `json:"agreed"`         // in an event null
	Since  uint64            `json:"since"`          // the table's version that proposed it; in an event 0
	Line   uint64            `json:"line"`           // the main line's version then
	To     uint64            `json:"to"`             // for a rewind: the version to go on from; else 0
	Fresh  bool              `json:"fresh"`          // for a rewind: fresh luck instead of the same again
	Reason []byte            `json:"reason"`         // encrypted with the proposer's key, or null
	Seen   []SeenDraws       `json:"seen"`           // for a rewind: what came to light after that version, or null
	Until  time.Time         `json:"until,omitzero"` // for a pause
	// Due is until when it can be answered, zero if there is no clock; it comes from the metadata of the event that
	// proposed it.
	Due time.Time `json:"-"`
}

// SeenDraws counts what a seat's moves brought to light: draws of luck, and hidden cards drawn, turned up or looked at
// (see [Line.Reshuffle]).
type SeenDraws struct {
	Seat  Seat `json:"seat"`
	Draws int  `json:"draws"`           // how many
	Cards int  `json:"cards,omitempty"` // how many
}

// ProposalKind is what is proposed.
type ProposalKind string

// The kinds of proposal.
const (
	ProposeRewind ProposalKind = "rewind"
	ProposeEnd    ProposalKind = "end"
	ProposePause  ProposalKind = "pause"
)

// EndReason is why a table ended.
type EndReason string

// The reasons.
const (
	EndFinished  EndReason = "finished"  // the game came to its end
	EndAgreed    EndReason = "agreed"    // everybody agreed to stop
	EndResigned  EndReason = "resigned"  // too few people are left
	EndAbandoned EndReason = "abandoned" // given up before it started
	EndHanded    EndReason = "handed"    // it goes on at another server
)

// Contribution is randomness a person brought, at least MinContribution bytes, made
// outside the server.
type Contribution struct {
	Person PersonID `json:"person"`
	Bytes  []byte   `json:"bytes"` // at least 16
}

// MinContribution is the minimum length of a contribution in bytes.
const MinContribution = 16

// Table is the people around one game: seats, invitations, consent, which line is the
// main one. It is the fold of the table's stream, which is never rewound.
type Table struct {
	Version       uint64
	Status        TableStatus
	Opener        PersonID
	Rulebook      string
	Edition       string
	Choices       Choices
	Pace          string
	Clock         *Clock // nil: it waits forever
	NoUndo        bool   // no step can be taken back without consent
	KeepsLuck     bool   // see [Opened]
	Grace         int    // minutes in which even a step that passed the turn on can; see [Table.Undo]
	Given         []byte // a position to start from, or nil
	Places        []TablePlace
	Seed          Key // zero if the table was loaded for somebody who must not read it
	Contributions []Contribution
	Lines         []TableLine
	Proposal      *Proposal
	Due           EndReason // an end that is decided but not yet noted, or ""
	End           EndReason
	Ranks         []int
	Branch        *Branch
	// its opener lets strangers find it: its open seats in the lobby, its board on the front page
	Listed bool
	Former []FormerServer // the servers it was on before, the first one first
	// the server it was handed over to: its key and, after "@", its address if that is known
	HandedTo    string
	Over        uint64 // the version that noted the end of play; 0 before that
	asked       map[asking]uint64
	seated      uint64    // the version that last changed who sits where, or is asked to
	openedUntil time.Time // until when the opening's invitations are valid
	askedUntil  map[asking]time.Time
	PausedUntil time.Time    // its deadlines are frozen until then
	Spent       map[Seat]int // spare days used
	// What became of the deadlines of open decisions, and who was nudged: the latest of each seat.
	moved    map[Seat]movedTo
	passed   map[Seat]Deadline
	nudges   map[Seat]nudge
	away     map[PersonID]time.Time // people noted as on holiday until then
	Revealed bool                   // the table's stream contains the seed
	// Waits and Private depend on the tables that a branch goes on from, and are set by the code that folds it beside
	// them. Waits: one of them has not ended, so nothing of the branch opens yet. Private: the branch is a study, or
	// goes on from one.
	Waits   bool
	Private bool
}

// asking is a person asked to take a seat.
type asking struct {
	seat   Seat
	person PersonID
}

// AskedSince returns the version of the table since which a person has been asked to take a seat: that of the latest
// invitation, or 1 for somebody asked when the table was opened.
func (t *Table) AskedSince(seat Seat, person PersonID) uint64 {
	if since, ok := t.asked[asking{seat, person}]; ok {
		return since
	}
	return 1
}

// FormerServer is a server that handed the table over.
type FormerServer struct {
	Key      []byte   // Ed25519: it verifies the server's receipts
	Receipts []string // its last receipts, one per stream
	Closing  *Closing // see [Arrived]
	Since    uint64   // the table's version that noted the arrival at the next server
}

// Main returns the line being played; ok is false before the start.
func (t *Table) Main() (TableLine, bool) {
	if len(t.Lines) == 0 {
		return TableLine{}, false
	}
	return t.Lines[len(t.Lines)-1], true
}

// SeatsOf lists the seats that a person holds.
func (t *Table) SeatsOf(id PersonID) []Seat {
	var seats []Seat
	for i, p := range t.Places {
		if p.Holds(id) {
			seats = append(seats, Seat(i))
		}
	}
	return seats
}

// InvitedTo returns the seat that a person is asked to take; ok is false if there is none.
func (t *Table) InvitedTo(id PersonID) (Seat, bool) {
	for i, p := range t.Places {
		if slices.Contains(p.Invited, id) {
			return Seat(i), true
		}
	}
	return Nobody, false
}

// Invites reports whether a person is asked to take a seat. They may be asked to take several.
func (t *Table) Invites(seat Seat, id PersonID) bool {
	return seat >= 0 && int(seat) < len(t.Places) && slices.Contains(t.Places[seat].Invited, id)
}

// Holds returns which of the table's lines holds a version of a line: that line, or one that it goes on from. For a
// version before the table's first one it returns the first event of its first line.
func (t *Table) Holds(line string, version uint64) (string, uint64) {
	for i := len(t.Lines) - 1; i >= 0; i-- {
		l := t.Lines[i]
		if l.Name != line {
			continue
		}
		if version > l.Fork || i == 0 {
			return line, max(version, l.Fork+1)
		}
		line = l.Parent
	}
	return line, version
}

// Knows reports whether a person opened the table, holds a seat or is asked to take one.
func (t *Table) Knows(id PersonID) bool {
	_, invited := t.InvitedTo(id)
	return id != "" && (t.Opener == id || invited || len(t.SeatsOf(id)) > 0 || t.Status == TableStarted && t.sat(id))
}

// People lists the people who hold a seat that people decide for, each once, in seat order.
func (t *Table) People() []PersonID { return t.holders(TablePlace.Humans) }

// Player refuses with "not-a-player" for somebody who holds no seat that people decide for, and with "seat-kept" if a
// stand-in only keeps their seat until they are back.
func (t *Table) Player(by PersonID) error {
	for _, seat := range t.SeatsOf(by) {
		if t.Places[seat].Humans() {
			return nil
		}
	}
	for _, seat := range t.SeatsOf(by) {
		if err := t.Plays(by, seat); err != nil && t.Places[seat].kept() {
			return err
		}
	}
	return Refuse("not-a-player")
}

// Plays refuses with "not-your-seat" for somebody who does not decide for a seat, and with "seat-kept" if that is so
// because a stand-in keeps it until they are back.
func (t *Table) Plays(by PersonID, seat Seat) error {
	if by == "" || seat < 0 || int(seat) >= len(t.Places) {
		return Refuse("not-your-seat", "seat", seat)
	}
	return t.Places[seat].plays(by, seat)
}

func (p TablePlace) plays(by PersonID, seat Seat) error {
	switch {
	case p.Holds(by) && p.Humans():
		return nil
	case p.Holds(by) && p.kept():
		return Refuse("seat-kept", "seat", seat)
	}
	return Refuse("not-your-seat", "seat", seat)
}

// kept reports whether a stand-in keeps the seat until its people are back.
func (p TablePlace) kept() bool { return p.Lent && !p.Resigned }

// Everybody lists everybody who holds or held a seat, each once.
func (t *Table) Everybody() []PersonID { return t.holders(func(TablePlace) bool { return true }) }

func (t *Table) holders(of func(TablePlace) bool) []PersonID {
	var out []PersonID
	for _, p := range t.Places {
		for _, h := range p.Holders {
			if of(p) && !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	return out
}

// Full reports whether every seat is taken. Everybody who joined has contributed.
func (t *Table) Full() bool {
	return !slices.ContainsFunc(t.Places, func(p TablePlace) bool { return !p.full() })
}

func (t *Table) contributed(id PersonID) bool {
	return slices.ContainsFunc(t.Contributions, func(c Contribution) bool { return c.Person == id })
}

// Clone copies a table; the copies share nothing that Apply changes.
func (t *Table) Clone() *Table {
	c := *t
	c.Places = slices.Clone(t.Places)
	c.Lines = slices.Clone(t.Lines)
	c.Contributions = slices.Clone(t.Contributions)
	c.asked, c.askedUntil = maps.Clone(t.asked), maps.Clone(t.askedUntil)
	if p := t.Proposal; p != nil {
		q := *p
		q.Agreed = maps.Clone(p.Agreed)
		c.Proposal = &q
	}
	return &c
}

// LineKeyOf returns the key of one of the table's lines.
func (t *Table) LineKeyOf(index int) Key {
	c := make([][]byte, len(t.Contributions))
	for i := range t.Contributions {
		c[i] = t.Contributions[i].Bytes
	}
	return LineKey(t.Seed, index, c)
}

// SourceOf returns the luck of a line: its key and the draws it takes over.
func (t *Table) SourceOf(l TableLine) *Source {
	src := NewSource(t.LineKeyOf(l.Keyed))
	for _, d := range l.Taken {
		src.TakeOver(d.Purpose, d.K, t.LineKeyOf(d.Line))
	}
	return src
}
