package door

import (
	"encoding/hex"
	"errors"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// Audit is what anybody may check about a table. It never holds the text of a secret part.
type Audit struct {
	Table         string         `json:"table"`
	PublicKey     string         `json:"public_key"`
	Commitment    string         `json:"commitment"`
	Seed          string         `json:"seed,omitempty"` // once the table has ended
	Receipt       string         `json:"receipt"`
	Contributions []Contribution `json:"contributions"`
	Events        []AuditEvent   `json:"events"` // of the table itself
	Lines         []AuditLine    `json:"lines"`
}

// Contribution is the chance that somebody brought.
type Contribution struct {
	Who   string `json:"who"`
	Bytes string `json:"bytes"`
}

// AuditLine holds the events of a line, from its fork on.
type AuditLine struct {
	Line    string       `json:"line"`
	Index   int          `json:"index"`
	Parent  string       `json:"parent,omitempty"`
	Fork    uint64       `json:"fork,omitempty"`
	Last    uint64       `json:"last"`
	Since   uint64       `json:"since"` // the version of the table's stream that opened it
	Receipt string       `json:"receipt"`
	Events  []AuditEvent `json:"events"`
}

// AuditEvent is an event as it was logged, plus its description in words as far as the reader may know it.
type AuditEvent struct {
	Version uint64       `json:"version"`
	Type    string       `json:"type"`
	At      Instant      `json:"at"`
	Door    string       `json:"door"`
	Who     string       `json:"who,omitempty"` // who gave the command; empty for the house itself
	Hash    string       `json:"hash"`
	Seat    *domain.Seat `json:"seat,omitempty"`
	Move    string       `json:"move,omitempty"`
	Order   string       `json:"order,omitempty"` // the standing order that made the move, shown only to its owner
	Text    []string     `json:"text"`
	Parts   []AuditPart  `json:"parts"`
	Draws   []AuditDraw  `json:"draws"`
}

// AuditPart is a secret part: its recipient and its digest.
type AuditPart struct {
	To     string `json:"to"`
	Digest string `json:"digest"`
}

// Whom returns the letters of the recipients, "" for nobody.
func (p AuditPart) Whom() string { return strings.TrimPrefix(p.To, "-") }

// AuditDraw is one draw of luck.
type AuditDraw struct {
	Purpose string `json:"purpose"`
	K       uint64 `json:"k"`
	Size    int    `json:"size"`
	Unseen  bool   `json:"unseen"`
}

// Audit returns the audit of a table with all its own events and those of its lines.
func (v History) Audit(look desk.Look) (Audit, error) {
	a, err := v.AuditOf(look)
	if err != nil {
		return a, err
	}
	if a.Events, err = v.AuditTable(look, 0, 0); err != nil {
		return a, err
	}
	for i := range a.Lines {
		if err := v.AuditLine(look, &a.Lines[i], a.Lines[i].Fork, 0); err != nil {
			return a, err
		}
	}
	return a, nil
}

// AuditOf returns the audit of a table without its events: the luck, who contributed to it, and the lines.
func (v History) AuditOf(look desk.Look) (a Audit, err error) {
	a = Audit{Table: look.Name.String(), PublicKey: hex.EncodeToString(v.Desk.Keys().PublicKey()),
		Receipt: v.Desk.Receipt(look.Name, look.Name, look.TableHead), Contributions: []Contribution{},
		Events: []AuditEvent{}, Lines: []AuditLine{}}
	if look.Table.Revealed {
		a.Seed = hex.EncodeToString(look.Table.Seed[:])
	}
	if a.Commitment, err = v.Commitment(look.Name); err != nil {
		return a, err
	}
	for _, given := range look.Table.Contributions {
		who, err := v.Called(given.Person)
		if err != nil {
			return a, err
		}
		a.Contributions = append(a.Contributions, Contribution{who, hex.EncodeToString(given.Bytes)})
	}
	for _, l := range look.Table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return a, err
		}
		head, err := v.Desk.Log().Head(v.Ctx(), name)
		if errors.Is(err, events.ErrNoStream) {
			continue // decided but not opened yet
		}
		if err != nil {
			return a, err
		}
		a.Lines = append(a.Lines, AuditLine{Line: l.Name, Index: l.Index, Parent: l.Parent, Fork: l.Fork,
			Last: head.Version, Since: l.Since,
			Receipt: v.Desk.Receipt(look.Name, name, head), Events: []AuditEvent{}})
	}
	return a, nil
}

// AuditTable lists the table's own events with versions above after and up to upTo (0: all).
func (v History) AuditTable(look desk.Look, after, upTo uint64) ([]AuditEvent, error) {
	list, err := v.Maker.AuditTable(v.Ctx(), look, v.Asker(), after, upTo, v.reads(look))
	return auditEvents(list), err
}

// AuditVersions lists some of the table's own events.
func (v History) AuditVersions(look desk.Look, versions []uint64) ([]AuditEvent, error) {
	var list []turn.Audited
	for _, n := range versions {
		one, err := v.Maker.AuditTable(v.Ctx(), look, v.Asker(), n-1, n, v.reads(look))
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return auditEvents(list), nil
}

// reads returns a function that decrypts what people wrote at a table, or one that returns "" if the reader may not
// read it.
func (v History) reads(look desk.Look) func(domain.PersonID, []byte) string {
	if look.Table.Knows(v.Me) || len(look.Table.SeatsOf(v.Me)) > 0 {
		return v.Opened
	}
	return func(domain.PersonID, []byte) string { return "" }
}

// AuditLine fills in a line's events with versions above after and up to upTo (0: all).
func (v History) AuditLine(look desk.Look, line *AuditLine, after, upTo uint64) error {
	name, err := events.ParseName(line.Line)
	if err != nil {
		return err
	}
	list, err := v.Maker.AuditLine(v.Ctx(), look, name, v.Asker(), after, upTo)
	line.Events = auditEvents(list)
	return err
}

func auditEvents(list []turn.Audited) []AuditEvent {
	out := make([]AuditEvent, len(list))
	for i, a := range list {
		r := a.Record
		e := AuditEvent{Version: r.Version, Type: r.Type, At: Instant(r.At), Door: a.Meta.Door, Who: a.Actor,
			Hash: r.Hash.String(), Move: a.Move, Order: a.Order,
			Text: a.Sentences, Parts: []AuditPart{}, Draws: []AuditDraw{}}
		if a.Seat != domain.Nobody {
			e.Seat = &a.Seat
		}
		for _, p := range r.Parts {
			e.Parts = append(e.Parts, AuditPart{p.To.String(), p.Digest.String()})
		}
		for _, d := range a.Draws {
			e.Draws = append(e.Draws, AuditDraw(d))
		}
		out[i] = e
	}
	return out
}
