package standby_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
)

// Given a cluster that accepts no stream with as many copies as the settings ask for, then the server that was
// elected but may not begin says why.
func TestAnElectedServerSaysWhatKeepsItFromTheCluster(t *testing.T) {
	c := clustertest.New(t, 1)
	_, err := c.JetStream().CreateKeyValue(t.Context(),
		jetstream.KeyValueConfig{Bucket: lease.DefaultBucket, TTL: time.Minute})
	require.NoError(t, err)
	said := make(chan string, 1024)
	s := &standby.Standby{Path: filepath.Join(t.TempDir(), "events.db"), Keys: desktest.Keys(t),
		Relay: relay.Options{URL: c.URL(), Replicas: 3}, First: true, Now: time.Now,
		Lease: lease.Options{TTL: time.Minute},
		Ready: func(context.Context, *sqlite.Log) error { return nil },
		At:    func(uint64) {},
		Trouble: func(err error) {
			select {
			case said <- err.Error():
			default:
			}
		}}
	ctx, stop := context.WithTimeout(t.Context(), longest)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := s.Wait(ctx)
		ended <- err
	}()
	for found := false; !found; {
		select {
		case text := <-said:
			t.Log(text)
			found = strings.Contains(text, "replicas")
		case <-ctx.Done():
			t.Fatal("nothing is said")
		}
	}
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}
