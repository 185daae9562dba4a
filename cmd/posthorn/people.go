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

type peopleCmd struct {
	List      peopleListCmd      `cmd:"" help:"List people, and who is banned. The server may be running."`
	Invite    peopleInviteCmd    `cmd:"" help:"Let an address sign in and open tables, whatever --signup and --opening say. Stop the server first."`
	Ban       peopleBanCmd       `cmd:"" help:"Keep a person out. Stop the server first, or use the host's page."`
	Unban     peopleUnbanCmd     `cmd:"" help:"Let a person in again. Stop the server first, or use the host's page."`
	Readdress peopleReaddressCmd `cmd:"" help:"Give somebody who lost their address another one. Stop the server first."`
	Signup    peopleSignupCmd    `cmd:"" help:"Set who may sign up: open, invited or closed. Stop the server first, or use the host's page."`
}

// parseAddress parses an address that was typed.
func parseAddress(text string) (people.Address, error) {
	a, err := people.ParseAddress(text)
	if err != nil {
		err = console.Fails(2, "address %q: write it as name@example.org", text)
	}
	return a, err
}

type peopleListCmd struct{ folder.Settings }

// Run lists everybody.
func (c *peopleListCmd) Run(ctx context.Context, con console.Console) error {
	keys, err := folder.ServerKeys(c.Data)
	if err != nil {
		return err
	}
	return folder.WithPeople(ctx, c.Data, keys, false, func(store *people.Store) error {
		all, err := store.List(ctx, 1_000_000)
		if err != nil {
			return err
		}
		bans, err := store.Bans(ctx)
		if err != nil {
			return err
		}
		out := map[domain.PersonID]people.Ban{}
		gone := 0
		for _, b := range bans {
			if out[b.Person] = b; b.Person == "" {
				gone++
			}
		}
		for _, p := range all {
			says := "here since " + minute(p.Confirmed)
			if p.Confirmed.IsZero() {
				says = "invited " + minute(p.Created) + ", never signed in"
			}
			if p.Host {
				says += ", host"
			}
			if b, ok := out[p.ID]; ok {
				says += ", BANNED " + minute(b.Since)
				if why := house.Opened(store)(ctx, p.ID, b.Reason); why != "" {
					says += ": " + why
				}
			}
			have, err := store.Addresses(ctx, p.ID)
			if err != nil {
				return err
			}
			for _, o := range have[min(1, len(have)):] {
				says += ", also " + string(o.Address)
				if !o.Until.IsZero() {
					says += " (removed)"
				}
			}
			fmt.Fprintf(con.Out, "%s  %s  %s\n", p.Address, p.Display(), says)
		}
		if gone > 0 {
			fmt.Fprintf(con.Out, "%d addresses of people who were forgotten are kept out, too.\n", gone)
		}
		return nil
	})
}

type peopleInviteCmd struct {
	folder.Settings
	Address string `arg:"" help:"Who may sign in and open tables."`
}

// Run lets an address in.
func (c *peopleInviteCmd) Run(ctx context.Context, con console.Console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		if err := h.People.InviteOpener(ctx, a); err != nil {
			return err
		}
		_, err := fmt.Fprintf(con.Out, "%s may sign in and open tables. Nobody was mailed: tell them.\n", a)
		return err
	})
}

type peopleBanCmd struct {
	folder.Settings
	Reason  string `help:"Why, for those who run the house alone."`
	Address string `arg:"" help:"Whom to keep out. They need not be here yet."`
}

// Run keeps a person out.
func (c *peopleBanCmd) Run(ctx context.Context, con console.Console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		p, err := h.People.Ensure(ctx, a, "")
		if err != nil {
			return err
		}
		if p.Host {
			return console.Fails(1, "%s runs this house: take them out of --host first", a)
		}
		if err := h.Ban(ctx, events.Actor{Door: domain.DoorHost}, p.ID, c.Reason); err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.Out, "%s is banned: signed out, and without mails, invitations and commands. "+
			"\"posthorn people unban\" takes it back.\n", a)
		return err
	})
}

type peopleUnbanCmd struct {
	folder.Settings
	Address string `arg:"" help:"Whom to let in again."`
}

// Run lets a person in again.
func (c *peopleUnbanCmd) Run(ctx context.Context, con console.Console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		p, err := h.People.ByAddress(ctx, a)
		if err == nil {
			err = h.Desk.Unban(ctx, events.Actor{Door: domain.DoorHost}, p.ID)
		}
		if err != nil && !errors.Is(err, people.ErrNobody) {
			return err
		}
		was, err := h.People.UnbanAddress(ctx, a)
		if err == nil && !was {
			err = console.Fails(1, "nobody with the address %s is banned; \"posthorn people list\" says who is", a)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.Out, "%s may sign in again. Seats that stand-ins keep for them are "+
			"theirs again at a press.\n", a)
		return err
	})
}

type peopleReaddressCmd struct {
	folder.Settings
	Address string `arg:"" help:"An address that is theirs."`
	To      string `arg:"" help:"The address that they read now. Be sure that it is theirs: whoever reads it is that person here."`
}

// Help returns the long help of the sub-command.
func (peopleReaddressCmd) Help() string {
	return `Gives a person another address. Their mails go there, and they sign in with it. Where
their mails went until now is told by a mail as soon as the server runs; whoever reads it
can take the change back by a press for a week, and after that it is theirs no longer.`
}

// Run gives a person another address.
func (c *peopleReaddressCmd) Run(ctx context.Context, con console.Console) error {
	a, err := parseAddress(c.Address)
	if err != nil {
		return err
	}
	to, err := parseAddress(c.To)
	if err != nil {
		return err
	}
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		p, err := h.People.ByAddress(ctx, a)
		if errors.Is(err, people.ErrNobody) {
			return console.Fails(1, "nobody here has the address %s", a)
		}
		if err == nil {
			err = h.Readdress(ctx, p.ID, to)
		}
		if refused, ok := domain.AsRefusal(err); ok {
			return console.Fails(1, "%s cannot be the address of %s: %s", to, a, readdressRefused[refused.Code])
		}
		if errors.Is(err, people.ErrLink) {
			return console.Fails(1, "%s is banned", to)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(con.Out, "%s is the address of %s now: they sign in with it. %s is told once the server "+
			"runs, and can take this back for a week.\n", to, p.Display(), p.Address)
		return err
	})
}

// readdressRefused says why somebody cannot have an address.
var readdressRefused = map[string]string{
	"address-taken":  "it has an account of its own; its person can delete that in the settings",
	"address-same":   "their mails go there already",
	"addresses-many": "they have too many; they remove one in the settings",
}

type peopleSignupCmd struct {
	folder.Settings
	To string `arg:"" enum:"open,invited,closed" help:"open: whoever has an address. invited: whom somebody here has invited, or a host let in. closed: nobody new."`
}

// Run changes who may join this house.
func (c *peopleSignupCmd) Run(ctx context.Context, con console.Console) error {
	return house.Within(ctx, c.Data, func(ctx context.Context, h *house.House) error {
		if err := h.People.SetSignup(ctx, people.Signup(c.To)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(con.Out,
			"Who may sign up: %s. --signup, where it is given to \"serve\", comes before this.\n", c.To)
		return err
	})
}
