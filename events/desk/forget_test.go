package desk_test

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

func TestWhatWasWithdrawnIsKnownForEver(t *testing.T) {
	d := newDesk(t)
	for _, epoch := range []uint32{1, 1, 3, 2} {
		require.NoError(t, d.Withdraw(d.ctx, events.House, ana, epoch))
	}
	require.NoError(t, d.Withdraw(d.ctx, events.House, bo, 1))
	epochs, err := d.Withdrawn(d.ctx)
	require.NoError(t, err)
	require.Equal(t, map[domain.PersonID]uint32{ana: 3, bo: 1}, epochs)
}
