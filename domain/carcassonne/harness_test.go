package carcassonne

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
)

// playout is a game in progress, played through the same Line as the server.
type playout struct {
	t    testing.TB
	line *domain.Line
	rng  uint64
}

func newPlayout(t testing.TB, o domain.Choices, seats int, seed uint64) *playout {
	t.Helper()
	p := &playout{t: t, line: domain.NewLine(Rulebook, domain.NewThrowaway(seed)), rng: seed*2654435761 + 1}
	e, _, err := p.line.Setup(domain.Game{Choices: withDefaults(o), Seats: seats})
	require.NoError(t, err)
	p.line.Apply(&e)
	return p
}

func (p *playout) state() *state.State { return p.line.State.(*state.State) }

func (p *playout) over() bool { return len(p.line.Awaited()) == 0 }

func (p *playout) below(n int) int {
	p.rng ^= p.rng << 13
	p.rng ^= p.rng >> 7
	p.rng ^= p.rng << 17
	return int(p.rng % uint64(n))
}

func (p *playout) legal() (list []domain.Move) {
	for m := range Rulebook.Legal(p.line.State, p.line.Awaited()[0].Seat) {
		list = append(list, m)
	}
	return list
}

// random plays one move, each legal one equally likely.
func (p *playout) random() *state.Played {
	p.t.Helper()
	list := p.legal()
	require.NotEmpty(p.t, list, "a turn is awaited, so the tile fits somewhere")
	return p.play(list[p.below(len(list))])
}

func (p *playout) play(m domain.Move) *state.Played {
	p.t.Helper()
	e, _, err := p.line.Decide(p.line.Awaited()[0].Seat, m)
	require.NoError(p.t, err, "%s", Rulebook.FormatMove(m, nil))
	p.line.Apply(&e)
	return e.Body.(*state.Played)
}

type variant struct {
	name  string
	seats int
	o     domain.Choices
}

var variants = []variant{
	{"base", 2, nil},
	{"five-seats", 5, nil},
	{"no-farmers", 3, domain.Choices{"farmers": "off", "two-tile-city": "2"}},
	{"river", 2, domain.Choices{"river": "on"}},
	{"river-any", 2, domain.Choices{"river": "on", "river-turns": "any", "river-start-tile": "bag"}},
	{"abbot", 3, domain.Choices{"abbot": "on"}},
	{"river-abbot", 4, domain.Choices{"river": "on", "abbot": "on"}},
	{"solo", 1, domain.Choices{"solo": "on"}},
	{"solo-four", 1, domain.Choices{"solo": "on", "colours": "4", "followers": "7"}},
	{"solo-all", 1, domain.Choices{"solo": "on", "abbot": "on", "river": "on", "followers": "7"}},
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkGame plays whole random games of two seats, as `posthorn simulate` does.
func BenchmarkGame(b *testing.B) {
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			codec, moves := Rulebook.Codec(), 0
			before := cpuSeconds()
			var buf []byte
			for i := range b.N {
				p := newPlayout(b, v.o, v.seats, uint64(i+1))
				for !p.over() {
					seat, n := p.line.Awaited()[0].Seat, 0
					var chosen domain.Move
					for m := range Rulebook.Legal(p.line.State, seat) {
						n++
						if p.below(n) == 0 {
							chosen = m
						}
					}
					e, _, err := p.line.Decide(seat, chosen)
					if err != nil {
						b.Fatal(err)
					}
					p.line.Apply(&e)
					if buf, err = codec.AppendEvent(buf[:0], &e); err != nil {
						b.Fatal(err)
					}
					moves++
				}
			}
			used := cpuSeconds() - before
			b.ReportMetric(used*1e9/float64(moves), "cpu-ns/move")
			b.ReportMetric(float64(b.N)/used, "games/cpu-s")
		})
	}
}

// withDefaults fills in missing options.
func withDefaults(o domain.Choices) domain.Choices {
	full, err := domain.Complete(Rulebook, o)
	if err != nil {
		panic(err)
	}
	return full
}
