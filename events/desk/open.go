package desk

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// NewTable describes a table to be opened.
type NewTable struct {
	Rulebook string
	Choices  domain.Choices
	Places   []domain.TablePlace
	Pace     string
	Clock    *domain.Clock `json:",omitempty"`
	NoUndo   bool          `json:",omitempty"` // no step may be taken back without consent
	Grace    int           `json:",omitempty"` // minutes in which a step that passed the turn on may be taken back, too
	Given    []byte
	Branch   *domain.Branch
	Listed   bool `json:",omitempty"` // strangers may find the table
}

// Open opens a table. The answer's Table is its name, and the record's first part is the commitment to its luck.
func (d *Desk) Open(ctx context.Context, a events.Actor, id events.CommandID, n NewTable) (Answer, error) {
	rb, ok := d.named(n.Rulebook)
	if !ok {
		return Answer{}, domain.Refuse("no-game", "game", n.Rulebook)
	}
	wish, err := json.Marshal(n)
	if err != nil {
		return Answer{}, fmt.Errorf("open a table: %w", err)
	}
	logged, wished := d.keys.Asked(id), "open "+string(wish)
	name := d.tableNameOf(a.Person, id)
	if ans, done, err := d.again(ctx, name, logged, a, wished); done || err != nil {
		return ans, err
	}
	if err := d.admit(ctx, a, true); err != nil {
		return Answer{}, err
	}
	if err := d.checkBranch(ctx, rb, a.Person, &n); err != nil {
		return Answer{}, err
	}
	if err := checkGiven(rb, n); err != nil {
		return Answer{}, err
	}
	want := &domain.Opened{Choices: n.Choices, Pace: n.Pace, Clock: n.Clock, NoUndo: n.NoUndo, Grace: n.Grace,
		Given: n.Given, Places: n.Places, Branch: n.Branch, Listed: n.Listed}
	_, _ = rand.Read(want.Seed[:])
	if slices.ContainsFunc(n.Places, func(p domain.TablePlace) bool {
		return slices.ContainsFunc(p.Invited, func(id domain.PersonID) bool { return id != a.Person })
	}) {
		want.Until = domain.InvitedUntil(d.now())
	}
	j := domain.Judge{Table: &domain.Table{}, By: a.Person, Door: a.Door, At: d.now(), Rulebook: rb}
	e, err := j.Decide(want)
	if err != nil {
		return Answer{}, err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return Answer{}, fmt.Errorf("open a table: %w", err)
	}
	text, _ := want.Seed.MarshalText()
	draft := events.Draft{Stream: name,
		Open: &events.Stream{Name: name, Kind: events.KindTable, Rulebook: rb.Name(), Table: name},
		Type: domain.TableEventType(e), Data: data, Parts: []events.Part{d.keys.Seal(name, 1, 0, domain.To(), text)}}
	rec, err := d.append(ctx, draft, logged, d.meta(a, logged, wished))
	if err != nil {
		return Answer{}, fmt.Errorf("open a table: %w", err)
	}
	return d.answer(name, rec, false), nil
}

// tableNameOf returns the name of the table that a person's command opens: unguessable, and the same if the command
// is repeated.
func (d *Desk) tableNameOf(by domain.PersonID, id events.CommandID) events.Name {
	m := hmac.New(sha256.New, d.keys.For("table"))
	_, _ = m.Write(id[:])
	_, _ = m.Write([]byte(by))
	return events.Name(m.Sum(nil)[:16])
}

// checkGiven tries out a position set up by hand, to refuse a bad one before anybody is invited.
func checkGiven(rb domain.Rulebook, n NewTable) error {
	if n.Given == nil {
		return nil
	}
	full, err := domain.Complete(rb, n.Choices)
	if err != nil {
		return err
	}
	_, _, err = domain.NewLine(rb, domain.NewThrowaway(0)).
		Setup(domain.Game{Choices: full, Seats: len(n.Places), Given: n.Given})
	return err
}

// checkBranch refuses a branch that does not fit its source, whose options it takes over.
func (d *Desk) checkBranch(ctx context.Context, rb domain.Rulebook, by domain.PersonID, n *NewTable) error {
	b := n.Branch
	if b == nil {
		return nil
	}
	from, err1 := events.ParseName(b.Table)
	parent, err2 := events.ParseName(b.Line)
	if err1 != nil || err2 != nil {
		return domain.Refuse("no-line")
	}
	s, err := d.log.Stream(ctx, parent)
	if errors.Is(err, events.ErrNoStream) || err == nil &&
		(s.Table != from || s.Kind != events.KindLine || s.Rulebook != rb.Name()) {
		return domain.Refuse("no-line")
	}
	if err != nil {
		return fmt.Errorf("branch: %w", err)
	}
	source, err := d.foldTable(ctx, from)
	if err != nil {
		return fmt.Errorf("branch: %w", err)
	}
	if !source.SeenBy(by) {
		return domain.Refuse("no-line") // as if there were none
	}
	head, err := d.log.Head(ctx, parent)
	if err != nil {
		return fmt.Errorf("branch: %w", err)
	}
	if b.Version < 1 || b.Version > head.Version {
		return domain.Refuse("no-version", "last", int(head.Version))
	}
	if seats := len(source.Places); len(n.Places) != seats {
		return domain.Refuse("seats", "least", seats, "most", seats, "n", len(n.Places))
	}
	n.Choices = source.Choices
	return nil
}

// Opened finds the table that a person's command opened. ok is false if it opened none.
func (d *Desk) Opened(ctx context.Context, by domain.PersonID, id events.CommandID) (table events.Name, ok bool,
	err error) {
	table = d.tableNameOf(by, id)
	_, err = d.log.Stream(ctx, table)
	if errors.Is(err, events.ErrNoStream) {
		return events.Name{}, false, nil
	}
	if err != nil {
		return events.Name{}, false, fmt.Errorf("find the table of a command: %w", err)
	}
	return table, true, nil
}
