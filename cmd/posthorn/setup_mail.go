package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/inbound"
)

// serverWait is how long a mail server may take to let setup in.
const serverWait = 20 * time.Second

// account asks whose mails the house sends, and signs in there.
func (s *setting) account(ctx context.Context) (err error) {
	before := s.cfg.From
	if s.cfg.From, err = s.ask.Ask(ctx, setup.Question{
		Text: "3/6  From which mail address does the house write? An account that programs may sign in to, best one\n" +
			"     of its own: people's answers come back to it.",
		Flag: "--from", Given: s.From, Default: before, Try: s.tryFrom}); err != nil {
		return err
	}
	present := &url.URL{}
	if before == s.cfg.From && s.cfg.SMTP != "" {
		if present, err = url.Parse(s.cfg.SMTP); err != nil {
			present = &url.URL{}
		}
	}
	given, err := url.Parse(s.SMTP)
	if err != nil {
		return fmt.Errorf("--smtp: %w", mail.ErrSMTPAddress)
	}
	usual := cmp.Or(bare(present), s.provider.SMTP, guessed(ctx, house.HelloOf(s.cfg.From)))
	server, err := s.ask.Ask(ctx, setup.Question{
		Text: "     Its provider's server for sending: smtps://NAME:465, or smtp://NAME:587",
		Flag: "--smtp", Given: bare(given), Default: usual,
		Try: func(ctx context.Context, text string) (string, error) {
			text = smtpAddress(text)
			return text, s.trySMTP(ctx, text)
		}})
	if err != nil {
		return err
	}
	if bare(present) != server {
		present = &url.URL{}
	}
	s.cfg.SMTP, err = s.signIn(ctx, server, given.User, present.User)
	return err
}

// tryFrom looks who provides an address.
func (s *setting) tryFrom(ctx context.Context, text string) (string, error) {
	a, err := people.ParseAddress(text)
	if err != nil {
		return "", errors.New("write it as games@example.org")
	}
	within, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	s.whose = providerOf(within, net.DefaultResolver, house.HelloOf(string(a)))
	if s.provider, _ = setup.ProviderOf(within, net.DefaultResolver, string(a)); s.provider.Refuses != "" {
		return "", fmt.Errorf("%s: name an account elsewhere", s.provider.Refuses)
	}
	return string(a), ctx.Err()
}

// signIn asks for user and password until the server takes them.
func (s *setting) signIn(ctx context.Context, server string, given, present *url.Userinfo) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	usual := present.Username()
	if usual == "" {
		usual = s.provider.User(s.cfg.From)
	}
	about := "     Its password. It is not shown."
	if s.provider.Password != "" {
		about = fmt.Sprintf("     Its password: %s wants %s. It is not shown.", s.provider.Name, s.provider.Password)
	}
	is := func(_ context.Context, text string) (string, error) { return text, nil }
	for {
		user, err := s.ask.Ask(ctx, setup.Question{
			Text: "     The user to sign in as, or none for a server that lets everybody in",
			Flag: "--smtp", Given: given.Username(), Default: usual, Try: is})
		if err != nil || user == "none" {
			return server, err
		}
		typed, _ := given.Password()
		kept := ""
		if user == present.Username() {
			kept, _ = present.Password()
		}
		password, err := s.ask.Ask(ctx, setup.Question{Text: about, Flag: "the password", Given: typed, Default: kept,
			Secret: true, Try: is})
		if err != nil {
			return "", err
		}
		u.User = url.UserPassword(user, password)
		err = s.trySMTP(ctx, u.String())
		if err == nil {
			s.ask.Say("The server lets us in.")
			return u.String(), nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if setup.RefusedPassword(err) && s.provider.Password != "" {
			err = fmt.Errorf("%w\n%s wants %s", err, s.provider.Name, s.provider.Password)
		}
		if !s.ask.Terminal {
			return "", console.Fails(1, "--smtp: %w", err)
		}
		s.ask.Say("%v", err)
		given, usual = nil, user
	}
}

