package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// hourly returns a log of events an hour apart, alternating between two streams, with two at the same moment.
func hourly(t *testing.T) (*sqlite.Log, time.Time) {
	t.Helper()
	l, began := open(t, filepath.Join(t.TempDir(), "events.db")), time.UnixMilli(1763726400000).UTC()
	a := events.Stream{Name: events.NewName(), Kind: events.KindTable}
	a.Table = a.Name
	b := events.Stream{Name: events.NewName(), Kind: events.KindTable}
	b.Table = b.Name
	for i, d := range []events.Draft{logtest.Opening(a), logtest.Opening(b), logtest.Following(a.Name, 1),
		logtest.Following(b.Name, 1), logtest.Following(a.Name, 2)} {
		d.At = began.Add(time.Duration(max(i, 1)) * time.Hour)
		_, err := l.Append(context.Background(), d)
		require.NoError(t, err)
	}
	return l, began
}

func TestTheLastEventBeforeAMoment(t *testing.T) {
	l, began := hourly(t)
	for after, want := range map[time.Duration]uint64{
		0: 0, time.Hour: 2, time.Hour + time.Minute: 2, 2 * time.Hour: 3, 4*time.Hour - time.Millisecond: 4,
		4 * time.Hour: 5, time.Hour * 9999: 5,
	} {
		at, err := l.LastBefore(context.Background(), began.Add(after))
		require.NoError(t, err)
		require.Equal(t, want, at, after)
	}
}

func TestACopyUpToAPositionIsThatLog(t *testing.T) {
	l, _ := hourly(t)
	ctx := context.Background()
	for last := uint64(1); last <= 5; last++ {
		path := filepath.Join(t.TempDir(), "copy.db")
		require.NoError(t, sqlite.CopyUpTo(ctx, l, path, last))
		c := open(t, path)
		want, err := l.Read(ctx, 0, int(last))
		require.NoError(t, err)
		got, err := c.Read(ctx, 0, 100)
		require.NoError(t, err)
		require.Equal(t, want, got)
		logtest.VerifyChain(t, c, want[0].Stream)
	}
	require.ErrorContains(t, sqlite.CopyUpTo(ctx, l, filepath.Join(t.TempDir(), "copy.db"), 6), "lacks position 6")
}
