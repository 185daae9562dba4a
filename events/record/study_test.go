package record_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// Given a running game of Rivals of which Ana makes a study and ends it, when somebody reads the study's record, then
// no secret part is open in it until the game has ended.
func TestAStudyOfARunningGameTellsNoHand(t *testing.T) {
	h := desktest.New(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	ends := func(table events.Name) {
		h.Ends(table)
		h.Follows(table)
	}
	study := func(of events.Name) events.Name {
		table := h.Starts("rivals", h.BranchOf(of, h.Sees(of).LineHead.Version, "study"), desktest.Player(desktest.Ana),
			desktest.Player(desktest.Ana))
		require.False(t, h.Random(table, rnd, 6))
		return table
	}
	// reads returns the record that somebody gets.
	reads := func(table events.Name, who domain.PersonID) (*record.File, *record.Report) {
		var b bytes.Buffer
		require.NoError(t, record.Export(h.Ctx, h.Desk, table, h.Sees(table).Table.ViewerOf(who, domain.Nobody),
			time.Now(), &b))
		f, err := record.Read(&b)
		require.NoError(t, err)
		r, err := record.Verify(f, desktest.Named)
		require.NoError(t, err)
		return f, r
	}
	game := h.Starts("rivals", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	require.False(t, h.Random(game, rnd, 30))
	first := study(game)
	second := study(first)
	ends(second)
	ends(first)
	for _, table := range []events.Name{first, second} {
		for _, who := range []domain.PersonID{"", desktest.Bo, desktest.Cid} {
			f, r := reads(table, who)
			require.Zero(t, r.Secrets, "to %q", who)
			require.Positive(t, r.Hidden)
			require.False(t, r.Judged)
			for _, e := range f.Events {
				for _, p := range e.Parts {
					require.Nil(t, p.Text)
					require.Nil(t, p.Salt)
					require.Nil(t, p.Sealed, "what is hidden has no length either")
				}
			}
		}
	}
	ends(game)
	for _, table := range []events.Name{first, second} {
		h.Follows(table)
		_, r := reads(table, desktest.Bo)
		require.Zero(t, r.Hidden)
		require.True(t, r.Judged)
		onlyElsewhere(t, r)
	}
}
