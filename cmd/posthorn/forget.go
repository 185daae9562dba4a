package main

import (
	"context"
	"errors"
	"fmt"

	"posthorn/events/people"
)

type forgetCmd struct {
	dataSettings
	Address string `arg:"" help:"The person's address."`
}

// Help is what the sub-command says about itself.
func (forgetCmd) Help() string {
	return `Forgets a person: their name, address, sessions and everything they wrote. Stand-ins play
their running games on, so that nobody else loses one; the moves stay, without a name. A
backup that is restored later does not bring them back. The server must not be running.`
}

// Run forgets somebody.
func (c *forgetCmd) Run(con console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	return inHouse(c.Data, func(ctx context.Context, h *house) error {
		p, err := h.people.ByAddress(ctx, a)
		if errors.Is(err, people.ErrNobody) {
			return &exit{1, fmt.Errorf("nobody here has the address %s", c.Address)}
		}
		if err != nil {
			return err
		}
		left, err := h.forget(ctx, p.ID)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.out, "Forgotten. %d running games are played on by stand-ins.\n", left)
		return err
	})
}
