// Package door holds what the pages and the API share: who is asking and in which language, what they may see, and
// their wishes as commands to the desk. Pages and API differ only in how they read requests and how they answer.
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
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// Post is what pages need from the mail door.
type Post interface {
	// SignIn mails a sign-in link to an address, in a language. The token is the text of the link. If game is set, the
	// link also opens a first game against the computer.
	SignIn(ctx context.Context, address, token, lang, game string) error
	// Address mails a link to an address that a person wants to add; the link confirms it.
	Address(ctx context.Context, address, token, lang string) error
	// Forget mails a person, at their address, the link by which they delete their account.
	Forget(ctx context.Context, address, token, lang string) error
	// Taken tells an address that somebody wanted to add it, and that it has an account of its own.
	Taken(ctx context.Context, address, lang string) error
	// Changed tells one of a person's addresses what became of an address of theirs, as people.Change has it.
	Changed(ctx context.Context, to people.Told, c people.Change) error
	// Lost sends a mail about somebody's lost address.
	Lost(ctx context.Context, m people.LostMail) error
	// Afresh has a person mailed anew what they are still asked: the links mailed until now were withdrawn.
	Afresh(ctx context.Context, person domain.PersonID) error
	// Link mails a person a fresh link to a table. If called again soon, it sends the same mail.
	Link(ctx context.Context, person domain.PersonID, table events.Name) error
	// Used tells a person of a browser that acts for them at a table and may be somebody else's, and why: UsedLink or
	// UsedNetwork. What comes within a week after such a mail is gathered in the next.
	Used(ctx context.Context, person domain.PersonID, table events.Name, why, browser string) error
	// Stopped tells a person that a link in one of their mails, which somebody else may have pressed, stopped a kind of
	// mail. A kind is told once a week.
	Stopped(ctx context.Context, person domain.PersonID, kind string) error
}

// Why a browser may be somebody else's.
const (
	UsedLink    = "link"    // the link of one mail was pressed in another before
	UsedNetwork = "network" // it is in a network that is new to the person, who is at home elsewhere
)

// Views are the lists that pages show.
type Views interface {
	// Inbox lists a person's tables, those awaiting them first.
	Inbox(ctx context.Context, person domain.PersonID) ([]views.Item, error)
	// Part lists a part of a person's tables that have not ended, and the latest that ended.
	Part(ctx context.Context, person domain.PersonID, from, most, ended int) (views.Part, error)
	// Awaiting lists the tables that wait for a person, the longest wait first.
	Awaiting(ctx context.Context, person domain.PersonID) ([]events.Name, error)
	// Lobby lists tables with open seats that strangers may find, newest first.
	Lobby(ctx context.Context, limit int) ([]views.Item, error)
	// Watched lists tables whose boards strangers may find, most recently moved first.
	Watched(ctx context.Context, limit int) ([]views.Item, error)
	// Branches lists the tables branched from a table that a person may see.
	Branches(ctx context.Context, table events.Name, person domain.PersonID) ([]views.Item, error)
	// Mates lists with whom a person has played at tables opened before a time.
	Mates(ctx context.Context, person domain.PersonID, before time.Time) ([]domain.PersonID, error)
	// Await returns once the views have reached a position of the log.
	Await(ctx context.Context, pos uint64) error
}

// Opening says who may open tables.
type Opening string

// The settings of [Opening].
const (
	OpenAnyone  Opening = "anyone"  // anybody with a confirmed address
	OpenInvited Opening = "invited" // the hosts, and people a host has invited
)

// Forwarder passes requests to the server that writes, where this one only reads.
type Forwarder interface {
	// Pass answers a request as the server that writes does, on behalf of the client with the given address. It may
	// return an error only if it has written nothing of the answer.
	Pass(w nethttp.ResponseWriter, r *nethttp.Request, client string) error
	// Ready reports whether this server can show what everybody may see, as of a position of the log or later. It may
	// wait briefly for that position.
	Ready(ctx context.Context, pos uint64) bool
}

