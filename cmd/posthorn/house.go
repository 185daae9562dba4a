package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	nethttp "net/http"
	"net/url"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/record"
	"posthorn/events/relay"
	"posthorn/events/runner"
	"posthorn/events/safe"
	"posthorn/http"
	"posthorn/http/courier"
	"posthorn/mail"
	"posthorn/mail/hook"
	"posthorn/mail/inbound"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// house is every part, opened and wired.
type house struct {
	cfg         houseSettings
	logger      *slog.Logger
	log         events.Log
	safe        *safe.Log // the same, with --safe replicated; else nil
	keys        *events.Keys
	desk        *events.Desk
	people      *people.Store
	relay       *relay.Relay
	follower    events.Follower // what everything that follows the log reads through
	views       *views.Views
	checkpoints *checkpoint.Keeper
	outbox      *mail.Outbox
	mailbox     *mail.Mailbox // nil with --smtp
	smtp        *mail.SMTP
	inbound     *inbound.Server // nil without --inbound
	sender      *mail.Sender
	server      *http.Server
	listen      net.Listener
	tls         *tls.Config // nil where a web server in front does it
	onwards     nethttp.Handler
	watched     *watched
	held        func() bool       // whether this server still is the one that writes, of several; nil where there is one
	receiver    *courier.Receiver // of what servers pass on that only read; nil where this server is not one of several
	closers     []io.Closer
	resting     []func(context.Context) error // parts that keep what can be read again
}

// openHouse opens every part. Close it also after an error.
func openHouse(ctx context.Context, cfg houseSettings, logger *slog.Logger) (h *house, err error) {
	h = &house{cfg: cfg}
	h.watched = newWatched(h)
	h.logger = slog.New(counted{Handler: logger.Handler(), lines: h.watched.says, told: h.watched.told})
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	for _, open := range []func(context.Context) error{h.openLog, h.openCheckpoints, h.openPeople, h.openMail, h.openPages} {
		if err := open(ctx); err != nil {
			return h, err
		}
	}
	return h, nil
}

// Close closes everything, the last opened first.
func (h *house) Close() error {
	var err error
	for i := len(h.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, h.closers[i].Close())
	}
	h.closers = nil
	return err
}

func (h *house) path(name string) string { return filepath.Join(h.cfg.Data, name) }

func (h *house) openLog(ctx context.Context) (err error) {
	if h.keys, err = houseKeys(h.cfg.Data); err != nil {
		return err
	}
	file, err := openEvents(ctx, h.cfg.Data, h.keys, h.cfg.NewPeople)
	if err != nil {
		return err
	}
	h.log = file
	h.closers, h.resting = append(h.closers, file), append(h.resting, file.Rest)
	if err := h.openRelay(ctx, file); err != nil {
		return err
	}
	return h.openDesk(ctx)
}

// openDesk opens what reads the log: the desk, and the views.
func (h *house) openDesk(ctx context.Context) (err error) {
	h.desk = events.NewDesk(h.log, h.keys, rulebooks.Named, time.Now)
	h.desk.TellUnreadable(func(u *events.Unreadable) {
		h.logger.Error("a table stands still: its history cannot be read here; the others go on", "table", u.Table.String(), "error", u)
	})
	h.openPacks()
	if h.views, err = views.Open(ctx, h.cfg.Data, h.desk); err != nil {
		return err
	}
	h.closers, h.resting = append(h.closers, h.views), append(h.resting, h.views.Rest)
	if h.views.Discarded != nil {
		h.logger.Warn("the file of the views was damaged, or of another version: it was thrown away and made anew from the log", "error", h.views.Discarded)
	}
	h.views.Alarm = func(err error) { h.logger.Warn("views", "error", err) }
	return nil
}

func (h *house) openPeople(ctx context.Context) (err error) {
	if h.people, err = people.Open(ctx, h.path("people.db"), h.keys, people.Options{Signup: people.Signup(h.cfg.Signup), Seated: h.views.Seated, Full: (&heldBack{logger: h.logger, now: time.Now}).note}); err != nil {
		return damagedPeople(ctx, h.cfg.Data, err)
	}
	h.closers, h.resting = append(h.closers, h.people), append(h.resting, h.people.Rest)
	h.desk.KeepTime(h.people.Calendars)
	limits := events.DefaultLimits
	limits.Mailed = h.people.MayPropose
	h.desk.Limit(limits)
	h.desk.Bar(h.people.Banned)
	if err := errors.Join(h.forgetAgain(ctx), h.withdrawAgain(ctx), h.banAgain(ctx)); err != nil {
		return err
	}
	for _, text := range h.cfg.Host {
		a, err := people.ParseAddress(text)
		if err != nil {
			return fmt.Errorf("--host %s: %w", text, err)
		}
		if _, err := h.people.MakeHost(ctx, a); err != nil {
			return fmt.Errorf("--host %s: %w", text, err)
		}
	}
	return nil
}

