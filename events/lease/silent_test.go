package lease_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/lease"
)

// Given somebody who waits for the lease over a connection that is lost silently, or closed for good, then they still
// take the lease when it is free, and report in the meantime that something is wrong.
func TestALeaseIsTakenThoughTheWaitersConnectionIsLost(t *testing.T) {
	for name, lose := range map[string]func(*clustertest.Proxy, *nats.Conn){
		"silent": func(p *clustertest.Proxy, _ *nats.Conn) { p.Swallow() },
		"closed": func(_ *clustertest.Proxy, nc *nats.Conn) { nc.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clustertest.New(t, 1)
			p := clustertest.NewProxy(t, c)
			ttl := 2 * time.Second
			first, err := lease.Take(soon(t), lease.Options{Dial: dial(c), TTL: ttl})
			require.NoError(t, err)
			dialed, said, next := make(chan *nats.Conn, 1024), make(chan error, 1024), make(chan *lease.Lease, 1)
			go func() {
				l, _ := lease.Take(soon(t), lease.Options{TTL: ttl, Trouble: func(err error) { said <- err },
					Dial: func() (*nats.Conn, error) {
						nc, err := nats.Connect(p.URL, nats.MaxReconnects(-1))
						dialed <- nc
						return nc, err
					}})
				next <- l
			}()
			lose(p, <-dialed)
			select {
			case err := <-said:
				require.Error(t, err)
			case <-soon(t).Done():
				t.Fatal("nothing is said")
			}
			require.NoError(t, first.Release(soon(t)))
			select {
			case l := <-next:
				require.NotNil(t, l, "nobody gets the lease")
				require.NoError(t, l.Release(soon(t)))
			case <-soon(t).Done():
				t.Fatal("nobody gets the lease")
			}
		})
	}
}

// Given a cluster in which the lease cannot be kept as the settings ask, then those waiting for it say why.
func TestWhyNobodyGetsTheLeaseIsSaid(t *testing.T) {
	c := clustertest.New(t, 1)
	said := make(chan error, 1024)
	ctx := soon(t)
	go func() {
		_, _ = lease.Take(ctx, lease.Options{Dial: dial(c), Replicas: 3, Trouble: func(err error) {
			select {
			case said <- err:
			default:
			}
		}})
	}()
	select {
	case err := <-said:
		require.ErrorContains(t, err, "replicas")
	case <-ctx.Done():
		t.Fatal("nothing is said")
	}
}
