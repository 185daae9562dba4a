package standby_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/relay"
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
	h := newHouse(t, 10*time.Second) // no lease is lost on a busy machine: nobody dies here
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
