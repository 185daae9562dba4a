package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAHouseWithAnotherKeyIsNoticed(t *testing.T) {
	s, other := newSmallHouse(t), newSmallHouse(t)
	key, err := os.ReadFile(other.file("server.key"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.file("server.key"), key, 0o600))
	fails(t, 1, "server.key is not the one", "verify", "--data", s.dir)
}

func TestWithoutItsKeyAHouseDoesNotOpen(t *testing.T) {
	s := newSmallHouse(t)
	require.NoError(t, os.Remove(s.file("server.key")))
	for _, args := range [][]string{
		{"export", "--data", s.dir, s.running}, {"verify", "--data", s.dir}, {"rebuild", "--data", s.dir},
		{"key", "--data", s.dir},
		{"handover", "--data", s.dir, "--to", "x", "-o", s.file("out"), s.running},
		{"serve", "--data", s.dir, "--listen", "127.0.0.1:0"},
	} {
		fails(t, 1, "server.key is missing", args...)
		fails(t, 1, "Put it back from your backup", args...)
	}
	_, err := os.Stat(s.file("server.key"))
	require.ErrorIs(t, err, os.ErrNotExist, "no other key is put in its place")
}

func TestAKeyThatCannotBeOneIsRefused(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "short": "abcd", "no digits": strings.Repeat("xy", 32),
		"a sample": strings.Repeat("0", 64)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "server.key"), []byte(text), 0o600))
			fails(t, 1, "does not hold 64 random hexadecimal digits", "key", "--data", dir)
		})
	}
}

func TestTheKeyIsMadeOnceAndForItsOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "house")
	key := done(t, "key", "--data", dir)
	require.Equal(t, key, done(t, "key", "--data", dir))
	info, err := os.Stat(filepath.Join(dir, "server.key"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
	require.NotEqual(t, key, done(t, "key", "--data", t.TempDir()))
}
