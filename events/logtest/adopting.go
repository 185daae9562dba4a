package logtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// handover is what another server hands over: a table with a line, a fork and parts.
func handover(t *testing.T, o Opener) ([]events.Stream, []events.Record) {
	w := newWorld(t, o)
	w.table() // so that positions differ
	table := w.table()
	line := w.line(table)
	for v := uint64(1); v < 5; v++ {
		d := Following(line.Name, v)
		d.Parts = SomeParts()
		w.append(d)
	}
	fork := w.fork(line, 3)
	w.grow(fork, 2)
	return []events.Stream{table, line, fork}, w.all()[1:]
}

func testAdopting(t *testing.T, o Opener) {
	t.Run("a table goes on under the same hashes, with positions of this log", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		w.table()
		w.table()

		require.NoError(t, w.log.Adopt(w.ctx, streams, records))

		adopted := w.all()[2:]
		require.Len(t, adopted, len(records))
		for i := range adopted {
			want := records[i]
			want.Pos = uint64(i + 3)
			require.Equal(t, want, adopted[i])
		}
		got, err := w.log.Streams(w.ctx, streams[0].Name)
		require.NoError(t, err)
		require.Equal(t, streams, got)
		for _, s := range streams {
			VerifyChain(t, w.log, s.Name)
		}
		d := Following(streams[1].Name, 5)
		d.Command = records[2].Command
		w.duplicate(d, adopted[2])
		w.grow(streams[2], 1)
		VerifyChain(t, w.log, streams[2].Name)
	})
	t.Run("adopting the same again changes nothing, also after play went on", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		require.EqualValues(t, len(records), w.last())
		w.grow(streams[2], 2)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		require.EqualValues(t, len(records)+2, w.last())
	})
	t.Run("what is known of a table is completed", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams[:2], records[:4]))
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		require.EqualValues(t, len(records), w.last())
		VerifyChain(t, w.log, streams[2].Name)
	})
	t.Run("redacted records are adopted too, for the chain holds digests alone", func(t *testing.T) {
		streams, records := handover(t, o)
		for i := range records {
			parts := append([]events.Part(nil), records[i].Parts...)
			for j := range parts {
				parts[j].Sealed = nil
			}
			records[i].Parts = parts
		}
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		VerifyChain(t, w.log, streams[2].Name)
	})
	t.Run("all or none: one fault and nothing is written", func(t *testing.T) {
		for name, c := range map[string]struct {
			spoil func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record)
			want  error
		}{
			"data changed": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				r[len(r)-1].Data = []byte(`{"after":77}`)
				return s, r
			}, events.ErrChain},
			"hash changed": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				r[len(r)-1].Hash[5]++
				return s, r
			}, events.ErrChain},
			"a record left out": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				return s, append(r[:3:3], r[4:]...)
			}, events.ErrChain},
			"two records in the wrong order": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				r[3], r[4] = r[4], r[3]
				return s, r
			}, events.ErrChain},
			"another origin": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				s[1].Origin[0]++
				return s, r
			}, events.ErrChain},
			"forked elsewhere": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				s[2].Fork--
				return s, r
			}, events.ErrChain},
			"a stream left out": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				return s[:2], r
			}, events.ErrNoStream},
			"the table left out": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				return s[1:], r[1:]
			}, events.ErrNoStream},
			"a stream without records": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				return s, r[:len(r)-3]
			}, events.ErrInvalid},
			"a stream listed as two things": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				twice := s[1]
				twice.Kind = events.KindSeat
				return append(s, twice), r
			}, events.ErrChain},
			"a record of no command": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				last := &r[len(r)-1]
				last.Command = events.CommandID{}
				last.Hash = events.ChainHash(r[len(r)-2].Hash, last)
				return s, r
			}, events.ErrInvalid},
			"a stream of no kind": {func(s []events.Stream, r []events.Record) ([]events.Stream, []events.Record) {
				s[2].Kind = ""
				return s, r
			}, events.ErrInvalid},
		} {
			t.Run(name, func(t *testing.T) {
				streams, records := c.spoil(handover(t, o))
				w := newWorld(t, o)
				table := w.table()
				require.ErrorIs(t, w.log.Adopt(w.ctx, streams, records), c.want)
				require.EqualValues(t, 1, w.last())
				require.Len(t, w.all(), 1)
				for _, s := range streams {
					_, err := w.log.Stream(w.ctx, s.Name)
					require.ErrorIs(t, err, events.ErrNoStream)
				}
				_, err := w.log.Find(w.ctx, streams[0].Name, records[0].Command)
				require.ErrorIs(t, err, events.ErrNoRecord)
				require.EqualValues(t, 2, w.append(Following(table.Name, 1)).Pos, "the next position has no gap")
			})
		}
	})
	t.Run("a stream known as another is not adopted", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records))
		streams[1].Kind = events.KindSeat
		require.ErrorIs(t, w.log.Adopt(w.ctx, streams, records), events.ErrChain)
	})
	t.Run("a history that went on otherwise is not adopted", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records[:len(records)-1]))
		w.grow(streams[2], 1)
		before := w.last()
		require.ErrorIs(t, w.log.Adopt(w.ctx, streams, records), events.ErrChain)
		require.Equal(t, before, w.last())
	})
	t.Run("a command of the table under another record is not adopted", func(t *testing.T) {
		streams, records := handover(t, o)
		w := newWorld(t, o)
		require.NoError(t, w.log.Adopt(w.ctx, streams, records[:len(records)-1]))
		d := Following(streams[0].Name, 1)
		d.Command = records[len(records)-1].Command
		w.append(d)
		var dup *events.Duplicate
		require.ErrorAs(t, w.log.Adopt(w.ctx, streams, records), &dup)
	})
}
