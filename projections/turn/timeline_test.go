package turn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestWhatWasSaidIsReadInPartsHoweverMuchThereIs(t *testing.T) {
	h := newHouse(t)
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
	for range 100 {
		h.Does(ana, table, desk.Say{Written: desk.Written{Text: []byte("hm")}})
	}
	last := h.Sees(table).TableHead.Version
	total, opened := 0, 0
	before := uint64(0)
	for {
		calls := 0
		part, err := h.maker.TableTimeline(h.Ctx, table, asks(ana), before, 30, func(domain.PersonID, []byte) string {
			calls++
			return "hm"
		})
		require.NoError(t, err)
		require.LessOrEqual(t, calls, 30, "no more is opened than is shown")
		opened += calls
		for _, happened := range part.Happenings {
			require.LessOrEqual(t, happened.Version, last)
			require.True(t, before == 0 || happened.Version < before)
		}
		total += len(part.Happenings)
		if before = part.Before; before == 0 {
			break
		}
	}
	require.Equal(t, 100, opened)
	require.Greater(t, total, 100)
	part, err := h.maker.TableTimeline(h.Ctx, table, asks(ana), 1, 30, nil)
	require.NoError(t, err)
	require.Empty(t, part.Happenings, "below the first version there is nothing")
}
