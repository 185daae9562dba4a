package standby_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/events/safe"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
)

// longest is the longest that anything is waited for.
const longest = 2 * time.Minute

// withKeys returns the options of a relay of the tests' house.
func withKeys(t *testing.T, o relay.Options) relay.Options {
	t.Helper()
	o.Keys = desktest.Keys(t)
	return o
}

// house is what a test's servers share: the cluster, and which of them writes.
type house struct {
	t       *testing.T
	cluster *clustertest.Cluster
	ttl     time.Duration

	mu      sync.Mutex
	writer  *node
	log     *safe.Log // of the writer; nil while there is none
	changed chan struct{}
}

func newHouse(t *testing.T, ttl time.Duration) *house {
	return &house{t: t, cluster: clustertest.New(t, clustertest.Size()), ttl: ttl, changed: make(chan struct{})}
}

func (h *house) set(n *node, log *safe.Log) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if log == nil && h.writer != n {
		return
	}
	h.writer, h.log = n, log
	close(h.changed)
	h.changed = make(chan struct{})
}

// writes waits until somebody other than a node writes.
func (h *house) writes(ctx context.Context, other *node) (*node, *safe.Log) {
	for {
		h.mu.Lock()
		n, log, changed := h.writer, h.log, h.changed
		h.mu.Unlock()
		if log != nil && n != other {
			return n, log
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// node is a server: it stands by, writes, and stands by again, until it is killed or left.
type node struct {
	h     *house
	path  string
	first bool
	fit   func(elected bool) error // nil if it can read everything

	mu    sync.Mutex
	lines *nats.Conn // of its lease
	aside []string
	stop  context.CancelCauseFunc
	ended chan error
}

var errKilled = errors.New("killed")

func (h *house) node(dir string, first bool) *node {
	return &node{h: h, path: filepath.Join(dir, "events.db"), first: first}
}

// start runs the node from what its folder holds.
func (n *node) start() {
	ctx, cancel := context.WithCancelCause(context.Background())
	n.stop, n.ended = cancel, make(chan error, 1)
	go func() { n.ended <- n.run(ctx) }()
	n.h.t.Cleanup(func() { n.end(nil) })
}

// end stops it: with errKilled abruptly, so that its lease has to expire.
func (n *node) end(why error) {
	n.h.t.Helper()
	if n.stop == nil {
		return
	}
	if why != nil {
		n.mu.Lock()
		if n.lines != nil {
			n.lines.Close()
		}
		n.mu.Unlock()
	}
	n.stop(why)
	n.stop = nil
	require.NoError(n.h.t, <-n.ended)
}

func (n *node) run(ctx context.Context) error {
	o := relay.Options{URL: n.h.cluster.URL(), Replicas: clustertest.Size(), AckWait: time.Second}
	s := &standby.Standby{Path: n.path, Keys: desktest.Keys(n.h.t), Relay: o, First: n.first, Now: time.Now,
		Lease: lease.Options{TTL: n.h.ttl, Name: n.path, Dial: func() (*nats.Conn, error) {
			nc, err := o.Dial("lease")
			n.mu.Lock()
			n.lines = nc
			n.mu.Unlock()
			return nc, err
		}},
		Ready: func(context.Context, *sqlite.Log) error { return nil },
		At:    func(uint64) {},
		Aside: func(file string, _, _ uint64) {
			n.mu.Lock()
			n.aside = append(n.aside, file)
			n.mu.Unlock()
		},
		Fit: func(_ context.Context, _ *sqlite.Log, elected bool) error {
			if n.fit == nil {
				return nil
			}
			return n.fit(elected)
		},
		Trouble: func(err error) { n.h.t.Logf("%s: %v", filepath.Base(filepath.Dir(n.path)), err) }}
	for {
		l, err := s.Wait(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := n.write(ctx, o, l); ctx.Err() != nil {
			return nil // killed, wherever it was
		} else if err != nil {
			return err
		}
	}
}

// write answers appends until the lease is lost, somebody else writes, or the node is stopped.
func (n *node) write(ctx context.Context, o relay.Options, l *lease.Lease) error {
	opening := context.WithoutCancel(ctx) // a log half opened would stay locked in this process
	file, err := sqlite.Open(opening, n.path)
	if err != nil {
		return err
	}
	r, err := relay.Start(file, withKeys(n.h.t, o))
	if err != nil {
		return err
	}
	log := safe.New(file, r, longest)
	last, err := file.Last(opening)
	if err != nil {
		return err
	}
	synced, cancel := context.WithCancel(l.Context())
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	if r.Synced(synced, last) == nil {
		n.h.set(n, log)
	}
	select {
	case <-ctx.Done():
	case <-l.Context().Done():
		log.Fence(context.Cause(l.Context()))
	case <-r.Alarmed():
	}
	n.h.set(n, nil)
	err = errors.Join(r.Close(), log.Close()) // what is under way is written, but nobody publishes it
	if context.Cause(ctx) != errKilled {      //nolint:errorlint // it is this one
		_ = l.Release(opening) // or it expires
	}
	return err
}

// holds waits until the node's own log has a position.
func (n *node) holds(pos uint64) {
	n.h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	for {
		last := uint64(0)
		// opened each time: the file is a new one after a tail was set aside
		log, err := sqlite.OpenReadOnly(ctx, n.path)
		if err == nil {
			last, err = log.Last(ctx)
			err = errors.Join(err, log.Close())
		}
		if err == nil && last >= pos {
			return
		}
		if ctx.Err() != nil { // what holds it up is seen where it stands
			var stands strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&stands, 1)
			n.h.t.Log(stands.String())
		}
		require.NoError(n.h.t, ctx.Err(), "%s stands at %d of %d: %v", n.path, last, pos, err)
		time.Sleep(10 * time.Millisecond)
	}
}

// underLoad waits until somebody writes and has written more, and returns who and how far. A busy machine may lose a
// lease on its own: then it is the next one.
func (h *house) underLoad(ctx context.Context) (*node, uint64) {
	h.t.Helper()
	for {
		n, log := h.writes(ctx, nil)
		require.NotNil(h.t, n, "nobody writes any more")
		last, err := log.Last(ctx)
		if err == nil {
			err = log.Wait(ctx, last+20)
		}
		if err == nil {
			return n, last + 21
		}
		require.NoError(h.t, ctx.Err(), "nothing is written any more: %v", err)
		time.Sleep(time.Millisecond)
	}
}

// records returns everything in a stopped node's log.
func (n *node) records() []events.Record {
	n.h.t.Helper()
	log, err := sqlite.OpenReadOnly(context.Background(), n.path)
	require.NoError(n.h.t, err)
	defer func() { require.NoError(n.h.t, log.Close()) }()
	recs, err := log.Read(context.Background(), 0, 1<<20)
	require.NoError(n.h.t, err)
	return recs
}
