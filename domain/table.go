package domain

import (
	"maps"
	"slices"
	"time"
)

// PersonID names a person. It says nothing about them: names and addresses are kept
// elsewhere and can be forgotten. The empty id is the house itself.
type PersonID string

// SeatKind is who may hold a seat.
type SeatKind string

// The kinds of seat.
const (
	SeatOpen    SeatKind = "open"     // whoever comes by the table's link
	SeatPlayer  SeatKind = "player"   // one person, invited
	SeatTeam    SeatKind = "team"     // several, any of whom may move
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

// TablePlace is a seat at a table and who holds it.
type TablePlace struct {
	Kind     SeatKind   `json:"kind"`
	Invited  []PersonID `json:"invited,omitempty"` // asked and not yet answered
	Holders  []PersonID `json:"holders,omitempty"`
	StandIn  string     `json:"stand_in,omitempty"` // one of StandIns, for a stand-in
	Resigned bool       `json:"resigned,omitempty"` // a stand-in plays on; ranked last
	Lent     bool       `json:"-"`                  // a stand-in plays until one of its people is back
	Offer    *Offer     `json:"-"`                  // who is asked to take it over, or nil
	Former   []PersonID `json:"-"`                  // who held it before, and may come back
	Gone     []PersonID `json:"-"`                  // who left its team
	Seen     []PersonID `json:"-"`                  // who held it and may not come back: whoever held it before them did
	Turn     *Turn      `json:"-"`                  // the last turn that a stand-in took, once its time was over
}

// Humans reports whether people decide for the seat.
func (p TablePlace) Humans() bool { return p.stays() && !p.Lent }

// stays reports whether the seat is people's, though a stand-in may be keeping it.
func (p TablePlace) stays() bool { return p.Kind != SeatStandIn && !p.Resigned }

// Holds reports whether a person holds the seat.
func (p TablePlace) Holds(id PersonID) bool { return slices.Contains(p.Holders, id) }

func (p TablePlace) full() bool {
	return p.Kind == SeatStandIn || len(p.Holders) > 0 && len(p.Invited) == 0
}

// TableLine is one line of a table.
type TableLine struct {
	Name   string `json:"name"`   // of its stream
	Index  int    `json:"index"`  // which seed it has
	Parent string `json:"parent"` // the line it forked from, at this table or, for a branch, another
	Fork   uint64 `json:"fork"`   // the parent's version
	Closed bool   `json:"closed"`
	Since  uint64 `json:"since"` // the table's version that opened it
	// Taken are the draws it takes over, those that its closed parent made after the fork.
	Taken []Taken `json:"taken,omitempty"`
	Fresh bool    `json:"fresh,omitempty"` // with luck of its own from the fork on
	// Deal tells that its first event shuffles anew what nobody knew, see [Reshuffler]. Fresh lines
	// that older programs opened did not.
	Deal bool `json:"deal,omitempty"`
	Undo bool `json:"undo,omitempty"` // a step was taken back without consent: the closed parent ends with that step
}

// Branch says where a table's first line forked from.
type Branch struct {
	Table   string `json:"table"`
	Line    string `json:"line"`
	Version uint64 `json:"version"`
	Kind    string `json:"kind"` // "game", "study" or "puzzle"
}

// Proposal is something the people of a table are asked to agree to.
type Proposal struct {
	Kind   ProposalKind      `json:"kind"`
	By     PersonID          `json:"by"`
	Agreed map[PersonID]bool `json:"agreed"`
	Since  uint64            `json:"since"`          // the table's version that proposed it
	Line   uint64            `json:"line"`           // the main line's version then
	To     uint64            `json:"to"`             // for a rewind: the version to go on from
	Fresh  bool              `json:"fresh"`          // for a rewind: fresh luck instead of the same again
	Reason []byte            `json:"reason"`         // encrypted with the proposer's key
	Seen   []SeenDraws       `json:"seen"`           // for a rewind: what was seen after that version
	Until  time.Time         `json:"until,omitzero"` // for a pause
	// Due is until when it may be answered, zero where there is no clock; it stands in the meta
	// data of the event that proposed it.
	Due time.Time `json:"-"`
}

// SeenDraws counts what a seat's moves brought to light: draws of luck, and hidden cards that were
// drawn, turned up or looked at (see [Reshuffler]).
type SeenDraws struct {
	Seat  Seat `json:"seat"`
	Draws int  `json:"draws"`
	Cards int  `json:"cards,omitempty"`
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
	EndHanded    EndReason = "handed"    // goes on at another server
)

// Contribution is randomness a person brought, at least MinContribution bytes, made
// outside the server.
type Contribution struct {
	Person PersonID `json:"person"`
	Bytes  []byte   `json:"bytes"`
}

// MinContribution is the least length of a contribution in bytes.
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
	Clock         *Clock // nil: it waits for ever
	NoUndo        bool   // no step is taken back without consent
	Grace         int    // minutes in which a step that passed the turn on is, too; see [Table.Undo]
	Given         []byte // a position to start from, or nil
	Places        []TablePlace
	Seed          Key // zero where whoever loaded the table may not read it
	Contributions []Contribution
	Lines         []TableLine
	Proposal      *Proposal
	Due           EndReason // an end that is decided and not yet noted, or ""
	End           EndReason
	Ranks         []int
	Branch        *Branch
	Listed        bool           // its opener lets strangers find it: its open seats in the lobby, its board on the front page
	Former        []FormerServer // where it stood before, the first one first
	Over          uint64         // the version that noted the end of play; 0 while there is none
	asked         map[asking]uint64
	openedUntil   time.Time // the invitations of the opening are good
	askedUntil    map[asking]time.Time
	PausedUntil   time.Time    // its deadlines stand still until then
	Spent         map[Seat]int // spare days taken
	// What became of the deadlines of what is open, and who was nudged: the last of each seat.
	moved, passed map[Seat]Deadline
	nudges        map[Seat]nudge
	away          map[PersonID]time.Time // of whom it is noted that they are on holiday until then
	Revealed      bool                   // the seed stands in the table's stream
	// Waits and Private follow from the tables that a branch goes on from, and are set by
	// whoever folds it beside them: one of them has not ended, so nothing of the branch opens
	// yet; the branch is a study, or goes on from one.
	Waits   bool
	Private bool
}

