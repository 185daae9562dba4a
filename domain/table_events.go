package domain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// TableEvent is a fact about a table. Each has a type name with its version, see [TableEventType]. A released type
// never changes; only a newer one can follow it.
type TableEvent interface{ apply(*Table) }

// Opened begins a table: it is version 1, and only there. Its one secret part, for nobody, is the seed, 64 hex digits;
// the seed's salted digest is the commitment. A table of the newer type keeps its luck when it goes back; programs of
// today write that one.
type Opened struct {
	Opener   PersonID     `json:"opener"`
	Rulebook string       `json:"rulebook"`
	Edition  string       `json:"edition"`
	Choices  Choices      `json:"options"` // the value of each
	Pace     string       `json:"pace"`    // daily, weekly or relaxed
	Clock    *Clock       `json:"clock,omitempty"`
	NoUndo   bool         `json:"no_undo,omitempty"` // no step can be taken back without consent
	Grace    int          `json:"grace,omitempty"`   // minutes in which even a step that passed the turn on can
	Given    []byte       `json:"given,omitempty"`   // JSON of a position to start from
	Places   []TablePlace `json:"seats"`
	Branch   *Branch      `json:"branch,omitempty"`
	Until    time.Time    `json:"until,omitzero"`   // until when the invitations are valid
	Listed   bool         `json:"listed,omitempty"` // strangers may find it
	Seed     Key          `json:"-"`                // in the event's secret part
	// KeepsLuck says that rewinds with the same luck give no other draws, also of what was not drawn yet. It is in the
	// event's type: tables that older programs opened go on as they began.
	KeepsLuck bool `json:"-"`
}

// Contributed adds a person's randomness. No program of today writes it.
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

// Declined says that somebody does not sit down, or no more: their seat opens again.
type Declined struct {
	Seat   Seat     `json:"seat"`
	Person PersonID `json:"person"`
}

// Placed makes an empty seat open or a stand-in's (a computer player's), before the start.
type Placed struct {
	Seat  Seat       `json:"seat"`
	Place TablePlace `json:"place"`
}

// Started closes the list of contributions and opens the first line.
type Started struct {
	Line string `json:"line"` // its name
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
	Since   uint64    `json:"-"` // of a wanted consent: the version of the proposal
	Rewound *Rewound  `json:"rewound,omitempty"`
	End     EndReason `json:"end,omitempty"`
	Paused  *Paused   `json:"paused,omitempty"`
}

// Dismissed ends a proposal: refused or withdrawn by a person, or lapsed because somebody moved or those who had not
// agreed resigned (Person is then empty).
type Dismissed struct {
	Person PersonID `json:"person"`
	Since  uint64   `json:"-"` // of a wanted dismissal: the version of the proposal
}

// Rewound closes the main line and opens the next, forked from it.
type Rewound struct {
	Closed  string  `json:"closed"`          // the name of the line that it closes
	Version uint64  `json:"version"`         // the closed line's last version
	Line    string  `json:"line"`            // the name of the new one
	Index   int     `json:"index"`           // its number, from 0
	Fork    uint64  `json:"fork"`            // the version of the closed line that it goes on from
	Fresh   bool    `json:"fresh"`           // with fresh luck
	Taken   []Taken `json:"taken,omitempty"` // the draws that come again
	Deal    bool    `json:"deal,omitempty"`  // the new line's first event shuffles anew what nobody knew
}

// Resigned gives a seat up to a stand-in. End is set if too few people are left.
type Resigned struct {
	Seat    Seat      `json:"seat"`
	Person  PersonID  `json:"person"`
	StandIn string    `json:"stand_in"`
	End     EndReason `json:"end,omitempty"`
}

// Ended is the last event of play: every secret part of the table's streams opens with it (for a branch see also
// [EndedSealed]), and it holds the seed in plain. Programs of today write the newer type, and the older one for a table
// that was given up before it began.
type Ended struct {
	Reason  EndReason `json:"reason"`
	Line    string    `json:"line,omitempty"`    // the main line's name
	Version uint64    `json:"version,omitempty"` // and its last version
	Ranks   []int     `json:"ranks,omitempty"`   // of each seat
	// in the newer type alone: the official ones, by the entries of the game's [Standing], a list as in events of play;
	// of a game that was broken off, those at that time, with what was hidden
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
	Was    PersonID `json:"was"`    // the id that they are known by no more
	Person PersonID `json:"person"` // the new one
}

// HandedOver closes a table here: it goes on at another server. It is in the header of the record that is handed over,
// not among its events.
type HandedOver struct {
	// the other server's key as that prints it, with "@" and its address if that is known
	To string `json:"to"`
}

// Arrived goes on with a table that another server handed over. It keeps what verifies that server's receipts.
type Arrived struct {
	Key []byte `json:"key"` // Ed25519, 32 bytes, of the server it came from
	// Receipts of that server say where each of the table's streams stood, and prove its key.
	Receipts []string `json:"receipts"`
	// Closing is the event with which that server closed the table for this one, in the newer type alone. It is nil for
	// a finished table, which stays there as well, and in what older programs wrote.
	Closing *Closing `json:"closing,omitempty"`
}

