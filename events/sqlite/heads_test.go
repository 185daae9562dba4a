package sqlite_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/logtest"
)

func TestAStreamStandsAtLeastWhereAnybodyHasReadIt(t *testing.T) {
	const lines, each = 4, 60
	l := openBench(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var names []events.Name
	for range lines {
		names = append(names, longLine(t, l, 1))
	}
	before, err := l.Last(ctx)
	require.NoError(t, err)
	var all sync.WaitGroup
	errs := make([]error, lines)
	for i, name := range names {
		all.Go(func() {
			for v := uint64(1); v <= each && errs[i] == nil; v++ {
				var rec events.Record
				if rec, errs[i] = l.Append(ctx, logtest.Following(name, v)); errs[i] != nil {
					return
				}
				head, err := l.Head(ctx, name)
				if errs[i] = err; err == nil && (head != events.Head{Version: rec.Version, Hash: rec.Hash}) {
					t.Errorf("what was answered is where the stream stands: %v, not %v", rec.Version, head)
				}
			}
		})
	}
	for pos, end := before, before+lines*each; pos < end && !t.Failed(); {
		require.NoError(t, l.Wait(ctx, pos))
		recs, err := l.Read(ctx, pos, 7)
		require.NoError(t, err)
		for _, rec := range recs {
			head, err := l.Head(ctx, rec.Stream)
			require.NoError(t, err)
			require.GreaterOrEqual(t, head.Version, rec.Version)
			pos = rec.Pos
		}
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

func TestWhoLoadsAnEventThatWasJustWrittenMayKeepIt(t *testing.T) {
	l := openBench(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	name := longLine(t, l, 1)
	draft := logtest.Following(name, 1)
	draft.Parts = []events.Part{{To: domain.To(0, 1), Sealed: []byte("sealed")}}
	rec, err := l.Append(ctx, draft)
	require.NoError(t, err)
	for range 2 {
		got, err := l.Load(ctx, name, 1, 2)
		require.NoError(t, err)
		require.Equal(t, []events.Record{rec}, got)
		got[0].Parts[0] = events.Part{}
		got[0].Version = 7
	}
	whole, err := l.Load(ctx, name, 0, 0)
	require.NoError(t, err)
	require.Equal(t, rec, whole[1], "as it lies on disk")
}