func (h *house) openMail(ctx context.Context) (err error) {
	last, err := h.log.Last(ctx)
	if err != nil {
		return err
	}
	if h.outbox, err = mail.OpenOutbox(ctx, h.path("mail.db"), h.keys, last, time.Now); err != nil {
		return damagedMail(ctx, h.cfg.Data, err)
	}
	h.closers, h.resting = append(h.closers, h.outbox), append(h.resting, h.outbox.Rest)
	if err := h.outbox.Sound(ctx); err != nil {
		return damagedMail(ctx, h.cfg.Data, err)
	}
	address, hello := h.cfg.SMTP, "localhost"
	if address == "" {
		if h.mailbox, err = mail.OpenMailbox(h.path("mailbox")); err != nil {
			return err
		}
		address = h.mailbox.Address()
	} else {
		hello = helloOf(h.cfg.From)
	}
	if h.smtp, err = mail.NewSMTP(address, hello, mail.DefaultConnections); err != nil {
		return fmt.Errorf("--smtp: %w", err)
	}
	h.closers = append(h.closers, h.smtp)
	return nil
}

// listens takes the address of the pages and TLS as they are set, and returns where people reach them: at what was listened to, if the host does not say.
func (h *house) listens(ctx context.Context) (u *url.URL, err error) {
	if h.listen, err = (&net.ListenConfig{}).Listen(ctx, "tcp", h.cfg.Listen); err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	h.closers = append(h.closers, closeOnce{h.listen})
	if h.cfg.PublicURL == "" {
		h.cfg.PublicURL = "http://" + h.listen.Addr().String()
	}
	if u, err = url.Parse(h.cfg.PublicURL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("--public-url %q: write it as https://games.example.org", h.cfg.PublicURL)
	}
	h.tls, h.onwards, err = h.secured()
	return u, err
}

func (h *house) openPages(ctx context.Context) error {
	book, err := houseWords()
	if err != nil {
		return err
	}
	u, err := h.listens(ctx)
	if err != nil {
		return err
	}
	if h.mailbox != nil && !loopback(u.Hostname()) {
		return errors.New("others can reach this house, and the built-in mailbox would show them every mail: name a mail server with --smtp")
	}
	if at, ok := h.listen.Addr().(*net.TCPAddr); ok && h.mailbox != nil && !at.IP.IsLoopback() {
		h.logger.Warn("other machines can reach these pages; the built-in mailbox answers to this machine alone, and nobody is sent mail. Listen on 127.0.0.1, or name a mail server with --smtp")
	}
	proxies, err := networks(h.cfg.Proxies)
	if err != nil {
		return err
	}
	maker := turn.NewMaker(h.desk, book, names{h.people})
	passMaker := pass.New(h.keys)
	links := turn.Links{Base: h.cfg.PublicURL}
	h.sender = &mail.Sender{Outbox: h.outbox, Transport: h.smtp, Now: time.Now, Delays: mail.DefaultDelays, GiveUp: mail.DefaultGiveUp,
		Connections: mail.DefaultConnections, Alarm: func(err error) { h.logger.Error("mail", "error", err) }, Tell: h.tellOfMail,
		Composer: &mail.Composer{Desk: h.desk, Maker: maker, Book: book, Directory: mail.PeopleDirectory{People: h.people, Names: names{h.people}},
			Passes: mail.SignedPasses{Maker: passMaker, Epochs: h.people},
			Links:  links, From: h.cfg.From, SiteName: "Posthorn", Opens: opened(h.people)}}
	if err := errors.Join(h.openSigning(), h.openInbound(ctx, passMaker)); err != nil {
		return err
	}
	cfg := http.Config{PublicURL: h.cfg.PublicURL, Desk: h.desk, Maker: maker, Book: book, Rulebooks: rulebooks.All(), People: h.people,
		Passes: passMaker, Views: h.views, Post: mail.Post{Outbox: h.outbox}, Opening: http.Opening(h.cfg.Opening), Proxies: proxies,
		Log: h.logger, Now: time.Now, Export: h.export, Withhold: h.outbox.Withhold, Mails: fares{h.outbox}, Hosting: hosting{h, time.Now()}, Hooks: hookFares{h.outbox}, HooksOff: h.cfg.Hooks == "off", Reached: h.outbox.Reached, Follower: h.follower,
		Checkpoints: h.checkpoints}
	if h.safe != nil {
		cfg.Position = h.log.Last
	}
	if h.mailbox != nil {
		cfg.Mailbox = h.mailbox.Page("/mailbox", book)
	}
	hosts, err := h.people.Hosts(ctx)
	if err != nil {
		return err
	}
	for _, p := range hosts {
		cfg.Hosts = append(cfg.Hosts, p.ID)
	}
	h.server, err = http.New(cfg)
	return err
}