// trySMTP greets a mail server, and signs in if there is a user in its address.
func (s *setting) trySMTP(ctx context.Context, address string) error {
	t, err := mail.NewSMTP(address, house.HelloOf(s.cfg.From), 1)
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, serverWait)
	defer cancel()
	u, _ := url.Parse(address) // it has just been read
	return setup.Plain(t.Try(within), u.Host, "Providers take mails at 465 (smtps://) or 587 (smtp://)")
}

// guessed returns the server that a domain most likely sends by, if there is one of that name.
func guessed(ctx context.Context, domain string) string {
	within, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	for _, name := range []string{"smtp." + domain, "mail." + domain} {
		if _, err := net.DefaultResolver.LookupHost(within, name); err == nil {
			return "smtps://" + name + ":465"
		}
	}
	return ""
}

// smtpAddress completes the address of a mail server.
func smtpAddress(text string) string {
	if !strings.Contains(text, "://") {
		scheme := "smtp://"
		if _, port, err := net.SplitHostPort(text); port == "465" || err != nil && text != "localhost" {
			scheme = "smtps://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Port() != "" {
		return text
	}
	port := map[string]string{"smtps": ":465", "smtp": ":587"}[u.Scheme]
	if u.Host == "localhost" && u.Scheme == "smtp" {
		port = ":25"
	}
	u.Host += port
	return u.String()
}

// bare returns an address without its user, "" for none.
func bare(u *url.URL) string {
	b := *u
	b.User = nil
	return b.String()
}

// answers asks where answers come in.
func (s *setting) answers(ctx context.Context) (err error) {
	present, err := url.Parse(s.cfg.Inbound)
	if err != nil {
		present = &url.URL{}
	}
	given, usual := s.Inbound, bare(present)
	if usual == "" {
		usual = s.usualInbound()
	}
	s.cfg.Inbound, err = s.ask.Ask(ctx, setup.Question{
		Text: "4/6  Where do people's answers come in? imaps://NAME: the account's own mailbox, in which other\n" +
			"     mails stay as they are. lmtp://127.0.0.1:2424: a mail server on this machine hands them over.\n" +
			"     none: mails are answered by their links alone.",
		Flag: "--inbound", Given: given, Default: usual, Try: s.tryInbound})
	return err
}

// tryInbound tries a way in for answers.
func (s *setting) tryInbound(ctx context.Context, text string) (string, error) {
	if strings.EqualFold(text, "none") {
		return "", nil
	}
	if err := mail.CheckReplyTo(cmp.Or(s.cfg.ReplyTo, s.cfg.From), 0); err != nil {
		return "", fmt.Errorf("answers cannot come to %s: %w", cmp.Or(s.cfg.ReplyTo, s.cfg.From), err)
	}
	if strings.HasPrefix(text, "imap://") || strings.HasPrefix(text, "imaps://") {
		return s.tryMailbox(ctx, text)
	}
	if text == s.cfg.Inbound {
		return text, nil // the house may be running, and listen there
	}
	door, err := inbound.Listen(ctx, text, "localhost", slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	return text, door.Close()
}

// host asks who runs the house, and writes to them.
func (s *setting) host(ctx context.Context) (err error) {
	kept, err := s.ask.Ask(ctx, setup.Question{
		Text: "5/6  Your own mail address? Whoever signs in with it has the page of the host. A test mail goes there.",
		Flag: "--host", Given: strings.Join(s.Host, ","), Default: strings.Join(s.cfg.Host, ","), Try: s.tryHost})
	s.cfg.Host = fields(kept)
	return err
}

// tryHost sends a test mail to the first of several addresses.
func (s *setting) tryHost(ctx context.Context, text string) (string, error) {
	var all []string
	for _, t := range fields(text) {
		a, err := people.ParseAddress(t)
		if err != nil {
			return "", errors.New("write it as you@example.org; several with commas between them")
		}
		all = append(all, string(a))
	}
	if len(all) == 0 {
		return "", errors.New("write it as you@example.org")
	}
	try := &doctorCmd{Settings: s.cfg, To: all[0]}
	try.DKIM = false // there are no keys yet
	if _, err := try.test(ctx); err != nil {
		return "", err
	}
	s.ask.Say("The server took a mail to %s. Look whether it comes, and whether it is taken for spam.", all[0])
	return strings.Join(all, ","), nil
}
