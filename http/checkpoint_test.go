package http_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/checkpoint"
	"posthorn/http"
)

// withCheckpoints makes a house sign the state of its log when the test says so.
func withCheckpoints(t *testing.T) (*checkpoint.Keeper, func(*http.Config)) {
	t.Helper()
	k := &checkpoint.Keeper{Path: filepath.Join(t.TempDir(), "notes"), Alarm: func(err error) { t.Error(err) }}
	return k, func(cfg *http.Config) {
		var err error
		k.Tree, err = checkpoint.Open(filepath.Join(t.TempDir(), "tree"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = k.Tree.Close() })
		k.Log, k.Keys, cfg.Checkpoints = cfg.Desk.Log(), cfg.Desk.Keys(), k
	}
}

// provesByProgram asks for the checkpoint and what it proves.
func (b *bot) provesByProgram(t *testing.T, k *checkpoint.Keeper, table string) {
	t.Helper()
	require.Equal(t, 404, b.call("GET", "/checkpoint", nil).status, "nothing is signed yet")
	_, err := k.Sign(t.Context())
	require.NoError(t, err)
	first := b.get("/checkpoint")
	b.post("/tables/"+table+"/chat", m{"text": "and on"})
	require.Equal(t, 404, b.call("GET", "/tables/"+table+"/inclusion", nil).status, "the latest is not signed yet")
	_, err = k.Sign(t.Context())
	require.NoError(t, err)
	b.get("/checkpoint/proof?from=" + fmt.Sprint(first["size"]))
	require.NotEmpty(t, b.get("/tables/" + table + "/inclusion")["hashes"])
	require.Equal(t, 400, b.call("GET", "/checkpoint/proof?from=999999", nil).status)
	require.Equal(t, 404, b.call("GET", "/tables/"+table+"/inclusion?stream=00000000000000000000000000000000", nil).
		status)
}
