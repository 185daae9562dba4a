package main

import (
	"context"
	"errors"
	"fmt"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

type forgetCmd struct {
	folder.Settings
	Address string `arg:"" help:"The person's address."`
}

// Help returns the long help of the sub-command.
func (forgetCmd) Help() string {
	return `Forgets a person: their name, address, sessions and everything they wrote. Stand-ins play
their running games on, so that nobody else loses one; the moves stay, without a name. A
backup that is restored later does not bring them back. The server must not be running.`
}

// Run forgets a person.
func (c *forgetCmd) Run(ctx context.Context, con console.Console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		p, err := h.People.ByAddress(ctx, a)
		if errors.Is(err, people.ErrNobody) {
			return console.Fails(1, "nobody here has the address %s", c.Address)
		}
		if err != nil {
			return err
		}
		left, err := h.Forget(ctx, events.Actor{Door: domain.DoorHost}, p.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.Out, "Forgotten. %d running games are played on by stand-ins.\n", left)
		return err
	})
}
