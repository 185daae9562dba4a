package secrets

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// twins are two houses in which the same has happened at a table, as far as one viewer may know: every public part and
// every part of theirs is the same. What is hidden from them differs: chance fell otherwise where nobody told them, and
// others hold other cards.
type twins struct {
	told    []byte // the first house's last answer
	t       testing.TB
	cast    *cast
	rnd     *rand.Rand
	a, b    *twinHouse // a is what happened; b is what might have happened
	table   events.Name
	line    events.Name
	viewer  domain.Viewer
	me      somebody // the person who is the viewer
	seats   []somebody
	la, lb  *domain.Line
	pool    []string // notations that were legal somewhere
	report  *told
	where   string
	alarms  []string // differences, if they are collected instead of ending the test
	keep    bool
	id      string // of the game; commands derive their ids from it
	tables  int
	ordered bool // somebody gave orders in one of the houses
	thin    bool // only half of the addresses at a time, because there are many looks
	plain   bool // copy to the second house without changes
}

// told sums up many twins.
type told struct {
	games, compared, differed, channels, stuck, refusals, played, rewound, studied, ordered, sketched int
	// how often a move's public part came out differently, by its first word
	revealed map[string]int
	// letters
	written map[mail.Kind]int
}

func newTold() *told { return &told{revealed: map[string]int{}, written: map[mail.Kind]int{}} }

func (w *twins) both() []*twinHouse { return []*twinHouse{w.a, w.b} }

// gathers opens a table in the first house and seats everybody. The second house follows; of its first event of play,
// only the public part and the viewer's part are the same.
func (w *twins) gathers(n desk.NewTable, players []somebody) {
	w.t.Helper()
	id := fmt.Sprint(w.id, " ", w.tables)
	w.tables++
	opener := events.Actor{Person: players[0].id, Door: "page"}
	for _, p := range players {
		n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{p.id}})
	}
	n.Pace = "weekly"
	ans, err := w.a.desk.Open(w.a.ctx, opener, events.Derive("open "+id), n)
	require.NoError(w.t, err)
	w.table, w.seats, w.ordered = ans.Table, players, false
	for i, p := range players {
		_, err := w.a.desk.Do(w.a.ctx, events.Actor{Person: p.id, Door: "page"}, w.table,
			events.Derive("join "+id, []byte{byte(i)}),
			desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes of " + p.name)})
		require.NoError(w.t, err)
	}
	_, err = w.a.desk.Advance(w.a.ctx, w.table)
	require.NoError(w.t, err)
	w.follows()
	w.looks()
}

// looks reads both lines from the two desks.
func (w *twins) looks() {
	w.t.Helper()
	for i, h := range w.both() {
		look, err := h.desk.Look(h.ctx, w.table)
		require.NoError(w.t, err)
		require.NotNil(w.t, look.Line)
		if i == 0 {
			w.la, w.line = look.Line, look.LineName
		} else {
			w.lb = look.Line
		}
	}
}

// follows copies what is in the first log and not yet in the second.
func (w *twins) follows() {
	w.t.Helper()
	recs, err := w.a.log.Read(w.a.ctx, w.a.followed, 1<<20)
	require.NoError(w.t, err)
	for i := range recs {
		r := &recs[i]
		w.a.followed = r.Pos
		s, err := w.a.log.Stream(w.a.ctx, r.Stream)
		require.NoError(w.t, err)
		if _, err := w.b.log.Find(w.b.ctx, s.Table, r.Command); err == nil || s.Kind == events.KindSeat {
			continue // played in both, or ordered in one
		}
		d := events.Draft{Stream: r.Stream, Expect: r.Version - 1, Command: r.Command, Type: r.Type, Codec: r.Codec,
			At: r.At, Meta: r.Meta, Data: r.Data, Parts: r.Parts}
		if r.Version == s.Fork+1 {
			d.Open = &s
			if s.Kind == events.KindLine && r.Type != events.TypeForked && !w.plain {
				w.redealt(&d, r, s)
			}
		}
		_, err = w.b.log.Append(w.b.ctx, d)
		require.NoError(w.t, err)
	}
}

// redealt gives a line's first event other hidden parts.
func (w *twins) redealt(d *events.Draft, r *events.Record, s events.Stream) {
	w.t.Helper()
	look, err := w.a.desk.Look(w.a.ctx, s.Table)
	require.NoError(w.t, err)
	rb := look.Rulebook
	e, _, err := events.DecodePlay(rb, r, w.cast.keys, domain.Referee)
	require.NoError(w.t, err)
	after := rb.New()
	if s.Fork > 0 {
		recs, err := w.a.log.Load(w.a.ctx, s.Parent, 0, s.Fork)
		require.NoError(w.t, err)
		l := domain.NewLine(rb, domain.NewThrowaway(0))
		require.NoError(w.t, events.FoldLine(l, recs, w.cast.keys))
		after = l.State
	}
	rb.Evolve(after, &e)
	for range 20 {
		other := rb.Blind(after, w.viewer, domain.NewThrowaway(w.rnd.Uint64()).Begin())
		parts, ok := w.partsLike(rb, &e, &other)
		if !ok {
			continue
		}
		d.Parts = nil
		for n, p := range parts {
			d.Parts = append(d.Parts, w.cast.keys.SealIn(p.PadTo, d.Stream, d.Expect+1, n, p.To, p.Data))
		}
		return
	}
}

// partsLike returns the secret parts of another deal in the form of an event's. A deal after a set-up has parts of the
// same type, and only parts that the event has can be written.
func (w *twins) partsLike(rb domain.Rulebook, e, other *domain.Event) ([]domain.SecretBytes, bool) {
	_, have, err := rb.Codec().Encode(e)
	require.NoError(w.t, err)
	_, want, err := rb.Codec().Encode(other)
	require.NoError(w.t, err)
	if len(have) != len(want) {
		return nil, false
	}
	for i := range have {
		if have[i].To != want[i].To || have[i].To.Admits(w.viewer) && !bytes.Equal(have[i].Data, want[i].Data) {
			return nil, false
		}
	}
	return want, true
}

// read returns what the viewer can read of an event.
func (w *twins) read(e *domain.Event) string {
	codec := w.la.Rulebook.Codec()
	public, secrets, err := codec.Encode(e)
	require.NoError(w.t, err)
	out := e.Type + string(public)
	for _, s := range secrets {
		out += "\n" + s.To.String()
		if s.To.Admits(w.viewer) {
			out += string(s.Data)
		}
	}
	return out
}
