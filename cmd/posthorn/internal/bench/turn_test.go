package bench

import (
	"fmt"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// BenchmarkWholeTurn plays turns in the middle of games, as a browser does. One operation is a whole turn: showing the
// page, confirming the move, showing the next page, and writing the mail to the next player. It reports the processor
// time of each part, and the bytes sent.
func BenchmarkWholeTurn(b *testing.B) {
	for _, c := range []struct {
		game  string
		seats int
		turns int // turns played before
	}{{"carcassonne", 2, 50}, {"catan", 4, 120}, {"rivals", 2, 120}} {
		b.Run(c.game, func(b *testing.B) { benchmarkTurns(b, newMidgame(b, c.game, c.seats, c.turns), func() {}) })
		b.Run(c.game+"-after-rest", func(b *testing.B) { // as if the last turn was an hour ago
			l := newMidgame(b, c.game, c.seats, c.turns)
			benchmarkTurns(b, l, func() { l.Rest(b.Context()) })
		})
	}
}

func benchmarkTurns(b *testing.B, l *midgame, before func()) {
	b.ResetTimer()
	for i := range b.N {
		before()
		l.turn(i % len(l.tables))
	}
	b.StopTimer()
	whole := time.Duration(0)
	for _, part := range parts {
		whole += l.spent[part]
		b.ReportMetric(l.spent[part].Seconds()*1000/float64(b.N), part+"-cpu-ms")
		b.ReportMetric(float64(l.sent[part])/float64(b.N), part+"-B")
	}
	collecting := time.Duration(float64(l.collected) / float64(l.lived) * float64(l.allocated))
	b.ReportMetric(collecting.Seconds()*1000/float64(b.N), "collecting-cpu-ms")
	b.ReportMetric(float64(l.allocated)/float64(b.N), "allocated-B")
	b.ReportMetric((whole+collecting).Seconds()*1000/float64(b.N), "whole-cpu-ms")
}

// parts are the parts of a turn.
var parts = []string{"page", "move", "after", "mail"}

// midgame is a house with games in which some turns were played.
type midgame struct {
	*posthorntest.Living
	b      *testing.B
	game   string
	seats  int
	played int // turns before
	guests map[domain.PersonID]posthorntest.Guest
	tables []events.Name
	spent  map[string]time.Duration
	sent   map[string]int
	heap
}

// heap measures the cost of memory. The stand-in's choices leave much more garbage than a turn does, so a turn's share
// of collecting is estimated from its allocations. A collection runs when as much was allocated as lives.
type heap struct {
	collected time.Duration // of all collections
	lived     uint64        // bytes left after each, added up
	allocated uint64        // bytes, by what is measured
}

// collect collects garbage that was not measured, and stops the collector until goOn is called.
func (h *heap) collect() (resume func()) {
	before := cputime.Used()
	runtime.GC()
	h.collected += cputime.Used() - before
	h.lived += heapMetric("/memory/classes/heap/objects:bytes")
	percent := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(percent) }
}

func heapMetric(name string) uint64 {
	m := []metrics.Sample{{Name: name}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// newMidgame plays the earlier turns, at one table for every eight turns to be measured.
func newMidgame(b *testing.B, game string, seats, played int) *midgame {
	h, err := house.Open(b.Context(), posthorntest.Settings(b.TempDir()), slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, h.Close()) })
	l := &midgame{Living: &posthorntest.Living{House: h, T: b, Ctx: b.Context()}, b: b, game: game, seats: seats,
		played: played,
		guests: map[domain.PersonID]posthorntest.Guest{}, spent: map[string]time.Duration{}, sent: map[string]int{}}
	for range (b.N + 7) / 8 {
		l.tables = append(l.tables, l.open())
	}
	return l
}

// open opens a table and plays the earlier turns. It drops a game that ends before that.
func (l *midgame) open() events.Name {
	for desk := l.Seated(); ; {
		var places []domain.TablePlace
		var who []domain.PersonID
		for s := range l.seats {
			g := l.Guest(fmt.Sprintf("%s%d@example.org", [...]string{"ana", "bea", "cid", "dov"}[s], len(l.guests)))
			l.guests[g.ID], who = g, append(who, g.ID)
			places = append(places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{g.ID}})
		}
		table := desk.OpensBy(who[0], l.game, nil, places...)
		for s, id := range who {
			desk.Joins(id, table, domain.Seat(s))
		}
		desk.Follows(table)
		for range l.played {
			look := desk.Sees(table)
			if over(look) {
				break
			}
			o := look.Line.Awaited()[0]
			desk.Plays(table, o.Seat, l.chosen(look, o))
		}
		if over(desk.Sees(table)) {
			continue
		}
		// a house in use has already mailed about the turn before
		l.mail(table, func(_ string, write func() int) { write() })
		return table
	}
}

