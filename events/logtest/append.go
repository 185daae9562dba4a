package logtest

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func testAppend(t *testing.T, o Opener) {
	o.run(t, "what is appended is what is read, everywhere", func(w *world) {
		table := w.table()
		d := Following(table.Name, 1)
		d.Parts = SomeParts()

		got := w.append(d)

		want := events.Record{
			Pos: 2, Stream: table.Name, Version: 2, Command: d.Command, Type: d.Type, Codec: "json",
			At: time.UnixMilli(noon.UnixMilli()).UTC(), Meta: d.Meta, Data: d.Data, Parts: d.Parts,
		}
		want.Hash = events.ChainHash(w.load(table.Name, 0, 1)[0].Hash, &want)
		require.Equal(w.t, want, got, "answer")
		require.Equal(w.t, want, w.load(table.Name, 1, 0)[0], "load")
		require.Equal(w.t, want, w.all()[1], "read")
		require.Equal(w.t, want, sure(w.log.Find(w.ctx, table.Name, d.Command))(w.t), "find")
		require.Equal(w.t, events.Head{Version: 2, Hash: want.Hash}, w.head(table.Name))
	})
	o.run(t, "empty fields stay empty, whether nil or of no length", func(w *world) {
		table := w.table()
		for i, empty := range [][]byte{nil, {}} {
			d := Following(table.Name, uint64(i+1))
			d.Meta, d.Data, d.Codec = empty, empty, ""
			d.Parts = []events.Part{{Digest: events.Hash{9}}}
			got := w.append(d)
			require.Nil(w.t, got.Meta)
			require.Nil(w.t, got.Data)
			require.Equal(w.t, got, w.load(table.Name, uint64(i+1), 0)[0])
		}
		VerifyChain(w.t, w.log, table.Name)
	})
	o.run(t, "every byte value survives, and a megabyte does", func(w *world) {
		table := w.table()
		d := Following(table.Name, 1)
		for b := range 256 {
			d.Data = append(d.Data, byte(b))
		}
		d.Meta = bytes.Repeat(d.Data, 1<<12)
		require.Equal(w.t, w.append(d), w.all()[1])
	})
	o.run(t, "a draft that does not hold together is refused", func(w *world) {
		table := w.table()
		for name, spoil := range map[string]func(d *events.Draft){
			"no stream":  func(d *events.Draft) { d.Stream = events.Name{} },
			"no command": func(d *events.Draft) { d.Command = events.CommandID{} },
			"no type":    func(d *events.Draft) { d.Type = "" },
			"opens another stream": func(d *events.Draft) {
				d.Open = &events.Stream{Name: events.NewName(), Kind: events.KindLine}
			},
			"opens a stream of no kind": func(d *events.Draft) { d.Open = &events.Stream{Name: d.Stream} },
			"fork without a version": func(d *events.Draft) {
				d.Open = &events.Stream{Name: d.Stream, Kind: events.KindLine, Parent: table.Name}
			},
			"fork without a parent": func(d *events.Draft) {
				d.Open = &events.Stream{Name: d.Stream, Kind: events.KindLine, Fork: 1}
			},
			"fork of itself": func(d *events.Draft) {
				d.Open = &events.Stream{Name: d.Stream, Kind: events.KindLine, Parent: d.Stream, Fork: 1}
			},
			"more than a log may take up": func(d *events.Draft) { d.Data = make([]byte, 17<<20) },
		} {
			d := Following(table.Name, 1)
			spoil(&d)
			require.ErrorIs(w.t, w.refused(d), events.ErrInvalid, name)
		}
	})
	o.run(t, "a stream must be opened before it goes on, after its table and its parent", func(w *world) {
		table := w.table()
		require.ErrorIs(w.t, w.refused(Following(events.NewName(), 0)), events.ErrNoStream)
		require.ErrorIs(w.t, w.refused(opening(events.NewName())), events.ErrNoStream, "no such table")
		d := Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: table.Name,
			Parent: events.NewName(), Fork: 1})
		require.ErrorIs(w.t, w.refused(d), events.ErrNoStream, "no such parent")
	})
	o.run(t, "a stream of no table is a stream like any other", func(w *world) {
		house := events.Stream{Name: events.NewName(), Kind: events.KindHouse}
		d := Opening(house)
		w.duplicate(d, w.append(d))
		w.lists(events.Name{}, house)
	})
}

func testVersions(t *testing.T, o Opener) {
	o.run(t, "another version than expected is a conflict that names the actual one", func(w *world) {
		table := w.table()
		w.grow(table, 2)
		for _, expect := range []uint64{0, 2, 4, 1 << 40} {
			w.conflict(Following(table.Name, expect), table.Name, expect, 3)
		}
		w.append(Following(table.Name, 3))
	})
	o.run(t, "a stream is opened once", func(w *world) {
		table := w.table()
		w.conflict(Opening(table), table.Name, 0, 1)
		d := Opening(table)
		d.Expect = 1
		w.conflict(d, table.Name, 1, 1)
	})
	o.run(t, "a first event expects the fork's version", func(w *world) {
		line := w.line(w.table())
		w.grow(line, 3)
		d := Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: line.Table, Parent: line.Name,
			Fork: 2})
		d.Expect = 0
		w.conflict(d, d.Stream, 0, 2)
		w.unknown(d.Stream)
	})
	o.run(t, "a guard that does not hold is a conflict that names the guard's stream", func(w *world) {
		table := w.table()
		line := w.line(table)
		unknown := events.NewName()

		d := Following(line.Name, 1)
		d.Guards = []events.Guard{{Stream: table.Name, Version: 2}}
		w.conflict(d, table.Name, 2, 1)
		d.Guards = []events.Guard{{Stream: table.Name, Version: 1}, {Stream: unknown, Version: 1}}
		w.conflict(d, unknown, 1, 0)
		d.Guards = []events.Guard{{Stream: table.Name, Version: 1}, {Stream: unknown, Version: 0}}
		w.append(d)
	})
	o.run(t, "an opening may be guarded too", func(w *world) {
		table := w.table()
		d := opening(table.Name)
		d.Guards = []events.Guard{{Stream: table.Name, Version: 7}}
		w.conflict(d, table.Name, 7, 1)
		w.unknown(d.Stream)
	})
}

