package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/pass"
)

func TestAPassLeadsNobodyOnWhoHoldsTheSeatNoLonger(t *testing.T) {
	h := desktest.New(t)
	ana, bo, cid := desktest.Ana, desktest.Bo, desktest.Cid
	// given that Ana has just played what brings up the next decision of her seat: the roll
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), events.NewTable{Rulebook: "tiny", Pace: "weekly", Given: []byte(`{"roller":"A"}`),
		Places: []domain.TablePlace{desktest.Player(ana), desktest.Player(bo)}})
	require.NoError(t, err)
	table := ans.Table
	h.Joins(ana, table, 0)
	h.Joins(bo, table, 1)
	h.Follows(table)
	h.Plays(table, 1, "keep")
	before := h.Sees(table)
	o := before.Line.Awaited()[0]
	h.Plays(table, 0, "keep")
	look := h.Sees(table)
	played := pass.Facts{Purpose: pass.Play, Person: ana, Stream: before.LineName, Seat: 0, Kind: o.Kind, Serial: o.Serial, Since: o.Since}
	move := events.Record{Version: look.LineHead.Version, Hash: look.LineHead.Hash}
	// then her pass leads her on
	next, ok := following(look, played, move)
	require.True(t, ok)
	require.Equal(t, ana, next.Person)
	// but not once the seat is somebody else's, whom theirs would lead on
	h.Does(cid, table, events.Claim{Seat: 0, Was: ana})
	look = h.Sees(table)
	_, ok = following(look, played, move)
	require.False(t, ok, "what she may no longer play she is not led to")
	played.Person = cid
	_, ok = following(look, played, move)
	require.True(t, ok)
	// and nobody is led to another seat's decision
	played.Person, played.Seat = bo, 1
	_, ok = following(look, played, move)
	require.False(t, ok)
}
