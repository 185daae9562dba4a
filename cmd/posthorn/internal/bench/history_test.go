package bench

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	nethttp "net/http"
	"net/http/httptest"
	"os"
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
)

// BenchmarkHistory requests the pages of the past as a browser does, for longer and longer games, and for tables with
// more and more lines. It reports the processor time and bytes of each. A position is anywhere in the game, as if
// reached by a link; a step is the position after it, as the slider asks for it.
//
//	go test ./cmd/posthorn/internal/bench -run '^$' -bench History -benchtime 100x
func BenchmarkHistory(b *testing.B) {
	lengths, widths := []int{10, 100, 300, 1000}, []int{10, 100}
	if os.Getenv("POSTHORN_LONG") != "" {
		lengths, widths = append(lengths, 10_000), append(widths, 1000)
	}
	for _, game := range []string{"catan", "rivals"} {
		for _, n := range lengths {
			p := newPast(b, game, n)
			at := "/t/" + p.table.String() + "/line/" + p.look.LineName.String() + "/"
			last := int(p.look.LineHead.Version)
			p.asks(fmt.Sprintf("%s/%d/position", game, n), func(i int) string {
				return at + strconv.Itoa(1+i*7919%last)
			})
			p.asks(fmt.Sprintf("%s/%d/step", game, n), func(i int) string {
				return at + strconv.Itoa(1+(last/2+i)%last)
			})
			p.asks(fmt.Sprintf("%s/%d/audit", game, n), func(int) string {
				return "/t/" + p.table.String() + "/audit?line=0"
			})
			p.Seated().Ends(p.table)
			p.Seated().Follows(p.table)
			p.asks(fmt.Sprintf("%s/%d/story", game, n), func(int) string { return "/t/" + p.table.String() + "/story" })
		}
	}
	for _, n := range widths {
		for _, how := range []string{"agreed", "undone"} {
			p := newTree(b, n, how == "undone")
			home := "/t/" + p.table.String()
			last := p.look.LineHead.Version
			p.asks(fmt.Sprintf("%s/%d/tree", how, n), func(int) string { return home + "/tree" })
			p.asks(fmt.Sprintf("%s/%d/compare", how, n), func(int) string { return home + "/compare?a=0" })
			p.asks(fmt.Sprintf("%s/%d/position", how, n), func(i int) string {
				return home + "/line/" + p.look.LineName.String() + "/" + strconv.Itoa(1+i*7919%int(last))
			})
			p.asks(fmt.Sprintf("%s/%d/table", how, n), func(int) string { return home })
		}
	}
	for _, n := range lengths {
		p := newFork(b, n)
		p.asks(fmt.Sprintf("parted/%d/compare", n), func(int) string {
			return "/t/" + p.table.String() + "/compare?a=0&b=1"
		})
		p.asks(fmt.Sprintf("parted/%d/compare-later", n), func(int) string {
			return "/t/" + p.table.String() + "/compare?a=0&b=1&from=" + strconv.Itoa(n/2)
		})
	}
}

// BenchmarkLongPage requests the page of a table as the awaited player does, early in a game and late in a very long
// one, whose moves are chosen by chance. It must not grow with the history.
func BenchmarkLongPage(b *testing.B) {
	for _, n := range []uint64{30, 3000} {
		b.Run(strconv.FormatUint(n, 10), func(b *testing.B) {
			p := newHistoried(b, "catan")
			p.wanders(n)
			who := p.guests[p.look.Table.Places[p.look.Line.Awaited()[0].Seat].Holders[0]]
			b.ResetTimer()
			for range b.N {
				p.takes("page", func() int { return p.page(p.table, who) })
			}
			b.ReportMetric(p.spent["page"].Seconds()*1000/float64(b.N), "page-cpu-ms")
			b.ReportMetric(float64(p.sent["page"])/float64(b.N), "page-B")
		})
	}
}

// wanders plays moves by chance up to a version of the main line.
func (p *historied) wanders(n uint64) {
	desk, luck := p.Seated(), rand.New(rand.NewPCG(1, 2))
	for p.look = desk.Sees(p.table); p.look.LineHead.Version < n; p.look = desk.Sees(p.table) {
		require.NotEmpty(p.b, p.look.Line.Awaited(), "the game was over after %d moves", p.look.LineHead.Version)
		o := p.look.Line.Awaited()[0]
		chosen, seen := "", uint64(0)
		for m := range p.look.Rulebook.Legal(p.look.Line.State, o.Seat) {
			text := p.look.Rulebook.FormatMove(m, nil)
			if strings.HasPrefix(text, "city") || strings.HasPrefix(text, "buy") {
				continue // without them nobody reaches ten points
			}
			if seen++; luck.Uint64N(seen) == 0 {
				chosen = text
			}
		}
		desk.Plays(p.table, o.Seat, chosen)
	}
}

// historied is a house with one table, whose past is requested.
type historied struct {
	*midgame
	b     *testing.B
	table events.Name
	look  desk.Look
	who   posthorntest.Guest
}

