package house_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// leaving opens a house with a table for two stand-ins and you, who are about to be forgotten.
func leaving(t *testing.T) (h *house.House, you domain.PersonID, table events.Name) {
	t.Helper()
	data := t.TempDir()
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly", Places: []domain.TablePlace{{},
		{Kind: domain.SeatStandIn, StandIn: "random"}, {Kind: domain.SeatStandIn, StandIn: "random"}}},
		"you@example.org")
	h = posthorntest.Reopened(t, data)
	a, err := people.ParseAddress("you@example.org")
	require.NoError(t, err)
	p, err := h.People.ByAddress(context.Background(), a)
	require.NoError(t, err)
	tables, err := folder.TablesOf(context.Background(), h.Log)
	require.NoError(t, err)
	require.Len(t, tables, 1)
	_, err = h.Desk.Advance(context.Background(), tables[0])
	require.NoError(t, err)
	return h, p.ID, tables[0]
}

func TestNobodyKeepsASeatByTakingTheIdOfLeavingIt(t *testing.T) {
	h, you, table := leaving(t)
	ctx := context.Background()
	id := events.Derive("leave", table[:], []byte(you), []byte{0})
	_, err := h.Desk.Do(ctx, events.Actor{Person: you, Door: "api"}, table, id,
		desk.Say{Written: desk.Written{Text: []byte("x")}})
	require.NoError(t, err)
	left, err := h.Forget(ctx, events.Actor{Door: domain.DoorHost}, you)
	require.NoError(t, err)
	require.Equal(t, 1, left)
	look, err := h.Desk.Look(ctx, table)
	require.NoError(t, err)
	require.True(t, look.Table.Places[0].Resigned, "a stand-in has the seat")
}

// A person leaves a seat only once, whatever the command's id; somebody invited again can leave again.
func TestASeatIsLeftAsOftenAsItIsTaken(t *testing.T) {
	h, you, _ := leaving(t)
	ctx := context.Background()
	host := events.Actor{Person: "host", Door: "host"}
	ans, err := h.Desk.Open(ctx, host, events.NewCommandID(), desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer, Invited: []domain.PersonID{"host"}},
			{Kind: domain.SeatPlayer, Invited: []domain.PersonID{you}}}})
	require.NoError(t, err)
	actor := events.Actor{Person: you, Door: "host"}
	version := func() uint64 {
		look, err := h.Desk.Look(ctx, ans.Table)
		require.NoError(t, err)
		_, err = h.Leave(ctx, actor, look)
		require.NoError(t, err)
		look, err = h.Desk.Look(ctx, ans.Table)
		require.NoError(t, err)
		_, asked := look.Table.InvitedTo(you)
		require.False(t, asked)
		return look.TableHead.Version
	}
	require.EqualValues(t, 2, version())
	require.EqualValues(t, 2, version(), "it was left already")
	_, err = h.Desk.Do(ctx, host, ans.Table, events.NewCommandID(), desk.Invite{Seat: 1, Person: you})
	require.NoError(t, err)
	require.EqualValues(t, 4, version())
}
