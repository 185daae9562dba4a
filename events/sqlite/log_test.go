package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/logtest"
	"posthorn/events/sqlite"
)

func open(t *testing.T, path string) *sqlite.Log {
	t.Helper()
	l, err := sqlite.Open(context.Background(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

func TestLog(t *testing.T) {
	logtest.Run(t, logtest.Opener{
		Open: func(t *testing.T) events.Log { return open(t, filepath.Join(t.TempDir(), "events.db")) },
		Reopen: func(t *testing.T, l events.Log) events.Log {
			require.NoError(t, l.Close())
			return open(t, l.(*sqlite.Log).Path())
		},
	})
}
