package standby_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/events/sqlite"
	"posthorn/events/standby"
)

// rogue publishes to the stream as the house would, with all that the stream tells: it has no server.key.
type rogue struct {
	t  *testing.T
	js jetstream.JetStream
}

// stream returns the stream that takes what is published now; nil while there is none.
func (g *rogue) stream() jetstream.Stream {
	g.t.Helper()
	name, err := g.js.StreamNameBySubject(g.t.Context(), relay.Subjects)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	require.NoError(g.t, err)
	s, err := g.js.Stream(g.t.Context(), name)
	require.NoError(g.t, err)
	return s
}

// resigns returns the message that follows the last one of a table in its chain: one of its players resigns.
func (g *rogue) resigns() *nats.Msg {
	g.t.Helper()
	s := g.stream()
	require.NotNil(g.t, s)
	end := s.CachedInfo().State.LastSeq
	for seq := end; ; seq-- {
		raw, err := s.GetMsg(g.t.Context(), seq)
		require.NoError(g.t, err)
		if raw.Header.Get(relay.HeaderKind) != string(events.KindTable) {
			continue
		}
		was, err := relay.Decode(raw.Data)
		require.NoError(g.t, err)
		rec := events.Record{Pos: end + 1, Stream: was.Stream, Version: was.Version + 1, Command: events.NewCommandID(),
			Type: "table.resigned.v1", Codec: "json", At: was.At, Meta: was.Meta, Data: json.RawMessage(`{"seat":1}`)}
		rec.Hash = events.ChainHash(was.Hash, &rec)
		data, err := relay.Encode(&rec)
		require.NoError(g.t, err)
		m := &nats.Msg{Subject: raw.Subject, Data: data,
			Header: nats.Header{relay.HeaderType: {rec.Type}, relay.HeaderHash: {rec.Hash.String()}}}
		for _, same := range []string{relay.HeaderStream, relay.HeaderKind, relay.HeaderMAC} {
			m.Header[same] = raw.Header[same]
		}
		return m
	}
}

// published returns a house whose log a relay has published, and how far it goes.
func published(t *testing.T, c *clustertest.Cluster) (h *desktest.House, last uint64) {
	t.Helper()
	h = desktest.New(t)
	h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	r, err := relay.Start(h.Log(), relay.Options{URL: c.URL(), Keys: desktest.Keys(t)})
	require.NoError(t, err)
	require.NoError(t, r.Synced(t.Context(), last))
	require.NoError(t, r.Close())
	return h, last
}

// Given a rogue who may publish to the stream and has no server.key, when it publishes an event that follows in the
// chain, with and without a MAC, then neither a mirror nor a restored log takes it.
func TestARogueWritesNothing(t *testing.T) {
	for what, spoil := range map[string]func(*nats.Msg){
		"a MAC of another message": func(*nats.Msg) {},
		"no MAC":                   func(m *nats.Msg) { m.Header.Del(relay.HeaderMAC) },
		"not a record":             func(m *nats.Msg) { m.Data = []byte("hello") },
	} {
		t.Run(what, func(t *testing.T) {
			c := clustertest.New(t, 1)
			h, last := published(t, c)
			o := relay.Options{URL: c.URL(), Keys: desktest.Keys(t)}
			copied := newEmpty(t)
			m, err := relay.OpenMirror(o, copied)
			require.NoError(t, err)
			defer m.Close()
			_, err = m.CatchUp(t.Context())
			require.NoError(t, err)
			g := &rogue{t, c.JetStream()}
			forged := g.resigns()
			spoil(forged)
			_, err = g.js.PublishMsg(t.Context(), forged)
			require.NoError(t, err)

			_, err = m.CatchUp(t.Context())
			require.ErrorIs(t, err, relay.ErrOver)
			same(t, h.Log(), copied, last)
			restored := newEmpty(t)
			_, err = relay.Restore(t.Context(), o, restored)
			require.ErrorIs(t, err, relay.ErrMessage)
			same(t, h.Log(), restored, last)
		})
	}
}

// same requires two logs to hold the same, up to a position and no further.
func same(t *testing.T, want, got events.Log, last uint64) {
	t.Helper()
	a, err := want.Read(t.Context(), 0, 1<<20)
	require.NoError(t, err)
	b, err := got.Read(t.Context(), 0, 1<<20)
	require.NoError(t, err)
	require.Len(t, b, int(last))
	require.Equal(t, a[:last], b)
}

