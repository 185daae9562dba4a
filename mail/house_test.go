package mail_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
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
	"posthorn/projections/turn"
	"posthorn/projections/views"
	"posthorn/projections/words"
)

// games are the house's games, and the small one for tests.
var games = append(rulebooks.All(), tiny.Rulebook)

// theBook holds what all houses say; nothing changes it.
var theBook = sync.OnceValues(func() (*words.Book, error) {
	return words.New(append(games, doubled{tiny.Rulebook}, smudged{tiny.Rulebook}))
})

// doubled asks a seat that chooses for a second decision at the same time.
type doubled struct{ domain.Rulebook }

func (doubled) Name() string { return "doubled" }

func (d doubled) Awaited(s domain.State) []domain.Decision {
	open := d.Rulebook.Awaited(s)
	for _, o := range open {
		if o.Kind == "choose" {
			open = append(open, domain.Decision{Seat: o.Seat, Kind: "roll", Serial: o.Serial})
		}
	}
	return open
}

// smudged has a panel that cannot be drawn.
type smudged struct{ domain.Rulebook }

func (smudged) Name() string { return "smudged" }

func (r smudged) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	return append(r.Rulebook.Draw(v, sketch),
		domain.Panel{Name: "table", Weight: domain.PanelBeside, Scene: domain.Scene{W: -1, H: -1}})
}

func named(name string) (domain.Rulebook, bool) {
	for _, rb := range slices.Concat(games, []domain.Rulebook{doubled{tiny.Rulebook}, smudged{tiny.Rulebook}}) {
		if rb.Name() == name {
			return rb, true
		}
	}
	return nil, false
}

// house is the mail's door with real parts: a log in memory, people and the queue in files.
type house struct {
	*desktest.House
	dir      string
	keys     *events.Keys
	now      func() time.Time
	people   *people.Store
	outbox   *mail.Outbox
	notifier *mail.Notifier
	views    *views.Views // nil until somebody may have to be reminded
	composer *mail.Composer
	shut     func() // closes everything, as the end of the test does
}

// noon is the time in a house whose clock stands still.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, now func() time.Time) *house {
	t.Helper()
	return openOver(t, now, t.TempDir(), memory.New())
}

// openOver opens a house over a log, with its files in a folder.
func openOver(t testing.TB, now func() time.Time, dir string, log events.Log) *house {
	t.Helper()
	keys, err := events.NewKeys([32]byte{1, 2, 3})
	require.NoError(t, err)
	h := &house{House: &desktest.House{Desk: desk.NewDesk(log, keys, named, now), T: t, Ctx: context.Background()},
		dir: dir, keys: keys, now: now}
	desktest.Blank(t, filepath.Join(h.dir, "people.db"), "people")
	desktest.Blank(t, h.mailDB(), "mail")
	h.people, err = people.Open(h.Ctx, filepath.Join(h.dir, "people.db"), keys, people.Options{Now: now,
		MailKinds: mail.Switches(), PostedKinds: mail.Posted()})
	require.NoError(t, err)
	book, err := theBook()
	require.NoError(t, err)
	h.composer = &mail.Composer{Desk: h.Desk, Maker: turn.NewMaker(h.Desk, book, names{h.people}), Book: book,
		Directory: mail.PeopleDirectory{People: h.people, Names: names{h.people}},
		Passes:    mail.SignedPasses{Maker: pass.New(keys), Epochs: h.people},
		Links:     turn.Links{Base: "https://games.example.org"}, From: "posthorn@games.example.org",
		ReplyTo: "games@games.example.org", SiteName: "Posthorn",
		Opens: func(_ context.Context, _ domain.PersonID, cipher []byte) string {
			return strings.TrimPrefix(string(cipher), "sealed ")
		}}
	h.openOutbox()
	var once sync.Once
	h.shut = func() {
		once.Do(func() {
			require.NoError(t, h.outbox.Close())
			require.NoError(t, h.people.Close())
			require.NoError(t, log.Close())
		})
	}
	t.Cleanup(h.shut)
	return h
}

func newHouse(t testing.TB) *house { return open(t, func() time.Time { return noon }) }

func (h *house) mailDB() string { return filepath.Join(h.dir, "mail.db") }

