package logtest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func testConcurrently(t *testing.T, o Opener) {
	o.run(t, "64 writers: positions without gaps, every answer true", func(w *world) {
		const writers, each = 64, 20
		answers := make([][]events.Record, writers)
		failures := make([]error, writers)
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() { answers[i], failures[i] = fill(w.ctx, w.log, each) })
		}
		all.Wait()
		require.NoError(w.t, errors.Join(failures...))
		log := w.all()
		require.Len(w.t, log, writers*each)
		for i, r := range log {
			require.EqualValues(w.t, i+1, r.Pos)
		}
		for _, own := range answers {
			for _, r := range own {
				require.Equal(w.t, log[r.Pos-1], r)
			}
			VerifyChain(w.t, w.log, own[0].Stream)
		}
	})
	o.run(t, "64 writers to one stream: one wins each version", func(w *world) {
		table := w.table()
		won := w.race(64, func(int) events.Draft { return Following(table.Name, 1) }, func(err error) bool {
			var c *events.Conflict
			return errors.As(err, &c) && *c == events.Conflict{Stream: table.Name, Expected: 1, Actual: 2}
		})
		require.Len(w.t, won, 1)
		require.EqualValues(w.t, 2, w.head(table.Name).Version)
	})
	o.run(t, "one command 64 times at once: done once, and all are given its record", func(w *world) {
		table := w.table()
		line := w.line(table)
		d, e := Following(table.Name, 1), Following(line.Name, 1)
		e.Command = d.Command
		var mu sync.Mutex
		named := map[uint64]bool{}
		won := w.race(64, func(i int) events.Draft { return []events.Draft{d, e}[i%2] }, func(err error) bool {
			var dup *events.Duplicate
			if !errors.As(err, &dup) {
				return false
			}
			mu.Lock()
			defer mu.Unlock()
			named[dup.Record.Pos] = true
			return dup.Record.Command == d.Command
		})
		require.Len(w.t, won, 1)
		require.Equal(w.t, map[uint64]bool{won[0].Pos: true}, named)
		require.EqualValues(w.t, 3, w.last())
	})
	o.run(t, "one stream opened 64 times at once: opened once", func(w *world) {
		table := w.table()
		s := *opening(table.Name).Open
		won := w.race(64, func(int) events.Draft { return Opening(s) }, func(err error) bool {
			return errors.As(err, new(*events.Conflict))
		})
		require.Len(w.t, won, 1)
		VerifyChain(w.t, w.log, s.Name)
	})
	o.run(t, "a context that ends among many: written if answered, not written if refused", func(w *world) {
		tables := make([]events.Stream, 64)
		for i := range tables {
			tables[i] = w.table()
		}
		ctx, cancel := context.WithCancel(w.ctx)
		defer cancel()
		written := make([]bool, len(tables))
		failures := make([]error, len(tables))
		var all sync.WaitGroup
		for i, s := range tables {
			all.Go(func() {
				if i == len(tables)/2 {
					cancel()
				}
				_, err := w.log.Append(ctx, Following(s.Name, 1))
				written[i] = err == nil
				if !errors.Is(err, context.Canceled) {
					failures[i] = err
				}
			})
		}
		all.Wait()
		require.NoError(w.t, errors.Join(failures...))
		for i, s := range tables {
			require.Equal(w.t, written[i], w.head(s.Name).Version == 2)
		}
	})
}

// fill opens a table of its own and appends to it until it has n events.
func fill(ctx context.Context, l events.Log, n int) ([]events.Record, error) {
	name := events.NewName()
	d := Opening(events.Stream{Name: name, Kind: events.KindTable, Table: name})
	var out []events.Record
	for v := uint64(1); ; v++ {
		r, err := l.Append(ctx, d)
		if err != nil {
			return out, err
		}
		if out = append(out, r); len(out) == n {
			return out, nil
		}
		d = Following(name, v)
		if v%5 == 0 {
			d.Parts = SomeParts()
		}
	}
}

// race appends drafts all at once. It returns the records of those that won; the errors of the others must be
// expected.
func (w *world) race(n int, draft func(i int) events.Draft, expected func(error) bool) (won []events.Record) {
	w.t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	var surprises []error
	start := make(chan struct{})
	for i := range n {
		d := draft(i)
		all.Go(func() {
			<-start
			r, err := w.log.Append(w.ctx, d)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, r)
			}
			if err != nil && !expected(err) {
				surprises = append(surprises, err)
			}
		})
	}
	close(start)
	all.Wait()
	require.NoError(w.t, errors.Join(surprises...))
	return won
}
