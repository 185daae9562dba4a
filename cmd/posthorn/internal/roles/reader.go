package roles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	nethttp "net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
	"posthorn/http"
	"posthorn/http/courier"
	"posthorn/projections/turn"
)

// readWait is how long a request waits here for a position that its client has seen elsewhere, or until a newer copy of
// people.db is in place, before the writer gets it.
const readWait = 500 * time.Millisecond

// reading is a server that only reads. It fills its own log from the stream and shows from it what everybody may see;
// the server that writes answers everything else.
type reading struct {
	*standing
	house  *house.House
	file   *sqlite.Log
	sender *courier.Sender
	closes []func() error

	caught atomic.Bool   // the log has reached the end of the stream once
	knows  atomic.Bool   // there is a whole copy of people.db
	copied chan struct{} // holds one entry while a newer copy of people.db is put in place
}

func newReading(s *standing) *reading { return &reading{standing: s, copied: make(chan struct{}, 1)} }

// Reading serves until it is told to stop.
func Reading(ctx context.Context, cfg house.Settings, con console.Console, logger *slog.Logger) error {
	s, err := newStanding(cfg, "reader", logger)
	if s != nil && s.nc != nil {
		defer s.nc.Close()
	}
	if err != nil {
		return err
	}
	for {
		r := newReading(s)
		err := r.open(ctx)
		if err == nil {
			r.house.LogNews(con)
			err = r.serve(ctx)
		}
		err = errors.Join(err, r.close())
		var tail *tailError
		switch {
		case ctx.Err() != nil && err == nil, errors.Is(err, context.Canceled), errors.Is(err, nethttp.ErrServerClosed):
			return nil
		case !errors.As(err, &tail):
			return err
		}
		// This server wrote once, and crashed before the end of its log was safe.
		file, err := standby.SetAside(ctx, filepath.Join(cfg.Data, "events.db"), tail.keep)
		if err != nil {
			return err
		}
		logger.Warn("the end of this log was never answered, and others wrote in its place: it was set aside", "file",
			file, "after", tail.keep)
	}
}

// tailError says up to which position a log agrees with the stream.
type tailError struct {
	keep uint64
	err  error
}

func (e *tailError) Error() string { return e.err.Error() }
func (e *tailError) Unwrap() error { return e.err }

func (r *reading) close() (err error) {
	for i := len(r.closes) - 1; i >= 0; i-- {
		err = errors.Join(err, r.closes[i]())
	}
	return err
}

// open opens the log, its readers, and the pages.
func (r *reading) open(ctx context.Context) (err error) {
	h := &house.House{Config: r.cfg, Keys: r.keys, Logger: r.logger}
	r.house = h
	r.closes = append(r.closes, h.Close)
	if r.file, err = sqlite.Open(ctx, filepath.Join(r.cfg.Data, "events.db")); err != nil {
		return err
	}
	h.Log, h.Follower = r.file, events.FollowLog(r.file)
	h.Closers = append(h.Closers, r.file)
	if err := r.opened(ctx, r.file); err != nil {
		return err
	}
	h.OpenDesk()
	if err := h.OpenViews(ctx); err != nil {
		return err
	}
	if err := r.openPeople(ctx); err != nil {
		return err
	}
	// do not send later what cannot be sent now
	nc, err := r.dial("posthorn reader", nats.ReconnectBufSize(-1), r.refusals())
	if err != nil {
		return err
	}
	r.closes = append(r.closes, func() error { nc.Close(); return nil })
	if r.sender, err = courier.NewSender(nc, r.keys); err != nil {
		return err
	}
	return r.openPages(ctx)
}

func (r *reading) openPages(ctx context.Context) error {
	h := r.house
	book, err := house.Words()
	if err != nil {
		return err
	}
	if _, err := h.Listens(ctx); err != nil {
		return err
	}
	proxies, err := house.Networks(h.Config.Proxies)
	if err != nil {
		return err
	}
	h.Server, err = http.New(http.Config{PublicURL: h.Config.PublicURL, Desk: h.Desk,
		Maker: turn.NewMaker(h.Desk, book, house.Names{People: h.People}), Book: book, Rulebooks: rulebooks.All(),
		People: h.People, Passes: pass.New(h.Keys), Views: h.Views, Post: noPost{},
		Opening: http.Opening(h.Config.Opening), Proxies: proxies, Log: h.Logger, Now: time.Now,
		Export: h.Export, HooksOff: h.Config.Hooks == "off", Follower: h.Follower, Forward: r})
	return err
}

