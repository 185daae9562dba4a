package desktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/database"
)

// blanks are the files of databases that hold nothing yet, by schema.
var blanks struct {
	sync.Mutex
	files map[string][]byte
}

// Blank puts a database that holds nothing yet where a house will open it, unless one is there. A process runs the
// steps of each schema once: they take longer than most tests.
func Blank(t testing.TB, path, schema string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		return
	}
	blanks.Lock()
	defer blanks.Unlock()
	if blanks.files[schema] == nil {
		first := filepath.Join(t.TempDir(), schema)
		db, err := database.Open(t.Context(), first, schema)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		text, err := os.ReadFile(first)
		require.NoError(t, err)
		if blanks.files == nil {
			blanks.files = map[string][]byte{}
		}
		blanks.files[schema] = text
	}
	require.NoError(t, os.WriteFile(path, blanks.files[schema], 0o600))
}
