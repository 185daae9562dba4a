package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/events/watch"
	"posthorn/mail"
	"posthorn/mail/imap"
)

// probeWait is how long a mail may be on its way to the account that sent it.
var probeWait = 90 * time.Second

// probePause is how long setup waits before it looks again whether the mail came.
const probePause = 20 * time.Millisecond

// usualInbound guesses where answers come in: to the mailbox of the account that sends.
func (s *setting) usualInbound() string {
	u, err := url.Parse(s.cfg.SMTP)
	switch {
	case err != nil || s.provider.Plus == "no":
		return "none"
	case u.User == nil:
		return "lmtp://127.0.0.1:2424"
	case s.provider.IMAP != "":
		return "imaps://" + s.provider.IMAP
	}
	return "imaps://" + strings.Replace(u.Hostname(), "smtp.", "imap.", 1)
}

// tryMailbox signs in to a mailbox, and looks whether a mail to an address with a + comes into it.
func (s *setting) tryMailbox(ctx context.Context, text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", imap.ErrAddress
	}
	if u.User == nil {
		u.User = s.mailboxUser(bare(u))
	}
	a, err := imap.ReadAccount(u.String(), s.env.Get("POSTHORN_INBOUND_PASSWORD_FILE"))
	if err != nil {
		return "", err
	}
	if _, err := a.Try(ctx); err != nil { // it has a bound of its own: a mailbox can be large
		if errors.Is(err, imap.ErrUnreachable) || errors.Is(err, imap.ErrTLS) {
			return "", setup.Plain(err, net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "993")),
				"Mailboxes are read at 993 (imaps://) or 143 (imap://)")
		}
		if errors.Is(err, imap.ErrLogin) && s.provider.Password != "" {
			err = fmt.Errorf("%w\n%s wants %s", err, s.provider.Name, s.provider.Password)
		}
		return "", err
	}
	s.ask.Say("The mailbox lets us in.")
	if s.DryRun {
		a.Handled = "" // the mail stays where it is
	}
	return u.String(), s.probes(ctx, a)
}

// mailboxUser returns who signs in to a mailbox: whoever did, or the account that sends.
func (s *setting) mailboxUser(address string) *url.Userinfo {
	if present, err := url.Parse(s.cfg.Inbound); err == nil && bare(present) == address {
		return present.User
	}
	u, err := url.Parse(s.cfg.SMTP)
	if err != nil {
		return nil
	}
	return u.User
}

// probes sends a mail to an address like those that people answer to, and waits until it comes into the mailbox.
func (s *setting) probes(ctx context.Context, a imap.Account) error {
	base := cmp.Or(s.cfg.ReplyTo, s.cfg.From)
	p := &probe{to: mail.ReplyAddress(base, "posthorn-setup-"+strings.ToLower(rand.Text()[:8]))}
	within, cancel := context.WithTimeout(ctx, probeWait)
	f := &imap.Fetcher{Account: a, Takers: p, Marks: p, Pace: imap.DefaultPace, Log: slog.New(slog.DiscardHandler),
		Now: time.Now}
	ended := make(chan error, 1)
	go func() { ended <- f.Run(within) }()
	defer func() { cancel(); <-ended }()
	for !f.Standing().Up { // then it knows what lies there already
		if trouble := f.Standing().Trouble; trouble != nil {
			return trouble
		}
		if err := watch.Pause(within, probePause); err != nil {
			return err
		}
	}
	s.ask.Say("A mail goes to %s, as an answer would…", p.to)
	t, err := mail.NewSMTP(s.cfg.SMTP, house.HelloOf(s.cfg.From), 1)
	if err != nil {
		return err
	}
	text, err := mail.Test(s.cfg.From, p.to, time.Now())
	if err == nil {
		_, err = t.Send(within, s.cfg.From, p.to, text)
	}
	if err = errors.Join(err, t.Close()); mail.RefusesSender(err) {
		return fmt.Errorf("the server does not let this account write as %s: press Ctrl-C, begin again, and name its "+
			"own address (%w)", s.cfg.From, err)
	}
	if err != nil {
		return fmt.Errorf("the server does not send it: %w\n%s", err, noPlus)
	}
	for f.Standing().Ours == 0 { // then it has been put away
		if err := watch.Pause(within, probePause); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return fmt.Errorf("it did not come within %d seconds\n%s", int(probeWait.Seconds()), noPlus)
		}
	}
	s.ask.Say("It came.")
	return nil
}

const noPlus = "Perhaps it lies in a folder for spam. Perhaps this provider knows no addresses with a +: then use an " +
	"account\nelsewhere, or a domain of your own whose mails all come into this mailbox (a catch-all). Or type none: " +
	"mails are\nthen answered by their links."

// probe takes one mail. It keeps in memory how far the folder was read.
type probe struct {
	to    string
	read  mail.Fetched
	began bool
}

// Takes reports whether an address is the probe's.
func (p *probe) Takes(rcpt string) bool { return strings.EqualFold(rcpt, p.to) }

// Take takes the mail.
func (p *probe) Take(string, string, []byte) error { return nil }

// Fetched returns how far the folder was read.
func (p *probe) Fetched(context.Context, string) (mail.Fetched, bool, error) {
	return p.read, p.began, nil
}

// SetFetched keeps it.
func (p *probe) SetFetched(_ context.Context, _ string, m mail.Fetched) error {
	p.read, p.began = m, true
	return nil
}
