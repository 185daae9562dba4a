package door

import (
	"bytes"
	"encoding/hex"
	"errors"
	nethttp "net/http"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// Audit is what anybody may check about a table: never a secret part's text.
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

// AuditLine is the events of a line, from its fork on.
type AuditLine struct {
	Line    string       `json:"line"`
	Index   int          `json:"index"`
	Parent  string       `json:"parent,omitempty"`
	Fork    uint64       `json:"fork,omitempty"`
	Receipt string       `json:"receipt"`
	Events  []AuditEvent `json:"events"`
}

// AuditEvent is an event as it was logged.
type AuditEvent struct {
	Version uint64       `json:"version"`
	Type    string       `json:"type"`
	At      Instant      `json:"at"`
	Door    string       `json:"door"`
	Hash    string       `json:"hash"`
	Seat    *domain.Seat `json:"seat,omitempty"`
	Move    string       `json:"move,omitempty"`
	Parts   []AuditPart  `json:"parts"`
	Draws   []AuditDraw  `json:"draws"`
}

// AuditPart is a secret part: whom it is for, and its digest.
type AuditPart struct {
	To     string `json:"to"`
	Digest string `json:"digest"`
}

// Whom is whom it is for in letters, "" for nobody.
func (p AuditPart) Whom() string { return strings.TrimPrefix(p.To, "-") }

// AuditDraw is a draw of luck.
type AuditDraw struct {
	Purpose string `json:"purpose"`
	K       uint64 `json:"k"`
	Size    int    `json:"size"`
	Unseen  bool   `json:"unseen"`
}

// Audit lists a table, with its own events of versions above after and up to upTo (0: all).
func (v *Visit) Audit(look events.Look, after, upTo uint64) (a Audit, err error) {
	a = Audit{Table: look.Name.String(), PublicKey: hex.EncodeToString(v.Desk.Keys().PublicKey()),
		Receipt: v.Desk.Receipt(look.Name, look.Name, look.TableHead), Contributions: []Contribution{}, Events: []AuditEvent{}, Lines: []AuditLine{}}
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
	history, err := v.Desk.TablePart(v.Ctx(), look.Name, after, upTo)
	if err != nil {
		return a, err
	}
	for _, e := range history {
		a.Events = append(a.Events, auditEvent(e.Record, e.Meta))
	}
	for _, l := range look.Table.Lines {
		line := AuditLine{Line: l.Name, Index: l.Index, Parent: l.Parent, Fork: l.Fork, Events: []AuditEvent{}}
		err := v.auditLine(look, &line)
		if errors.Is(err, events.ErrNoStream) {
			continue // decided upon and not opened yet
		}
		if err != nil {
			return a, err
		}
		a.Lines = append(a.Lines, line)
	}
	return a, nil
}

func (v *Visit) auditLine(look events.Look, line *AuditLine) error {
	name, err := events.ParseName(line.Line)
	if err != nil {
		return err
	}
	head, err := v.Desk.Log().Head(v.Ctx(), name)
	if err != nil {
		return err
	}
	line.Receipt = v.Desk.Receipt(look.Name, name, head)
	entries, err := v.Desk.History(v.Ctx(), look, name, domain.Spectator, line.Fork, 0)
	for _, e := range entries {
		r := auditEvent(e.Record, e.Meta)
		r.Move = e.Event.Move
		if !e.Forked && e.Event.Seat != domain.Nobody {
			r.Seat = &e.Event.Seat
		}
		for _, d := range e.Event.Draws {
			r.Draws = append(r.Draws, AuditDraw(d))
		}
		line.Events = append(line.Events, r)
	}
	return err
}

func auditEvent(r events.Record, meta events.Meta) AuditEvent {
	e := AuditEvent{Version: r.Version, Type: r.Type, At: Instant(r.At), Door: meta.Door, Hash: r.Hash.String(), Parts: []AuditPart{}, Draws: []AuditDraw{}}
	for _, p := range r.Parts {
		e.Parts = append(e.Parts, AuditPart{p.To.String(), p.Digest.String()})
	}
	return e
}

// Record sends the table's record, as the reader may have it.
func (v *Visit) Record() error {
	if v.Export == nil {
		return events.ErrNoStream
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	var b bytes.Buffer // whole before it is sent, so that what fails is an error page and no torn record
	if err := v.Export(v.Ctx(), v.Table, look.Table.ViewerOf(v.Me, domain.Nobody), &b); err != nil {
		return err
	}
	v.Response().Header().Set("Content-Disposition", `attachment; filename="posthorn-`+v.Table.String()+`.jsonl"`)
	return v.Blob(nethttp.StatusOK, "application/jsonl; charset=utf-8", b.Bytes())
}
