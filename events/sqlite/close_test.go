package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

// A host who has stopped the server may copy events.db alone.
func TestALogThatWasClosedIsOneFile(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "events.db")
		log, err := sqlite.Open(context.Background(), path)
		require.NoError(t, err)
		table := events.Stream{Name: events.NewName(), Kind: events.KindTable, Rulebook: "tiny"}
		table.Table = table.Name
		_, err = log.Append(context.Background(), logtest.Opening(table))
		require.NoError(t, err)
		var readers sync.WaitGroup
		begun := make(chan struct{}, 4)
		for range cap(begun) {
			readers.Go(func() {
				for once := true; ; once = false {
					if _, err := log.Read(context.Background(), 0, 100); err != nil {
						return
					}
					if once {
						begun <- struct{}{}
					}
				}
			})
		}
		for range cap(begun) {
			<-begun
		}
		require.NoError(t, log.Close())
		readers.Wait()
		_, err = os.Stat(path + "-wal")
		require.ErrorIs(t, err, os.ErrNotExist, "nothing is left beside the file")
	}
}
