package relay

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/porttest"
	"posthorn/events/sqlite"
)

// lived returns a house in which everything happened that has a stream: tables, lines, a rewind, a branch of it,
// standing orders, and people banned and forgotten.
func lived(t *testing.T) *desktest.House {
	h := desktest.New(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	table := h.Starts("carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(table, rnd, 6)
	h.Rewinds(table, 3)
	h.Random(table, rnd, 3)
	rivals := h.Starts("rivals", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	h.Random(rivals, rnd, 30)
	study := h.Starts("carcassonne", h.BranchOf(table, 4, "study"), desktest.Player(desktest.Ana), desktest.StandIn())
	h.Random(study, rnd, 2)
	catan := h.Starts("catan", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid))
	_, err := h.SetOrders(h.Ctx, desktest.By(desktest.Bo), catan, 1, events.NewCommandID(), 0,
		[]string{"order decline"}, nil)
	require.NoError(t, err)
	require.NoError(t, h.Ban(h.Ctx, events.Actor{Door: domain.DoorHost}, desktest.Cid, nil))
	require.NoError(t, h.Forget(h.Ctx, events.House, desktest.Cid))
	return h
}

// sameLogs requires two logs to hold the same records of the same streams.
func sameLogs(t *testing.T, want, got events.Log) {
	t.Helper()
	ctx := context.Background()
	a, err := want.Read(ctx, 0, 1<<20)
	require.NoError(t, err)
	b, err := got.Read(ctx, 0, 1<<20)
	require.NoError(t, err)
	require.Equal(t, a, b)
	for i := range a {
		s, err := want.Stream(ctx, a[i].Stream)
		require.NoError(t, err)
		again, err := got.Stream(ctx, a[i].Stream)
		require.NoError(t, err)
		require.Equal(t, s, again)
	}
}

func TestALostLogIsRestoredFromItsCopy(t *testing.T) {
	ctx := context.Background()
	h := lived(t)
	last, err := h.Log().Last(ctx)
	require.NoError(t, err)
	kinds := map[events.Kind]bool{}
	recs, err := h.Log().Read(ctx, 0, 1<<20)
	require.NoError(t, err)
	for i := range recs {
		s, err := h.Log().Stream(ctx, recs[i].Stream)
		require.NoError(t, err)
		kinds[s.Kind] = true
	}
	require.Len(t, kinds, 4, "every kind of stream is there: %v", kinds)

	t.Run("from the embedded store", func(t *testing.T) {
		dir := t.TempDir()
		r, err := Start(h.Log(), Options{Keys: own(t), Dir: dir})
		require.NoError(t, err)
		synced(t, r, last)
		require.NoError(t, r.Close())
		log, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "events.db"))
		require.NoError(t, err)
		n, err := Restore(ctx, Options{Keys: own(t), Dir: dir}, log)
		require.NoError(t, err)
		require.Equal(t, last, n)
		sameLogs(t, h.Log(), log)
		_, err = Restore(ctx, Options{Keys: own(t), Dir: dir}, log)
		require.ErrorContains(t, err, "not empty")
		require.NoError(t, log.Close())
	})
	t.Run("from an external server", func(t *testing.T) {
		_, url := external(t, porttest.Take(t), t.TempDir())
		r := start(t, h.Log(), Options{Keys: own(t), URL: url})
		synced(t, r, last)
		log := memory.New()
		n, err := Restore(ctx, Options{Keys: own(t), URL: url}, log)
		require.NoError(t, err)
		require.Equal(t, last, n)
		sameLogs(t, h.Log(), log)
		require.NoError(t, log.Close())
	})
	t.Run("not from an altered one", func(t *testing.T) {
		_, url := external(t, porttest.Take(t), t.TempDir())
		r := start(t, h.Log(), Options{Keys: own(t), URL: url})
		synced(t, r, last)
		require.NoError(t, r.Close())
		nc := dial(t, url)
		js, err := jetstream.New(nc)
		require.NoError(t, err)
		rec := recs[len(recs)-1]
		rec.Pos, rec.Version = last+1, rec.Version+1
		s, err := h.Log().Stream(ctx, rec.Stream)
		require.NoError(t, err)
		m, err := by(t, "POSTHORN").message(published{subject: subject(s), kind: s.Kind}, &rec)
		require.NoError(t, err)
		_, err = js.PublishMsg(ctx, m)
		require.NoError(t, err)
		log := memory.New()
		_, err = Restore(ctx, Options{Keys: own(t), URL: url}, log)
		require.ErrorIs(t, err, events.ErrChain)
		require.NoError(t, log.Close())
	})
	t.Run("not from one that has lost its beginning", func(t *testing.T) {
		_, url := external(t, porttest.Take(t), t.TempDir())
		js, err := jetstream.New(dial(t, url))
		require.NoError(t, err)
		_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: "POSTHORN", Subjects: []string{Subjects},
			FirstSeq: 5})
		require.NoError(t, err)
		m, err := by(t, "POSTHORN").message(published{subject: SubjectHouse}, &recs[4])
		require.NoError(t, err)
		_, err = js.PublishMsg(ctx, m)
		require.NoError(t, err)
		log := memory.New()
		_, err = Restore(ctx, Options{Keys: own(t), URL: url}, log)
		require.ErrorIs(t, err, ErrIncomplete)
		require.NoError(t, log.Close())
	})
}
