package folder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A key is there whole or not at all, so that the next start can begin with the folder that an interrupted one left.
func TestAKeyIsMadeAsAWhole(t *testing.T) {
	dir := t.TempDir()
	one, err := ServerKeys(dir)
	require.NoError(t, err)
	again, err := ServerKeys(dir)
	require.NoError(t, err)
	require.Equal(t, one.PublicKey(), again.PublicKey())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "and nothing else is left in the folder")
	require.ErrorIs(t, WriteKey(filepath.Join(dir, "server.key"), []byte("another")), os.ErrExist,
		"what another program made stays")
	again, err = ServerKeys(dir)
	require.NoError(t, err)
	require.Equal(t, one.PublicKey(), again.PublicKey())

	// What a start leaves that is interrupted before the key has its name is not a key.
	cut := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(cut, "server.key.1.part"), nil, 0o600))
	_, err = ServerKeys(cut)
	require.NoError(t, err)
}
