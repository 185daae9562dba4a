package lease_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/lease"
)

// longest is the longest that anything is waited for.
const longest = 2 * time.Minute

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	t.Cleanup(cancel)
	return ctx
}

func dial(c *clustertest.Cluster) func() (*nats.Conn, error) {
	return func() (*nats.Conn, error) { return nats.Connect(c.URL(), nats.MaxReconnects(-1)) }
}

func ended(t *testing.T, l *lease.Lease, why error) {
	t.Helper()
	select {
	case <-l.Context().Done():
	case <-time.After(longest):
		t.Fatal("the lease does not end")
	}
	require.ErrorIs(t, context.Cause(l.Context()), why)
}

func TestOneHasTheLeaseAndTheNextGetsItWhenGivenBack(t *testing.T) {
	c := clustertest.New(t, clustertest.Size())
	o := lease.Options{Dial: dial(c), TTL: time.Minute, Replicas: clustertest.Size()}
	first, err := lease.Take(soon(t), o)
	require.NoError(t, err)
	next := make(chan *lease.Lease, 1)
	waiting, stop := context.WithCancel(soon(t))
	defer stop()
	ready := make(chan struct{})
	go func() {
		close(ready)
		l, _ := lease.Take(waiting, lease.Options{Dial: dial(c), TTL: time.Minute})
		next <- l
	}()
	<-ready
	select {
	case <-next:
		t.Fatal("two have the lease")
	case <-time.After(50 * time.Millisecond):
	}
	stop()
	require.Nil(t, <-next)
	require.NoError(t, first.Release(soon(t)))
	ended(t, first, lease.ErrReleased)
	second, err := lease.Take(soon(t), o)
	require.NoError(t, err)
	require.Greater(t, second.Term, first.Term)
	require.NoError(t, second.Release(soon(t)))
}

// Given a holder that NATS no longer hears from, then it knows that the lease is lost no later than anybody else gets
// it.
func TestALeaseNotRenewedIsLostBeforeAnotherHasIt(t *testing.T) {
	c := clustertest.New(t, 1)
	o := lease.Options{TTL: 600 * time.Millisecond}
	cut, err := nats.Connect(c.URL())
	require.NoError(t, err)
	o.Dial = func() (*nats.Conn, error) { return cut, nil }
	first, err := lease.Take(soon(t), o)
	require.NoError(t, err)
	require.True(t, first.Held())
	cut.Close()
	o.Dial = dial(c)
	second, err := lease.Take(soon(t), o)
	require.NoError(t, err)
	require.False(t, first.Held())
	ended(t, first, lease.ErrLost)
	require.NoError(t, first.Release(soon(t)), "there is nothing to give back")
	require.NoError(t, second.Context().Err())
	require.NoError(t, second.Release(soon(t)))
}

func TestALeaseIsKeptAsLongAsItIsRenewed(t *testing.T) {
	c := clustertest.New(t, 1)
	l, err := lease.Take(soon(t), lease.Options{Dial: dial(c), TTL: longest, Renew: 10 * time.Millisecond})
	require.NoError(t, err)
	kv, err := c.JetStream().KeyValue(t.Context(), lease.DefaultBucket)
	require.NoError(t, err)
	updates, err := kv.Watch(t.Context(), "writer")
	require.NoError(t, err)
	defer func() { require.NoError(t, updates.Stop()) }()
	for n := 0; n < 6; {
		select {
		case u := <-updates.Updates():
			if u != nil {
				n++
			}
		case <-time.After(longest):
			t.Fatal("it is not renewed")
		}
	}
	require.NoError(t, l.Context().Err())
	_, err = kv.Put(t.Context(), "writer", []byte("a stranger"))
	require.NoError(t, err)
	ended(t, l, lease.ErrLost)
}

func TestABucketWithoutATimeElectsNobody(t *testing.T) {
	c := clustertest.New(t, 1)
	_, err := c.JetStream().CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: lease.DefaultBucket})
	require.NoError(t, err)
	_, err = lease.Take(soon(t), lease.Options{Dial: dial(c)})
	require.ErrorContains(t, err, "for ever")
}
