// Package door is what the pages and the API share: who asks and in which language, what they
// may see, and their wishes as commands of the desk. The two differ in how they read what is
// asked and how they answer, and in nothing else.
package door

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// Post is what pages need of the mailbox's door.
type Post interface {
	// SignIn mails a sign-in link to an address, in a language. The token is the text of the link, which
	// also opens a first game against the computer where one is named.
	SignIn(ctx context.Context, address, token, lang, game string) error
	// Moved tells an old address that its person has another one now, which is named in part.
	Moved(ctx context.Context, old, now, lang string) error
	// Address mails a link that gives a person a new address, to that address.
	Address(ctx context.Context, address, token, lang string) error
	// Link mails a person a fresh link to a table. Asked for again soon, it is the same mail.
	Link(ctx context.Context, person domain.PersonID, table events.Name) error
	// Used tells a person that a link of theirs was used in a browser that is new to them.
	Used(ctx context.Context, person domain.PersonID, table events.Name, browser string) error
}

// Views are the lists that pages show.
type Views interface {
	// Inbox lists a person's tables, those that await them first.
	Inbox(ctx context.Context, person domain.PersonID) ([]views.Item, error)
	// Lobby lists tables with open seats that strangers may find, the newest first.
	Lobby(ctx context.Context, limit int) ([]views.Item, error)
	// Watched lists tables whose boards strangers may find, the one that moved last on top.
	Watched(ctx context.Context, limit int) ([]views.Item, error)
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

// Onward has requests answered by the server that writes, where this one only reads.
type Onward interface {
	// Pass answers a request as that server does, for the client of an address. As long as it has answered nothing it may return an error.
	Pass(w nethttp.ResponseWriter, r *nethttp.Request, client string) error
	// Ready reports whether this server can answer what everybody may see, as it was at a position of the log or later. It may wait a little
	// for that.
	Ready(ctx context.Context, pos uint64) bool
}

// Config is what the pages are made of. Mailbox, Export, Opening, Hosts, Proxies, Log, Now, Withhold, Follower, Mails, Hosting, Checkpoints,
// Hooks, Reached, BodyWait, Streams, Onward and Position may be left out.
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
	// Mails tells how mails fare; nil says nothing of it.
	Mails Mails
	// Hosting tells those who run the house how it stands; nil tells of its mails alone.
	Hosting Hosting
	// Checkpoints are those of the whole log; nil signs none.
	Checkpoints *checkpoint.Keeper
	// Hooks tells how webhooks fare; nil posts nothing.
	Hooks Hooks
	// HooksOff says that nobody is posted anything here: webhooks are neither made nor tried.
	HooksOff bool
	// Reached is called when a person has used a link that only a mail to them can have brought.
	Reached func(ctx context.Context, person domain.PersonID) error
	// BodyWait is how long a request's body may take to arrive; zero is 15 s.
	BodyWait time.Duration
	// Streams is the most live streams at a time; zero is 1000.
	Streams int
	// Onward answers what this server does not, which only reads; nil where it answers everything.
	Onward Onward
	// Position is how far the log goes, which answers say that changed something; nil where no other server reads it.
	Position func(ctx context.Context) (uint64, error)
}

// House is what every visit finds here: the parts of a configuration, checked.
type House struct {
	Config
	Public *url.URL
	Links  turn.Links
}

// NewHouse checks a configuration, and fills in what was left out.
func NewHouse(cfg Config) (*House, error) {
	u, err := url.Parse(cfg.PublicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return nil, fmt.Errorf("public address %q: want https://name or http://name:port", cfg.PublicURL)
	}
	if cfg.Desk == nil || cfg.Maker == nil || cfg.Book == nil || cfg.People == nil || cfg.Passes == nil || cfg.Views == nil || cfg.Post == nil {
		return nil, errors.New("http: a part is missing in the configuration")
	}
	cfg.Opening, cfg.BodyWait, cfg.Streams = cmp.Or(cfg.Opening, OpenAnyone), cmp.Or(cfg.BodyWait, 15*time.Second), cmp.Or(cfg.Streams, 1000)
	if cfg.Opening != OpenAnyone && cfg.Opening != OpenInvited {
		return nil, fmt.Errorf("http: who may open tables: %q is neither %q nor %q", cfg.Opening, OpenAnyone, OpenInvited)
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &House{Config: cfg, Public: u, Links: turn.Links{Base: cfg.PublicURL}}, nil
}

// Rulebook is the game of a name.
func (h *House) Rulebook(name string) (domain.Rulebook, bool) {
	i := slices.IndexFunc(h.Rulebooks, func(rb domain.Rulebook) bool { return rb.Name() == name })
	if i < 0 {
		return nil, false
	}
	return h.Rulebooks[i], true
}
