package sqlite_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

func TestALogAtRestReadsAndWritesAsBefore(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "events.db")
	log, err := sqlite.Open(ctx, path)
	require.NoError(t, err)
	var tables []events.Name
	opens := func() error {
		table := events.Stream{Name: events.NewName(), Kind: events.KindTable, Rulebook: "tiny"}
		table.Table = table.Name
		_, err := log.Append(ctx, logtest.Opening(table))
		tables = append(tables, table.Name)
		return err
	}
	var resting sync.WaitGroup
	stop := make(chan struct{})
	resting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = log.Rest(ctx) // while it is being written and read
			}
		}
	})
	for range 700 { // more than are remembered
		require.NoError(t, opens())
		_, err := log.Read(ctx, 0, 10)
		require.NoError(t, err)
	}
	close(stop)
	resting.Wait()
	require.NoError(t, log.Rest(ctx))
	for _, name := range tables {
		head, err := log.Head(ctx, name)
		require.NoError(t, err)
		require.EqualValues(t, 1, head.Version)
	}
	require.NoError(t, opens())

	only, err := sqlite.OpenReadOnly(ctx, path)
	require.NoError(t, err)
	require.NoError(t, only.Rest(ctx))
	require.NoError(t, only.Close())
	require.NoError(t, log.Close())
}
