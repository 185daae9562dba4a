package logtest

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func testForks(t *testing.T, o Opener) {
	o.run(t, "a fork copies nothing and goes on from its parent's version and hash", func(w *world) {
		line := w.line(w.table())
		w.grow(line, 9)
		before := w.last()

		fork := w.fork(line, 4)

		require.Equal(w.t, before+1, w.last(), "the opening is the only record written")
		require.EqualValues(w.t, 5, w.head(fork.Name).Version)
		common, own := w.load(line.Name, 0, 4), w.load(fork.Name, 0, 0)
		require.Equal(w.t, common, own[:4])
		require.Equal(w.t, events.ChainHash(common[3].Hash, &own[4]), own[4].Hash)
		require.Equal(w.t, fork.Name, own[4].Stream)
		VerifyChain(w.t, w.log, fork.Name)
		VerifyChain(w.t, w.log, line.Name)
	})
	o.run(t, "a line is loaded along several generations, also in part", func(w *world) {
		a := w.line(w.table())
		w.grow(a, 9) // 10
		b := w.fork(a, 6)
		w.grow(b, 4) // 11
		c := w.fork(b, 8)
		w.grow(c, 2)      // 11
		d := w.fork(c, 3) // before c and b forked: a's own version
		w.grow(d, 1)      // 5

		whole := w.load(c.Name, 0, 0)
		require.Len(w.t, whole, 11)
		for i, want := range map[int]events.Name{0: a.Name, 5: a.Name, 6: b.Name, 7: b.Name, 8: c.Name, 10: c.Name} {
			require.Equal(w.t, want, whole[i].Stream, "version %d", i+1)
		}
		for after := range uint64(13) {
			for upTo := range uint64(14) {
				end := min(cmp.Or(upTo, 11), 11)
				equalRecords(w.t, whole[min(after, end):end], w.load(c.Name, after, upTo))
			}
		}
		require.Equal(w.t, a.Name, w.load(d.Name, 2, 3)[0].Stream)
		for _, s := range []events.Stream{a, b, c, d} {
			VerifyChain(w.t, w.log, s.Name)
		}
	})
	o.run(t, "nothing forks from a version that is not there", func(w *world) {
		line := w.line(w.table())
		d := Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: line.Table, Parent: line.Name,
			Fork: 2})
		w.conflict(d, line.Name, 2, 1)
	})
	o.run(t, "a branch is of another table", func(w *world) {
		line := w.line(w.table())
		w.grow(line, 3)
		branch := w.table()
		s := w.open(events.Stream{Kind: events.KindLine, Rulebook: "suite", Table: branch.Name, Parent: line.Name,
			Fork: 2})
		require.Len(w.t, w.load(s.Name, 0, 0), 3)
		w.lists(branch.Name, branch, s)
		VerifyChain(w.t, w.log, s.Name)
	})
	o.run(t, "parts are loaded with their events, across forks", func(w *world) {
		line := w.line(w.table())
		for v := uint64(1); v < 8; v++ {
			d := Following(line.Name, v)
			if v%2 == 0 {
				d.Parts = SomeParts()[:1+v%4/2]
			}
			w.append(d)
		}
		fork := w.fork(line, 5)
		d := Following(fork.Name, 6)
		d.Parts = SomeParts()
		w.append(d)
		require.Equal(w.t, d.Parts, w.load(fork.Name, 6, 0)[0].Parts)
		require.Equal(w.t, w.load(line.Name, 0, 5), w.load(fork.Name, 0, 5))
		require.Len(w.t, w.load(line.Name, 2, 3)[0].Parts, 2)
		VerifyChain(w.t, w.log, line.Name)
		VerifyChain(w.t, w.log, fork.Name)
	})
}

func testReading(t *testing.T, o Opener) {
	o.run(t, "an empty log", func(w *world) {
		require.Zero(w.t, w.last())
		require.Empty(w.t, w.all())
		w.unknown(events.NewName())
		require.Empty(w.t, sure(w.log.Streams(w.ctx, events.NewName()))(w.t))
	})
	o.run(t, "pages by position hold every record once, in order", func(w *world) {
		one, two := w.table(), w.table()
		for v := range uint64(8) {
			d := Following(one.Name, v+1)
			d.Parts = SomeParts()
			w.append(d)
			w.append(Following(two.Name, v+1))
		}
		all := w.all()
		require.Len(w.t, all, 18)
		for _, size := range []int{1, 5, 18, 100} {
			var paged []events.Record
			for {
				page := sure(w.log.Read(w.ctx, uint64(len(paged)), size))(w.t)
				if len(page) == 0 {
					break
				}
				paged = append(paged, page...)
			}
			require.Equal(w.t, all, paged, "pages of %d", size)
		}
		for i, r := range all {
			require.EqualValues(w.t, i+1, r.Pos)
		}
		for _, limit := range []int{0, -1} {
			require.Empty(w.t, sure(w.log.Read(w.ctx, 0, limit))(w.t))
		}
	})
	o.run(t, "a table's streams in the order they were opened", func(w *world) {
		table, other := w.table(), w.table()
		a := w.line(table)
		w.line(other)
		seat := w.open(events.Stream{Kind: events.KindSeat, Rulebook: "suite", Table: table.Name,
			Origin: events.Hash{7}})
		want := []events.Stream{table, a, seat, w.fork(a, 1)}
		w.lists(table.Name, want...)
		for _, want := range want {
			require.Equal(w.t, want, sure(w.log.Stream(w.ctx, want.Name))(w.t))
		}
	})
	o.run(t, "a wait for what is there already ends at once", func(w *world) {
		w.table()
		require.NoError(w.t, w.log.Wait(w.ctx, 0))
	})
	o.run(t, "a wait ends with the append it waited for", func(w *world) {
		table := w.table()
		ended := make(chan error)
		for range 8 {
			go func() {
				err := w.log.Wait(w.ctx, 2)
				if err == nil {
					_, err = w.log.Read(w.ctx, 2, 1)
				}
				ended <- err
			}()
		}
		w.grow(table, 2)
		for range 8 {
			require.NoError(w.t, <-ended)
		}
	})
}
