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
	if err == nil {
		err = h.anew(ctx, person)
	}
	return errors.Join(err, h.tells(ctx, c))
}

// anew withdraws what was mailed to a person until now, and has what they are still asked mailed to where mails go now.
func (h *House) anew(ctx context.Context, person domain.PersonID) error {
	epoch, err := h.People.PassEpoch(ctx, person)
	if err == nil {
		err = h.Desk.Withdraw(ctx, events.Actor{Door: domain.DoorHost}, person, epoch+1)
	}
	if err == nil {
		err = h.People.WithdrawPasses(ctx, person, epoch+1)
	}
	if err == nil {
		err = h.Outbox.Afresh(ctx, person)
	}
	return err
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
