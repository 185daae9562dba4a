//go:build unix

package sqlite_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/bench"
	"posthorn/events/desk"
	"posthorn/events/sqlite"
)

// BenchmarkFinishedGame measures looking at a whole game that was played through the desk: loading its events,
// folding them, both, the desk doing both as for a page and, for comparison, the ordinary way of reading the same
// rows. In Rivals nearly every event has something sealed.
func BenchmarkFinishedGame(b *testing.B) {
	for _, game := range []string{"carcassonne", "rivals"} {
		b.Run(game, func(b *testing.B) { finishedGame(b, game) })
	}
}

func finishedGame(b *testing.B, game string) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "events.db")
	log, err := sqlite.Open(ctx, path)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, log.Close()) })
	keys, err := events.NewKeys([32]byte{1})
	require.NoError(b, err)
	desk := desk.NewDesk(log, keys, rulebooks.Named, time.Now)
	look := playedOut(b, desk, game)
	name := look.LineName
	rb, _ := rulebooks.Named(game)
	records, err := log.Load(ctx, name, 0, 0)
	require.NoError(b, err)
	size, hidden, sealed := 0, 0, 0
	for _, r := range records {
		size += len(r.Meta) + len(r.Data)
		for _, p := range r.Parts {
			hidden, sealed = hidden+1, sealed+len(p.Sealed)
		}
	}
	b.Logf("%d events, %d bytes an event in plain, %d sealed parts of %d bytes on average", len(records),
		size/len(records), hidden, sealed/max(hidden, 1))
	fold := func(b *testing.B, records []events.Record) {
		line := domain.NewLine(rb, domain.NewThrowaway(0))
		if err := events.FoldLine(line, records, keys); err != nil || len(line.Awaited()) > 0 {
			b.Fatal(err, line.Awaited())
		}
	}
	load := func(b *testing.B) []events.Record {
		records, err := log.Load(ctx, name, 0, 0)
		if err != nil {
			b.Fatal(err)
		}
		return records
	}
	scan, err := bench.BareScan(ctx, path, name)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, scan.Close()) })
	walk := func(b *testing.B) {
		if err := desk.Walk(ctx, look, name, func(*domain.Line, *events.Record) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	parts := []struct {
		name string
		run  func(*testing.B)
	}{
		{"bare scan", func(b *testing.B) { require.NoError(b, scan.Once(ctx)) }},
		{"load", func(b *testing.B) { load(b) }},
		{"fold", func(b *testing.B) { fold(b, records) }},
		{"load and fold", func(b *testing.B) { fold(b, load(b)) }},
		{"walk", walk},
	}
	for _, p := range parts {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			before, n := processorTime(b), 0
			for b.Loop() {
				p.run(b)
				n++
			}
			used := float64(processorTime(b)-before) / float64(n) / 1000
			b.ReportMetric(used, "cpu-µs/op")
			b.ReportMetric(used/float64(len(records)), "cpu-µs/event")
			b.ReportMetric(float64(len(records)), "events")
		})
	}
}

// processorTime returns what this process has used, itself and in the kernel: unlike elapsed time, it means something
// on a busy machine.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// playedOut plays a random game of two people to its end, and returns its table.
func playedOut(b *testing.B, d *desk.Desk, game string) desk.Look {
	b.Helper()
	ctx := context.Background()
	people := []domain.PersonID{"a0", "b0"}
	by := func(i domain.Seat) events.Actor { return events.Actor{Person: people[i], Door: "page"} }
	ans, err := d.Open(ctx, by(0), events.NewCommandID(), desk.NewTable{Rulebook: game, Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: people[:1]},
			{Kind: domain.SeatPlayer, Invited: people[1:]}}})
	require.NoError(b, err)
	for i := range people {
		_, err := d.Do(ctx, by(domain.Seat(i)), ans.Table, events.NewCommandID(),
			desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes at least")})
		require.NoError(b, err)
	}
	_, err = d.Advance(ctx, ans.Table)
	require.NoError(b, err)
	dice := rand.New(rand.NewPCG(1, 2))
	for {
		look, err := d.Look(ctx, ans.Table)
		require.NoError(b, err)
		if len(look.Line.Awaited()) == 0 {
			return look
		}
		open := look.Line.Awaited()[0]
		var moves []domain.Move
		for m := range look.Rulebook.Legal(look.Line.State, open.Seat) {
			moves = append(moves, m)
		}
		_, err = d.Play(ctx, by(open.Seat),
			desk.Move{ID: events.NewCommandID(), Table: ans.Table, Line: look.LineName,
				Seat: open.Seat, Decision: open, Move: moves[dice.IntN(len(moves))]})
		require.NoError(b, err)
	}
}