// newHistoried starts a table of two.
func newHistoried(b *testing.B, game string) *historied {
	h, err := house.Open(b.Context(), posthorntest.Settings(b.TempDir()), slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, h.Close()) })
	h.Desk.Limit(desk.Limits{})
	l := &midgame{Living: &posthorntest.Living{House: h, T: b, Ctx: b.Context()}, b: b,
		guests: map[domain.PersonID]posthorntest.Guest{},
		spent:  map[string]time.Duration{}, sent: map[string]int{}}
	p := &historied{midgame: l, b: b}
	var places []domain.TablePlace
	var who []domain.PersonID
	for _, name := range []string{"ana", "bea"} {
		g := l.Guest(name + "@example.org")
		l.guests[g.ID], who = g, append(who, g.ID)
		places = append(places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{g.ID}})
	}
	p.who = l.guests[who[0]]
	desk := l.Seated()
	p.table = desk.OpensBy(who[0], game, nil, places...)
	for s, id := range who {
		desk.Joins(id, p.table, domain.Seat(s))
	}
	desk.Follows(p.table)
	p.look = desk.Sees(p.table)
	return p
}

// newPast plays a game up to a version: to win at first, so that there is something to draw, and then by passing, so
// that it does not end.
func newPast(b *testing.B, game string, n int) *historied {
	p := newHistoried(b, game)
	p.plays(n)
	return p
}

// busy is how many moves of a long game are played to win.
const busy = 90

// plays plays on to a version of the main line.
func (p *historied) plays(n int) {
	desk := p.Seated()
	for p.look = desk.Sees(p.table); int(p.look.LineHead.Version) < n; p.look = desk.Sees(p.table) {
		require.NotEmpty(p.b, p.look.Line.Awaited(), "the game was over after %d moves", p.look.LineHead.Version)
		o := p.look.Line.Awaited()[0]
		desk.Plays(p.table, o.Seat, p.passing(o))
	}
}

// passing returns the move of somebody who, after a while, only wants to end each turn as soon as possible.
func (p *historied) passing(o domain.Open) string {
	if p.look.LineHead.Version < busy {
		m, ok := standin.Steady{}.Choose(standin.Look(p.look.Rulebook, p.look.Line.State, o.Seat, p.look.Line.Version))
		require.True(p.b, ok)
		return p.look.Rulebook.FormatMove(m, nil)
	}
	first := ""
	for m := range p.look.Rulebook.Legal(p.look.Line.State, o.Seat) {
		text := p.look.Rulebook.FormatMove(m, nil)
		switch text {
		case "end", "roll", "pass", "keep":
			return text
		}
		if first == "" {
			first = text
		}
	}
	return first
}

// newTree makes a table with lines. Half of each pair of moves is taken back, by consent or by the player who made it.
func newTree(b *testing.B, lines int, undone bool) *historied {
	p := newHistoried(b, "catan")
	d := p.Seated()
	for p.plays(30); len(p.look.Table.Lines) < lines; {
		for p.look = d.Sees(p.table); ; p.look = d.Sees(p.table) {
			o := p.look.Line.Awaited()[0]
			who := p.look.Table.Places[o.Seat].Holders[0]
			if to, ok, err := d.MayUndo(d.Ctx, p.look, who); err == nil && ok && undone {
				d.Does(who, p.table, desk.Undo{To: to})
				break
			} else if !undone && p.look.Line.Version > 31 && p.look.Line.Version%5 == 0 {
				d.Does(who, p.table, desk.ProposeRewind{To: p.look.Line.Version - 2})
				look := d.Sees(p.table)
				for _, place := range p.look.Table.Places {
					if place.Holders[0] != who {
						d.Does(place.Holders[0], p.table, desk.Agree{Since: look.Table.Proposal.Since})
					}
				}
				break
			}
			d.Plays(p.table, o.Seat, p.step(o, undone))
		}
		d.Follows(p.table)
		p.look = d.Sees(p.table)
	}
	return p
}

// step returns a move, if possible one that can be taken back.
func (p *historied) step(o domain.Open, undone bool) string {
	text := p.passing(o)
	if !undone || text != "end" {
		return text
	}
	for m := range p.look.Rulebook.Legal(p.look.Line.State, o.Seat) {
		if other := p.look.Rulebook.FormatMove(m, nil); other != "end" && other[:3] != "buy" {
			return other
		}
	}
	return text
}

// newFork makes a table with two lines of the given length that part near the beginning.
func newFork(b *testing.B, n int) *historied {
	p := newHistoried(b, "catan")
	d := p.Seated()
	p.plays(n)
	who := p.look.Table.Places[0].Holders[0]
	d.Does(who, p.table, desk.ProposeRewind{To: 5, Fresh: true})
	d.Does(p.look.Table.Places[1].Holders[0], p.table, desk.Agree{Since: d.Sees(p.table).Table.Proposal.Since})
	d.Follows(p.table)
	p.plays(n)
	return p
}

// asks measures an address: processor time, and bytes before and after compression.
func (p *historied) asks(name string, path func(i int) string) {
	p.b.Run(name, func(b *testing.B) {
		sent := 0
		get := func(path string, packed bool) int {
			r := p.request(nethttp.MethodGet, path, nil, p.who)
			if !packed {
				r.Header.Del("Accept-Encoding")
			}
			w := httptest.NewRecorder()
			p.Server.ServeHTTP(w, r)
			require.Equal(b, nethttp.StatusOK, w.Code, "%s: %s", path, w.Body)
			return w.Body.Len()
		}
		b.ResetTimer()
		before := cputime.Used()
		for i := range b.N {
			sent += get(path(i), true)
		}
		b.ReportMetric((cputime.Used()-before).Seconds()*1000/float64(b.N), "cpu-ms")
		b.ReportMetric(float64(sent)/float64(b.N), "sent-B")
		b.StopTimer()
		b.ReportMetric(float64(get(path(b.N-1), false)), "whole-B")
	})
}