// serve runs every part until the context ends or one of them fails.
func (r *reading) serve(ctx context.Context) error {
	h, watched := r.house, r.figures()
	g, ctx := errgroup.WithContext(ctx)
	web := &nethttp.Server{Handler: watched.timed(h.Server), TLSConfig: h.TLS, ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(h.Logger.Handler(), slog.LevelDebug)}
	g.Go(func() error { return r.looks(ctx) })
	g.Go(func() error {
		fills := &standby.Reader{Log: r.file, Relay: r.relay, Trouble: r.trouble, At: func(pos uint64) {
			r.at.Store(pos)
			r.caught.Store(true)
		}}
		met, err := fills.Run(ctx)
		if errors.Is(err, standby.ErrTail) {
			err = &tailError{met.Common, err}
		}
		return err
	})
	g.Go(func() error { return r.keepsPeople(ctx) })
	g.Go(func() error { return r.forgets(ctx) })
	g.Go(func() error {
		return h.Persists(ctx, "inbox and lobby", func(ctx context.Context) error {
			return h.Views.Run(ctx, h.Follower)
		})
	})
	g.Go(func() error { return h.Persists(ctx, "live pages", h.Server.Run) })
	g.Go(func() error {
		if h.TLS != nil {
			return web.ServeTLS(h.Listen, "", "")
		}
		return web.Serve(h.Listen)
	})
	if h.Config.Redirect != "" {
		g.Go(func() error { return house.Answer(ctx, h.Config.Redirect, h.Onwards) })
	}
	if h.Config.Watch != "" {
		g.Go(func() error { return house.Answer(ctx, h.Config.Watch, h.Config.ForHosts(watched.handler())) })
	}
	g.Go(func() error {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), house.Grace)
		defer cancel()
		err := web.Shutdown(late)
		h.Server.Settle()
		return err
	})
	return g.Wait()
}

// Pass lets the server that writes answer a request.
func (r *reading) Pass(w nethttp.ResponseWriter, req *nethttp.Request, client string) error {
	return r.sender.Pass(w, req, client)
}

// Ready reports whether this server shows tables as of a given position of the log, or later. If it is known to be
// behind the stream, or knows nobody's name, the server that writes shows them.
func (r *reading) Ready(ctx context.Context, pos uint64) bool {
	ctx, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	select {
	case r.copied <- struct{}{}:
		<-r.copied
	case <-ctx.Done():
		return false
	}
	if len(r.lacks()) > 0 {
		return false
	}
	return pos == 0 || r.file.Wait(ctx, pos-1) == nil && r.house.Views.Await(ctx, pos) == nil
}

// lacks lists why this server shows nothing itself.
func (r *reading) lacks() (out []string) {
	if !r.caught.Load() {
		out = append(out, "the log has not been at the end of the stream yet")
	}
	if !r.knows.Load() {
		out = append(out, "there is no copy of people.db yet")
	}
	at, end := r.at.Load(), r.end.Load()
	if at+house.MostBehind < end {
		out = append(out, fmt.Sprintf("the log is %d events behind the stream", end-at))
	}
	if views := r.house.Views.Position(); views+house.MostBehind < at {
		out = append(out, fmt.Sprintf("the lobby is %d events behind the log", at-views))
	}
	return out
}

// noPost stands for the mailbox's door on a server that writes nothing.
type noPost struct{}

var errReads = errors.New("this server only reads")

// SignIn implements [http.Config]'s Post.
func (noPost) SignIn(context.Context, string, string, string, string) error { return errReads }

// Forget implements [http.Config]'s Post.
func (noPost) Forget(context.Context, string, string, string) error { return errReads }

// Taken implements [http.Config]'s Post.
func (noPost) Taken(context.Context, string, string) error { return errReads }

// Changed implements [http.Config]'s Post.
func (noPost) Changed(context.Context, people.Told, people.Change) error { return errReads }

// Lost implements [http.Config]'s Post.
func (noPost) Lost(context.Context, people.LostMail) error { return errReads }

// Afresh implements [http.Config]'s Post.
func (noPost) Afresh(context.Context, domain.PersonID) error { return errReads }

// Address implements [http.Config]'s Post.
func (noPost) Address(context.Context, string, string, string) error { return errReads }

// Link implements [http.Config]'s Post.
func (noPost) Link(context.Context, domain.PersonID, events.Name) error { return errReads }

// Used implements [http.Config]'s Post.
func (noPost) Used(context.Context, domain.PersonID, events.Name, string, string) error {
	return errReads
}

// Stopped implements [http.Config]'s Post.
func (noPost) Stopped(context.Context, domain.PersonID, string) error { return errReads }
