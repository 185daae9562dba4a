package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"
)

// PeopleDirectory looks people up among the people of this server.
type PeopleDirectory struct {
	People *people.Store
	Names  turn.Names // as pages and mails show them
}

// Recipient finds a person.
func (d PeopleDirectory) Recipient(ctx context.Context, id domain.PersonID) (Recipient, bool, error) {
	p, err := d.People.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return Recipient{}, false, nil
	}
	if err != nil {
		return Recipient{}, false, fmt.Errorf("recipient: %w", err)
	}
	if out, err := d.People.Banned(ctx, id); out || err != nil {
		return Recipient{}, false, err
	}
	quiet, err := d.People.Suppressed(ctx, p.Address)
	if err != nil {
		return Recipient{}, false, err
	}
	name, err := d.Names.DisplayName(ctx, id)
	if err != nil {
		return Recipient{}, false, err
	}
	return Recipient{ID: id, Name: name, Address: string(p.Address), Lang: p.Language, Zone: p.Location(),
		Wants: func(k Kind, table events.Name) bool {
			return p.Wants(string(k)) && p.Wants(people.AtTable(string(k), table)) && !(k.ToStrangers() && quiet)
		}}, true, nil
}

// Wants reports whether a person has not switched off a kind of mail, at a table. It returns true for somebody unknown;
// their letter is checked when it is written.
func (d PeopleDirectory) Wants(ctx context.Context, id domain.PersonID, k Kind, table events.Name) (bool, error) {
	p, err := d.People.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("recipient: %w", err)
	}
	return p.Wants(string(k)) && p.Wants(people.AtTable(string(k), table)), nil
}

// Next returns when a person may be mailed, by their rhythm and their night.
func (d PeopleDirectory) Next(ctx context.Context, id domain.PersonID, now, last time.Time) (time.Time, bool, error) {
	r, err := d.People.Rhythm(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return now, false, nil
	}
	if err != nil {
		return now, false, err
	}
	c, err := d.People.Calendar(ctx, id)
	if err != nil {
		return now, false, err
	}
	return r.Next(now, last, c), r != people.Rhythm{}, nil
}

// SignedPasses makes mail tokens from signed facts.
type SignedPasses struct {
	Maker  *pass.Maker
	Epochs pass.Epochs
}

func (p SignedPasses) text(ctx context.Context, f pass.Facts) (string, error) {
	epoch, err := p.Epochs.PassEpoch(ctx, f.Person)
	if err != nil {
		return "", fmt.Errorf("epoch of a person's passes: %w", err)
	}
	f.Epoch = epoch
	t, err := p.Maker.Make(f)
	if err != nil {
		return "", fmt.Errorf("make a pass: %w", err)
	}
	return t.Text(), nil
}

func factsOf(n Notice) pass.Facts {
	f := pass.Facts{Purpose: cmp.Or(n.Kind.row().purpose, pass.View), Person: n.Person, Stream: n.Stream,
		Seat: n.Open.Seat, Kind: n.Open.Kind, Serial: n.Open.Serial, Since: n.Open.Since, At: pass.MarkOf(n.Head)}
	if f.Purpose == pass.Seat {
		f.Expires, f.At = n.expires(), pass.Mark{}
		f.Since = uint64(f.Expires.Add(-linkLasts).UnixMilli()) // #nosec G115 -- when it was asked for
	}
	return f
}

// Act lets the notice's person do what it asks for.
func (p SignedPasses) Act(ctx context.Context, n Notice) (string, error) {
	return p.text(ctx, factsOf(n))
}

// Reply returns the token for the address that answers to the notice's mail go to.
func (p SignedPasses) Reply(ctx context.Context, n Notice, pos, ahead uint64) (string, error) {
	f := factsOf(n)
	epoch, err := p.Epochs.PassEpoch(ctx, f.Person)
	if err != nil {
		return "", fmt.Errorf("epoch of a person's passes: %w", err)
	}
	f.Epoch = epoch
	t, err := p.Maker.ReplyTo(f, pos, ahead)
	if err != nil {
		return "", fmt.Errorf("make an address: %w", err)
	}
	return t.Text(), nil
}

// Unsubscribe lets a person stop a kind of mail; if a table is named, only from there.
func (p SignedPasses) Unsubscribe(ctx context.Context, id domain.PersonID, kind Kind, table events.Name) (string,
	error) {
	return p.text(ctx, pass.Facts{Purpose: pass.Unsubscribe, Person: id, Kind: string(kind), Stream: table})
}

// MessageID is a mail's id, without angle brackets. Each time that the mail is sent afresh it has another one: mail
// programs show only the first of two with one id.
func (p SignedPasses) MessageID(n Notice, afresh int, host string) (string, error) {
	of := string(n.Kind)
	if afresh > 0 {
		of += fmt.Sprintf(" %d", afresh)
	}
	id, err := p.Maker.MessageID(factsOf(n), of, host)
	return strings.Trim(id, "<>"), err
}

// ThreadID returns the id that all mails about a table to a person refer to.
func (p SignedPasses) ThreadID(table events.Name, id domain.PersonID, host string) string {
	return strings.Trim(p.Maker.ThreadID(table, id, host), "<>")
}
