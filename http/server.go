package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// Post is what pages need of the mailbox's door.
type Post interface {
	// SignIn mails a sign-in link to an address, in a language. The token is the text of the link.
	SignIn(ctx context.Context, address, token, lang string) error
}

// Views are the lists that pages show.
type Views interface {
	// Inbox lists a person's tables, those that await them first.
	Inbox(ctx context.Context, person domain.PersonID) ([]views.Item, error)
	// Branches lists the tables that were branched from one, as far as a person may see them.
	Branches(ctx context.Context, table events.Name, person domain.PersonID) ([]views.Item, error)
	// Await returns when the views have reached a position of the log.
	Await(ctx context.Context, pos uint64) error
}

// Opening is who may open tables.
type Opening string

// The settings of [Opening].
const (
	OpenAnyone  Opening = "anyone"  // whoever has a confirmed address
	OpenInvited Opening = "invited" // the hosts, and those a host has invited
)

// Config is what the pages are made of. Mailbox, Export, Opening, Hosts, Proxies,
// Log, Now, Withhold, Follower, BodyWait and Streams may be left out.
type Config struct {
	PublicURL string // scheme and host by which browsers reach this server; the only one ever written down
	Desk      *events.Desk
	Maker     *turn.Maker
	Book      *words.Book
	Rulebooks []domain.Rulebook
	People    *people.Store
	Passes    *pass.Maker
	Views     Views
	Post      Post
	// Mailbox is the page of the built-in mailbox, mounted under /mailbox; nil if there is none.
	Mailbox nethttp.Handler
	// Export writes a table's record as a viewer may have it; nil if records are not offered.
	Export  func(ctx context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error
	Opening Opening
	Hosts   []domain.PersonID // who runs this server: they open tables whatever Opening says
	Proxies []netip.Prefix    // whose X-Forwarded-For is believed
	Log     *slog.Logger
	Now     func() time.Time
	// Withhold is called before a person is invited to a table where that invitation is not to
	// be mailed: they want none, or have had enough (see people.Store.MayInvite, which the
	// pages ask once for each invitation). The inviter is not told.
	Withhold func(ctx context.Context, person domain.PersonID) error
	// Follower is what tells of new events, for pages that are open; nil leaves live streams out.
	Follower events.Follower
	// BodyWait is how long a request's body may take to arrive; zero is 15 s.
	BodyWait time.Duration
	// Streams is the most live streams at a time; zero is 1000.
	Streams int
}

// Server answers browsers. It is safe for concurrent use.
type Server struct {
	Config
	echo   *echo.Echo
	guard  *nethttp.CrossOriginProtection
	pages  *pageSet
	assets *assetSet
	links  turn.Links
	public *url.URL
	limits *limiter // of sign-in mails, by who asks
	calls  *limiter // of calls to the API, by where they come from and by person
	forms  *limiter // of forms that are sent, by where they come from
	aside  *aside
	// pictures are those that the API is asked for, with all that is worked out for them.
	pictures *queue
	hub      *hub
	shown    map[string]bool // routes that are pages: GET leads there
}

// New checks a configuration and builds the server.
func New(cfg Config) (*Server, error) {
	u, err := url.Parse(cfg.PublicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return nil, fmt.Errorf("public address %q: want https://name or http://name:port", cfg.PublicURL)
	}
	if cfg.Desk == nil || cfg.Maker == nil || cfg.Book == nil || cfg.People == nil || cfg.Passes == nil || cfg.Views == nil || cfg.Post == nil {
		return nil, errors.New("http: a part is missing in the configuration")
	}
	switch cfg.Opening {
	case "":
		cfg.Opening = OpenAnyone
	case OpenAnyone, OpenInvited:
	default:
		return nil, fmt.Errorf("http: who may open tables: %q is neither %q nor %q", cfg.Opening, OpenAnyone, OpenInvited)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.BodyWait == 0 {
		cfg.BodyWait = 15 * time.Second
	}
	if cfg.Streams == 0 {
		cfg.Streams = 1000
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Server{Config: cfg, public: u, links: turn.Links{Base: cfg.PublicURL}, guard: nethttp.NewCrossOriginProtection(),
		limits: newLimiter(rate.Every(time.Minute), 20), calls: newLimiter(20, 600), forms: newLimiter(20, 600), aside: newAside(), pictures: newPictureQueue(), hub: newHub(cfg.Streams)}
	if err := s.guard.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		return nil, fmt.Errorf("public address %q: %w", cfg.PublicURL, err)
	}
	if s.assets, err = newAssets(); err != nil {
		return nil, err
	}
	if s.pages, err = newPages(s); err != nil {
		return nil, err
	}
	s.echo = s.routes()
	s.shown = map[string]bool{}
	for _, r := range s.echo.Routes() {
		if r.Method == nethttp.MethodGet {
			s.shown[r.Path] = true
		}
	}
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w nethttp.ResponseWriter, r *nethttp.Request) { s.echo.ServeHTTP(w, r) }

// Echo is the router, for the parts of this door that are wired elsewhere and for tests that
// walk its routes.
func (s *Server) Echo() *echo.Echo { return s.echo }

func (s *Server) rulebook(name string) (domain.Rulebook, bool) {
	for _, rb := range s.Rulebooks {
		if rb.Name() == name {
			return rb, true
		}
	}
	return nil, false
}
