package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
)

// names tells projections what people are called.
type names struct{ people *people.Store }

func (n names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	p, err := n.people.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("name of a person: %w", err)
	}
	if p.Name == "" {
		local, _, _ := strings.Cut(string(p.Address), "@")
		if name, err := people.ParseName(local); err == nil {
			return name, nil // until they have said what they are called
		}
	}
	return p.Name, nil
}

// directory tells the mails who people are.
type directory struct{ people *people.Store }

func (d directory) Recipient(ctx context.Context, id domain.PersonID) (mail.Recipient, bool, error) {
	p, err := d.people.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return mail.Recipient{}, false, nil
	}
	if err != nil {
		return mail.Recipient{}, false, fmt.Errorf("recipient: %w", err)
	}
	quiet, err := d.people.Suppressed(ctx, p.Address)
	if err != nil || quiet {
		return mail.Recipient{}, false, err
	}
	name, err := names(d).DisplayName(ctx, id)
	if err != nil {
		return mail.Recipient{}, false, err
	}
	return mail.Recipient{ID: id, Name: name, Address: string(p.Address), Lang: p.Language,
		Wants: func(k mail.Kind) bool { return p.Wants(string(k)) }}, true, nil
}

// passes makes the tokens of mails.
type passes struct {
	maker  *pass.Maker
	people *people.Store
}

func (p passes) text(ctx context.Context, f pass.Facts) (string, error) {
	epoch, err := p.people.PassEpoch(ctx, f.Person)
	if err != nil {
		return "", fmt.Errorf("epoch of a person's passes: %w", err)
	}
	f.Epoch = epoch
	t, err := p.maker.Make(f)
	if err != nil {
		return "", fmt.Errorf("make a pass: %w", err)
	}
	return t.Text(), nil
}

func facts(n mail.Notice) pass.Facts {
	f := pass.Facts{Person: n.Person, Stream: n.Stream, Seat: n.Open.Seat, Kind: n.Open.Kind, Serial: n.Open.Serial,
		Since: n.Open.Since, At: pass.MarkOf(n.Head)}
	switch n.Kind {
	case mail.KindTurn:
		f.Purpose = pass.Play
	case mail.KindConsent:
		f.Purpose = pass.Answer
	case mail.KindInvitation:
		f.Purpose = pass.Join
	case mail.KindSignIn:
		f.Purpose, f.Seat = pass.SignIn, 0
	default:
		f.Purpose = pass.View
	}
	return f
}

func (p passes) Act(ctx context.Context, n mail.Notice) (string, error) { return p.text(ctx, facts(n)) }

func (p passes) Visit(ctx context.Context, id domain.PersonID, table events.Name) (string, error) {
	return p.text(ctx, pass.Facts{Purpose: pass.View, Person: id, Stream: table})
}

func (p passes) Unsubscribe(ctx context.Context, id domain.PersonID, kind mail.Kind) (string, error) {
	return p.text(ctx, pass.Facts{Purpose: pass.Unsubscribe, Person: id, Kind: string(kind)})
}

func (p passes) MessageID(n mail.Notice, host string) (string, error) {
	id, err := p.maker.MessageID(facts(n), string(n.Kind), host)
	return strings.Trim(id, "<>"), err
}

func (p passes) ThreadID(table events.Name, id domain.PersonID, host string) string {
	return strings.Trim(p.maker.ThreadID(table, id, host), "<>")
}
