package logtest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
)

// handedOver is what another server hands over: a table with a line, a fork and parts.
type handedOver struct {
	streams []events.Stream
	records []events.Record
}

func handover(t *testing.T, o Opener) *handedOver {
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
	return &handedOver{[]events.Stream{table, line, fork}, w.all()[1:]}
}

// last is the last record.
func (h *handedOver) last() *events.Record { return &h.records[len(h.records)-1] }

func testAdopting(t *testing.T, o Opener) {
	run := func(t *testing.T, name string, test func(t *testing.T, h *handedOver, w *world)) {
		t.Run(name, func(t *testing.T) { test(t, handover(t, o), newWorld(t, o)) })
	}
	run(t, "a table goes on under the same hashes, with positions of this log",
		func(t *testing.T, h *handedOver, w *world) {
			w.table()
			w.table()

			require.NoError(t, w.adopt(h))

			adopted := w.all()[2:]
			require.Len(t, adopted, len(h.records))
			for i := range adopted {
				want := h.records[i]
				want.Pos = uint64(i + 3)
				require.Equal(t, want, adopted[i])
			}
			w.lists(h.streams[0].Name, h.streams...)
			for _, s := range h.streams {
				VerifyChain(t, w.log, s.Name)
			}
			d := Following(h.streams[1].Name, 5)
			d.Command = h.records[2].Command
			w.duplicate(d, adopted[2])
			w.grow(h.streams[2], 1)
			VerifyChain(t, w.log, h.streams[2].Name)
		})
	run(t, "adopting the same again changes nothing, also after play went on",
		func(t *testing.T, h *handedOver, w *world) {
			require.NoError(t, w.adopt(h))
			require.NoError(t, w.adopt(h))
			require.EqualValues(t, len(h.records), w.last())
			w.grow(h.streams[2], 2)
			require.NoError(t, w.adopt(h))
			require.EqualValues(t, len(h.records)+2, w.last())
		})
	run(t, "what is known of a table is completed", func(t *testing.T, h *handedOver, w *world) {
		require.NoError(t, w.adopt(&handedOver{h.streams[:2], h.records[:4]}))
		require.NoError(t, w.adopt(h))
		require.EqualValues(t, len(h.records), w.last())
		VerifyChain(t, w.log, h.streams[2].Name)
	})
	run(t, "redacted records are adopted too, for the chain holds digests alone",
		func(t *testing.T, h *handedOver, w *world) {
			for i := range h.records {
				h.records[i].Parts = slices.Clone(h.records[i].Parts)
				for j := range h.records[i].Parts {
					h.records[i].Parts[j].Sealed = nil
				}
			}
			require.NoError(t, w.adopt(h))
			VerifyChain(t, w.log, h.streams[2].Name)
		})
	t.Run("all or none: one fault and nothing is written", func(t *testing.T) {
		for name, c := range map[string]struct {
			spoil func(h *handedOver)
			want  error
		}{
			"data changed": {func(h *handedOver) { h.last().Data = []byte(`{"after":77}`) },
				events.ErrChain},
			"hash changed": {func(h *handedOver) { h.last().Hash[5]++ }, events.ErrChain},
			"a record left out": {func(h *handedOver) { h.records = slices.Delete(h.records, 3, 4) },
				events.ErrChain},
			"two records in the wrong order": {func(h *handedOver) {
				h.records[3], h.records[4] = h.records[4], h.records[3]
			}, events.ErrChain},
			"another origin":    {func(h *handedOver) { h.streams[1].Origin[0]++ }, events.ErrChain},
			"forked elsewhere":  {func(h *handedOver) { h.streams[2].Fork-- }, events.ErrChain},
			"a stream left out": {func(h *handedOver) { h.streams = h.streams[:2] }, events.ErrNoStream},
			"the table left out": {func(h *handedOver) {
				h.streams, h.records = h.streams[1:], h.records[1:]
			}, events.ErrNoStream},
			"a stream without records": {func(h *handedOver) { h.records = h.records[:len(h.records)-3] },
				events.ErrInvalid},
			"a stream of no kind": {func(h *handedOver) { h.streams[2].Kind = "" }, events.ErrInvalid},
			"a stream listed as two things": {func(h *handedOver) {
				h.streams = append(h.streams, h.streams[1])
				h.streams[3].Kind = events.KindSeat
			}, events.ErrChain},
			"a record of no command": {func(h *handedOver) {
				h.last().Command = events.CommandID{}
				h.last().Hash = events.ChainHash(h.records[len(h.records)-2].Hash, h.last())
			}, events.ErrInvalid},
		} {
			run(t, name, func(t *testing.T, h *handedOver, w *world) {
				c.spoil(h)
				table := w.table()
				require.ErrorIs(t, w.adopt(h), c.want)
				require.EqualValues(t, 1, w.last())
				require.Len(t, w.all(), 1)
				for _, s := range h.streams {
					w.unknown(s.Name)
				}
				w.undone(h.streams[0].Name, h.records[0].Command)
				require.EqualValues(t, 2, w.append(Following(table.Name, 1)).Pos, "the next position has no gap")
			})
		}
	})
	run(t, "a stream known as another is not adopted", func(t *testing.T, h *handedOver, w *world) {
		require.NoError(t, w.adopt(h))
		h.streams[1].Kind = events.KindSeat
		require.ErrorIs(t, w.adopt(h), events.ErrChain)
	})
	run(t, "a history that went on otherwise is not adopted", func(t *testing.T, h *handedOver, w *world) {
		require.NoError(t, w.adopt(&handedOver{h.streams, h.records[:len(h.records)-1]}))
		w.grow(h.streams[2], 1)
		before := w.last()
		require.ErrorIs(t, w.adopt(h), events.ErrChain)
		require.Equal(t, before, w.last())
	})
	run(t, "a command of the table under another record is not adopted", func(t *testing.T, h *handedOver, w *world) {
		require.NoError(t, w.adopt(&handedOver{h.streams, h.records[:len(h.records)-1]}))
		d := Following(h.streams[0].Name, 1)
		d.Command = h.records[len(h.records)-1].Command
		w.append(d)
		require.ErrorAs(t, w.adopt(h), new(*events.Duplicate))
	})
}
