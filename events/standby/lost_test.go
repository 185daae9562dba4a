package standby_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/relay"
	"posthorn/events/standby"
)

// Given messages lost with the connection that carried them, then the reader asks for them again. The stream has
// them: no person need look at this.
func TestWhatIsLostOnItsWayIsAskedForAgain(t *testing.T) {
	for name, more := range map[string]int{"and more comes": 2, "and nothing else comes": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			losesSome(t, more)
		})
	}
}

func losesSome(t *testing.T, more int) {
	t.Helper()
	cluster := clustertest.New(t, 1)
	p := clustertest.NewProxy(t, cluster)
	h := desktest.New(t)
	r, err := relay.Start(h.Log(), relay.Options{Keys: desktest.Keys(t), URL: cluster.URL()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	ctx, stop := context.WithTimeout(t.Context(), longest)
	defer stop()
	rnd := rand.New(rand.NewPCG(1, 2))
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	written := func() uint64 {
		last, err := h.Log().Last(ctx)
		require.NoError(t, err)
		require.NoError(t, r.Synced(ctx, last))
		return last
	}
	written()
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	at, ended := make(chan uint64, 1024), make(chan error, 1)
	reader := &standby.Reader{Log: copied, Relay: relay.Options{Keys: desktest.Keys(t), URL: p.URL},
		At: func(pos uint64) { at <- pos }, Trouble: func(err error) { t.Log(err) }}
	go func() {
		_, err := reader.Run(ctx)
		ended <- err
	}()
	reaches := func(pos uint64) {
		t.Helper()
		for {
			select {
			case got := <-at:
				if got == pos {
					return
				}
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			case <-ctx.Done():
				t.Fatal("it stands still")
			}
		}
	}
	reaches(written())
	h.Random(table, rnd, 1)
	reaches(written()) // by what is handed out as it comes
	p.Deafen()
	h.Random(table, rnd, 2)
	last := written()
	stream, err := cluster.JetStream().Stream(ctx, relay.DefaultStream)
	require.NoError(t, err)
	for sent := false; !sent; { // to the one that does not hear it
		for info := range stream.ListConsumers(ctx).Info() {
			sent = sent || info.Config.DeliverPolicy == jetstream.DeliverByStartSequencePolicy &&
				info.Delivered.Stream == last && !info.Config.HeadersOnly
		}
		require.NoError(t, ctx.Err())
		time.Sleep(time.Millisecond)
	}
	p.Cut()
	h.Random(table, rnd, more)
	reaches(written())
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}
