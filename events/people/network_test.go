package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestANetworkIsNewUntilActedFromAndAfter90Days(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org").ID, h.confirmed("bo@example.org").ID
	came := func(who domain.PersonID, network string) bool {
		t.Helper()
		strange, err := h.Came(ctx, who, network)
		require.NoError(t, err)
		return strange
	}
	require.False(t, came(ana, "192.0.0.0/16"), "the first is no news: there is nothing to compare it with")
	require.True(t, came(ana, "203.0.0.0/16"))
	require.False(t, came(ana, "203.0.0.0/16"))
	require.False(t, came(bo, "203.0.0.0/16"))
	for range 3 {
		h.pass(80 * 24 * time.Hour)
		h.restart()
		require.False(t, came(ana, "192.0.0.0/16"), "each time counts anew")
	}
	require.True(t, came(ana, "203.0.0.0/16"))
	require.NotContains(t, string(h.files()), "203.0")

	require.NoError(t, h.WithdrawPasses(ctx, ana, 1))
	n, err := h.Networks(ctx, ana)
	require.NoError(t, err)
	require.Zero(t, n, "whoever used the links may have been somebody else")
	require.False(t, came(ana, "192.0.0.0/16"))
	require.NoError(t, h.WithdrawPasses(ctx, ana, 1))
	require.True(t, came(ana, "203.0.0.0/16"), "withdrawn once, they are forgotten once")

	require.NoError(t, h.Forget(ctx, ana))
	n, err = h.Networks(ctx, ana)
	require.NoError(t, err)
	require.Zero(t, n)
	require.False(t, came(ana, "192.0.0.0/16"), "nothing is kept of nobody")
	n, err = h.Networks(ctx, ana)
	require.NoError(t, err)
	require.Zero(t, n)
}
