package copies_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/copies"
	"posthorn/events/desktest"
)

// Given a copy that nobody confirms, for example because the leading server died with it, then the writer learns that
// long before its own time is over, and can try again.
func TestACopyThatNobodyConfirmsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	subjects := "$O." + copies.DefaultBucket
	_, err := s.cluster.JetStream().
		CreateStream(s.ctx, jetstream.StreamConfig{Name: "OBJ_" + copies.DefaultBucket,
			Subjects:    []string{subjects + ".C.>", subjects + ".M.>"},
			AllowRollup: true, AllowDirect: true, NoAck: true, Replicas: clustertest.Size()})
	require.NoError(t, err)
	_, err = s.store(desktest.Keys(t)).Put(s.ctx, 3, s.folder(map[string][]byte{"people.db": noise(512 << 10)}),
		time.Now())
	require.Error(t, err)
	require.NoError(t, s.ctx.Err(), "it was waited for as long as there was time")
}

// Given a cluster that does not answer, then a writer of a copy learns that.
func TestAClusterThatSaysNothingIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	if clustertest.Size() > 1 {
		t.Skip("several servers are not reached through one address")
	}
	p := clustertest.NewProxy(t, s.cluster)
	nc, err := nats.Connect(p.URL)
	require.NoError(t, err)
	defer nc.Close()
	store, err := copies.Open(nc, desktest.Keys(t), copies.Options{})
	require.NoError(t, err)
	folder := s.folder(map[string][]byte{"people.db": noise(1 << 10)})
	_, err = store.Put(s.ctx, 3, folder, time.Now())
	require.NoError(t, err)
	p.Swallow()
	_, err = store.Put(s.ctx, 3, folder, time.Now())
	require.Error(t, err)
	require.NoError(t, s.ctx.Err(), "it was waited for as long as there was time")
}