// Given a house of two servers under load, when a rogue with the house's credentials publishes again and again, then
// nothing of it is adopted, nothing acknowledged is lost, and the house goes on in a new generation of the stream.
func TestAHouseOutlivesARogue(t *testing.T) {
	h := newHouse(t, time.Second)
	nodes := []*node{h.node(t.TempDir(), true), h.node(t.TempDir(), false)}
	for _, n := range nodes {
		n.start()
	}
	ctx, stop := context.WithTimeout(t.Context(), 4*longest)
	defer stop()
	loading, enough := context.WithCancel(ctx)
	var clients []*client
	var load sync.WaitGroup
	failed := make(chan error, 4)
	for range 4 {
		c := &client{h: h, table: events.NewName()}
		clients = append(clients, c)
		load.Go(func() {
			if err := c.run(loading); err != nil {
				failed <- err
			}
		})
	}
	g := &rogue{t, h.cluster.JetStream()}
	for _, n := range []int{1, 3000} {
		h.underLoad(ctx)
		forged := g.resigns()
		for range n {
			_, err := g.js.PublishMsgAsync(forged)
			require.NoError(t, err)
		}
	}
	_, end := h.underLoad(ctx)
	enough()
	load.Wait()
	require.Empty(t, failed)
	for _, c := range clients {
		if n := len(c.told); n > 0 {
			end = max(end, c.told[n-1].Pos)
		}
	}
	for _, n := range nodes {
		n.holds(end)
		n.end(errKilled)
	}
	first, second := nodes[0].records(), nodes[1].records()
	require.Equal(t, first[:end], second[:end], "both servers hold the same")
	for i := range first {
		require.NotEqual(t, "table.resigned.v1", first[i].Type)
	}
	require.Positive(t, check(t, clients, first[:end]))
	require.NotEqual(t, relay.DefaultStream, g.stream().CachedInfo().Config.Name)
}

// older publishes a log as a program before 0.9 did: without MACs.
func older(t *testing.T, c *clustertest.Cluster, h *desktest.House, from, to uint64) {
	t.Helper()
	elsewhere := clustertest.New(t, 1)
	r, err := relay.Start(h.Log(), relay.Options{URL: elsewhere.URL(), Keys: desktest.Keys(t)})
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	require.NoError(t, r.Synced(t.Context(), to))
	s, err := elsewhere.JetStream().Stream(t.Context(), relay.DefaultStream)
	require.NoError(t, err)
	js := c.JetStream()
	for seq := from; seq <= to; seq++ {
		raw, err := s.GetMsg(t.Context(), seq)
		require.NoError(t, err)
		m := &nats.Msg{Subject: raw.Subject, Data: raw.Data, Header: nats.Header{}}
		for name, value := range raw.Header {
			if strings.HasPrefix(name, "Posthorn-") && name != relay.HeaderMAC {
				m.Header[name] = value
			}
		}
		_, err = js.PublishMsg(t.Context(), m)
		require.NoError(t, err)
	}
}

// Given a house whose writer runs a program that writes no MACs, when its other machines run a newer one, then a
// machine that followed it reads along and takes over with everything; a machine that begins takes nothing before
// that, and everything after it; and whatever comes without a MAC from then on is not adopted.
func TestAnOlderWriterIsFollowedUntilATakeover(t *testing.T) {
	c := clustertest.New(t, 1)
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	o := relay.Options{URL: c.URL(), Keys: desktest.Keys(t)}
	h := desktest.New(t)
	h.Starts("tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	half, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "events.db")
	file, err := sqlite.Open(ctx, path)
	require.NoError(t, err)
	adopted(t, h.Log(), file)
	require.NoError(t, file.Close())
	h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	last, err := h.Log().Last(h.Ctx)
	require.NoError(t, err)
	require.Greater(t, last, half)
	makes, err := relay.Start(newEmpty(t), o)
	require.NoError(t, err)
	require.NoError(t, makes.Synced(ctx, 0))
	require.NoError(t, makes.Close())
	older(t, c, h, 1, last)

	begins := newEmpty(t)
	m, err := relay.OpenMirror(o, begins)
	require.NoError(t, err)
	defer m.Close()
	_, err = m.CatchUp(ctx)
	require.ErrorIs(t, err, relay.ErrUnproved)

	s := &standby.Standby{Path: path, Keys: desktest.Keys(t), Relay: o, Lease: lease.Options{TTL: time.Minute},
		Ready: func(context.Context, *sqlite.Log) error { return nil }, At: func(uint64) {},
		Aside:   func(string, uint64, uint64) {},
		Trouble: func(err error) { t.Log(err) }, Now: time.Now}
	l, err := s.Wait(ctx)
	require.NoError(t, err)
	require.NoError(t, l.Release(ctx))
	at, err := m.CatchUp(ctx)
	require.NoError(t, err)
	require.Equal(t, last+1, at)
	took, err := begins.Read(ctx, last, 1)
	require.NoError(t, err)
	require.Equal(t, events.TypeTookOver, took[0].Type)

	g := &rogue{t, c.JetStream()}
	forged := g.resigns()
	forged.Header.Del(relay.HeaderMAC)
	_, err = g.js.PublishMsg(ctx, forged)
	require.NoError(t, err)
	_, err = m.CatchUp(ctx)
	require.ErrorIs(t, err, relay.ErrUnproved)
	l, err = s.Wait(ctx) // the house goes on
	require.NoError(t, err)
	require.NoError(t, l.Release(ctx))
	at, err = m.CatchUp(ctx)
	require.NoError(t, err)
	require.Equal(t, last+2, at)
}

// adopted fills a log from another.
func adopted(t *testing.T, from, to events.Log) {
	t.Helper()
	recs, err := from.Read(t.Context(), 0, 1<<20)
	require.NoError(t, err)
	for i := range recs {
		s, err := from.Stream(t.Context(), recs[i].Stream)
		require.NoError(t, err)
		require.NoError(t, to.Adopt(t.Context(), []events.Stream{s}, recs[i:i+1]))
	}
}
