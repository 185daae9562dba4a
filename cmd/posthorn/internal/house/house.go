package house

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
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/clock"
	"posthorn/events/desk"
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
	"posthorn/mail/imap"
	"posthorn/mail/inbound"
	"posthorn/projections/turn"
	"posthorn/projections/views"
)

// House holds every part, opened and wired.
type House struct {
	Config      Settings
	Logger      *slog.Logger
	Log         events.Log
	name        events.Name // of the log, by which the other files know it; zero for one that is in memory
	Safe        *safe.Log   // the same log with --safe replicated, else nil
	Keys        *events.Keys
	Desk        *desk.Desk
	People      *people.Store
	Relay       *relay.Relay
	Follower    events.Follower // where everything that follows the log reads it
	Views       *views.Views
	Checkpoints *checkpoint.Keeper
	Outbox      *mail.Outbox
	Mailbox     *mail.Mailbox // nil with --smtp
	SMTP        *mail.SMTP
	Inbound     *inbound.Server // nil unless --inbound names a port or a socket
	Fetcher     *imap.Fetcher   // nil unless --inbound names a mailbox at a provider
	answers     *inbound.Door   // nil if mails cannot be answered
	own         *inbound.Own
	Sender      *mail.Sender
	Postman     mail.Postman // posts to people's webhooks
	Server      *http.Server
	Listen      net.Listener
	TLS         *tls.Config // nil where a web server in front does TLS
	Onwards     nethttp.Handler
	Watched     *watched
	Health      *health
	// reports whether this server still holds the right to write; nil if it is the only server
	Held     func() bool
	Receiver *courier.Receiver // takes what servers that only read pass on; nil if this server is the only one
	Closers  []io.Closer
	keeper   atomic.Pointer[clock.Clock]   // watches deadlines; nil until the house serves
	resting  []func(context.Context) error // parts that can drop what they could read again
}

// Open opens every part. Call Close even after an error.
func Open(ctx context.Context, cfg Settings, logger *slog.Logger) (*House, error) {
	return open(ctx, cfg, logger, (*House).openLog)
}

// OpenOver opens every part over a log that nothing copies to NATS: a test's, in memory. The data folder holds the
// rest.
func OpenOver(ctx context.Context, cfg Settings, logger *slog.Logger, log events.Log) (*House, error) {
	return open(ctx, cfg, logger, func(h *House, ctx context.Context) (err error) {
		if h.Keys, err = folder.Keys(h.Config.Data); err != nil {
			return err
		}
		h.Log, h.Follower = log, events.FollowLog(log)
		return nil
	})
}

func open(ctx context.Context, cfg Settings, logger *slog.Logger,
	opensLog func(*House, context.Context) error) (h *House, err error) {
	h = &House{Config: cfg, Postman: hook.New()}
	h.Watched, h.Health = newWatched(h), newHealth(h)
	h.Logger = slog.New(counted{Handler: logger.Handler(), lines: h.Watched.says, told: h.Watched.Told,
		noted: h.Health.noted})
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if err := opensLog(h, ctx); err != nil {
		return h, err
	}
	h.OpenDesk()
	for _, open := range []func(context.Context) error{h.openCheckpoints, h.openPeople, h.OpenViews, h.openMail,
		h.openPages} {
		if err := open(ctx); err != nil {
			return h, err
		}
	}
	return h, nil
}

// Close closes every part, in reverse order of opening.
func (h *House) Close() error {
	var err error
	for i := len(h.Closers) - 1; i >= 0; i-- {
		err = errors.Join(err, h.Closers[i].Close())
	}
	h.Closers = nil
	return err
}

// Path returns the path of a file in the data folder.
func (h *House) Path(name string) string { return filepath.Join(h.Config.Data, name) }

func (h *House) openLog(ctx context.Context) (err error) {
	if h.Keys, err = folder.Keys(h.Config.Data); err != nil {
		return err
	}
	file, err := folder.OpenEvents(ctx, h.Config.Data, h.Keys, h.Config.NewPeople)
	if err != nil {
		return err
	}
	h.Log = file
	h.Closers, h.resting = append(h.Closers, file), append(h.resting, file.Rest)
	own, _, err := file.Owner(ctx) // OpenEvents has seen to it that it has one
	if err != nil {
		return err
	}
	h.name = own.Name
	return h.openRelay(ctx, file)
}

// OpenDesk opens the desk, which reads the log.
func (h *House) OpenDesk() {
	h.Desk = desk.NewDesk(h.Log, h.Keys, rulebooks.Named, time.Now)
	h.Desk.TellUnreadable(func(u *desk.Unreadable) {
		h.Logger.Error("a table stands still: its history cannot be read here; the others go on", "table",
			u.Table.String(), "error", u)
	})
}

