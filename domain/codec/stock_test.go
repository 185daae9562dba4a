package codec_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain/codec"
)

type heap struct {
	Rows  [][]int16 `json:"rows"`
	Pairs []pair    `json:"pairs"`
	Inner []*heap   `json:"inner"`
	None  []struct{}
}

// Lists and pointers are cut from shared memory: nothing that is read or done later may change what was read.
func TestWhatWasReadStaysAsItIs(t *testing.T) {
	leaf := rapid.Custom(func(t *rapid.T) *heap {
		return &heap{
			Rows: rapid.SliceOfN(rapid.SliceOfN(rapid.Int16(), 0, 9), 0, 4).Draw(t, "rows"),
			Pairs: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pair {
				return pair{A: rapid.Int16().Draw(t, "a"), B: "b"}
			}), 0, 40).Draw(t, "pairs"),
			None: make([]struct{}, rapid.IntRange(0, 3).Draw(t, "none")),
		}
	})
	whole := rapid.Custom(func(t *rapid.T) *heap {
		h := leaf.Draw(t, "leaf")
		h.Inner = rapid.SliceOfN(leaf, 0, 5).Draw(t, "inner")
		return h
	})
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(whole, 1, 12).Draw(t, "all")
		var reader codec.Reader
		var got []heap
		for _, h := range all {
			text, err := json.Marshal(h)
			require.NoError(t, err)
			var read heap
			require.True(t, reader.Read(text, &read), "%s", text)
			got = append(got, read)
		}
		for i := range got { // whoever extends a list gets another
			got[i].extend()
		}
		for i, h := range all {
			text, err := json.Marshal(h)
			require.NoError(t, err)
			again, err := json.Marshal(&got[i])
			require.NoError(t, err)
			require.Equal(t, string(text), string(again))
		}
	})
}

// extend appends to every list, and forgets what it got.
func (h *heap) extend() {
	_ = append(h.Rows, []int16{-7})
	for _, row := range h.Rows {
		_ = append(row, -7)
	}
	_ = append(h.Pairs, pair{A: -7})
	for _, in := range h.Inner {
		in.extend()
	}
	_ = append(h.Inner, nil)
}
