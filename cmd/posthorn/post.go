package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
)

// inQueue runs do with the mail queue of a house, which may be running.
func inQueue(ctx context.Context, data string, do func(*mail.Outbox) error) (err error) {
	path := filepath.Join(data, "mail.db")
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no mail queue in %s (name the folder of a house with --data): %w", data, err)
	}
	keys, err := folder.ServerKeys(data)
	if err != nil {
		return err
	}
	queue, err := mail.OpenQueue(ctx, path, keys, time.Now)
	if err != nil {
		return folder.Explain(ctx, data, "mail.db", err)
	}
	defer func() { err = errors.Join(err, queue.Close()) }()
	name, known, err := folder.HouseName(ctx, data)
	if err == nil && known {
		err = queue.Belongs(ctx, name)
	}
	if err == nil {
		err = do(queue)
	}
	return folder.Explain(ctx, data, "mail.db", err)
}

type mailCmd struct {
	List   mailListCmd   `cmd:"" help:"What waits, and what failed for good."`
	Resend mailResendCmd `cmd:"" help:"Send letters again that failed for good."`
	Reach  mailReachCmd  `cmd:"" help:"Forget that mails to an address came back, and send to it again."`
}

type mailListCmd struct{ folder.Settings }

// Help returns the long help of the sub-command.
func (mailListCmd) Help() string {
	return `Says whether the mail server takes mail, how many letters wait and about which tables, and
lists the letters that failed for good, each with its number and the server's answer, and the
people whose mails come back. The server may be running.`
}

// Run prints the list.
func (c *mailListCmd) Run(ctx context.Context, con console.Console) error {
	return inQueue(ctx, c.Data, func(queue *mail.Outbox) error {
		for _, f := range []func(context.Context, string, *mail.Outbox) ([]finding, error){queueStands, queueFailed,
			queueUnreachable} {
			found, err := f(ctx, c.Data, queue)
			if err != nil {
				return err
			}
			for _, f := range found {
				fmt.Fprintln(con.Out, f.text)
			}
		}
		return nil
	})
}

type mailResendCmd struct {
	folder.Settings
	Letters []int64 `arg:"" optional:"" help:"The letters' numbers, as \"posthorn mail list\" prints them."`
	Table   string  `help:"All that failed about a table: the 32 digits in its address."`
	All     bool    `help:"All that failed."`
}

// Help returns the long help of the sub-command.
func (mailResendCmd) Help() string {
	return `Lets letters that failed for good be sent again, under the Message-ID that they had; what is
not needed any more is dropped. Sign-in mails are not sent again: their links are over. If
the server is running, it sends them within a minute.`
}

// Run puts the letters back into the queue.
func (c *mailResendCmd) Run(ctx context.Context, con console.Console) error {
	which := mail.Again{IDs: c.Letters, All: c.All}
	if c.Table != "" {
		name, err := events.ParseName(c.Table)
		if err != nil {
			return console.Fails(2, "--table %q: %w", c.Table, err)
		}
		which.Table = name
	}
	ways := 0
	for _, given := range []bool{len(c.Letters) > 0, c.Table != "", c.All} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return console.Fails(2, "name either letters, by the numbers that \"posthorn mail list\" "+
			"prints, or --table, or --all")
	}
	return inQueue(ctx, c.Data, func(queue *mail.Outbox) error {
		n, err := queue.Resend(ctx, which)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(con.Out, "%d letters are sent again.\n", n); err != nil || n > 0 {
			return err
		}
		return console.Fails(1, "no such letter failed for good")
	})
}

type mailReachCmd struct {
	folder.Settings
	Address string `arg:"" help:"The person's address."`
}

// Help returns the long help of the sub-command.
func (mailReachCmd) Help() string {
	return `Forgets the mails that came back from somebody's address, so that their seats are not shown
as unreachable any more. The server may be running.`
}

// Run forgets the mails that came back.
func (c *mailReachCmd) Run(ctx context.Context, con console.Console) error {
	a, err := people.ParseAddress(c.Address)
	if err != nil {
		return console.Fails(2, "address %q: %w", c.Address, err)
	}
	return inQueue(ctx, c.Data, func(queue *mail.Outbox) error {
		return ofPeople(ctx, c.Data, func(store *people.Store) error {
			p, err := store.ByAddress(ctx, a)
			if errors.Is(err, people.ErrNobody) {
				return console.Fails(1, "nobody here has the address %s", c.Address)
			}
			if err == nil {
				err = queue.Reached(ctx, p.ID, string(p.Address))
			}
			if err == nil {
				_, err = fmt.Fprintln(con.Out, "Forgotten: their mails are taken to arrive.")
			}
			return err
		})
	})
}

// ofPeople runs do with the people.db of a house, which may be running.
func ofPeople(ctx context.Context, data string, do func(*people.Store) error) error {
	keys, err := folder.ServerKeys(data)
	if err != nil {
		return err
	}
	return folder.WithPeople(ctx, data, keys, false, do)
}
