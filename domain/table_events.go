package domain

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// TableEvent is a fact about a table. Each has a type name with its version, see [TableEventType]. A released type
// never changes; only a newer one can follow it.
type TableEvent interface{ apply(*Table) }

// Opened begins a table. Its secret part is the seed; the seed's salted digest is the commitment.
type Opened struct {
	Opener   PersonID     `json:"opener"`
	Rulebook string       `json:"rulebook"`
	Edition  string       `json:"edition"`
	Choices  Choices      `json:"options"`
	Pace     string       `json:"pace"`
	Clock    *Clock       `json:"clock,omitempty"`
	NoUndo   bool         `json:"no_undo,omitempty"` // no step can be taken back without consent
	Grace    int          `json:"grace,omitempty"`   // minutes in which even a step that passed the turn on can
	Given    []byte       `json:"given,omitempty"`
	Places   []TablePlace `json:"seats"`
	Branch   *Branch      `json:"branch,omitempty"`
	Until    time.Time    `json:"until,omitzero"` // until when the invitations are valid
	Listed   bool         `json:"listed,omitempty"`
	Seed     Key          `json:"-"` // in the event's secret part
	// KeepsLuck says that rewinds with the same luck give no other draws, also of what was not drawn yet. It is in the
	// event's type: tables that older programs opened go on as they began.
	KeepsLuck bool `json:"-"`
}

// Contributed adds a person's randomness.
type Contributed struct{ Contribution }

// Invited asks somebody to take a seat.
type Invited struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
	By     PersonID `json:"by"`
	// Until is until when the invitation is valid; zero means forever.
	Until time.Time `json:"until,omitzero"`
}

// Joined seats somebody who accepted, with their contribution.
type Joined struct {
	Seat Seat `json:"seat"`
	Contribution
}

// Declined is a refusal to take a seat, which opens again.
type Declined struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
}

// Placed changes what a seat is, before the start.
type Placed struct {
	Seat  Seat       `json:"seat"`
	Place TablePlace `json:"place"`
}

// Started closes the list of contributions and opens the first line.
type Started struct {
	Line string `json:"line"`
}

// Proposed asks everybody for their consent.
type Proposed struct {
	Proposal Proposal `json:"proposal"`
	// Rewound is set if nobody else has to be asked.
	Rewound *Rewound  `json:"rewound,omitempty"`
	End     EndReason `json:"end,omitempty"`
	Paused  *Paused   `json:"paused,omitempty"`
}

// Agreed is one person's consent; the last consent carries what follows from it.
type Agreed struct {
	Person  PersonID  `json:"person"`
	Rewound *Rewound  `json:"rewound,omitempty"`
	End     EndReason `json:"end,omitempty"`
	Paused  *Paused   `json:"paused,omitempty"`
}

// Dismissed ends a proposal: refused or withdrawn by a person, or lapsed because somebody moved or those who had not
// agreed resigned (Person is then empty).
type Dismissed struct {
	Person PersonID `json:"person"`
}

// Rewound closes the main line and opens the next, forked from it.
type Rewound struct {
	Closed  string  `json:"closed"`
	Version uint64  `json:"version"` // the closed line's last version
	Line    string  `json:"line"`
	Index   int     `json:"index"`
	Fork    uint64  `json:"fork"`
	Fresh   bool    `json:"fresh"`
	Taken   []Taken `json:"taken,omitempty"`
	Deal    bool    `json:"deal,omitempty"` // the new line's first event shuffles anew what nobody knew
}

// Resigned hands a seat to a stand-in. End is set if too few people are left.
type Resigned struct {
	Seat    Seat      `json:"seat"`
	Person  PersonID  `json:"person"`
	StandIn string    `json:"stand_in"`
	End     EndReason `json:"end,omitempty"`
}

// Ended is the last event of play: every secret part of the table's streams opens with it (for a branch see also
// [EndedSealed]), and it holds the seed in plain.
type Ended struct {
	Reason  EndReason `json:"reason"`
	Line    string    `json:"line,omitempty"`
	Version uint64    `json:"version,omitempty"`
	Ranks   []int     `json:"ranks,omitempty"`
	// by the entries of the game's [Standing], the official ones; nil if an older program counted none, or nothing was
	// played
	Points []int `json:"points,omitempty"`
	Seed   Key   `json:"seed"`
}

// Said is a line of chat, encrypted with its author's key.
type Said struct {
	Person PersonID `json:"person"`
	Text   []byte   `json:"text"`
}

// Claimed gives the seats of a table that came from another server to a person of this one.
type Claimed struct {
	Seat   Seat     `json:"seat"`
	Was    PersonID `json:"was"`
	Person PersonID `json:"person"`
}

// HandedOver closes a table here: it goes on at another server.
type HandedOver struct {
	To string `json:"to"`
}

// Arrived goes on with a table that another server handed over. It keeps what verifies that server's receipts.
type Arrived struct {
	Key []byte `json:"key"` // Ed25519, of the server it came from
	// Receipts of that server say where each of the table's streams stood, and prove its key.
	Receipts []string `json:"receipts"`
	// Closing is the event with which that server closed the table for this one. It is nil for a finished table, which
	// stays there as well, and in what older programs wrote.
	Closing *Closing `json:"closing,omitempty"`
}

