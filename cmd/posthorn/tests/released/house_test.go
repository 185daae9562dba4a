package released

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
	"posthorn/events/pass"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// releasedHouse is a desk and what writes letters, over a log up to some position.
type releasedHouse struct {
	t        *testing.T
	ctx      context.Context
	desk     *desk.Desk
	notifier *mail.Notifier
	composer *mail.Composer
	done     []releasedCommand
	ended    events.Name // tables whose records are kept
	running  events.Name
}

func releasedNamed(name string) (domain.Rulebook, bool) {
	if name == tiny.Rulebook.Name() {
		return tiny.Rulebook, true
	}
	return rulebooks.Named(name)
}

func releasedKeys(t *testing.T, which byte) *events.Keys {
	t.Helper()
	keys, err := events.NewKeys([32]byte{which})
	require.NoError(t, err)
	return keys
}

func newReleasedHouse(t *testing.T, book *words.Book) *releasedHouse {
	t.Helper()
	log, keys := memory.New(), releasedKeys(t, 1)
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	at := time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC)
	h := &releasedHouse{t: t, ctx: context.Background(),
		desk: desk.NewDesk(log, keys, releasedNamed, func() time.Time {
			at = at.Add(time.Minute)
			return at
		})}
	h.notifier = &mail.Notifier{Desk: h.desk}
	h.composer = &mail.Composer{Desk: h.desk, Maker: turn.NewMaker(h.desk, book, releasedDirectory{}), Book: book,
		Directory: releasedDirectory{},
		Passes:    mail.SignedPasses{Maker: pass.New(keys), Epochs: releasedDirectory{}},
		Links:     turn.Links{Base: "https://games.example.org"},
		From:      "posthorn@games.example.org", SiteName: "Posthorn"}
	return h
}

// holds gives the house a log as it was up to a position.
func (h *releasedHouse) holds(r *releasedTable, upTo uint64) {
	h.t.Helper()
	var streams []events.Stream
	for _, s := range r.Streams {
		if slices.ContainsFunc(r.Records[:upTo], func(rec events.Record) bool { return rec.Stream == s.Name }) {
			streams = append(streams, s)
		}
	}
	require.NoError(h.t, h.desk.Log().Adopt(h.ctx, streams, r.Records[:upTo]))
}

func (h *releasedHouse) last() uint64 {
	h.t.Helper()
	last, err := h.desk.Log().Last(h.ctx)
	require.NoError(h.t, err)
	return last
}

func (h *releasedHouse) records(after uint64) []events.Record {
	h.t.Helper()
	recs, err := h.desk.Log().Read(h.ctx, after, 10_000)
	require.NoError(h.t, err)
	return recs
}

// letters returns the letters that the tables call for now, except the known ones. A running thread has the subject
// under which a released program began it.
func (h *releasedHouse) letters(tables []events.Name, known map[string]bool,
	threads map[string]string) []releasedLetter {
	h.t.Helper()
	notices, err := h.notifier.Wanted(h.ctx, tables...)
	require.NoError(h.t, err)
	keys := keysOf(h.t, notices)
	var out []releasedLetter
	for i, n := range notices {
		if known[keys[i]] || n.Kind == mail.KindInvitation && n.Again {
			// released programs did not write to the last one missing
			continue
		}
		known[keys[i]] = true
		l := releasedLetter{At: h.last(), Key: keys[i],
			Thread: h.composer.Passes.ThreadID(n.Table, n.Person, "games.example.org")}
		l.Act, err = h.composer.Passes.Act(h.ctx, n)
		require.NoError(h.t, err)
		epoch, err := releasedDirectory{}.PassEpoch(h.ctx, n.Person)
		require.NoError(h.t, err)
		visit, err := h.composer.Passes.(mail.SignedPasses).
			Maker.Make(pass.Facts{Purpose: pass.View, Person: n.Person, Stream: n.Table, Epoch: epoch})
		l.Visit = visit.Text() // as released programs made it for the table's page
		require.NoError(h.t, err)
		l.Stop, err = h.composer.Passes.Unsubscribe(h.ctx, n.Person, n.Kind, events.Name{})
		require.NoError(h.t, err)
		w, err := h.composer.Compose(h.ctx, mail.Letter{Notice: n, Made: time.Date(2026, 11, 22, 5, 0, 0, 0, time.UTC),
			Subject: threads[keys[i]]})
		require.NoError(h.t, err)
		l.MessageID, l.To, l.Subject = w.MessageID, w.To, w.Thread
		out = append(out, l)
	}
	return out
}

// keysOf returns the keys that an outbox keeps forever, as they are in its file.
func keysOf(t *testing.T, notices []mail.Notice) (keys []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mail.db")
	box, err := mail.OpenOutbox(context.Background(), file, releasedKeys(t, 1), 0, time.Now)
	require.NoError(t, err)
	require.NoError(t, box.Want(context.Background(), 0, notices...))
	require.NoError(t, box.Close())
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	rows, err := db.Query(`SELECT key FROM outbox ORDER BY id`)
	require.NoError(t, err)
	for rows.Next() {
		var key string
		require.NoError(t, rows.Scan(&key))
		keys = append(keys, key)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, db.Close())
	require.Len(t, keys, len(notices))
	return keys
}
