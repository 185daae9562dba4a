package roles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	nethttp "net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/copies"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
	"posthorn/events/watch"
	"posthorn/http"
)

// LeaseTime is how long nobody writes after a writer died, unless the host made the lease's bucket themselves. The
// lease is renewed every second, and play goes on about two seconds after it runs out. If a NATS server dies
// unannounced, electing a new leader may take longer than this. Then the writer starts again, which costs as much as a
// takeover; no answers were possible in between anyway.
const LeaseTime = 6 * time.Second

// How often a server that stands by checks the end of the stream, and for how long the result counts.
const (
	standLook = time.Second
	standSaw  = 10 * time.Second
)

// standing is a server that stands by: it fills its log, waits for the lease, and tells clients that it stands by.
type standing struct {
	cfg    house.Settings
	first  bool // it may fill an empty cluster
	keys   *events.Keys
	relay  relay.Options
	nc     *nats.Conn
	copies *copies.Store
	newest *newest
	logger *slog.Logger

	at, end atomic.Uint64 // the last positions in the log and the stream
	saw     atomic.Int64  // when the end of the stream was last seen, in Unix milliseconds
	fit     *fitness      // whether it may take over
	said    said
	began   time.Time
}

// said keeps repeated failures from being logged every time.
type said struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (s *said) again(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(s.at, func(_ string, at time.Time) bool { return now.Sub(at) >= time.Minute })
	if _, known := s.at[text]; known {
		return true
	}
	if s.at == nil {
		s.at = map[string]time.Time{}
	}
	s.at[text] = now
	return false
}

// newStanding prepares a server for a role that stands by or only reads. Close its connection.
func newStanding(cfg house.Settings, role string, logger *slog.Logger) (*standing, error) {
	s := &standing{cfg: cfg, first: role == "all", logger: logger, began: time.Now()}
	var err error
	if s.relay, err = cfg.Relay(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(cfg.Data, "server.key")); !s.first && err != nil {
		return nil, fmt.Errorf("--role %s: put the server.key of the house into %s first: %w", role, cfg.Data, err)
	}
	if s.keys, err = folder.Keys(cfg.Data); err != nil {
		return nil, err
	}
	s.relay.AckWait, s.relay.Keys = house.AckWait, s.keys
	if s.nc, err = s.dial("posthorn copies"); err != nil {
		return nil, err
	}
	if s.copies, err = copies.Open(s.nc, s.keys, copies.Options{Replicas: s.relay.Replicas}); err != nil {
		return s, err
	}
	s.newest = &newest{data: cfg.Data, store: s.copies}
	s.fit = &fitness{data: cfg.Data, newest: s.newest, own: s.first, tell: s.unfetched}
	return s, nil
}

// dial connects, even to a cluster that is not up yet.
func (s *standing) dial(name string, how ...nats.Option) (*nats.Conn, error) {
	o := s.relay
	o.Connect = slices.Concat(o.Connect, []nats.Option{nats.RetryOnFailedConnect(true)}, how)
	return o.Dial(name)
}

// wait stands by until this server is elected, its log agrees with the stream, and it has recorded the takeover there.
// It returns the lease and the position of that record.
func (s *standing) wait(ctx context.Context) (l *lease.Lease, begun uint64, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	g, ctx := errgroup.WithContext(ctx)
	if err := s.answers(ctx, g); err != nil {
		stop(nil)
		return nil, 0, errors.Join(err, g.Wait())
	}
	g.Go(func() error { return s.looks(ctx) })
	g.Go(func() error { return s.prepares(ctx) })
	g.Go(func() (err error) {
		host, _ := os.Hostname() // for people who look
		w := &standby.Standby{Path: filepath.Join(s.cfg.Data, "events.db"), Keys: s.keys, Relay: s.relay,
			First: s.first, Ready: s.opened, Fit: s.fits, Now: time.Now,
			Lease: lease.Options{TTL: LeaseTime, Name: host, Dial: s.asks},
			At:    s.at.Store,
			Aside: func(file string, from, to uint64) {
				s.logger.Warn("the end of this log was never answered, and others wrote in its place: it was set aside",
					"file", file, "from", from, "to", to)
			},
			Trouble: s.trouble}
		if l, err = w.Wait(ctx); err == nil {
			stop(errElected)
		}
		return err
	})
	err = g.Wait()
	if l != nil {
		return l, s.at.Load(), nil
	}
	return nil, 0, err
}

var errElected = errors.New("this server was elected")

// trouble logs what will be tried again. It does not log that this server cannot take over yet until it has had time to
// check.
func (s *standing) trouble(err error) {
	if errors.Is(err, errNotWhole) && time.Since(s.began) < standSaw {
		return
	}
	if !s.said.again(err.Error()) {
		s.logger.Warn("standing by", "error", err)
	}
}

// unfetched logs why the newest copy cannot be fetched.
func (s *standing) unfetched(err error) {
	s.trouble(fmt.Errorf("the newest people.db and mail.db cannot be fetched yet: %w", err))
}

// opened checks a log that was just opened.
func (s *standing) opened(ctx context.Context, log *sqlite.Log) error {
	house, known, err := log.Owner(ctx)
	if err == nil {
		err = folder.Opens(ctx, log, s.keys, house, known)
	}
	if err != nil {
		return err
	}
	last, err := log.Last(ctx)
	s.at.Store(last)
	return err
}

