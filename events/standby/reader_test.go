package standby_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/logtest"
	"posthorn/events/memory"
	"posthorn/events/relay"
	"posthorn/events/standby"
)

// Given a log open for reading, then it gets what the writer publishes as it comes, even after the cluster was away;
// and if others wrote in place of what it holds, its reader learns up to where it holds the same.
func TestALogThatIsReadFromFollowsTheStream(t *testing.T) {
	cluster := clustertest.New(t, 1)
	h := desktest.New(t)
	o := relay.Options{Keys: desktest.Keys(t), URL: cluster.URL()}
	r, err := relay.Start(h.Log(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	told := make(chan uint64, 1024)
	reader := &standby.Reader{Log: copied, Relay: o, At: func(pos uint64) { told <- pos }, Trouble: func(err error) {
		t.Log(err)
	}}
	ctx, stop := context.WithTimeout(t.Context(), longest)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := reader.Run(ctx)
		ended <- err
	}()
	same := func() {
		t.Helper()
		last, err := h.Log().Last(ctx)
		require.NoError(t, err)
		require.NoError(t, copied.Wait(ctx, last-1))
		want, err := h.Log().Read(ctx, 0, int(last))
		require.NoError(t, err)
		got, err := copied.Read(ctx, 0, int(last)+1)
		require.NoError(t, err)
		require.Equal(t, want, got)
		for pos := uint64(0); pos < last; { // it was told of it, too
			select {
			case pos = <-told:
			case <-ctx.Done():
				t.Fatal("it was not told")
			}
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	same()
	for range 3 {
		h.Random(table, rnd, 1)
		same()
	}
	h.Random(table, rnd, 8)
	cluster.Stop(0)
	h.Random(table, rnd, 4)
	cluster.Start(0)
	same()

	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
	common, err := copied.Last(t.Context())
	require.NoError(t, err)
	own := events.Stream{Name: events.Name{9}, Kind: events.KindTable, Rulebook: "tiny", Table: events.Name{9}}
	_, err = copied.Append(t.Context(), logtest.Opening(own))
	require.NoError(t, err)
	h.Random(table, rnd, 2)
	ctx, stop = context.WithTimeout(t.Context(), longest)
	defer stop()
	last, err := h.Log().Last(ctx)
	require.NoError(t, err)
	require.NoError(t, r.Synced(ctx, last))
	met, err := reader.Run(ctx)
	require.ErrorIs(t, err, standby.ErrTail)
	require.Equal(t, common, met.Common)
	require.NoError(t, ctx.Err())
}
