package desk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
)

// Given a seat that hides the same card face down in two rounds, when others read its events, then nothing beside
// them says that it was the same card: the digest of a wish belongs to its command alone.
func TestTheDigestOfAWishTellsNothingOfAnother(t *testing.T) {
	h := desktest.New(t)
	seen := map[string]bool{}
	table := h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	for range 6 {
		look := h.Sees(table)
		for _, o := range look.Line.Awaited() {
			for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
				h.Plays(table, o.Seat, look.Rulebook.FormatMove(m, nil))
				break
			}
			break
		}
	}
	recs, err := h.Log().Load(h.Ctx, h.Sees(table).LineName, 1, 0)
	require.NoError(t, err)
	require.Len(t, recs, 6)
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		require.NoError(t, err)
		require.NotEmpty(t, meta.Wish)
		require.False(t, seen[meta.Wish], "version %d: %s", recs[i].Version, recs[i].Data)
		seen[meta.Wish] = true
	}
}
