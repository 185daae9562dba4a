package house

import (
	"context"
	"errors"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
)

// fallsBack has the mails of somebody whom they do not reach go to another address of theirs, if there is one.
func (h *House) fallsBack(ctx context.Context, person domain.PersonID) error {
	c, err := h.People.FallBack(ctx, person)
	if errors.Is(err, people.ErrNobody) || err == nil && c.What == "" {
		return nil
	}
	if err == nil {
		err = h.Outbox.Reached(ctx, person, string(c.Address))
	}
	return errors.Join(err, h.tells(ctx, c))
}

// Readdress gives a person whom the host knows otherwise another address; the former one is told.
func (h *House) Readdress(ctx context.Context, person domain.PersonID, a people.Address) error {
	c, err := h.People.Readdress(ctx, person, a)
	if err == nil {
		err = h.Outbox.Reached(ctx, person, string(a))
	}
	if err == nil { // what was mailed to the former address plays no longer
		err = h.People.Withdraw(ctx, h.Desk, events.Actor{Door: domain.DoorHost}, person)
	}
	if err == nil {
		err = h.Outbox.Afresh(ctx, person)
	}
	return errors.Join(err, h.tells(ctx, c))
}

// tells mails a person's other addresses what became of one.
func (h *House) tells(ctx context.Context, c people.Change) error {
	for _, to := range c.Tell {
		if err := (mail.Post{Outbox: h.Outbox}).Changed(ctx, to, c); err != nil {
			return err
		}
	}
	return nil
}
