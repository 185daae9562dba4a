package main

import (
	"context"
	"io"
	"log/slog"
	nethttp "net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// starts tries to open a house, closes it, and returns what kept it from starting.
func starts(cfg houseSettings) error {
	h, err := openHouse(context.Background(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return h.Close()
}

func removeAll(t testing.TB, cfg houseSettings, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cfg.Data, pattern))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.RemoveAll(f))
	}
}

// restore puts people.db back as it was.
func restore(t *testing.T, data string, backup []byte) {
	t.Helper()
	for _, name := range []string{"people.db-wal", "people.db-shm"} {
		if err := os.Remove(filepath.Join(data, name)); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(data, "people.db"), backup, 0o600))
}

// reopened is the house in a folder, until the end of the test.
func reopened(t *testing.T, data string) *house {
	t.Helper()
	h, err := openHouse(context.Background(), houseSettings{dataSettings: dataSettings{Data: data}, Listen: "127.0.0.1:0", From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// fetched gets a page.
func fetched(t *testing.T, client *nethttp.Client, at string) (int, string) {
	t.Helper()
	a, err := client.Get(at)
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	require.NoError(t, a.Body.Close())
	return a.StatusCode, string(body)
}