// OpenViews opens the views, which read the log. What they know of reminders goes by people's calendars, so the desk
// must know those.
func (h *House) OpenViews(ctx context.Context) (err error) {
	_ = os.RemoveAll(h.Path("packs")) // of earlier programs: long lines, to read them faster
	if h.Views, err = views.Open(ctx, h.Config.Data, h.Desk); err != nil {
		return err
	}
	h.Closers, h.resting = append(h.Closers, h.Views), append(h.resting, h.Views.Rest)
	if h.Views.Discarded != nil {
		h.Logger.Warn("the file of the views was damaged, or of another version: it was thrown away "+
			"and made anew from the log", "error", h.Views.Discarded)
	}
	h.Views.Alarm = func(err error) { h.Logger.Warn("views", "error", err) }
	return nil
}

func (h *House) openPeople(ctx context.Context) (err error) {
	if h.People, err = people.Open(ctx, h.Path("people.db"), h.Keys,
		people.Options{Signup: people.Signup(h.Config.Signup),
			Seated:    func(ctx context.Context, id domain.PersonID) (bool, error) { return h.Views.Seated(ctx, id) },
			MailKinds: mail.Switches(), PostedKinds: mail.Posted(),
			Full: (&signInWarning{logger: h.Logger, now: time.Now}).note}); err != nil {
		return folder.Explain(ctx, h.Config.Data, "people.db", err)
	}
	h.Closers, h.resting = append(h.Closers, h.People), append(h.resting, h.People.Rest)
	if err := h.People.Sound(ctx); err != nil {
		return folder.Explain(ctx, h.Config.Data, "people.db", err)
	}
	h.Desk.KeepTime(h.People.Calendars)
	limits := desk.DefaultLimits
	limits.Mailed = h.People.MayPropose
	h.Desk.Limit(limits)
	h.Desk.Bar(h.People.Banned)
	if err := errors.Join(h.forgetAgain(ctx), h.withdrawAgain(ctx), h.banAgain(ctx)); err != nil {
		return err
	}
	for _, text := range h.Config.Host {
		a, err := people.ParseAddress(text)
		if err != nil {
			return fmt.Errorf("--host %s: %w", text, err)
		}
		if _, err := h.People.MakeHost(ctx, a); err != nil {
			return fmt.Errorf("--host %s: %w", text, err)
		}
	}
	return nil
}

func (h *House) openMail(ctx context.Context) (err error) {
	last, err := h.Log.Last(ctx)
	if err != nil {
		return err
	}
	if h.Outbox, err = mail.OpenOutbox(ctx, h.Path("mail.db"), h.Keys, last, time.Now); err != nil {
		return folder.Explain(ctx, h.Config.Data, "mail.db", err)
	}
	h.Closers, h.resting = append(h.Closers, h.Outbox), append(h.resting, h.Outbox.Rest)
	if err := h.Outbox.Sound(ctx); err != nil {
		return folder.Explain(ctx, h.Config.Data, "mail.db", err)
	}
	if !h.name.IsZero() {
		if err := h.Outbox.Belongs(ctx, h.name); err != nil {
			return folder.Explain(ctx, h.Config.Data, "mail.db", err)
		}
	}
	h.Outbox.Lost = h.fallsBack
	address, hello := h.Config.SMTP, "localhost"
	if address == "" {
		if h.Mailbox, err = mail.OpenMailbox(h.Path("mailbox")); err != nil {
			return folder.Explain(ctx, h.Config.Data, "mailbox", err)
		}
		address = h.Mailbox.Address()
	} else {
		hello = HelloOf(h.Config.From)
	}
	if h.SMTP, err = mail.NewSMTP(address, hello, mail.DefaultConnections); err != nil {
		return fmt.Errorf("--smtp: %w", err)
	}
	h.Closers = append(h.Closers, h.SMTP)
	return nil
}

// Listens opens the listener for the pages, sets TLS up, and returns the address at which people reach them: the host's
// setting, or the listener's own address.
func (h *House) Listens(ctx context.Context) (u *url.URL, err error) {
	if h.Listen, err = (&net.ListenConfig{}).Listen(ctx, "tcp", h.Config.Listen); err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	h.Closers = append(h.Closers, closeOnce{h.Listen})
	proxies, err := Networks(h.Config.Proxies)
	if err != nil {
		return nil, err
	}
	h.Listen = &lines{Listener: h.Listen, patience: pieceTime, most: mostOfOne, proxies: append(proxies, ownMachine...)}
	if h.Config.PublicURL == "" {
		h.Config.PublicURL = "http://" + h.Listen.Addr().String()
	}
	if u, err = url.Parse(h.Config.PublicURL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("--public-url %q: write it as https://games.example.org", h.Config.PublicURL)
	}
	h.TLS, h.Onwards, err = h.Secured()
	return u, err
}

