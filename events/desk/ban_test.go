package desk_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

func TestWhoIsBannedAndLetInAgainIsKnownForEver(t *testing.T) {
	d := newDesk(t)
	none, err := d.Bans(d.ctx)
	require.NoError(t, err)
	require.Empty(t, none)
	host := events.Actor{Person: bo, Door: domain.DoorPage}
	require.NoError(t, d.Unban(d.ctx, host, ana), "who is not banned")
	for range 2 { // again and again
		for range 2 {
			require.NoError(t, d.Ban(d.ctx, host, ana, []byte("sealed")))
		}
		all, err := d.Bans(d.ctx)
		require.NoError(t, err)
		require.True(t, all[ana].Now)
		require.Equal(t, []byte("sealed"), all[ana].Reason)
		for range 2 {
			require.NoError(t, d.Unban(d.ctx, host, ana))
		}
		all, err = d.Bans(d.ctx)
		require.NoError(t, err)
		require.False(t, all[ana].Now)
	}
	last, err := d.Log().Last(d.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 4, last, "each once")
	recs, err := d.Log().Read(d.ctx, 0, 9)
	require.NoError(t, err)
	meta, err := events.ReadMeta(&recs[0])
	require.NoError(t, err)
	require.EqualValues(t, bo, meta.By, "who did it is known")
}

func TestWhoIsBannedGivesNoCommands(t *testing.T) {
	d := newDesk(t)
	d.Bar(func(_ context.Context, who domain.PersonID) (bool, error) { return who == ana, nil })
	wish := desk.NewTable{Rulebook: "tiny", Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana}},
			{Kind: domain.SeatStandIn, StandIn: "random"}}}
	_, err := d.Open(d.ctx, events.Actor{Person: ana, Door: domain.DoorPage}, events.NewCommandID(), wish)
	refused, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "banned", refused.Code)
	_, err = d.Open(d.ctx, events.Actor{Person: bo, Door: domain.DoorPage}, events.NewCommandID(), wish)
	require.NoError(t, err)
	_, err = d.Open(d.ctx, events.Actor{Person: ana, Door: domain.DoorHost}, events.NewCommandID(), wish)
	require.NoError(t, err, "what is done for them by the host is")
}
