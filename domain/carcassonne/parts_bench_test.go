package carcassonne

import (
	"testing"

	"posthorn/domain"
)

// BenchmarkParts measures the parts of a move by themselves, over the positions of a game.
func BenchmarkParts(b *testing.B) {
	type moment struct {
		s *State
		m domain.Move
		e domain.Event
	}
	var game []moment
	p := newPlayout(b, nil, 2, 5)
	for !p.over() {
		list := p.legal()
		m := moment{s: p.state().Clone(), m: list[p.below(len(list))]}
		m.e, _, _ = p.line.Decide(p.line.Awaited()[0].Seat, m.m)
		p.line.Apply(&m.e)
		game = append(game, m)
	}
	part := func(name string, f func(m *moment)) {
		b.Run(name, func(b *testing.B) {
			before := cpuSeconds()
			for i := range b.N {
				f(&game[i%len(game)])
			}
			b.ReportMetric((cpuSeconds()-before)*1e9/float64(b.N), "cpu-ns/move")
		})
	}
	n := 0
	part("legal", func(m *moment) {
		for range (Rules{}).Legal(m.s, m.s.seatToMove()) {
			n++
		}
	})
	src := domain.NewThrowaway(1)
	part("decide", func(m *moment) { _, _ = Rules{}.Decide(m.s, m.s.seatToMove(), m.m, src.Begin()) })
	part("clone", func(m *moment) { m.s.Clone() })
	part("clone-evolve", func(m *moment) { Rules{}.Evolve(m.s.Clone(), &m.e) })
	var buf []byte
	codec := Rules{}.Codec()
	part("encode", func(m *moment) { buf, _ = codec.AppendEvent(buf[:0], &m.e) })
	part("format", func(m *moment) { _ = Rules{}.FormatMove(m.m, nil) })
	part("value", func(m *moment) { _ = Rules{}.Value(m.s, 0) })
	part("setup", func(m *moment) { _, _ = Rules{}.Setup(domain.Game{Seats: 2}, src.Begin()) })
}