func (h *house) openOutbox() {
	h.T.Helper()
	last, err := h.Desk.Log().Last(h.Ctx)
	require.NoError(h.T, err)
	h.outbox, err = mail.OpenOutbox(h.Ctx, h.mailDB(), h.keys, last, h.now)
	require.NoError(h.T, err)
	h.notifier = &mail.Notifier{Desk: h.Desk, Outbox: h.outbox}
}

// reopen restarts the program.
func (h *house) reopen() {
	h.T.Helper()
	require.NoError(h.T, h.outbox.Close())
	h.openOutbox()
}

// person adds somebody who wants mails about what they are asked, but no news of what others do.
func (h *house) person(name, lang string) domain.PersonID {
	h.T.Helper()
	id := h.curious(name, lang)
	require.NoError(h.T, h.people.SetMails(h.Ctx, id, string(mail.KindNews), false))
	return id
}

// curious adds somebody who wants every mail.
func (h *house) curious(name, lang string) domain.PersonID {
	h.T.Helper()
	a, err := people.ParseAddress(strings.ToLower(name) + "@example.org")
	require.NoError(h.T, err)
	p, err := h.people.Ensure(h.Ctx, a, lang)
	require.NoError(h.T, err)
	require.NoError(h.T, h.people.SetName(h.Ctx, p.ID, name))
	return p.ID
}

func invited(ids ...domain.PersonID) []domain.TablePlace {
	var out []domain.TablePlace
	for _, id := range ids {
		out = append(out, desktest.Player(id))
	}
	return out
}

var standIn = desktest.StandIn()

func (h *house) open(game string, opener domain.PersonID, given string, places ...domain.TablePlace) events.Name {
	h.T.Helper()
	n := desk.NewTable{Rulebook: game, Places: places, Pace: "weekly"}
	if given != "" {
		n.Given = []byte(given)
	}
	ans, err := h.Desk.Open(h.Ctx, desktest.By(opener), events.NewCommandID(), n)
	require.NoError(h.T, err)
	return ans.Table
}

func (h *house) do(p domain.PersonID, table events.Name, c desk.Command) {
	h.T.Helper()
	h.Does(p, table, c)
	h.Follows(table)
}

func (h *house) join(p domain.PersonID, table events.Name) {
	h.T.Helper()
	seat, _ := h.Sees(table).Table.InvitedTo(p)
	h.do(p, table, desk.Join{Seat: seat, Chance: []byte("sixteen bytes at least")})
}

// started opens a table of some people, in the order of their seats, whose game has begun.
func (h *house) started(game, given string, ids ...domain.PersonID) events.Name {
	h.T.Helper()
	table := h.open(game, ids[0], given, invited(ids...)...)
	for _, id := range ids {
		h.join(id, table)
	}
	return table
}

// play makes a seat's move: notation, or "" for the first legal one.
func (h *house) play(table events.Name, seat domain.Seat, text string) {
	h.T.Helper()
	look := h.Sees(table)
	m := desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: seat}
	for _, o := range look.Line.Awaited() {
		if o.Seat == seat {
			m.Decision = o
		}
	}
	var err error
	if text == "" {
		for mv := range look.Rulebook.Legal(look.Line.State, seat) {
			m.Move = mv
			break
		}
	} else {
		m.Move, err = look.Rulebook.ParseMove(text, nil)
	}
	require.NoError(h.T, err)
	who := events.House
	if p := look.Table.Places[seat]; p.Humans() {
		who = desktest.By(p.Holders[0])
	}
	_, err = h.Desk.Play(h.Ctx, who, m)
	require.NoError(h.T, err)
	_, err = h.Desk.Advance(h.Ctx, table)
	require.NoError(h.T, err)
}

// awaited returns the first awaited seat.
func (h *house) awaited(table events.Name) domain.Seat {
	h.T.Helper()
	open := h.Sees(table).Line.Awaited()
	require.NotEmpty(h.T, open)
	return open[0].Seat
}

func (h *house) proposeRewind(p domain.PersonID, table events.Name, to uint64) {
	h.T.Helper()
	h.do(p, table, desk.ProposeRewind{To: to})
}

func (h *house) proposeEnd(p domain.PersonID, table events.Name) {
	h.T.Helper()
	h.do(p, table, desk.ProposeEnd{})
}