func (h *house) export(ctx context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error {
	return record.Export(ctx, h.desk, table, viewer, time.Now(), w)
}

// grace is how long requests under way may take when the house closes.
const grace = 5 * time.Second

// runner gives the commands that nobody typed.
func (h *house) runner() *runner.Runner {
	return &runner.Runner{Desk: h.desk, Live: h.views.Live, Waiting: h.views.Waiting, Pause: h.cfg.Pause,
		Alarm: func(table events.Name, err error) {
			if table.IsZero() { // nothing of a table: what it reads from
				h.logger.Error("what follows by itself", "error", err)
				return
			}
			h.logger.Error("table", "table", table.String(), "error", err)
		}}
}

// serve runs every part until the context ends or one of them fails.
func (h *house) serve(ctx context.Context) error {
	pages := nethttp.Handler(h.server)
	if h.held != nil {
		book, err := houseWords()
		if err != nil {
			return err
		}
		elsewhere, err := http.Elsewhere(book)
		if err != nil {
			return err
		}
		pages = whileHeld(h.held, pages, elsewhere)
	}
	g, ctx := errgroup.WithContext(ctx)
	pages = h.watched.timed(pages)
	if h.receiver != nil {
		h.receiver.Handler = pages
		g.Go(func() error { return h.receiver.Run(ctx) })
	}
	web := &nethttp.Server{Handler: pages, TLSConfig: h.tls, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }, ErrorLog: slog.NewLogLogger(h.logger.Handler(), slog.LevelDebug)}
	if err := h.remind(ctx); ctx.Err() != nil {
		return nil // told to stop while it started
	} else if err != nil {
		return err
	}
	follow := func(what string, run func(context.Context, events.Follower) error) {
		g.Go(func() error {
			return h.persists(ctx, what, func(ctx context.Context) error { return run(ctx, h.follower) })
		})
	}
	notifier := &mail.Notifier{Desk: h.desk, Outbox: h.outbox, Patience: h.cfg.Patience, Hooks: h.people.Hooks,
		Wants: mail.PeopleDirectory{People: h.people}.Wants}
	caller := &mail.Caller{Outbox: h.outbox, Composer: h.sender.Composer, Hooks: h.people, Client: hook.New(), Now: time.Now,
		Alarm: func(err error) { h.logger.Error("webhooks", "error", err) }}
	follow("inbox and lobby", h.views.Run)
	follow("runner", h.runner().Run)
	g.Go(func() error { return h.persists(ctx, "clock", h.clock().Run) })
	if h.cfg.Hooks == "off" {
		notifier.Hooks = nil
	}
	follow("notifier", notifier.Run)
	g.Go(func() error { return h.persists(ctx, "checkpoints", h.checkpoints.Run) })
	g.Go(func() error { return h.persists(ctx, "live pages", h.server.Run) })
	g.Go(func() error { return h.persists(ctx, "mails", h.sender.Run) })
	g.Go(func() error { return h.rests(ctx) })
	if h.cfg.Archive != "" {
		g.Go(func() error { return h.archives(ctx) })
	}
	if h.cfg.Hooks != "off" {
		g.Go(func() error { return h.persists(ctx, "webhooks", caller.Run) })
	}
	if h.mailbox != nil {
		g.Go(func() error { return h.mailbox.Run(ctx) })
	}
	if h.inbound != nil {
		g.Go(func() error { return h.inbound.Run(ctx) })
	}
	g.Go(func() error {
		if h.tls != nil {
			return web.ServeTLS(h.listen, "", "")
		}
		return web.Serve(h.listen)
	})
	if h.cfg.Redirect != "" {
		g.Go(func() error { return answer(ctx, h.cfg.Redirect, h.onwards) })
	}
	if h.cfg.Watch != "" {
		g.Go(func() error { return answer(ctx, h.cfg.Watch, h.watched.handler()) })
	}
	g.Go(func() error {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		err := web.Shutdown(late)
		h.server.Settle()
		return err
	})
	g.Go(func() error {
		select {
		case <-h.relay.Alarmed():
			h.logger.Error("NATS", "error", h.relay.Health().Alarm)
		case <-ctx.Done():
		}
		return nil
	})
	err := g.Wait()
	if errors.Is(err, context.Canceled) || errors.Is(err, nethttp.ErrServerClosed) {
		return nil
	}
	return err
}

// remind writes about everything that is open, if the host asks for it. A queue that was
// lost is pointed out, and writes to nobody by itself.
func (h *house) remind(ctx context.Context) error {
	if !h.cfg.Remind {
		if h.outbox.Fresh {
			h.logger.Warn("mail.db is new beside an older log: nobody is written to about what is open already; start once with --remind to do so")
		}
		return nil
	}
	live, _, err := h.views.Live(ctx)
	if err != nil {
		return err
	}
	return (&mail.Notifier{Desk: h.desk, Outbox: h.outbox}).Remind(ctx, live)
}
