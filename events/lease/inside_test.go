package lease

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
)

// Given a machine on which one clock stood still, as the steady one does while the machine is suspended, then the
// lease is over by the other.
func TestTheClockCountsByWhichALeaseIsOver(t *testing.T) {
	now := time.Now()
	soon, gone := now.Add(time.Hour), now.Add(-time.Second)
	for _, one := range []struct {
		steady, wall time.Time
		held         bool
	}{{soon, soon, true}, {soon, gone, false}, {gone, soon, false}} {
		l := &Lease{ctx: t.Context(), expiry: one.steady, wall: one.wall.Round(0)}
		require.Equal(t, one.held, l.Held())
	}
}

// silent is a bucket whose first answer never comes.
type silent struct {
	jetstream.KeyValue
	asked bool
}

func (s *silent) Create(ctx context.Context, key string, value []byte, opts ...jetstream.KVCreateOpt) (uint64, error) {
	rev, err := s.KeyValue.Create(ctx, key, value, opts...)
	if !s.asked && err == nil {
		s.asked = true
		return 0, context.DeadlineExceeded
	}
	return rev, err
}

// Given somebody who took the lease and got no answer, then they need not wait until their own lease expires; and
// nobody else has it.
func TestALeaseThatWasTakenWithoutAnAnswerIsOnesOwn(t *testing.T) {
	c := clustertest.New(t, 1)
	ttl := time.Hour
	kv, err := c.JetStream().CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: DefaultBucket, TTL: ttl})
	require.NoError(t, err)
	kv = &silent{KeyValue: kv}
	l, err := attempt(t.Context(), kv, ttl, []byte("me"), false)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Nil(t, l)
	l, err = attempt(t.Context(), kv, ttl, []byte("another"), true)
	require.NoError(t, err)
	require.Nil(t, l)
	l, err = attempt(t.Context(), kv, ttl, []byte("me"), true)
	require.NoError(t, err)
	require.True(t, l.Held())
	renewed, gone := l.once()
	require.True(t, renewed)
	require.False(t, gone)
}

// Given a renewal that arrived while its answer was no longer waited for, then the lease is given back all the same;
// and what is somebody else's by then is left alone.
func TestALeaseIsGivenBackAfterAnUnansweredRenewal(t *testing.T) {
	c := clustertest.New(t, 1)
	ttl := time.Hour
	kv, err := c.JetStream().CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: DefaultBucket, TTL: ttl})
	require.NoError(t, err)
	for _, value := range []string{"me", "another"} {
		l, err := attempt(t.Context(), kv, ttl, []byte("me"), false)
		require.NoError(t, err)
		close(l.done)
		l.nc, err = nats.Connect(c.URL())
		require.NoError(t, err)
		_, err = kv.Update(t.Context(), key, []byte(value), l.rev)
		require.NoError(t, err)
		require.NoError(t, l.Release(t.Context()))
		now, err := kv.Get(t.Context(), key)
		if value == "me" {
			require.ErrorIs(t, err, jetstream.ErrKeyNotFound)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, value, string(now.Value()))
	}
}