func (h *house) agree(p domain.PersonID, table events.Name) {
	h.T.Helper()
	h.do(p, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
}

// errCaughtUp ends a follower at the end of the log.
var errCaughtUp = errors.New("caught up")

// sofar is a follower that hands out the log so far, in batches of a size, and ends.
type sofar struct {
	log  events.Log
	size int
}

func (f sofar) Follow(ctx context.Context, after uint64, handle func(context.Context, []events.Record) error) error {
	for {
		recs, err := f.log.Read(ctx, after, f.size)
		if err != nil {
			return err
		}
		if len(recs) == 0 {
			return errCaughtUp
		}
		if err := handle(ctx, recs); err != nil {
			return err
		}
		after = recs[len(recs)-1].Pos
	}
}

// notify lets the notifier read what it has not read yet.
func (h *house) notify() {
	h.T.Helper()
	require.ErrorIs(h.T, h.notifier.Run(h.Ctx, sofar{h.Desk.Log(), 3}), errCaughtUp)
}

// letters returns the rows of some kinds about a table, each as "kind name"; of all kinds if none is given.
func (h *house) letters(table events.Name, kinds ...mail.Kind) []string {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	out := []string{}
	for _, l := range list {
		if len(kinds) == 0 || slices.Contains(kinds, l.Kind) {
			out = append(out, string(l.Kind)+" "+h.name(l.Person))
		}
	}
	return out
}

func (h *house) name(id domain.PersonID) string {
	n, err := names{h.people}.DisplayName(h.Ctx, id)
	require.NoError(h.T, err)
	return n
}

// letter finds the newest letter of a kind to a person about a table.
func (h *house) letter(table events.Name, kind mail.Kind, to domain.PersonID) mail.Letter {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Kind == kind && list[i].Person == to {
			return list[i]
		}
	}
	require.Fail(h.T, "no such letter", "%s to %s among %v", kind, h.name(to), h.letters(table))
	return mail.Letter{}
}

// compose writes the newest letter of a kind to a person.
func (h *house) compose(table events.Name, kind mail.Kind, to domain.PersonID) mail.Message {
	h.T.Helper()
	h.notify()
	w, err := h.composer.Compose(h.Ctx, h.letter(table, kind, to))
	require.NoError(h.T, err)
	return mail.Message{ID: w.MessageID, To: w.To, Raw: w.Message}
}

func parts(t testing.TB, m mail.Message) mail.Parts {
	t.Helper()
	p, err := m.Read()
	require.NoError(t, err)
	return p
}

func messageID(t testing.TB, raw string) string {
	t.Helper()
	p := parts(t, mail.Message{Raw: []byte(raw)})
	return p.Header.Get("Message-Id")
}

// sizeOfBytes returns how many octets of letters and their secrets the queue holds.
func (h *house) sizeOfBytes() int {
	h.T.Helper()
	n, err := h.outbox.SizeOfBytes(h.Ctx)
	require.NoError(h.T, err)
	return n
}

// makeDue ends the pauses between tries, including those of a queue that waits as a whole.
func (h *house) makeDue() {
	h.T.Helper()
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `UPDATE circuit SET next = 0`))
	require.NoError(h.T, h.outbox.Exec(h.Ctx, `UPDATE outbox SET due = 0`))
}

// refuseInserts makes inserts into the queue fail, as a broken disk would.
func (h *house) refuseInserts() {
	h.T.Helper()
	require.NoError(h.T, h.outbox.Exec(h.Ctx,
		`CREATE TRIGGER broken BEFORE INSERT ON outbox BEGIN SELECT raise(ABORT, 'broken'); END`))
}

// order replaces a seat's standing orders.
func (h *house) order(table events.Name, who domain.PersonID, seat domain.Seat, texts ...string) {
	h.T.Helper()
	now, err := h.Desk.Orders(h.Ctx, table, seat, who)
	require.NoError(h.T, err)
	_, err = h.Desk.SetOrders(h.Ctx, desktest.By(who), table, seat, events.NewCommandID(), now.Version, texts, nil)
	require.NoError(h.T, err)
}

// playRandom makes any legal move for a seat.
func (h *house) playRandom(table events.Name, seat domain.Seat, n int) {
	h.T.Helper()
	look := h.Sees(table)
	var all []domain.Move
	for m := range look.Rulebook.Legal(look.Line.State, seat) {
		all = append(all, m)
	}
	require.NotEmpty(h.T, all)
	h.play(table, seat, look.Rulebook.FormatMove(all[(n*7919)%len(all)], nil))
}
