package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/http/door"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/bounce"
	"posthorn/mail/imap"
	"posthorn/mail/inbound"
)

// The mail that tries how answers come in plays this move, which whoever begins can make, at a table of this game.
const TriedGame, TriedMove = "catan", "settle 0 road 0"

// openInbound opens the door for answers to mails and puts its address into the mails, if the host asks for it.
func (h *House) openInbound(ctx context.Context, passes *pass.Maker) (err error) {
	last, err := h.Log.Last(ctx)
	if err != nil {
		return err
	}
	if h.Config.Inbound == "" {
		if h.Config.ReplyTo != "" || h.Config.AnySender || h.Config.AuthServ != "" {
			return errors.New("--reply-to, --any-sender and --authserv-id say how answers to mails are taken: name " +
				"where they come in with --inbound")
		}
		if h.Mailbox == nil || mail.CheckReplyTo(h.Config.From, last) != nil {
			return nil
		}
		// There is no other way in and no other mailbox.
		h.answers, h.own = h.takesAnswers(h.Config.From, passes)
		h.Mailbox.Answered(h.byMailbox())
		return nil
	}
	if h.Config.AuthServ != "" && strings.HasPrefix(h.Config.Inbound, "smtp:") {
		return errors.New("--authserv-id needs a mail server in front that hands mails over by lmtp, or keeps them " +
			"for imap: by smtp, anybody could claim what it says")
	}
	to := cmp.Or(h.Config.ReplyTo, h.Config.From)
	if err := mail.CheckReplyTo(to, last); err != nil {
		return fmt.Errorf("--reply-to %s: %w", to, err)
	}
	h.answers, h.own = h.takesAnswers(to, passes)
	if h.Mailbox != nil {
		h.Mailbox.Answered(h.byMailbox())
	}
	_, name, _ := strings.Cut(to, "@")
	h.Sender.Return = mail.NewReturnAddress(to, h.Keys)
	back := &bounce.Door{Address: h.Sender.Return, Outbox: h.Outbox, People: h.People, Log: h.Logger}
	tried := &inbound.Tried{Address: h.Sender.Return, Checker: h.answers.Checker, Log: h.Logger,
		Keys: h.Keys, Named: rulebooks.Named, Game: TriedGame,
		Note: func(mark string, believed bool, unplayed string) error {
			return folder.NoteTried(h.Config.Data, folder.Tried{Mark: mark, Believed: believed, Unplayed: unplayed})
		}}
	if h.Config.AtProvider() {
		// In a mailbox where others' mails lie, what bears no token is not ours: nobody takes it.
		return h.fetches(inbound.NewTakers(h.Logger, h.answers, tried, back))
	}
	post := &inbound.Postmaster{Domains: []string{name, HelloOf(h.Config.From)}, Dir: h.Path("postmaster"),
		Log: h.Logger, Now: time.Now}
	if h.Inbound, err = inbound.Listen(ctx, h.Config.Inbound, name, h.Logger, h.answers, h.own, tried, back,
		post); err != nil {
		return fmt.Errorf("--inbound: %w", err)
	}
	h.Closers = append(h.Closers, h.Inbound)
	if h.TLS != nil && strings.HasPrefix(h.Config.Inbound, "smtp:") {
		h.Inbound.Secure(h.forMail())
	}
	return nil
}

// fetches has mails fetched from a mailbox at a provider.
func (h *House) fetches(takers *inbound.Takers) error {
	a, err := h.Config.Account()
	if err != nil {
		return err
	}
	h.Fetcher = &imap.Fetcher{Account: a, Takers: takers, Marks: h.Outbox, Pace: imap.DefaultPace, Log: h.Logger,
		Now: time.Now}
	return nil
}

// AtProvider reports whether --inbound names a mailbox at a provider.
func (c *Settings) AtProvider() bool {
	scheme, _, _ := strings.Cut(strings.ToLower(c.Inbound), ":")
	return scheme == "imap" || scheme == "imaps"
}

// Account returns the mailbox that --inbound names.
func (c *Settings) Account() (imap.Account, error) {
	a, err := imap.ReadAccount(c.Inbound, c.PassFile)
	if err != nil {
		return a, fmt.Errorf("--inbound: %w", err)
	}
	return a, nil
}

// takesAnswers makes mails name the address to answer to, and returns what takes the answers, and the mails to the
// house's own addresses.
func (h *House) takesAnswers(to string, passes *pass.Maker) (*inbound.Door, *inbound.Own) {
	c := h.Sender.Composer
	c.ReplyTo, c.Hosts = to, h.Config.Host
	answers := &inbound.Door{ReplyTo: to, Passes: passes, Desk: h.Desk, Maker: c.Maker, People: h.People,
		Directory: c.Directory,
		Outbox:    h.Outbox, AnyFrom: h.Config.AnySender,
		Checker: authentic.Checker{DNS: h.Config.DNS, Server: h.Config.AuthServ, Delivered: h.Config.AtProvider()},
		Log:     h.Logger, Now: time.Now, Again: h.again}
	own := &inbound.Own{Addresses: []string{c.From, to}, Keys: h.Keys, People: h.People, Outbox: h.Outbox,
		Log:     h.Logger,
		Checker: answers.Checker, Now: time.Now}
	return answers, own
}

// again opens the game of a finished table once more for somebody who answers the mail about its end.
func (h *House) again(ctx context.Context, person domain.PersonID, table events.Name) (
	again events.Name, ok bool, err error) {
	if h.Server == nil {
		return again, false, nil
	}
	return h.Server.Again(ctx, person, table, domain.DoorReply)
}

// byMailbox takes the mails that are typed on the page of the built-in mailbox. Only this machine sees that, and what
// is mailed to everybody, so nothing else needs to prove whose they are.
func (h *House) byMailbox() func(ctx context.Context, rcpt, sender string, raw []byte) error {
	door := *h.answers
	door.Trusted = true
	return inbound.Handler(&door, h.own)
}

// answered shows pages the answers by mail that nothing proves to be their person's, and carries them out.
type answered struct{ door *inbound.Door }

// Held returns the answer that a pass is about.
func (a answered) Held(ctx context.Context, f pass.Facts) (door.Held, bool, error) {
	h, ok, err := a.door.Held(ctx, f)
	return door.Held{Table: h.Table, From: h.From, At: h.Made, Lines: h.Lines, By: h.By, Unsigned: h.Unsigned,
		Known: h.Known}, ok, err
}

// Confirm carries it out.
func (a answered) Confirm(ctx context.Context, f pass.Facts, unsigned bool) ([]string, bool, error) {
	return a.door.Confirm(ctx, f, unsigned)
}