// fits reports whether this server may take over what its log holds now. Once elected, it also checks the newest copy:
// the last writer may have begun just before it died.
func (s *standing) fits(ctx context.Context, log *sqlite.Log, elected bool) error {
	err := s.fit.log(ctx, log)
	if err == nil {
		err = s.newest.log(ctx, log, s.keys)
	}
	if err == nil && elected {
		err = s.fit.copy(ctx)
	}
	return err
}

var errNotWhole = errors.New("this server cannot take over yet")

// asks connects to compete for the lease, once this server may hold it.
func (s *standing) asks() (*nats.Conn, error) {
	if lacks := s.fit.lacks(); lacks != "" {
		return nil, fmt.Errorf("%w: %s", errNotWhole, lacks)
	}
	return s.relay.Dial("posthorn lease")
}

// prepares keeps checking, until the context ends, that this server can use the writer's copy. A server that may fill
// an empty cluster has files of its own.
func (s *standing) prepares(ctx context.Context) error {
	for lacked := false; ; {
		err := s.fit.copy(ctx)
		switch {
		case errors.Is(err, copies.ErrSealed):
			return fmt.Errorf("the cluster is of another house, or server.key is not the one of this house: %w", err)
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.trouble(err)
		}
		lacks := s.fit.lacks() != ""
		if lacked && !lacks {
			s.logger.Info("this server can take over")
		}
		lacked = lacks
		if watch.Pause(ctx, standLook) != nil {
			return nil
		}
	}
}

// looks checks the end of the stream again and again. While the stream is there, somebody writes or this server soon
// will, so the house counts as up.
func (s *standing) looks(ctx context.Context) error {
	js, err := jetstream.New(s.nc, jetstream.WithDefaultTimeout(standLook*5))
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	var noted time.Time
	for {
		end, err := s.relay.End(ctx, js)
		if err == nil {
			s.end.Store(end)
		}
		if err == nil || errors.Is(err, relay.ErrNoStream) {
			s.saw.Store(time.Now().UnixMilli())
		}
		if now := time.Now(); err == nil && s.fit.lacks() == "" && now.Sub(noted) > time.Minute {
			noted = now
			if err := folder.Touch(filepath.Join(s.cfg.Data, "alive"), now, folder.AliveText); err != nil {
				s.trouble(err)
			}
		}
		if watch.Pause(ctx, standLook) != nil {
			return nil
		}
	}
}

// stands describes the state of this server, for clients that ask whether it is ready. It is not.
func (s *standing) stands() string {
	behind := "how far behind is not known: the cluster does not answer"
	if time.Since(time.UnixMilli(s.saw.Load())) < standSaw {
		at, end := s.at.Load(), s.end.Load()
		behind = fmt.Sprintf("%d events behind", end-min(at, end))
	}
	if lacks := s.fit.lacks(); lacks != "" {
		behind += "; it cannot take over yet: " + lacks
	}
	return "standby, " + behind
}

// answers serves the pages and the monitor until the context ends.
func (s *standing) answers(ctx context.Context, g *errgroup.Group) error {
	book, err := house.Words()
	if err != nil {
		return err
	}
	elsewhere, err := http.Elsewhere(book, rulebooks.All())
	if err != nil {
		return err
	}
	secure, _, err := (&house.House{Config: s.cfg, Logger: s.logger}).Secured()
	if err != nil {
		return err
	}
	pages := &nethttp.Server{Handler: elsewhere, TLSConfig: secure}
	if err := s.serves(ctx, g, "--listen", s.cfg.Listen, pages); err != nil || s.cfg.Watch == "" {
		return err
	}
	return s.serves(ctx, g, "--watch", s.cfg.Watch, &nethttp.Server{Handler: s.cfg.ForHosts(s.watched())})
}

func (s *standing) serves(ctx context.Context, g *errgroup.Group, what, at string, web *nethttp.Server) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	web.ReadHeaderTimeout, web.ReadTimeout, web.WriteTimeout = 10*time.Second, 10*time.Second, 20*time.Second
	web.ErrorLog = slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug)
	g.Go(func() error {
		defer context.AfterFunc(ctx, func() { _ = web.Close() })()
		if web.TLSConfig != nil {
			err = web.ServeTLS(l, "", "")
		} else {
			err = web.Serve(l)
		}
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("%s: %w", what, err)
	})
	return nil
}

// watched answers a monitor.
func (s *standing) watched() nethttp.Handler {
	registry := prometheus.NewRegistry()
	for of, at := range map[string]*atomic.Uint64{"log": &s.at, "nats": &s.end} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "posthorn_position",
			Help:        "How far the log of this server goes, which stands by, and the stream.",
			ConstLabels: prometheus.Labels{"of": of}}, func() float64 { return float64(at.Load()) }))
	}
	mux := nethttp.NewServeMux()
	mux.HandleFunc("GET /healthz", func(out nethttp.ResponseWriter, _ *nethttp.Request) { fmt.Fprintln(out, "ok") })
	mux.HandleFunc("GET /readyz", func(out nethttp.ResponseWriter, _ *nethttp.Request) {
		nethttp.Error(out, s.stands(), nethttp.StatusServiceUnavailable)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}