// Closing is what was written of a [HandedOver] beside its place in the stream: all that its hash needs. Its stream and
// version are those of the arrival in its place, its codec is json, and it has no parts. Its data names the server that
// it was handed over to.
type Closing struct {
	At      int64  `json:"at"`      // milliseconds since 1970, UTC
	Command string `json:"command"` // in hexadecimal digits
	Meta    string `json:"meta"`    // byte for byte
	Data    string `json:"data"`    // byte for byte
}

// tableEvents are all event types of a table, each with the name that it is written under, and how the judge answers
// whoever wants one. What is left to [Judge.own] is the house's own doing.
var tableEvents = []tableEvent{
	newer("table.opened.v1", "table.opened.v2", (*Judge).open, func(e *Opened) { e.KeepsLuck = false }),
	of("table.contributed.v1", func(*Judge, *Contributed) (TableEvent, error) {
		return nil, errors.New("no command of this server comes to table.contributed.v1")
	}),
	of("table.invited.v1", (*Judge).invite),
	of("table.joined.v1", func(j *Judge, e *Joined) (TableEvent, error) {
		return j.Table.Join(j.By, e.Seat, e.Bytes)
	}),
	of("table.declined.v1", func(j *Judge, e *Declined) (TableEvent, error) {
		return j.Table.Decline(j.By, e.Seat, e.Person)
	}),
	of("table.placed.v1", func(j *Judge, e *Placed) (TableEvent, error) {
		return j.Table.Fill(j.By, e.Seat, e.Place)
	}),
	of("table.started.v1", func(j *Judge, _ *Started) (TableEvent, error) {
		return j.own(DoorRunner, func() (TableEvent, error) { return j.Table.Start(j.Next) })
	}),
	of("table.proposed.v1", (*Judge).propose),
	of("table.agreed.v1", (*Judge).agree),
	of("table.dismissed.v1", (*Judge).dismiss),
	of("table.resigned.v1", func(j *Judge, e *Resigned) (TableEvent, error) {
		return j.Table.Resign(j.By, e.Seat)
	}),
	newer("table.ended.v1", "table.ended.v3", (*Judge).ended, func(e *Ended) { e.Points = nil }),
	newer("table.ended.v2", "table.ended.v4", func(j *Judge, _ *EndedSealed) (TableEvent, error) {
		return j.own(DoorRunner, j.end)
	}, func(e *EndedSealed) { e.Points = nil }),
	of("table.unsealed.v1", func(j *Judge, _ *Unsealed) (TableEvent, error) {
		return j.own(DoorRunner, j.Table.Unseal)
	}),
	of("table.ended-elsewhere.v1", func(j *Judge, e *EndedElsewhere) (TableEvent, error) {
		return j.own(DoorHost, func() (TableEvent, error) { return j.Table.Conclude(Ended(*e)) })
	}),
	of("table.said.v1", func(j *Judge, e *Said) (TableEvent, error) { return j.Table.Chat(j.By, e.Text) }),
	of("table.claimed.v1", func(j *Judge, e *Claimed) (TableEvent, error) {
		return j.Table.Claim(j.By, e.Seat, e.Was)
	}),
	of("table.handed-over.v1", func(j *Judge, e *HandedOver) (TableEvent, error) {
		return j.own(DoorHost, func() (TableEvent, error) { return j.Table.HandOver(e.To) })
	}),
	newer("table.arrived.v1", "table.arrived.v2", func(j *Judge, e *Arrived) (TableEvent, error) {
		return j.own(DoorHost, func() (TableEvent, error) { return j.Table.Arrive(e.Key, e.Receipts, e.Closing) })
	}, func(e *Arrived) { e.Closing = nil }),
	of("table.deferred.v1", (*Judge).moveDeadlines),
	of("table.timed-out.v1", (*Judge).timeOut),
	of("table.carried.v1", func(j *Judge, e *Carried) (TableEvent, error) {
		return j.closeProposal(e.Since, e.Paused)
	}),
	of("table.unanswered.v1", func(j *Judge, e *Unanswered) (TableEvent, error) {
		return j.closeProposal(e.Since, nil)
	}),
	of("table.nudged.v1", (*Judge).nudge),
	of("table.lent.v1", func(j *Judge, e *Lent) (TableEvent, error) { return j.Table.Lend(j.By, e.Seat) }),
	of("table.returned.v1", func(j *Judge, e *Returned) (TableEvent, error) {
		return j.sitDown(e.Seat, e.Due, j.Table.Return)
	}),
	of("table.offered.v1", (*Judge).offer),
	of("table.withdrawn.v1", func(j *Judge, e *Withdrawn) (TableEvent, error) {
		return j.Table.WithdrawOffer(j.By, e.Seat)
	}),
	of("table.undone.v1", (*Judge).undo),
	of("table.substituted.v1", func(j *Judge, e *Substituted) (TableEvent, error) {
		return j.sitDown(e.Seat, e.Due, j.Table.TakeOver)
	}),
	of("table.expired.v1", (*Judge).expire),
	of("table.left.v1", func(j *Judge, e *Left) (TableEvent, error) { return j.Table.LeaveTeam(j.By, e.Seat) }),
}

