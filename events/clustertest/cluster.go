// Package clustertest runs NATS servers with JetStream in this process, on loopback, for tests of what must hold
// while some of them are away. The servers of a cluster take seconds to agree on a leader, so the long forms of tests
// use three, and the short forms one. What must not live here: anything but test code.
package clustertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events/porttest"
)

// Size returns how many servers a test has: three with POSTHORN_LONG=1, else one.
func Size() int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return 3
	}
	return 1
}

// longest is the longest that anything is waited for.
const longest = 2 * time.Minute

// Cluster holds the servers. Each keeps its ports and its store when it is stopped.
type Cluster struct {
	t       testing.TB
	dir     string
	client  []int
	routes  []int
	servers []*server.Server
}

// New starts that many servers, which last as long as the test, and waits until streams can be created in them.
func New(t testing.TB, size int) *Cluster {
	t.Helper()
	c := &Cluster{t: t, dir: t.TempDir(), servers: make([]*server.Server, size)}
	for range size {
		c.client, c.routes = append(c.client, porttest.Take(t)), append(c.routes, porttest.Take(t))
	}
	t.Cleanup(func() {
		for n := range c.servers {
			c.Stop(n)
		}
	})
	for n := range c.servers {
		c.Start(n)
	}
	c.Ready()
	return c
}

// URL names all servers, as the house's setting does.
func (c *Cluster) URL() string {
	var all []string
	for _, port := range c.client {
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	return strings.Join(all, ",")
}

// Start starts a stopped server, with the store it had.
func (c *Cluster) Start(n int) {
	c.t.Helper()
	var routes []*url.URL
	for m, port := range c.routes {
		if m != n {
			routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
		}
	}
	o := &server.Options{
		ServerName: fmt.Sprintf("node-%d", n), Host: "127.0.0.1", Port: c.client[n], JetStream: true,
		StoreDir: filepath.Join(c.dir, fmt.Sprint(n)), NoLog: true, NoSigs: true, MaxPayload: 16 << 20,
		MaxPending: 64 << 20,
	}
	if len(c.servers) > 1 {
		o.Routes, o.Cluster = routes, server.ClusterOpts{Name: "posthorn", Host: "127.0.0.1", Port: c.routes[n]}
	}
	srv, err := server.NewServer(o)
	require.NoError(c.t, err)
	srv.Start()
	require.True(c.t, srv.ReadyForConnections(longest), "NATS server %d does not start", n)
	c.servers[n] = srv
}

// Stop stops a server, if it is running. Its store is still there when it starts again.
func (c *Cluster) Stop(n int) {
	if c.servers[n] == nil {
		return
	}
	c.servers[n].Shutdown()
	c.servers[n].WaitForShutdown()
	c.servers[n] = nil
}

// Wipe deletes what a stopped server stored.
func (c *Cluster) Wipe(n int) {
	c.t.Helper()
	require.NoError(c.t, os.RemoveAll(filepath.Join(c.dir, fmt.Sprint(n))))
}

// Majority stops so many servers that too few remain to confirm anything; start starts them again.
func (c *Cluster) Majority() (start func()) {
	c.t.Helper()
	n := len(c.servers)/2 + 1
	for m := range n {
		c.Stop(m)
	}
	return func() {
		for m := range n {
			c.Start(m)
		}
	}
}

// Ready waits until the cluster can create streams.
func (c *Cluster) Ready() {
	c.t.Helper()
	js := c.JetStream()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	for {
		short, done := context.WithTimeout(ctx, 2*time.Second)
		_, err := js.CreateOrUpdateStream(short,
			jetstream.StreamConfig{Name: "READY", Subjects: []string{"ready"}, Replicas: len(c.servers),
				Storage: jetstream.MemoryStorage})
		done()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			require.NoError(c.t, err, "the cluster makes no streams")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// JetStream returns a connection to the cluster, for the test's own questions.
func (c *Cluster) JetStream() jetstream.JetStream {
	c.t.Helper()
	nc, err := nats.Connect(c.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	require.NoError(c.t, err)
	c.t.Cleanup(nc.Close)
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(longest))
	require.NoError(c.t, err)
	return js
}
