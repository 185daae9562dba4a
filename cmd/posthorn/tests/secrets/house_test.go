package secrets

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/record"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// stillMoment is the time in these tests' houses: both of a pair agree on it.
var stillMoment = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func still() time.Time { return stillMoment }

// stillLog is a log whose hashes show a record's place and nothing of its content. Its salts and seeds follow from
// their place. So two houses differ in nothing that chance alone decides, except the digests of what is hidden.
type stillLog struct {
	*memory.Log
	keys *events.Keys
}

func stillHash(what string, stream events.Name, numbers ...uint64) [32]byte {
	return sha256.Sum256(fmt.Append(nil, what, stream, numbers))
}

func stilled(r events.Record) events.Record {
	r.Hash = stillHash("hash", r.Stream, r.Version)
	return r
}

// sealedAround is how much longer a sealed part is than its room: mark, nonce, salt and tag.
const sealedAround = 1 + 12 + 32 + 16

func (l stillLog) Append(ctx context.Context, d events.Draft) (events.Record, error) {
	parts := make([]events.Part, len(d.Parts))
	for n, p := range d.Parts {
		_, text, err := l.keys.Unseal(&events.Record{Stream: d.Stream, Version: d.Expect + 1, Parts: d.Parts}, n)
		if err != nil {
			return events.Record{}, err
		}
		if domain.IsTableEvent[*domain.Opened](d.Type) {
			text = fmt.Appendf(nil, "%x", stillHash("seed", d.Stream))
		}
		room := len(p.Sealed) - sealedAround
		parts[n] = l.keys.SealSaltedIn(room, d.Stream, d.Expect+1, n, p.To,
			stillHash("salt", d.Stream, d.Expect+1, uint64(n)), text)
	}
	d.Parts = parts
	r, err := l.Log.Append(ctx, d)
	return stilled(r), err
}

func (l stillLog) Head(ctx context.Context, name events.Name) (events.Head, error) {
	h, err := l.Log.Head(ctx, name)
	if err != nil || h.Version == 0 {
		return h, err
	}
	recs, err := l.Load(ctx, name, h.Version-1, h.Version)
	if err != nil {
		return h, err
	}
	h.Hash = recs[0].Hash
	return h, nil
}

func (l stillLog) all(recs []events.Record, err error) ([]events.Record, error) {
	for i := range recs {
		recs[i] = stilled(recs[i])
	}
	return recs, err
}

func (l stillLog) Load(ctx context.Context, name events.Name, after, upTo uint64) ([]events.Record, error) {
	return l.all(l.Log.Load(ctx, name, after, upTo))
}

func (l stillLog) Read(ctx context.Context, after uint64, limit int) ([]events.Record, error) {
	return l.all(l.Log.Read(ctx, after, limit))
}

func (l stillLog) Find(ctx context.Context, table events.Name, id events.CommandID) (events.Record, error) {
	r, err := l.Log.Find(ctx, table, id)
	return stilled(r), err
}

// somebody is a person in the tests, with a browser and a program.
type somebody struct {
	id      domain.PersonID
	name    string
	lang    string
	session string // of their browser
	token   string // of their program
}

// cast is the people in these tests. All houses share one file of them, so that both of a pair have the same persons
// with the same sessions. The last person only watches.
type cast struct {
	keys   *events.Keys
	people *people.Store
	who    []somebody
	ids    map[string]bool
	book   func(games []domain.Rulebook) (*words.Book, error)
}