// Closing is what was written of a [HandedOver] beside its place in the stream: all that its hash needs. Its data names
// the server that it was handed over to.
type Closing struct {
	At      int64  `json:"at"`      // milliseconds since 1970, UTC
	Command string `json:"command"` // in hexadecimal digits
	Meta    string `json:"meta"`    // byte for byte
	Data    string `json:"data"`    // byte for byte
}

// tableEvents are all event types of a table, by the names they are written under.
var tableEvents = map[string]reflect.Type{
	"table.opened.v1":          reflect.TypeFor[Opened](),
	"table.contributed.v1":     reflect.TypeFor[Contributed](),
	"table.invited.v1":         reflect.TypeFor[Invited](),
	"table.joined.v1":          reflect.TypeFor[Joined](),
	"table.declined.v1":        reflect.TypeFor[Declined](),
	"table.placed.v1":          reflect.TypeFor[Placed](),
	"table.started.v1":         reflect.TypeFor[Started](),
	"table.proposed.v1":        reflect.TypeFor[Proposed](),
	"table.agreed.v1":          reflect.TypeFor[Agreed](),
	"table.dismissed.v1":       reflect.TypeFor[Dismissed](),
	"table.resigned.v1":        reflect.TypeFor[Resigned](),
	"table.ended.v1":           reflect.TypeFor[Ended](),
	"table.ended.v2":           reflect.TypeFor[EndedSealed](),
	"table.unsealed.v1":        reflect.TypeFor[Unsealed](),
	"table.ended-elsewhere.v1": reflect.TypeFor[EndedElsewhere](),
	"table.said.v1":            reflect.TypeFor[Said](),
	"table.claimed.v1":         reflect.TypeFor[Claimed](),
	"table.handed-over.v1":     reflect.TypeFor[HandedOver](),
	"table.arrived.v1":         reflect.TypeFor[Arrived](),
	"table.deferred.v1":        reflect.TypeFor[Deferred](),
	"table.timed-out.v1":       reflect.TypeFor[TimedOut](),
	"table.carried.v1":         reflect.TypeFor[Carried](),
	"table.unanswered.v1":      reflect.TypeFor[Unanswered](),
	"table.nudged.v1":          reflect.TypeFor[Nudged](),
	"table.lent.v1":            reflect.TypeFor[Lent](),
	"table.returned.v1":        reflect.TypeFor[Returned](),
	"table.offered.v1":         reflect.TypeFor[Offered](),
	"table.withdrawn.v1":       reflect.TypeFor[Withdrawn](),
	"table.undone.v1":          reflect.TypeFor[Undone](),
	"table.substituted.v1":     reflect.TypeFor[Substituted](),
	"table.expired.v1":         reflect.TypeFor[Expired](),
	"table.left.v1":            reflect.TypeFor[Left](),
	typeEndedCounted:           reflect.TypeFor[Ended](),
	typeSealedCounted:          reflect.TypeFor[EndedSealed](),
	typeOpenedKeeping:          reflect.TypeFor[Opened](),
	typeArrivedClosed:          reflect.TypeFor[Arrived](),
}

// The names under which an end with points, the opening of a table that keeps its luck, and an arrival with the event
// that closed the table elsewhere are written; others keep their old names.
const (
	typeArrivedClosed = "table.arrived.v2"
	typeEndedCounted  = "table.ended.v3"
	typeSealedCounted = "table.ended.v4"
	typeOpenedKeeping = "table.opened.v2"
)

var tableEventNames = func() map[reflect.Type]string {
	names := map[reflect.Type]string{}
	for name, typ := range tableEvents {
		if !slices.Contains([]string{typeEndedCounted, typeSealedCounted, typeOpenedKeeping, typeArrivedClosed}, name) {
			names[typ] = name
		}
	}
	return names
}()

// TableEventTypes returns the names of all event types of a table, sorted.
func TableEventTypes() []string { return slices.Sorted(maps.Keys(tableEvents)) }

// TableEventType returns the name under which an event of a table is written.
func TableEventType(e TableEvent) string {
	switch e := e.(type) {
	case *Ended:
		if e.Points != nil {
			return typeEndedCounted
		}
	case *EndedSealed:
		if e.Points != nil {
			return typeSealedCounted
		}
	case *Opened:
		if e.KeepsLuck {
			return typeOpenedKeeping
		}
	case *Arrived:
		if e.Closing != nil {
			return typeArrivedClosed
		}
	}
	return tableEventNames[reflect.TypeOf(e).Elem()]
}

// OpensTable reports whether a name is that of an opening, of any version.
func OpensTable(name string) bool { return tableEvents[name] == reflect.TypeFor[Opened]() }

// NewTableEvent returns an empty event of a type to read into; ok is false if the type is unknown.
func NewTableEvent(name string) (e TableEvent, ok bool) {
	typ, ok := tableEvents[name]
	if !ok {
		return nil, false
	}
	e, ok = reflect.New(typ).Interface().(TableEvent)
	if o, opens := e.(*Opened); opens {
		o.KeepsLuck = name == typeOpenedKeeping
	}
	return e, ok
}

