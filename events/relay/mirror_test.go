package relay

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/porttest"
)

// Given a house in which everything happens that has a stream, when a mirror reads along, in steps and with a new
// mirror each time, then its log is the same in the end.
func TestAMirrorBecomesTheSameLog(t *testing.T) {
	_, url := external(t, porttest.Take(t), t.TempDir())
	h := desktest.New(t)
	r := start(t, h.Log(), Options{Keys: own(t), URL: url})
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	along, err := OpenMirror(Options{Keys: own(t), URL: url}, copied)
	require.NoError(t, err)
	defer along.Close()
	rnd := rand.New(rand.NewPCG(3, 3))
	reads := func(m *Mirror) {
		last, err := h.Log().Last(t.Context())
		require.NoError(t, err)
		synced(t, r, last)
		at, err := m.CatchUp(t.Context())
		require.NoError(t, err)
		require.Equal(t, last, at)
		met, err := m.Meet(t.Context())
		require.NoError(t, err)
		require.Equal(t, Meeting{Log: last, Stream: last, Common: last}, met)
	}
	afresh := func() {
		m, err := OpenMirror(Options{Keys: own(t), URL: url}, copied)
		require.NoError(t, err)
		defer m.Close()
		reads(m)
	}
	table := h.OpensBy(desktest.Ana, "carcassonne", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	reads(along)
	h.Joins(desktest.Ana, table, 0)
	afresh()
	h.Joins(desktest.Bo, table, 1)
	h.Follows(table)
	reads(along)
	h.Random(table, rnd, 6)
	h.Rewinds(table, 3)
	afresh()
	h.Random(table, rnd, 3)
	reads(along)
	study := h.Starts("carcassonne", h.BranchOf(table, 4, "study"), desktest.Player(desktest.Ana), desktest.StandIn())
	afresh()
	h.Random(study, rnd, 2)
	catan := h.Starts("catan", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo),
		desktest.Player(desktest.Cid))
	reads(along)
	_, err = h.SetOrders(h.Ctx, desktest.By(desktest.Bo), catan, 1, events.NewCommandID(), 0, []string{"order decline"},
		nil)
	require.NoError(t, err)
	afresh()
	require.NoError(t, h.Forget(h.Ctx, events.House, desktest.Cid))
	reads(along)
	sameLogs(t, h.Log(), copied)
}

func TestWhatIsOfferedIsTheNextRecordOrNothing(t *testing.T) {
	_, url := external(t, porttest.Take(t), t.TempDir())
	h := desktest.New(t)
	table := h.OpensBy(desktest.Ana, "tiny", nil, desktest.Player(desktest.Ana), desktest.Player(desktest.Bo))
	n, err := h.Log().Last(t.Context())
	require.NoError(t, err)
	r := start(t, h.Log(), Options{Keys: own(t), URL: url})
	synced(t, r, n)
	require.NoError(t, r.Close())
	copied := memory.New()
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	m, err := OpenMirror(Options{Keys: own(t), URL: url}, copied)
	require.NoError(t, err)
	defer m.Close()
	ctx, keys := context.Background(), desktest.Keys(t)
	early, rec, err := events.TookOver(ctx, copied, keys, 1, time.Now())
	require.NoError(t, err)
	require.ErrorIs(t, m.Publish(ctx, early, &rec), ErrOvertaken, "there is something to read first")
	last, err := copied.Last(ctx)
	require.NoError(t, err)
	require.Zero(t, last)
	_, err = m.CatchUp(ctx)
	require.NoError(t, err)
	house, rec, err := events.TookOver(ctx, copied, keys, 2, time.Now())
	require.NoError(t, err)
	require.NoError(t, m.Publish(ctx, house, &rec))
	require.ErrorIs(t, m.Publish(ctx, house, &rec), ErrOvertaken, "it has its place already")
	at, err := m.CatchUp(ctx)
	require.NoError(t, err)
	require.Equal(t, n+1, at)
	recs, err := copied.Read(ctx, n, 1)
	require.NoError(t, err)
	require.Equal(t, []events.Record{rec}, recs)

	h.Joins(desktest.Ana, table, 0) // the old writer, which does not know
	again := start(t, h.Log(), Options{Keys: own(t), URL: url})
	select {
	case <-again.Alarmed():
	case <-time.After(time.Minute):
		t.Fatal("whoever wrote before goes on")
	}
}
