package bounce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"posthorn/events/people"
	"posthorn/mail"
)

// Door takes mails that come back. It is one of the takers of mail/inbound.
type Door struct {
	Address *mail.ReturnAddress
	Outbox  *mail.Outbox
	People  *people.Store
	Log     *slog.Logger
}

// Takes reports whether a letter of this house was sent from the address.
func (d *Door) Takes(rcpt string) bool {
	_, ok := d.Address.Read(rcpt)
	return ok
}

// Handle notes what a mail says about the letter that its address names. It logs what kind of report it was, but not
// whose or in what words.
func (d *Door) Handle(ctx context.Context, rcpt, sender string, raw []byte) error {
	which, ok := d.Address.Read(rcpt)
	if !ok {
		return nil
	}
	r := Read(sender, raw)
	if r.Kind == "" {
		d.Log.Info("a mail to a return address was dropped", "why", "it reports nothing")
		return nil
	}
	l, known, err := d.Outbox.CameBack(ctx, which, r)
	if err != nil {
		return fmt.Errorf("a mail that came back: %w", err)
	}
	if !known {
		d.Log.Info("a mail to a return address was dropped", "why", "no such letter, or told before")
		return nil
	}
	d.Log.Warn("a mail came back", "what", string(r.Kind), "status", r.Status, "letter", l.ID, "mail", string(l.Kind),
		"table", l.Table.String())
	if r.Kind == mail.ReturnComplaint {
		if err := d.complained(ctx, l); err != nil {
			return fmt.Errorf("a complaint: %w", err)
		}
	}
	return nil
}

// complained switches off what a reader complained about, as its own link does, and tells them: nothing shows whose a
// complaint is. What has no switch is up to the queue.
func (d *Door) complained(ctx context.Context, l mail.Letter) error {
	kind := l.Kind.Switch()
	if kind == "" {
		return nil
	}
	p, err := d.People.Person(ctx, l.Person)
	if errors.Is(err, people.ErrNobody) {
		return nil
	}
	stranger := err == nil && l.Kind.ToStrangers() && p.Confirmed.IsZero() // who never asked for anything
	if stranger {
		err = d.People.Suppress(ctx, p.Address)
	}
	wanted := false
	if err == nil {
		wanted, err = d.People.StopMails(ctx, l.Person, kind)
	}
	if err != nil || stranger || !wanted {
		return err
	}
	return mail.Post{Outbox: d.Outbox}.Complained(ctx, l)
}
