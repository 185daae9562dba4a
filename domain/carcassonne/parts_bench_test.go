package carcassonne

import (
	"testing"

	"posthorn/domain"
	"posthorn/domain/carcassonne/rules"
	"posthorn/domain/carcassonne/state"
)

// BenchmarkParts measures the parts of a move separately, over the positions of a game.
func BenchmarkParts(b *testing.B) {
	type moment struct {
		s *state.State
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
		for range Rulebook.Legal(m.s, rules.SeatToMove(m.s)) {
			n++
		}
	})
	part("pick-legal", func(m *moment) {
		_, n = rules.Room{}.PickLegal(m.s, rules.SeatToMove(m.s), func(n int) int { return n / 2 })
	})
	src := domain.NewThrowaway(1)
	part("decide", func(m *moment) { _, _ = Rulebook.Decide(m.s, rules.SeatToMove(m.s), m.m, src.Begin()) })
	var kept *state.State // keeps the compiler from dropping the copy
	part("clone", func(m *moment) { kept = m.s.Clone() })
	_ = kept
	part("clone-evolve", func(m *moment) { Rulebook.Evolve(m.s.Clone(), &m.e) })
	var buf []byte
	codec := Rulebook.Codec()
	part("encode", func(m *moment) { buf, _ = codec.AppendEvent(buf[:0], &m.e) })
	part("format", func(m *moment) { _ = Rulebook.FormatMove(m.m, nil) })
	part("value", func(m *moment) { _ = Rulebook.Value(m.s, 0) })
	part("setup", func(m *moment) { _, _ = Rulebook.Setup(domain.Game{Seats: 2}, src.Begin()) })
}

// BenchmarkFold decodes and folds a whole game, as loading one from the log does.
func BenchmarkFold(b *testing.B) {
	codec := Rulebook.Codec()
	type row struct {
		name string
		data []byte
	}
	var rows []row
	keep := func(e *domain.Event) {
		data, _, err := codec.Encode(e)
		if err != nil {
			b.Fatal(err)
		}
		rows = append(rows, row{e.Type, data})
	}
	p := newPlayout(b, nil, 2, 5)
	keep(&domain.Event{Type: state.EventSetUp, Body: &state.SetUp{View: *p.state().View()}})
	for !p.over() {
		list := p.legal()
		e, _, err := p.line.Decide(p.line.Awaited()[0].Seat, list[p.below(len(list))])
		if err != nil {
			b.Fatal(err)
		}
		p.line.Apply(&e)
		keep(&e)
	}
	before := cpuSeconds()
	b.ResetTimer()
	for range b.N {
		state := Rulebook.New()
		for _, r := range rows {
			e, err := codec.Decode(r.name, r.data, nil)
			if err != nil {
				b.Fatal(err)
			}
			Rulebook.Evolve(state, &e)
		}
	}
	b.ReportMetric((cpuSeconds()-before)*1e6/float64(b.N), "cpu-µs/game")
}
