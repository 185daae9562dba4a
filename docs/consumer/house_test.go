package main

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/relay"
)

// house is a house that publishes its log to a NATS server, configured as the documents say.
type house struct {
	*desktest.House
	relay *relay.Relay
	guest string // address
}

func newHouse(t *testing.T) *house {
	t.Helper()
	for _, user := range []string{"HOUSE", "READER", "SUBSCRIBER", "SUBSCRIBER_2"} {
		t.Setenv(user+"_PASSWORD", "secret")
	}
	t.Setenv("JS_API", "$JS.house.API")
	o, err := server.ProcessConfigFile("../nats-server.conf")
	require.NoError(t, err)
	o.Host, o.Port, o.StoreDir, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true
	srv, err := server.NewServer(o)
	require.NoError(t, err)
	srv.Start()
	require.True(t, srv.ReadyForConnections(20*time.Second))
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	as := func(who string) string { return strings.Replace(srv.ClientURL(), "nats://", "nats://"+who+"@", 1) }
	h := &house{House: desktest.New(t), guest: as("subscriber:secret")}
	h.relay, err = relay.Start(h.Log(), relay.Options{Keys: desktest.Keys(t), URL: as("house:secret")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.relay.Close()) })
	return h
}

// last is the position of the log's end, once it is published.
func (h *house) last() uint64 {
	h.T.Helper()
	last, err := h.Log().Last(h.Ctx)
	require.NoError(h.T, err)
	ctx, cancel := context.WithTimeout(h.Ctx, time.Minute)
	defer cancel()
	require.NoError(h.T, h.relay.Synced(ctx, last))
	return last
}

// follower is the consumer at work, and how far it is.
type follower struct {
	t     *testing.T
	mu    sync.Mutex
	games games
	at    uint64
	moved *sync.Cond
	wrong error // the server's refusal
}

func newGames() games {
	return games{map[string]map[uint64][]int{}, map[string]string{}, map[string][]int{}}
}

// follow begins to read the stream from its first message on.
func (h *house) follow(t *testing.T) *follower {
	t.Helper()
	h.last() // the stream is there
	f := &follower{t: t, games: newGames()}
	f.moved = sync.NewCond(&f.mu)
	nc, err := connect(h.guest)
	require.NoError(t, err)
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.wrong = err
		f.moved.Broadcast()
	})
	t.Cleanup(nc.Close)
	go func() {
		_ = follow(nc, func(m *nats.RawStreamMsg) { // until the connection is closed
			f.mu.Lock()
			defer f.mu.Unlock()
			f.games.take(m)
			f.at = m.Sequence
			f.moved.Broadcast()
		})
	}()
	return f
}

// reached waits for the message of a position, and gives what was kept then.
func (f *follower) reached(pos uint64) games {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.at < pos && f.wrong == nil {
		f.moved.Wait()
	}
	require.NoError(f.t, f.wrong)
	return games{maps.Clone(f.games.lines), maps.Clone(f.games.main), maps.Clone(f.games.ended)}
}

// holds holds what the consumer keeps of a table against the game itself: the points after each version of its main
// line, and the official ones once it has ended.
func (h *house) holds(g games, table events.Name) {
	h.T.Helper()
	look := h.Sees(table)
	name := look.LineName.String()
	require.Equal(h.T, name, g.main[table.String()], "the main line")
	recs, err := h.Log().Load(h.Ctx, look.LineName, 0, 0)
	require.NoError(h.T, err)
	line, over := domain.NewLine(look.Rulebook, domain.NewThrowaway(0)), map[uint64][]int{}
	for i := range recs {
		e, played, err := events.DecodePlay(look.Rulebook, &recs[i], h.Keys(), domain.Referee)
		require.NoError(h.T, err)
		if played {
			line.Apply(&e)
		} else {
			line.Skip()
		}
		over[recs[i].Version] = look.Rulebook.Standing(line.State, domain.Spectator).Points()
	}
	require.Equal(h.T, over, g.lines[name], "the points over time")
	if look.Table.Status != domain.TableEnded {
		require.NotContains(h.T, g.ended, table.String())
		return
	}
	viewer := domain.Spectator
	if look.Table.Open() {
		viewer = domain.Referee
	}
	require.Equal(h.T, look.Rulebook.Standing(line.State, viewer).Points(), g.ended[table.String()],
		"the official points")
}
