package inbound_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	netmail "net/mail"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/authentic"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/inbound"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

type names struct{ people *people.Store }

func (n names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	all, err := n.people.People(ctx, id)
	return all[id].Name, err
}

// house is a house that reads answers: a log in memory, people and the queue in files.
type house struct {
	*desktest.House
	people   *people.Store
	outbox   *mail.Outbox
	composer *mail.Composer
	passes   *pass.Maker
	door     *inbound.Door
	own      *inbound.Own
	log      logged
	now      clock
	dns      providertest.DNS
	full     bool // no answer can be stored
	unsigned bool // nobody signs what people write, as they have said
}

// failing is a queue whose disk may be full.
type failing struct {
	*mail.Outbox
	h *house
}

func (f failing) Answer(ctx context.Context, a mail.Answer, next *mail.Notice) (bool, error) {
	if f.h.full {
		return false, errors.New("the disk is full")
	}
	return f.Outbox.Answer(ctx, a, next)
}

// theBook holds what all houses say; nothing changes it.
var theBook = sync.OnceValues(func() (*words.Book, error) {
	return words.New(append(rulebooks.All(), tiny.Rulebook))
})

// noon is noon on a Saturday.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock is a house's clock, which stands still until set. Mails arrive while it is being read.
type clock struct {
	mu sync.Mutex
	at time.Time
}

// Now returns the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newHouse(t testing.TB) *house {
	t.Helper()
	keys, err := events.NewKeys([32]byte{1, 2, 3})
	require.NoError(t, err)
	dir, log := t.TempDir(), memory.New()
	h := &house{now: clock{at: noon}}
	h.House = &desktest.House{Desk: desk.NewDesk(log, keys, desktest.Named, h.now.Now), T: t,
		Ctx: context.Background()}
	limits := desk.DefaultLimits
	limits.Tables = desk.Rate{} // some tests open a table for each of many mails
	h.Desk.Limit(limits)
	desktest.Blank(t, filepath.Join(dir, "people.db"), "people")
	desktest.Blank(t, filepath.Join(dir, "mail.db"), "mail")
	h.people, err = people.Open(h.Ctx, filepath.Join(dir, "people.db"), keys, people.Options{Now: h.now.Now})
	require.NoError(t, err)
	h.outbox, err = mail.OpenOutbox(h.Ctx, filepath.Join(dir, "mail.db"), keys, 0, h.now.Now)
	require.NoError(t, err)
	book, err := theBook()
	require.NoError(t, err)
	maker, directory := turn.NewMaker(h.Desk, book, names{h.people}),
		mail.PeopleDirectory{People: h.people, Names: names{h.people}}
	h.passes = pass.New(keys)
	h.composer = &mail.Composer{Desk: h.Desk, Maker: maker, Book: book, Directory: directory,
		Passes: mail.SignedPasses{Maker: h.passes, Epochs: h.people},
		Links:  turn.Links{Base: "https://games.example.org"}, From: "posthorn@games.example.org",
		ReplyTo: "games@games.example.org", SiteName: "Posthorn"}
	h.door = &inbound.Door{Checker: authentic.Checker{DNS: &h.dns}, ReplyTo: "games@games.example.org",
		Passes: h.passes, Desk: h.Desk, Maker: maker, People: h.people, Directory: directory,
		Outbox: failing{h.outbox, h}, Log: slog.New(slog.NewTextHandler(&h.log, nil)), Now: h.now.Now}
	h.own = &inbound.Own{Addresses: []string{"posthorn@games.example.org", "games@games.example.org"}, Keys: keys,
		People: h.people, Outbox: h.outbox, Checker: h.door.Checker, Log: h.door.Log, Now: h.now.Now}
	t.Cleanup(func() {
		require.NoError(t, h.outbox.Close())
		require.NoError(t, h.people.Close())
		require.NoError(t, log.Close())
	})
	return h
}

func (h *house) person(name, lang string) domain.PersonID {
	h.T.Helper()
	a, err := people.ParseAddress(strings.ToLower(name) + "@example.org")
	require.NoError(h.T, err)
	p, err := h.people.Ensure(h.Ctx, a, lang)
	require.NoError(h.T, err)
	require.NoError(h.T, h.people.SetName(h.Ctx, p.ID, name))
	if h.unsigned {
		require.NoError(h.T, h.people.SetSignedBy(h.Ctx, p.ID, a, people.Unsigned))
	}
	return p.ID
}

// started opens a table of some people, in the order of their seats, whose game has begun.
func (h *house) started(n desk.NewTable, ids ...domain.PersonID) events.Name {
	h.T.Helper()
	n.Pace = "weekly"
	for _, id := range ids {
		n.Places = append(n.Places, desktest.Player(id))
	}
	ans, err := h.Desk.Open(h.Ctx, desktest.By(ids[0]), events.NewCommandID(), n)
	require.NoError(h.T, err)
	for i, id := range ids {
		h.Does(id, ans.Table, desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes at least")})
		h.Follows(ans.Table)
	}
	return ans.Table
}

// play makes a seat's move on a page.
func (h *house) play(table events.Name, seat domain.Seat, text string) {
	h.T.Helper()
	look := h.Sees(table)
	m := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: seat,
		Decision: h.open(table, seat), Text: text}
	_, err := h.Desk.Play(h.Ctx, desktest.By(look.Table.Places[seat].Holders[0]), m)
	require.NoError(h.T, err)
	h.Follows(table)
}