func (h *House) openPages(ctx context.Context) error {
	book, err := Words()
	if err != nil {
		return err
	}
	u, err := h.Listens(ctx)
	if err != nil {
		return err
	}
	if h.Mailbox != nil && !Loopback(u.Hostname()) {
		return errors.New("others can reach this house, and the built-in mailbox would show them every mail: name a " +
			"mail server with --smtp")
	}
	if at, ok := h.Listen.Addr().(*net.TCPAddr); ok && h.Mailbox != nil && !at.IP.IsLoopback() {
		h.Logger.Warn("other machines can reach these pages; the built-in mailbox answers to this machine alone, " +
			"and nobody is sent mail. Listen on 127.0.0.1, or name a mail server with --smtp")
	}
	proxies, err := Networks(h.Config.Proxies)
	if err != nil {
		return err
	}
	maker := turn.NewMaker(h.Desk, book, Names{h.People})
	passMaker := pass.New(h.Keys)
	links := turn.Links{Base: h.Config.PublicURL}
	h.Sender = &mail.Sender{Outbox: h.Outbox, Transport: h.SMTP, Now: time.Now, Delays: mail.DefaultDelays,
		GiveUp:      mail.DefaultGiveUp,
		Connections: mail.DefaultConnections, Alarm: func(err error) { h.Logger.Error("mail", "error", err) },
		Tell: h.tellOfMail,
		Composer: &mail.Composer{Desk: h.Desk, Maker: maker, Book: book,
			Directory: mail.PeopleDirectory{People: h.People, Names: Names{h.People}},
			Passes:    mail.SignedPasses{Maker: passMaker, Epochs: h.People},
			Links:     links, From: h.Config.From, SiteName: "Posthorn", Opens: Opened(h.People),
			Pressed: h.People.Pressed}}
	if err := errors.Join(h.openSigning(), h.openInbound(ctx, passMaker)); err != nil {
		return err
	}
	cfg := http.Config{PublicURL: h.Config.PublicURL, Desk: h.Desk, Maker: maker, Book: book,
		Rulebooks: rulebooks.All(), People: h.People,
		Passes: passMaker, Views: h.Views, Post: mail.Post{Outbox: h.Outbox}, Opening: http.Opening(h.Config.Opening),
		Proxies: proxies,
		Log:     h.Logger, Now: time.Now, Export: h.Export, Withhold: h.Outbox.Withhold, Mails: mailStates{h.Outbox},
		Hosting: hosting{h, time.Now()}, Hooks: hookStates{h.Outbox}, HooksOff: h.Config.Hooks == "off",
		Forget: func(ctx context.Context, by events.Actor, person domain.PersonID) error {
			_, err := h.Forget(ctx, by, person)
			return err
		},
		Reached: h.Outbox.Reached, Readdress: h.Readdress, Follower: h.Follower, Patience: h.Config.Patience,
		Checkpoints: h.Checkpoints, Resting: h.deadlinesRest, Full: h.Health.Stopped}
	if h.Safe != nil {
		cfg.Position = h.Log.Last
	}
	if h.answers != nil {
		cfg.Answers = answered{h.answers}
	}
	if h.Mailbox != nil {
		cfg.Mailbox = h.Mailbox.Page("/mailbox", book)
	}
	hosts, err := h.People.Hosts(ctx)
	if err != nil {
		return err
	}
	for _, p := range hosts {
		cfg.Hosts = append(cfg.Hosts, p.ID)
	}
	if h.Server, err = http.New(cfg); err == nil {
		h.Sender.Here = h.Server.Here
	}
	return err
}