// Apply folds an event into the table. It never fails.
func (t *Table) Apply(e TableEvent) {
	t.Version++
	e.apply(t)
}

func (e *Opened) apply(t *Table) {
	t.Status, t.Opener = TableOpen, e.Opener
	t.Rulebook, t.Edition, t.Choices = e.Rulebook, e.Edition, e.Choices
	t.Pace, t.Clock, t.NoUndo, t.Grace = e.Pace, e.Clock, e.NoUndo, e.Grace
	t.Given, t.Branch, t.Listed, t.Seed = e.Given, e.Branch, e.Listed, e.Seed
	t.Places, t.openedUntil, t.KeepsLuck = slices.Clone(e.Places), e.Until, e.KeepsLuck
}

func (e *Contributed) apply(t *Table) { t.Contributions = append(t.Contributions, e.Contribution) }

func (e *Invited) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		if p.Kind == SeatOpen {
			p.Kind = SeatPlayer
		}
		p.Invited = append(without(p.Invited, e.Person), e.Person)
	})
	if t.asked == nil {
		t.asked = map[asking]uint64{}
	}
	t.asked[asking{e.Seat, e.Person}] = t.Version
	if t.askedUntil == nil {
		t.askedUntil = map[asking]time.Time{}
	}
	t.askedUntil[asking{e.Seat, e.Person}] = e.Until
}

func (e *Joined) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) {
		if p.Kind == SeatOpen {
			p.Kind = SeatPlayer
		}
		p.Invited = without(p.Invited, e.Person)
		p.Holders = append(without(p.Holders, e.Person), e.Person)
	})
	if !t.contributed(e.Person) {
		t.Contributions = append(t.Contributions, e.Contribution)
	}
}

func (e *Declined) apply(t *Table) { t.leave(e.Seat, e.Person) }

func (e *Placed) apply(t *Table) { t.edit(e.Seat, func(p *TablePlace) { *p = e.Place }) }

func (e *Started) apply(t *Table) {
	t.Status = TableStarted
	l := TableLine{Name: e.Line, Since: t.Version}
	if t.Branch != nil {
		l.Parent, l.Fork = t.Branch.Line, t.Branch.Version
	}
	t.Lines = append(t.Lines, l)
}

func (e *Proposed) apply(t *Table) {
	p := e.Proposal
	p.Since = t.Version
	p.Agreed = map[PersonID]bool{p.By: true}
	t.Proposal = &p
	t.follow(e.Rewound, e.End)
	t.pause(e.Paused)
}

func (e *Agreed) apply(t *Table) {
	if p := t.Proposal; p != nil {
		p.Agreed[e.Person] = true
	}
	t.follow(e.Rewound, e.End)
	t.pause(e.Paused)
}

func (e *Dismissed) apply(t *Table) { t.Proposal = nil }

func (e *Resigned) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Resigned, p.StandIn = true, e.StandIn })
	t.follow(nil, e.End)
}

func (e *Ended) apply(t *Table) {
	t.Status, t.End, t.Ranks, t.Seed, t.Proposal, t.Due = TableEnded, e.Reason, e.Ranks, e.Seed, nil, ""
	t.Over, t.Revealed = t.Version, true
}

func (e *Said) apply(*Table) {}

func (e *Claimed) apply(t *Table) {
	t.edit(e.Seat, func(p *TablePlace) { p.Holders = append(without(p.Holders, e.Was), e.Person) })
}

func (e *HandedOver) apply(t *Table) {
	t.Status, t.End, t.Proposal, t.HandedTo = TableEnded, EndHanded, nil, e.To
}

func (e *Arrived) apply(t *Table) {
	t.Former = append(t.Former, FormerServer{Key: e.Key, Receipts: e.Receipts, Closing: e.Closing, Since: t.Version})
}

func (t *Table) follow(r *Rewound, end EndReason) {
	if end != "" {
		t.Due, t.Proposal = end, nil
	}
	if r == nil {
		return
	}
	t.Proposal = nil
	if len(t.Lines) > 0 {
		t.Lines[len(t.Lines)-1].Closed = true
	}
	t.Lines = append(t.Lines, TableLine{Name: r.Line, Index: r.Index, Keyed: t.keyed(r), Parent: r.Closed, Fork: r.Fork,
		Since: t.Version, Taken: r.Taken, Fresh: r.Fresh, Deal: r.Deal})
}

func (t *Table) edit(s Seat, change func(*TablePlace)) {
	if s < 0 || int(s) >= len(t.Places) {
		return
	}
	p := t.Places[s]
	p.Invited, p.Holders = slices.Clone(p.Invited), slices.Clone(p.Holders)
	change(&p)
	t.Places[s], t.seated = p, t.Version
}

func without(ids []PersonID, id PersonID) []PersonID {
	return slices.DeleteFunc(slices.Clone(ids), func(x PersonID) bool { return x == id })
}
