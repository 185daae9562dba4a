package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

func TestWhoIsForgottenIsKnownForEver(t *testing.T) {
	d := newDesk(t)
	for range 2 {
		require.NoError(t, d.Forget(d.ctx, events.House, ana))
	}
	require.NoError(t, d.Forget(d.ctx, events.House, bo))
	ids, err := d.Forgotten(d.ctx)
	require.NoError(t, err)
	require.Equal(t, []domain.PersonID{ana, bo}, ids)
}
