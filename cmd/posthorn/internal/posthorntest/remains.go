package posthorntest

import (
	"context"
	"io"
	"log/slog"
	nethttp "net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
)

// Starts tries to open a house, closes it, and returns the error that kept it from starting.
func Starts(cfg house.Settings) error {
	h, err := house.Open(context.Background(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return h.Close()
}

// RemoveAll removes the files of a house that match a pattern.
func RemoveAll(t testing.TB, cfg house.Settings, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cfg.Data, pattern))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.RemoveAll(f))
	}
}

// Restore puts back an earlier people.db.
func Restore(t *testing.T, data string, backup []byte) {
	t.Helper()
	for _, name := range []string{"people.db-wal", "people.db-shm"} {
		if err := os.Remove(filepath.Join(data, name)); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(data, "people.db"), backup, 0o600))
}

// Reopened opens the house in a folder until the end of the test.
func Reopened(t *testing.T, data string) *house.House {
	t.Helper()
	h, err := house.Open(context.Background(),
		house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0", From: "posthorn@localhost",
			Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// Fetched requests a page.
func Fetched(t *testing.T, client *nethttp.Client, at string) (int, string) {
	t.Helper()
	a, err := client.Get(at)
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	require.NoError(t, a.Body.Close())
	return a.StatusCode, string(body)
}
