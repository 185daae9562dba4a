package house

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// Forget makes a person leave their tables, records that they are forgotten, by whom, and forgets them. It returns how
// many running games they left.
func (h *House) Forget(ctx context.Context, by events.Actor, id domain.PersonID) (int, error) {
	actor := events.Actor{Person: id, Door: domain.DoorHost}
	tables, err := folder.TablesOf(ctx, h.Log)
	if err != nil {
		return 0, err
	}
	left := 0
	err = h.Desk.Each(ctx, tables, func(look desk.Look) error {
		if !look.Table.Knows(id) || look.Table.Status == domain.TableEnded {
			return nil
		}
		n, err := h.Leave(ctx, actor, look)
		left += n
		return err
	})
	if err != nil {
		return left, err
	}
	if err := h.Desk.Forget(ctx, by, id); err != nil {
		return left, err
	}
	return left, h.People.Forget(ctx, id)
}

// Leave gives up every seat that a person holds or is invited to at a table. It returns how many
// seats of a running game it gave up.
func (h *House) Leave(ctx context.Context, a events.Actor, look desk.Look) (int, error) {
	left := 0
	for i, p := range look.Table.Places {
		seat := domain.Seat(i)
		invited, asked := look.Table.InvitedTo(a.Person)
		var gives desk.Command
		switch {
		case look.Table.Status == domain.TableStarted && p.Holds(a.Person) && p.Humans() && len(p.Holders) == 1:
			gives = desk.Resign{Seat: seat}
			left++
		case look.Table.Status == domain.TableOpen && (p.Holds(a.Person) || asked && invited == seat):
			gives = desk.Decline{Seat: seat, Person: a.Person}
		default:
			continue
		}
		// somebody invited again can leave again
		because := events.Because("leave", look.Name[:], []byte(a.Person), []byte{byte(i)}, look.TableHead.Hash[:])
		if _, err := h.Desk.DoCaused(ctx, a, look.Name, because, desk.Leave{Command: gives}); err != nil {
			if _, refused := domain.AsRefusal(err); !refused {
				return left, fmt.Errorf("leave table %s: %w", look.Name, err)
			}
		}
	}
	return left, nil
}

// withdrawAgain applies the log's withdrawals of passes, in case people.db is older than the log.
func (h *House) withdrawAgain(ctx context.Context) error {
	epochs, err := h.Desk.Withdrawn(ctx)
	if err != nil {
		return err
	}
	for id, epoch := range epochs {
		if err := h.People.WithdrawPasses(ctx, id, epoch); err != nil && !errors.Is(err, people.ErrNobody) {
			return err
		}
	}
	return nil
}

// forgetAgain forgets again everybody who is forgotten in the log, in case a backup of people.db brought somebody back.
func (h *House) forgetAgain(ctx context.Context) error {
	ids, err := h.Desk.Forgotten(ctx)
	if err != nil {
		return err
	}
	var back []string
	for _, id := range ids {
		if _, err := h.People.Person(ctx, id); errors.Is(err, people.ErrNobody) {
			continue
		}
		if err := h.People.Forget(ctx, id); err != nil {
			return err
		}
		back = append(back, string(id))
	}
	if len(back) > 0 {
		h.Logger.Warn("people.db had brought back somebody who was forgotten; they are forgotten again", "people",
			strings.Join(back, " "))
	}
	return nil
}