// Export writes the record of a table, with only what the viewer may know.
func (h *House) Export(ctx context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error {
	return record.Export(ctx, h.Desk, table, viewer, time.Now(), w)
}

// Grace is how long running requests may take when the house closes.
const Grace = 5 * time.Second

// Runner returns the runner of commands that nobody typed.
func (h *House) Runner() *runner.Runner {
	return &runner.Runner{Desk: h.Desk, Live: h.Views.Live, Waiting: h.Views.Waiting, Pause: h.Config.Pause,
		Hasty: h.Config.Hasty,
		Alarm: func(table events.Name, err error) {
			if table.IsZero() { // not about a table, but about what it reads
				h.Logger.Error("automatic starts, moves and ends", "error", err)
				return
			}
			h.Logger.Error("table", "table", table.String(), "error", err)
		}}
}

// Serve runs every part until the context ends or one of them fails.
func (h *House) Serve(ctx context.Context) error {
	pages := nethttp.Handler(h.Server)
	if h.Held != nil {
		book, err := Words()
		if err != nil {
			return err
		}
		elsewhere, err := http.Elsewhere(book, rulebooks.All())
		if err != nil {
			return err
		}
		pages = whileLeased(h.Held, pages, elsewhere)
	}
	g, ctx := errgroup.WithContext(ctx)
	pages = h.Watched.Timed(pages)
	if h.Receiver != nil {
		h.Receiver.Handler = pages
		g.Go(func() error { return h.Receiver.Run(ctx) })
	}
	web := &nethttp.Server{Handler: pages, TLSConfig: h.TLS, ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(h.Logger.Handler(), slog.LevelDebug)}
	if err := h.remind(ctx); ctx.Err() != nil {
		return nil // told to stop during the start
	} else if err != nil {
		return err
	}
	for _, p := range h.Parts() {
		g.Go(func() error { return h.Persists(ctx, p.Name, p.Run) })
	}
	g.Go(func() error { return h.rests(ctx) })
	g.Go(func() error { return h.Health.run(ctx) })
	if h.Config.Archive != "" {
		g.Go(func() error { return h.archives(ctx) })
	}
	if h.Mailbox != nil {
		g.Go(func() error { return h.Mailbox.Run(ctx) })
	}
	if h.Inbound != nil {
		g.Go(func() error { return h.Inbound.Run(ctx) })
	}
	if h.Fetcher != nil {
		g.Go(func() error { return h.Fetcher.Run(ctx) })
	}
	g.Go(func() error {
		if h.TLS != nil {
			return web.ServeTLS(h.Listen, "", "")
		}
		return web.Serve(h.Listen)
	})
	if h.Config.Redirect != "" {
		g.Go(func() error { return Answer(ctx, h.Config.Redirect, h.Onwards) })
	}
	if h.Config.Watch != "" {
		g.Go(func() error { return Answer(ctx, h.Config.Watch, h.Config.ForHosts(h.Watched.Handler())) })
	}
	g.Go(func() error {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
		defer cancel()
		err := web.Shutdown(late)
		h.Server.Settle()
		return err
	})
	g.Go(func() error {
		if h.Relay == nil {
			return nil
		}
		select {
		case <-h.Relay.Alarmed():
			h.Logger.Error("NATS", "error", h.Relay.Health().Alarm)
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

// Part is something that a house does by itself until its context ends.
type Part struct {
	Name string
	Run  func(context.Context) error
}

// Parts returns what a house does by itself, apart from answering browsers and mail servers: they follow its log and
// its clock. They write letters to h.Sender.Transport.
func (h *House) Parts() []Part {
	notifier := &mail.Notifier{Desk: h.Desk, Outbox: h.Outbox, Patience: h.Config.Patience, Hooks: h.People.Hooks,
		Wants: mail.PeopleDirectory{People: h.People}.Wants, Due: h.Views.Reminders}
	caller := &mail.Caller{Outbox: h.Outbox, Composer: h.Sender.Composer, Hooks: h.People, Client: h.Postman,
		Now:   time.Now,
		Alarm: func(err error) { h.Logger.Error("webhooks", "error", err) }}
	if h.Config.Hooks == "off" {
		notifier.Hooks = nil
	}
	following := func(run func(context.Context, events.Follower) error) func(context.Context) error {
		return func(ctx context.Context) error { return run(ctx, h.Follower) }
	}
	keeper := h.clock()
	h.keeper.Store(keeper)
	parts := []Part{{"inbox and lobby", following(h.Views.Run)}, {"runner", following(h.Runner().Run)},
		{"clock", keeper.Run},
		{"notifier", following(notifier.Run)}, {"reminders", notifier.Remind}, {"checkpoints", h.Checkpoints.Run},
		{"live pages", h.Server.Run}, {"mails", h.Sender.Run}}
	if h.Config.Hooks != "off" {
		parts = append(parts, Part{"webhooks", caller.Run})
	}
	return parts
}

// remind writes about everything that is open, if the host asks for it. It warns about a lost queue, but does not write
// to anybody on its own.
func (h *House) remind(ctx context.Context) error {
	if !h.Config.Remind {
		if h.Outbox.Fresh {
			h.Logger.Warn(AnewNote)
		}
		return nil
	}
	live, _, err := h.Views.Live(ctx)
	if err != nil {
		return err
	}
	return (&mail.Notifier{Desk: h.Desk, Outbox: h.Outbox}).Anew(ctx, live)
}