// Config holds the parts that pages are made of. Mailbox, Export, Opening, Hosts, Proxies, Log, Now, Withhold,
// Follower, Patience, Mails, Answers, Resting, Full, Hosting, Checkpoints, Hooks, Reached, Readdress, Forget, BodyWait,
// Streams, Forward and Position are optional.
type Config struct {
	PublicURL string // scheme and host under which browsers reach this server; the only address ever written down
	Desk      *desk.Desk
	Maker     *turn.Maker
	Book      *words.Book
	Rulebooks []domain.Rulebook
	People    *people.Store
	Passes    *pass.Maker
	Views     Views
	Post      Post
	// Mailbox is the page of the built-in mailbox, mounted under /mailbox; nil if there is none.
	Mailbox nethttp.Handler
	// Export writes a table's record as a viewer may have it; nil if the server offers no records.
	Export  func(ctx context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error
	Opening Opening
	Hosts   []domain.PersonID // who runs this server: they may open tables whatever Opening says
	Proxies []netip.Prefix    // whose X-Forwarded-For header is trusted
	Log     *slog.Logger
	Now     func() time.Time
	// Withhold is called before a person is invited to a table if that invitation must not be mailed: they want none,
	// or have had enough (see people.Store.MayInvite, which the pages ask once for each invitation). The inviter is not
	// told.
	Withhold func(ctx context.Context, person domain.PersonID) error
	// Patience is how long somebody is taken to be at a table's page after it was last heard; under a second nobody is.
	Patience time.Duration
	// Follower reports new events, for open pages; nil turns live streams off.
	Follower events.Follower
	// Mails reports how mails are doing; nil shows nothing about them.
	Mails Mails
	// Answers has the answers by mail that wait for their person; nil if mails are not answered by mail.
	Answers Answers
	// Resting returns why nothing follows from deadlines for now (see clock.Clock); nil says nothing about it.
	Resting func() error
	// Full reports whether nothing can be saved now, because the disk is full or fails; nil for never.
	Full func() bool
	// Hosting shows the hosts how the house is doing; nil shows only its mails.
	Hosting Hosting
	// Checkpoints keeps the checkpoints of the whole log; nil signs none.
	Checkpoints *checkpoint.Keeper
	// Hooks reports how webhooks are doing; nil posts nothing.
	Hooks Hooks
	// HooksOff says that this server posts to nobody: webhooks can be neither made nor tested.
	HooksOff bool
	// Reached is called when a person has used a link that only a mail to them can have brought.
	Reached func(ctx context.Context, person domain.PersonID, address string) error
	// Readdress gives a person another address, in place of the one that mails go to; nil if nobody can be given one.
	Readdress func(ctx context.Context, person domain.PersonID, a people.Address) error
	// Forget makes a person leave their tables and forgets them; nil if nobody can be forgotten here.
	Forget func(ctx context.Context, by events.Actor, person domain.PersonID) error
	// BodyWait is how long a request's body may take to arrive; zero is 15 s.
	BodyWait time.Duration
	// Streams is the maximum number of live streams at once; zero is 1000.
	Streams int
	// Forward answers what this server, which only reads, does not; nil if this server answers everything.
	Forward Forwarder
	// Position returns how far the log goes; answers to requests that change something report it. Nil if no other
	// server reads the log.
	Position func(ctx context.Context) (uint64, error)
}

// Parts are what every visit has at hand: the parts of a checked configuration.
type Parts struct {
	Config
	Public *url.URL
	Links  turn.Links
}

// NewParts checks a configuration and fills in defaults.
func NewParts(cfg Config) (*Parts, error) {
	u, err := url.Parse(cfg.PublicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return nil, fmt.Errorf("public address %q: want https://name or http://name:port", cfg.PublicURL)
	}
	if cfg.Desk == nil || cfg.Maker == nil || cfg.Book == nil || cfg.People == nil || cfg.Passes == nil ||
		cfg.Views == nil || cfg.Post == nil {
		return nil, errors.New("http: a part is missing in the configuration")
	}
	cfg.Opening, cfg.BodyWait, cfg.Streams = cmp.Or(cfg.Opening, OpenAnyone), cmp.Or(cfg.BodyWait, 15*time.Second),
		cmp.Or(cfg.Streams, 1000)
	if cfg.Opening != OpenAnyone && cfg.Opening != OpenInvited {
		return nil, fmt.Errorf("http: who may open tables: %q is neither %q nor %q", cfg.Opening, OpenAnyone,
			OpenInvited)
	}
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Parts{Config: cfg, Public: u, Links: turn.Links{Base: cfg.PublicURL}}, nil
}

// Rulebook returns the game with a name.
func (h *Parts) Rulebook(name string) (domain.Rulebook, bool) {
	i := slices.IndexFunc(h.Rulebooks, func(rb domain.Rulebook) bool { return rb.Name() == name })
	if i < 0 {
		return nil, false
	}
	return h.Rulebooks[i], true
}