// open returns the first decision awaited from a seat.
func (h *house) open(table events.Name, seat domain.Seat) domain.Open {
	h.T.Helper()
	for _, o := range h.Sees(table).Line.Awaited() {
		if o.Seat == seat {
			return o
		}
	}
	require.Fail(h.T, "not awaited", seat.Letter())
	return domain.Open{}
}

// composed returns the mail about what is awaited from a seat.
func (h *house) composed(table events.Name, seat domain.Seat) mail.Parts {
	h.T.Helper()
	look, o := h.Sees(table), h.open(table, seat)
	rec, err := events.LoadOne(h.Ctx, h.Desk.Log(), look.LineName, o.Since)
	require.NoError(h.T, err)
	w, err := h.composer.Compose(h.Ctx,
		mail.Letter{Notice: mail.Notice{Kind: mail.KindTurn, Person: look.Table.Places[seat].Holders[0], Table: table,
			Stream: look.LineName, Open: o, Head: rec.Hash}})
	require.NoError(h.T, err)
	p, err := mail.Message{Raw: w.Message}.Read()
	require.NoError(h.T, err)
	return p
}

// address returns the address for answers to that mail.
func (h *house) address(table events.Name, seat domain.Seat) string {
	h.T.Helper()
	p := h.composed(table, seat)
	a, err := netmail.ParseAddress(p.Header.Get("Reply-To"))
	require.NoError(h.T, err)
	return a.Address
}

// written returns a mail from somebody.
func written(from, id string, lines ...string) []byte {
	return []byte("From: " + from + "\r\nMessage-ID: <" + id + "@example.org>\r\nSubject: Re: x\r\n\r\n" +
		strings.Join(lines, "\r\n") + "\r\n")
}

// posted returns a mail to an address as its writer's provider sends it on: dated, and signed.
func (h *house) posted(to string, raw []byte) []byte {
	head, err := reply.ReadHead(raw)
	if err != nil || len(head.From()) == 0 || !bytes.Contains(raw, []byte("\r\n\r\n")) {
		return raw
	}
	fields := head.Fields()
	if !fields.Has("To") {
		raw = append([]byte("To: <"+to+">\r\n"), raw...)
	}
	if !fields.Has("Date") {
		raw = append([]byte("Date: "+h.now.Now().Format(time.RFC1123Z)+"\r\n"), raw...)
	}
	if _, domain, ok := strings.Cut(head.From()[0], "@"); ok && !h.unsigned {
		return providertest.Sign(raw, domain)
	}
	return raw
}

// handle hands the door somebody's mail as their provider sends it on.
func (h *house) handle(to, sender string, raw []byte) error {
	h.T.Helper()
	return h.door.Handle(h.Ctx, to, sender, h.posted(to, raw))
}

// write sends somebody's mail to an address, and returns the log's word for what became of it.
func (h *house) write(to, from, id string, lines ...string) string {
	h.T.Helper()
	h.log.Reset()
	require.NoError(h.T, h.handle(to, from, written(from, id, lines...)))
	return outcome(h.log.String())
}

// outcome returns what the door's log says about the last mail; a mail is dropped only for a reason that is listed.
func outcome(log string) string {
	for _, key := range []string{"outcome=", "why="} {
		if _, rest, ok := strings.Cut(log, key); ok {
			word := strings.Trim(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), `"`)
			if key == "why=" && !inbound.Drop(word).Listed() {
				return "for no listed reason: " + word
			}
			return strings.Replace(key, "=", ": ", 1) + word
		}
	}
	return "nothing"
}

// answers returns the headline and lines of each answer about a table.
func (h *house) answers(table events.Name) (out []string) {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for _, l := range list {
		if a, ok := mail.AnswerOf(l.Notice); ok {
			lines := append([]string{a.Headline}, a.Lines...)
			if a.Rule != "" {
				lines = append(lines, "→ "+a.Rule)
			}
			out = append(out, strings.Join(lines, "\n"))
		}
	}
	return out
}

// mailed returns the kinds of the letters about a table, in order.
func (h *house) mailed(table events.Name) (kinds []mail.Kind) {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for _, l := range list {
		kinds = append(kinds, l.Kind)
	}
	return kinds
}

// story returns what happened at a table after a log position, one event per line.
func (h *house) story(table events.Name, after uint64) (out []string) {
	h.T.Helper()
	recs, err := h.Desk.Log().Read(h.Ctx, after, 1000)
	require.NoError(h.T, err)
	look := h.Sees(table)
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		require.NoError(h.T, err)
		says := recs[i].Type
		switch recs[i].Stream {
		case table:
			e, err := events.DecodeTable(&recs[i], nil)
			require.NoError(h.T, err)
			if said, ok := e.(*domain.Said); ok {
				text, err := h.people.Decrypt(h.Ctx, said.Person, said.Text)
				require.NoError(h.T, err)
				says = "said " + string(text)
			}
		case look.LineName:
			e, _, err := events.DecodePlay(look.Rulebook, &recs[i], h.Desk.Keys(), domain.Referee)
			require.NoError(h.T, err)
			says = "move " + e.Seat.Letter() + " " + e.Move
		}
		out = append(out, meta.Door+": "+says)
	}
	return out
}

func (h *house) last() uint64 {
	h.T.Helper()
	pos, err := h.Desk.Log().Last(h.Ctx)
	require.NoError(h.T, err)
	return pos
}