// tableEvent is an event type of a table. An event that says what the type of the old name does not is written under
// the newer name; other events keep the old one.
type tableEvent struct {
	typ         reflect.Type
	name, newer string
	judge       func(*Judge, TableEvent) (TableEvent, error)
	lacks       func(TableEvent) (less TableEvent) // the same event without what the old name does not say
	upcast      func(any) TableEvent               // to the newest type, pure; nil if this is the newest
}

// is reports whether the newer name is an event's.
func (t tableEvent) is(e TableEvent) bool { return t.newer != "" && !reflect.DeepEqual(t.lacks(e), e) }

// pointer is a pointer to the body of a table's event.
type pointer[E any] interface {
	*E
	TableEvent
}

func of[E any, P pointer[E]](name string, judge func(*Judge, P) (TableEvent, error)) tableEvent {
	return newer(name, "", judge, func(P) {})
}

func newer[E any, P pointer[E]](name, newer string, judge func(*Judge, P) (TableEvent, error),
	lack func(P)) tableEvent {
	return tableEvent{typ: reflect.TypeFor[P](), name: name, newer: newer,
		judge: func(j *Judge, e TableEvent) (TableEvent, error) { return judge(j, e.(P)) },
		lacks: func(e TableEvent) TableEvent {
			less := *e.(P)
			lack(&less)
			return P(&less)
		}}
}

// revised is an event type that is written no more, and how what it says is said today. E is what its JSON holds; a
// released name keeps it for ever.
func revised[E any](name string, upcast func(*E) TableEvent) tableEvent {
	return tableEvent{typ: reflect.TypeFor[*E](), name: name, upcast: func(e any) TableEvent { return upcast(e.(*E)) }}
}

// rowOf returns what is known of the type of an event.
func rowOf(e TableEvent) tableEvent {
	return tableEvents[slices.IndexFunc(tableEvents, func(t tableEvent) bool { return t.typ == reflect.TypeOf(e) })]
}

// TableEventTypes returns all event types of a table by their names: of each, the type whose JSON is written.
func TableEventTypes() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, t := range tableEvents {
		types[t.name] = t.typ.Elem()
		if t.newer != "" {
			types[t.newer] = t.typ.Elem()
		}
	}
	return types
}

// TableEventType returns the name under which an event of a table is written.
func TableEventType(e TableEvent) string {
	t := rowOf(e)
	if t.is(e) {
		return t.newer
	}
	return t.name
}

// IsTableEvent reports whether a name is that of a kind of event, of any version.
func IsTableEvent[E TableEvent](name string) bool {
	e, _ := NewTableEvent(name)
	_, is := e.(E)
	return is
}

// NewTableEvent returns an event of a type, or of the newest to which it is upcast, that says nothing; ok is false if
// the type is unknown.
func NewTableEvent(name string) (e TableEvent, ok bool) {
	e, err := ReadTableEvent(name, []byte("{}"))
	return e, err == nil
}

// ReadTableEvent reads what was written of an event under the type's name, all but its secret part, and upcasts it to
// the newest type.
func ReadTableEvent(name string, data []byte) (TableEvent, error) {
	t, own, err := readTableEvent(name, data)
	if err != nil {
		return nil, err
	}
	if t.upcast != nil {
		return t.upcast(own), nil
	}
	e := own.(TableEvent)
	if o, opens := e.(*Opened); opens {
		o.KeepsLuck = name == t.newer
	}
	return e, nil
}

// readTableEvent reads an event as its own type has it.
func readTableEvent(name string, data []byte) (t tableEvent, own any, err error) {
	i := slices.IndexFunc(tableEvents, func(t tableEvent) bool {
		return name != "" && (t.name == name || t.newer == name)
	})
	if i < 0 {
		return t, nil, fmt.Errorf("no table event %q", name)
	}
	t = tableEvents[i]
	own = reflect.New(t.typ.Elem()).Interface()
	return t, own, json.Unmarshal(data, own)
}

// WriteTableEvent writes an event under the type's name that was written with this data, if it says the same: under a
// name that is written no more, that is what its own form has of the data.
func WriteTableEvent(e TableEvent, name string, data []byte) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil || name == TableEventType(e) {
		return text, err
	}
	t, own, err := readTableEvent(name, data)
	if err != nil || t.upcast == nil {
		return nil, fmt.Errorf("%s is written as %s: %w", name, TableEventType(e), err)
	}
	if up, err := json.Marshal(t.upcast(own)); err != nil || !bytes.Equal(up, text) {
		return nil, fmt.Errorf("the %s says something else: %w", name, err)
	}
	return json.Marshal(own)
}
