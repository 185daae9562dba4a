package logtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

func testForks(t *testing.T, o Opener) {
	t.Run("a fork copies nothing and goes on from its parent's version and hash", func(t *testing.T) {
		w := newWorld(t, o)
		line := w.line(w.table())
		w.grow(line, 9)
		before := w.last()

		fork := w.fork(line, 4)

		require.Equal(t, before+1, w.last(), "the opening is the only record written")
		require.EqualValues(t, 5, w.head(fork.Name).Version)
		common, own := w.load(line.Name, 0, 4), w.load(fork.Name, 0, 0)
		require.Equal(t, common, own[:4])
		require.Equal(t, events.ChainHash(common[3].Hash, &own[4]), own[4].Hash)
		require.Equal(t, fork.Name, own[4].Stream)
		VerifyChain(t, w.log, fork.Name)
		VerifyChain(t, w.log, line.Name)
	})
	t.Run("a line is loaded along several generations, also in part", func(t *testing.T) {
		w := newWorld(t, o)
		a := w.line(w.table())
		w.grow(a, 9) // 10
		b := w.fork(a, 6)
		w.grow(b, 4) // 11
		c := w.fork(b, 8)
		w.grow(c, 2)      // 11
		d := w.fork(c, 3) // before c and b forked: a's own version
		w.grow(d, 1)      // 5

		whole := w.load(c.Name, 0, 0)
		require.Len(t, whole, 11)
		for i, want := range map[int]events.Name{0: a.Name, 5: a.Name, 6: b.Name, 7: b.Name, 8: c.Name, 10: c.Name} {
			require.Equal(t, want, whole[i].Stream, "version %d", i+1)
		}
		for after := range uint64(13) {
			for upTo := range uint64(14) {
				end := min(upTo, 11)
				if upTo == 0 {
					end = 11
				}
				want := whole[min(after, end):end]
				got := w.load(c.Name, after, upTo)
				require.Len(t, got, len(want), "after %d up to %d", after, upTo)
				for i := range want {
					require.Equal(t, want[i], got[i])
				}
			}
		}
		require.Equal(t, a.Name, w.load(d.Name, 2, 3)[0].Stream)
		for _, s := range []events.Stream{a, b, c, d} {
			VerifyChain(t, w.log, s.Name)
		}
	})
	t.Run("nothing forks from a version that is not there", func(t *testing.T) {
		w := newWorld(t, o)
		line := w.line(w.table())
		d := Opening(events.Stream{Name: events.NewName(), Kind: events.KindLine, Table: line.Table, Parent: line.Name, Fork: 2})
		w.conflict(d, events.Conflict{Stream: line.Name, Expected: 2, Actual: 1})
	})
	t.Run("a branch is of another table", func(t *testing.T) {
		w := newWorld(t, o)
		line := w.line(w.table())
		w.grow(line, 3)
		branch := w.table()
		s := events.Stream{Name: events.NewName(), Kind: events.KindLine, Rulebook: "suite", Table: branch.Name, Parent: line.Name, Fork: 2}
		w.append(Opening(s))
		require.Len(t, w.load(s.Name, 0, 0), 3)
		got, err := w.log.Streams(w.ctx, branch.Name)
		require.NoError(t, err)
		require.Equal(t, []events.Stream{branch, s}, got)
		VerifyChain(t, w.log, s.Name)
	})
	t.Run("parts are loaded with their events, across forks", func(t *testing.T) {
		w := newWorld(t, o)
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
		require.Equal(t, d.Parts, w.load(fork.Name, 6, 0)[0].Parts)
		require.Equal(t, w.load(line.Name, 0, 5), w.load(fork.Name, 0, 5))
		require.Len(t, w.load(line.Name, 2, 3)[0].Parts, 2)
		VerifyChain(t, w.log, line.Name)
		VerifyChain(t, w.log, fork.Name)
	})
}

func testReading(t *testing.T, o Opener) {
	t.Run("an empty log", func(t *testing.T) {
		w := newWorld(t, o)
		require.Zero(t, w.last())
		require.Empty(t, w.all())
		_, err := w.log.Stream(w.ctx, events.NewName())
		require.ErrorIs(t, err, events.ErrNoStream)
		_, err = w.log.Head(w.ctx, events.NewName())
		require.ErrorIs(t, err, events.ErrNoStream)
		_, err = w.log.Load(w.ctx, events.NewName(), 0, 0)
		require.ErrorIs(t, err, events.ErrNoStream)
		got, err := w.log.Streams(w.ctx, events.NewName())
		require.NoError(t, err)
		require.Empty(t, got)
	})
	t.Run("pages by position hold every record once, in order", func(t *testing.T) {
		w := newWorld(t, o)
		one, two := w.table(), w.table()
		for v := range uint64(8) {
			d := Following(one.Name, v+1)
			d.Parts = SomeParts()
			w.append(d)
			w.append(Following(two.Name, v+1))
		}
		all := w.all()
		require.Len(t, all, 18)
		for _, size := range []int{1, 5, 18, 100} {
			var paged []events.Record
			for {
				page, err := w.log.Read(w.ctx, uint64(len(paged)), size)
				require.NoError(t, err)
				if len(page) == 0 {
					break
				}
				paged = append(paged, page...)
			}
			require.Equal(t, all, paged, "pages of %d", size)
		}
		for i, r := range all {
			require.EqualValues(t, i+1, r.Pos)
		}
		for _, limit := range []int{0, -1} {
			page, err := w.log.Read(w.ctx, 0, limit)
			require.NoError(t, err)
			require.Empty(t, page)
		}
	})
	t.Run("a table's streams in the order they were opened", func(t *testing.T) {
		w := newWorld(t, o)
		table, other := w.table(), w.table()
		a := w.line(table)
		w.line(other)
		seat := events.Stream{Name: events.NewName(), Kind: events.KindSeat, Rulebook: "suite", Table: table.Name, Origin: events.Hash{7}}
		w.append(Opening(seat))
		b := w.fork(a, 1)
		got, err := w.log.Streams(w.ctx, table.Name)
		require.NoError(t, err)
		require.Equal(t, []events.Stream{table, a, seat, b}, got)
		for _, want := range got {
			s, err := w.log.Stream(w.ctx, want.Name)
			require.NoError(t, err)
			require.Equal(t, want, s)
		}
	})
	t.Run("a wait for what is there already ends at once", func(t *testing.T) {
		w := newWorld(t, o)
		w.table()
		require.NoError(t, w.log.Wait(w.ctx, 0))
	})
	t.Run("a wait ends with the append it waited for", func(t *testing.T) {
		w := newWorld(t, o)
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
			require.NoError(t, <-ended)
		}
	})
}
