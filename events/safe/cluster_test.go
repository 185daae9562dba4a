package safe_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/clustertest"
	"posthorn/events/desktest"
	"posthorn/events/logtest"
	"posthorn/events/memory"
	"posthorn/events/relay"
	"posthorn/events/safe"
)

// longest is the longest that anything in a cluster is waited for.
const longest = 2 * time.Minute

// replicated returns a log over a cluster.
func replicated(t *testing.T, c *clustertest.Cluster, patience time.Duration) (*safe.Log, *memory.Log, *relay.Relay) {
	under := memory.New()
	r, err := relay.Start(under, relay.Options{Keys: desktest.Keys(t), URL: c.URL(), Replicas: clustertest.Size(),
		AckWait: 500 * time.Millisecond})
	require.NoError(t, err)
	l := safe.New(under, r, patience)
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		require.NoError(t, l.Close())
	})
	return l, under, r
}

// eventually appends a draft, again and again, until the cluster confirms it.
func eventually(t *testing.T, l *safe.Log, d events.Draft) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	for {
		_, err := l.Append(ctx, d)
		if err == nil {
			return
		}
		if dup := (*events.Duplicate)(nil); errors.As(err, &dup) {
			require.Equal(t, d.Command, dup.Record.Command)
			return
		}
		require.ErrorIs(t, err, events.ErrUnsafe)
		require.NoError(t, ctx.Err(), "the cluster never confirms it: %v", err)
		time.Sleep(5 * time.Millisecond)
	}
}

// Given a cluster, when most of it is gone, then nothing is answered; when it is back, everything is, and what was
// sent meanwhile is there once. When another house writes to the stream, nothing is ever answered again.
func TestAnswersNeedMostOfTheCluster(t *testing.T) {
	c := clustertest.New(t, clustertest.Size())
	l, under, r := replicated(t, c, 300*time.Millisecond)
	table := events.Name{7}
	eventually(t, l, logtest.Opening(events.Stream{Name: table, Kind: events.KindTable, Rulebook: "tiny",
		Table: table}))
	info, err := c.JetStream().Stream(t.Context(), "POSTHORN")
	require.NoError(t, err)
	require.Equal(t, clustertest.Size(), info.CachedInfo().Config.Replicas)

	eventually(t, l, logtest.Following(table, 1))
	start := c.Majority()
	late := logtest.Following(table, 2)
	_, err = l.Append(t.Context(), late)
	require.ErrorIs(t, err, events.ErrUnsafe)
	last, err := l.Last(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, last)
	start()
	eventually(t, l, late)
	recs, err := l.Load(t.Context(), table, 0, 0)
	require.NoError(t, err)
	require.Len(t, recs, 3)
	require.Equal(t, late.Command, recs[2].Command)

	other := memory.New() // the same log, and another writer
	require.NoError(t, other.Adopt(t.Context(),
		[]events.Stream{{Name: table, Kind: events.KindTable, Rulebook: "tiny", Table: table}}, recs))
	usurper, err := relay.Start(other, relay.Options{Keys: desktest.Keys(t), URL: c.URL()})
	require.NoError(t, err)
	defer func() { require.NoError(t, usurper.Close()) }()
	rec, err := other.Append(t.Context(), logtest.Following(table, 3))
	require.NoError(t, err)
	waiting, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	require.NoError(t, usurper.Synced(waiting, rec.Pos))
	mine := logtest.Following(table, 3)
	_, err = l.Append(t.Context(), mine)
	require.ErrorIs(t, err, events.ErrUnsafe)
	select {
	case <-r.Alarmed():
	case <-waiting.Done():
		t.Fatal("whoever writes beside another house does not notice")
	}
	_, err = l.Append(t.Context(), logtest.Following(table, 4))
	require.ErrorIs(t, err, events.ErrUnsafe)
	at, err := under.Last(t.Context())
	require.NoError(t, err)
	require.LessOrEqual(t, at, uint64(4))
	_, err = l.Find(t.Context(), table, mine.Command)
	require.ErrorIs(t, err, events.ErrNoRecord)
}