func over(look desk.Look) bool { return len(look.Line.Awaited()) == 0 }

// chosen returns the steady stand-in's move.
func (l *midgame) chosen(look desk.Look, o domain.Open) string {
	m, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
	require.True(l.b, ok)
	return look.Rulebook.FormatMove(m, nil)
}

// turn plays a turn at one of the tables, or at a new one if that game is over.
func (l *midgame) turn(at int) {
	l.b.StopTimer()
	if over(l.Seated().Sees(l.tables[at])) {
		l.tables[at] = l.open()
	}
	table := l.tables[at]
	look := l.Seated().Sees(table)
	o := look.Line.Awaited()[0]
	who := l.guests[look.Table.Places[o.Seat].Holders[0]]
	form := url.Values{"id": {events.NewCommandID().String()}, "line": {look.LineName.String()},
		"seat": {strconv.Itoa(int(o.Seat))}, "kind": {o.Kind},
		"serial": {strconv.Itoa(o.Serial)}, "since": {strconv.FormatUint(o.Since, 10)}, "move": {l.chosen(look, o)}}
	defer l.collect()()
	l.b.StartTimer()
	l.takes("page", func() int { return l.page(table, who) })
	l.takes("move", func() int {
		r := l.request(nethttp.MethodPost, "/t/"+table.String()+"/move", strings.NewReader(form.Encode()), who)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		l.Server.ServeHTTP(w, r)
		require.Equal(l.b, nethttp.StatusSeeOther, w.Code)
		return w.Body.Len()
	})
	l.takes("after", func() int { return l.page(table, who) })
	l.b.StopTimer()
	l.Seated().Follows(table)
	l.mail(table, l.takes)
}

// mail writes to everybody whose decision is awaited.
func (l *midgame) mail(table events.Name, takes func(string, func() int)) {
	wanted, err := (&mail.Notifier{Desk: l.Desk, Outbox: l.Outbox}).Wanted(l.Ctx, table)
	require.NoError(l.b, err)
	l.b.StartTimer()
	for _, n := range wanted {
		if n.Kind == mail.KindTurn {
			takes("mail", func() int {
				w, err := l.Sender.Composer.Compose(l.Ctx, mail.Letter{Notice: n, Made: time.Now()})
				require.NoError(l.b, err)
				return len(w.Message)
			})
			return
		}
	}
}

func (l *midgame) takes(part string, do func() int) {
	before, allocated := cputime.Used(), heapMetric("/gc/heap/allocs:bytes")
	l.sent[part] += do()
	l.spent[part] += cputime.Used() - before
	l.allocated += heapMetric("/gc/heap/allocs:bytes") - allocated
}

func (l *midgame) request(method, path string, body io.Reader, who posthorntest.Guest) *nethttp.Request {
	r := httptest.NewRequest(method, path, body)
	r.Host = strings.TrimPrefix(l.Config.PublicURL, "http://")
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: who.Session})
	return r
}

// page requests a table's page and returns how many bytes were sent.
func (l *midgame) page(table events.Name, who posthorntest.Guest) int {
	w := httptest.NewRecorder()
	l.Server.ServeHTTP(w, l.request(nethttp.MethodGet, "/t/"+table.String(), nil, who))
	require.Equal(l.b, nethttp.StatusOK, w.Code, w.Body)
	return w.Body.Len()
}

// BenchmarkMovesByAPI lists the moves of the awaited player, with their words and without.
func BenchmarkMovesByAPI(b *testing.B) {
	for _, words := range []string{"", "?words=no"} {
		b.Run("moves"+words, func(b *testing.B) {
			l := newMidgame(b, "carcassonne", 2, 50)
			look := l.Seated().Sees(l.tables[0])
			who := l.guests[look.Table.Places[look.Line.Awaited()[0].Seat].Holders[0]]
			b.ResetTimer()
			for range b.N {
				l.takes("list", func() int {
					status, body := l.Get("/api/v1/tables/"+l.tables[0].String()+"/moves"+words, who, "")
					require.Equal(b, nethttp.StatusOK, status, body)
					return len(body)
				})
			}
			b.ReportMetric(l.spent["list"].Seconds()*1000/float64(b.N), "list-cpu-ms")
			b.ReportMetric(float64(l.sent["list"])/float64(b.N), "list-B")
		})
	}
}
