package house

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// mostReason is the longest reason of a ban, in bytes.
const mostReason = 500

// Ban keeps a person out: it records the ban, ends their sessions and every link mailed to them, and takes care of
// their seats. By is the host; it names nobody when the command line does it.
func (h *House) Ban(ctx context.Context, by events.Actor, id domain.PersonID, reason string) error {
	p, err := h.People.Person(ctx, id)
	if err != nil {
		return err
	}
	if p.Host {
		return domain.Refuse("banned-host")
	}
	if reason = strings.TrimSpace(reason); len(reason) > mostReason {
		return domain.Refuse("reason-long", "n", mostReason)
	}
	var sealed []byte
	if reason != "" {
		if sealed, err = h.People.Encrypt(ctx, id, []byte(reason)); err != nil {
			return err
		}
	}
	// The log first: at the next start it corrects an older people.db.
	if err := h.Desk.Ban(ctx, by, id, sealed); err != nil {
		return err
	}
	if err := h.People.Ban(ctx, id, sealed); err != nil {
		return err
	}
	if err := h.People.Withdraw(ctx, h.Desk, by, id); err != nil {
		return err
	}
	return h.setAside(ctx, id)
}

// unban lets a person in again. Their seats are as the ban left them; a stand-in that kept one gives it back. Standing
// orders for a seat that is still theirs apply again.
func (h *House) unban(ctx context.Context, by events.Actor, id domain.PersonID) error {
	if err := h.Desk.Unban(ctx, by, id); err != nil {
		return err
	}
	if err := h.People.Unban(ctx, id); err != nil {
		return err
	}
	tables, _, err := h.Views.Live(ctx)
	if err != nil {
		return err
	}
	return h.Desk.Each(ctx, tables, func(look desk.Look) error {
		if look.Table.Status != domain.TableStarted || len(look.Table.SeatsOf(id)) == 0 {
			return nil
		}
		return h.Desk.Settle(ctx, look.Name)
	})
}

// setAside makes sure that nobody waits forever for a banned person. At tables without a clock, stand-ins keep the
// seats that the person holds alone until they are back. At tables that have not begun, their seats and invitations are
// given up. Where a table has a clock, it does what the table chose.
func (h *House) setAside(ctx context.Context, id domain.PersonID) error {
	actor := events.Actor{Person: id, Door: domain.DoorHost}
	tables, _, err := h.Views.Live(ctx)
	if err != nil {
		return err
	}
	return h.Desk.Each(ctx, tables, func(look desk.Look) error {
		if !look.Table.Knows(id) {
			return nil
		}
		for i, p := range look.Table.Places {
			seat := domain.Seat(i)
			invited, asked := look.Table.InvitedTo(id)
			var does desk.Command
			switch {
			case look.Table.Status == domain.TableStarted && look.Table.Clock == nil && p.Holds(id) && p.Humans() &&
				len(p.Holders) == 1:
				does = desk.Lend{Seat: seat}
			case look.Table.Status == domain.TableOpen && (p.Holds(id) || asked && invited == seat):
				does = desk.Leave{Command: desk.Decline{Seat: seat, Person: id}}
			default:
				continue
			}
			because := events.Because("set aside", look.Name[:], []byte(id), []byte{byte(i)}, look.TableHead.Hash[:])
			if _, err := h.Desk.DoCaused(ctx, actor, look.Name, because, does); err != nil {
				if _, refused := domain.AsRefusal(err); !refused { // nobody else is there to wait
					return fmt.Errorf("table %s: %w", look.Name, err)
				}
			}
		}
		return nil
	})
}

// banAgain applies the log's bans, in case people.db is older than the log.
func (h *House) banAgain(ctx context.Context) error {
	all, err := h.Desk.Bans(ctx)
	if err != nil {
		return err
	}
	for id, b := range all {
		out, err := h.People.Banned(ctx, id)
		if err != nil {
			return err
		}
		switch {
		case b.Now && !out:
			err = h.People.Ban(ctx, id, b.Reason)
		case !b.Now && out:
			err = h.People.Unban(ctx, id)
		default:
			continue
		}
		if errors.Is(err, people.ErrNobody) {
			continue
		}
		if err != nil {
			return err
		}
		h.Logger.Warn("people.db did not say what the log says about who is banned; it does now", "person", string(id),
			"banned", b.Now)
	}
	return nil
}

// Ban keeps a person out, for the host's page.
func (s hosting) Ban(ctx context.Context, by events.Actor, id domain.PersonID, reason string) error {
	return s.h.Ban(ctx, by, id, reason)
}

// Unban lets a person in again, for the host's page.
func (s hosting) Unban(ctx context.Context, by events.Actor, id domain.PersonID) error {
	return s.h.unban(ctx, by, id)
}