func testCommands(t *testing.T, o Opener) {
	o.run(t, "a command done before gives its first record, whatever else the draft says", func(w *world) {
		table := w.table()
		line := w.line(table)
		d := Following(line.Name, 1)
		d.Parts = SomeParts()
		first := w.append(d)

		w.duplicate(d, first)
		other := Following(line.Name, 2)
		other.Command = d.Command
		w.duplicate(other, first)
		other.Stream, other.Expect = table.Name, 77
		w.duplicate(other, first)
		other.Guards = []events.Guard{{Stream: line.Name, Version: 99}}
		w.duplicate(other, first)
		require.EqualValues(w.t, 2, w.head(line.Name).Version)
	})
	o.run(t, "an opening done before gives its first record", func(w *world) {
		table := w.table()
		d := opening(table.Name)
		first := w.append(d)
		w.duplicate(d, first)
		again := opening(table.Name)
		again.Command = d.Command
		w.duplicate(again, first)
		w.unknown(again.Stream)
	})
	o.run(t, "the same id at another table is another command", func(w *world) {
		one, two := w.table(), w.table()
		d, e := Following(one.Name, 1), Following(two.Name, 1)
		e.Command = d.Command
		require.NotEqual(w.t, w.append(d).Pos, w.append(e).Pos)
		w.duplicate(d, w.load(one.Name, 1, 0)[0])
		w.duplicate(e, w.load(two.Name, 1, 0)[0])
	})
	o.run(t, "a refused command was not done and may come again", func(w *world) {
		table := w.table()
		d := Following(table.Name, 9)
		w.conflict(d, table.Name, 9, 1)
		w.undone(table.Name, d.Command)
		d.Expect = 1
		w.append(d)
	})
	o.run(t, "find knows the table's commands alone", func(w *world) {
		one, two := w.table(), w.table()
		r := w.append(Following(one.Name, 1))
		for _, table := range []events.Name{two.Name, events.NewName(), {}} {
			w.undone(table, r.Command)
		}
	})
	t.Run("reopened, a log still knows every command, head and stream", func(t *testing.T) {
		if o.Reopen == nil {
			return
		}
		w := newWorld(t, o)
		table := w.table()
		line := w.line(table)
		w.grow(line, 5)
		fork := w.fork(line, 3)
		d := Following(fork.Name, 4)
		first := w.append(d)
		before := w.all()

		w.log = o.Reopen(t, w.log)

		require.Equal(t, before, w.all())
		w.duplicate(d, first)
		w.conflict(Following(fork.Name, 4), fork.Name, 4, 5)
		require.Equal(t, first.Pos+1, w.append(Following(fork.Name, 5)).Pos)
		VerifyChain(t, w.log, fork.Name)
		w.lists(table.Name, table, line, fork)
	})
}

func testEnding(t *testing.T, o Opener) {
	o.run(t, "a closed log says so, however it is asked", func(w *world) {
		table := w.table()
		require.NoError(w.t, w.log.Close())
		require.NoError(w.t, w.log.Close(), "closing again")
		for name, ask := range w.everything(w.ctx, table, 0) {
			require.ErrorIs(w.t, ask(), events.ErrClosed, name)
		}
	})
	o.run(t, "closing ends a wait", func(w *world) {
		ended := make(chan error)
		go func() { ended <- w.log.Wait(context.Background(), 0) }()
		require.NoError(w.t, w.log.Close())
		require.ErrorIs(w.t, <-ended, events.ErrClosed)
	})
	o.run(t, "a context that has ended is told, and nothing is written", func(w *world) {
		table := w.table()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for name, ask := range w.everything(ctx, table, 1) {
			require.ErrorIs(w.t, ask(), context.Canceled, name)
		}
		require.EqualValues(w.t, 1, w.last())
	})
	o.run(t, "a wait ends with its context", func(w *world) {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- w.log.Wait(ctx, 0) }()
		cancel()
		require.ErrorIs(w.t, <-ended, context.Canceled)
	})
}

// everything calls a log in every possible way, about a table with one event; after is the position above which to
// wait.
func (w *world) everything(ctx context.Context, table events.Stream, after uint64) map[string]func() error {
	return map[string]func() error{
		"append":  func() error { _, err := w.log.Append(ctx, Following(table.Name, 1)); return err },
		"adopt":   func() error { return w.log.Adopt(ctx, nil, nil) },
		"stream":  func() error { _, err := w.log.Stream(ctx, table.Name); return err },
		"streams": func() error { _, err := w.log.Streams(ctx, table.Name); return err },
		"head":    func() error { _, err := w.log.Head(ctx, table.Name); return err },
		"load":    func() error { _, err := w.log.Load(ctx, table.Name, 0, 0); return err },
		"find":    func() error { _, err := w.log.Find(ctx, table.Name, events.CommandID{1}); return err },
		"read":    func() error { _, err := w.log.Read(ctx, 0, 1); return err },
		"last":    func() error { _, err := w.log.Last(ctx); return err },
		"wait":    func() error { return w.log.Wait(ctx, after) },
	}
}
