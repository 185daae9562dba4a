package desk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

// The house stream belongs to no table: callers that ask what the log is about do not hear of it.
func TestWhatConcernsNoTableIsNoTable(t *testing.T) {
	h := desktest.New(t)
	table := h.OpensBy(desktest.Ana, "tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	require.NoError(t, h.Ban(h.Ctx, events.Actor{Door: domain.DoorHost}, desktest.Cid, nil))
	tables, upTo, err := h.About(h.Ctx, 0, 100)
	require.NoError(t, err)
	require.Equal(t, []events.Name{table}, tables)
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	require.Equal(t, last, upTo)
}