// asking is a person who is asked to take a seat.
type asking struct {
	seat   Seat
	person PersonID
}

// AskedSince is the version of the table since which a person is asked to take a seat: that of
// the latest invitation, or 1 for somebody whom the table was opened for.
func (t *Table) AskedSince(seat Seat, person PersonID) uint64 {
	if since, ok := t.asked[asking{seat, person}]; ok {
		return since
	}
	return 1
}

// FormerServer is a server that handed the table over.
type FormerServer struct {
	Key      []byte   // Ed25519: its receipts are checked with it
	Receipts []string // its last ones, of each stream
	Since    uint64   // the table's version that arrived at the next server
}

// Main is the line being played; ok is false before the start.
func (t *Table) Main() (TableLine, bool) {
	if len(t.Lines) == 0 {
		return TableLine{}, false
	}
	return t.Lines[len(t.Lines)-1], true
}

// SeatsOf lists the seats a person holds.
func (t *Table) SeatsOf(id PersonID) []Seat {
	var seats []Seat
	for i, p := range t.Places {
		if p.Holds(id) {
			seats = append(seats, Seat(i))
		}
	}
	return seats
}

// InvitedTo is the seat a person is asked to take; ok is false if there is none.
func (t *Table) InvitedTo(id PersonID) (Seat, bool) {
	for i, p := range t.Places {
		if slices.Contains(p.Invited, id) {
			return Seat(i), true
		}
	}
	return Nobody, false
}

// Knows reports whether a person opened the table, holds a seat or is asked to take one.
func (t *Table) Knows(id PersonID) bool {
	_, invited := t.InvitedTo(id)
	return id != "" && (t.Opener == id || invited || len(t.SeatsOf(id)) > 0 || t.Status == TableStarted && t.sat(id))
}

// People lists who holds a seat that people decide for, each once, in seat order.
func (t *Table) People() []PersonID { return t.holders(TablePlace.Humans) }

// Everybody lists all who hold or held a seat, each once.
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

// Full reports whether every seat is taken. Whoever joined has contributed.
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

// LineKeyOf is the key of one of the table's lines.
func (t *Table) LineKeyOf(index int) Key {
	c := make([][]byte, len(t.Contributions))
	for i := range t.Contributions {
		c[i] = t.Contributions[i].Bytes
	}
	return LineKey(t.Seed, index, c)
}

// SourceOf is the luck of a line: its own key and the draws it takes over.
func (t *Table) SourceOf(l TableLine) *Source {
	src := NewSource(t.LineKeyOf(l.Index))
	for _, d := range l.Taken {
		src.TakeOver(d.Purpose, d.K, t.LineKeyOf(d.Line))
	}
	return src
}