func newCast(t testing.TB) *cast {
	t.Helper()
	ctx := context.Background()
	keys, err := events.NewKeys([32]byte{1, 2, 3})
	require.NoError(t, err)
	c := &cast{keys: keys, ids: map[string]bool{}}
	ordinary := sync.OnceValues(func() (*words.Book, error) {
		return words.New(rulebooks.All())
	})
	c.book = func(games []domain.Rulebook) (*words.Book, error) {
		if len(games) == len(rulebooks.All()) {
			return ordinary() // it is only read, and takes as long to make as a look
		}
		return words.New(games)
	}
	plenty := people.Limit{Most: 1 << 30, Per: time.Hour}
	c.people, err = people.Open(ctx, filepath.Join(t.TempDir(), "people.db"), keys, people.Options{Now: still,
		MailKinds: mail.Switches(), PostedKinds: mail.Posted(),
		Quotas: &people.Quotas{PerRecipient: plenty, PerDomain: plenty, Global: plenty, PerInviter: plenty,
			PerPair: plenty, PerStranger: plenty}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.people.Close()) })
	for i, name := range []string{"Ana", "Bolek", "Cida", "Dirk", "Eva"} {
		a, err := people.ParseAddress(name + "@example.org")
		require.NoError(t, err)
		lang := words.Languages[i%len(words.Languages)]
		link, _, err := c.people.AskSignIn(ctx, a, string(a), lang)
		require.NoError(t, err)
		p, err := c.people.UseLink(ctx, link.Text())
		require.NoError(t, err)
		require.NoError(t, c.people.SetName(ctx, p.ID, name))
		session, err := c.people.OpenSession(ctx, p.ID, "a browser", 24*time.Hour)
		require.NoError(t, err)
		token, _, err := c.people.MakeToken(ctx, p.ID,
			people.NewToken{Label: "a program", Scope: people.ScopePlay, Days: 9})
		require.NoError(t, err)
		c.ids[string(p.ID)] = true
		c.who = append(c.who, somebody{p.ID, name, lang, session.Text(), token})
	}
	return c
}

// players returns the people who may hold seats.
func (c *cast) players() []somebody { return c.who[:len(c.who)-1] }

// watcher returns the person who holds no seat.
func (c *cast) watcher() somebody { return c.who[len(c.who)-1] }

// twinHouse is one of a pair: the parts of a running house, wired as Open wires them, over a stillLog. It lacks the
// relay and the SMTP client, which only carry what the log and the composer give them.
type twinHouse struct {
	t        testing.TB
	ctx      context.Context
	log      stillLog
	desk     *desk.Desk
	lists    *views.Views
	server   *http.Server
	pages    http.Config
	notifier *mail.Notifier
	composer *mail.Composer
	drawn    drawn
	followed uint64 // how far its log was copied to the other one
}

const twinURL = "http://localhost:8080"

// houseOf opens a house with some games. It closes at the end of the test.
func (c *cast) houseOf(t testing.TB, games []domain.Rulebook) *twinHouse {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	h := &twinHouse{t: t, ctx: ctx, log: stillLog{memory.New(), c.keys}}
	h.desk = desk.NewDesk(h.log, c.keys, func(name string) (domain.Rulebook, bool) {
		for _, rb := range games {
			if rb.Name() == name {
				return rb, true
			}
		}
		return nil, false
	}, still)
	var err error
	h.lists, err = views.Open(ctx, t.TempDir(), h.desk)
	require.NoError(t, err)
	book, err := c.book(games)
	require.NoError(t, err)
	maker, passes := turn.NewMaker(h.desk, book, house.Names{People: c.people}), pass.New(c.keys)
	h.composer = &mail.Composer{Desk: h.desk, Maker: maker, Book: book,
		Directory: mail.PeopleDirectory{People: c.people, Names: house.Names{People: c.people}},
		Passes:    mail.SignedPasses{Maker: passes, Epochs: c.people}, Links: turn.Links{Base: twinURL},
		From: "posthorn@localhost", SiteName: "Posthorn"}
	h.notifier = &mail.Notifier{Desk: h.desk}
	h.pages = http.Config{PublicURL: twinURL, Desk: h.desk, Maker: maker, Book: book, Rulebooks: games,
		People: c.people,
		Passes: passes, Views: h.lists, Post: mail.Post{}, Now: still, Follower: events.FollowLog(h.log),
		Export: func(ctx context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error {
			return record.Export(ctx, h.desk, table, viewer, still(), w)
		}}
	h.server, err = http.New(h.pages)
	require.NoError(t, err)
	done, server := make(chan struct{}, 2), h.server
	go func() {
		_ = h.lists.Run(ctx, events.FollowLog(h.log)) // ends with the test
		done <- struct{}{}
	}()
	go func() {
		_ = server.Run(ctx) // ends with the test
		done <- struct{}{}
	}()
	t.Cleanup(func() {
		stop()
		<-done
		<-done
		require.NoError(t, h.lists.Close())
		require.NoError(t, h.log.Close())
	})
	return h
}
