package posthorntest

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// Seed makes a house in which each person plays their own game at seat A.
func Seed(t *testing.T, data string, table desk.NewTable, addresses ...string) {
	t.Helper()
	ctx := context.Background()
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	for _, address := range addresses {
		a, err := people.ParseAddress(address)
		require.NoError(t, err)
		who, err := h.People.Ensure(ctx, a, "en")
		require.NoError(t, err)
		actor := events.Actor{Person: who.ID, Door: "host"}
		table.Places = slices.Clone(table.Places)
		table.Places[0] = domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{who.ID}}
		ans, err := h.Desk.Open(ctx, actor, events.NewCommandID(), table)
		require.NoError(t, err)
		_, err = h.Desk.Do(ctx, actor, ans.Table, events.NewCommandID(),
			desk.Join{Seat: 0, Chance: []byte("sixteen bytes and more")})
		require.NoError(t, err)
	}
}
