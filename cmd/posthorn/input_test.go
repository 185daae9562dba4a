package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
)

// endless returns one byte forever.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

func TestWhatNeverEndsIsGivenUp(t *testing.T) {
	s := newSmallHouse(t)
	for _, args := range [][]string{
		{"play", "/dev/zero"}, {"verify", "/dev/zero"}, {"import", "--data", s.dir, "/dev/zero"},
		{"verify", "--receipt", "/dev/zero", s.file("none")},
		{"verify", "--data", "/dev/zero"}, {"export", "--data", "/dev/zero", s.ended},
		{"rebuild", "--data", "/dev/zero"},
	} {
		text, status := says("", args...)
		require.Positive(t, status, "%v", args)
		require.Less(t, len(text), 2000, "%v", args)
		require.True(t, strings.HasPrefix(text, "posthorn: "), "%v: %s", args, text)
	}
	for _, b := range []byte{0, 'a', '\n', '{'} {
		for _, args := range [][]string{{"play", "-"}, {"verify", "-"}} {
			var out bytes.Buffer
			in := &io.LimitedReader{R: endless(b), N: 3 << 30}
			require.Positive(t, run(context.Background(), args, console.Console{In: in, Out: &out, Err: &out}),
				"%v of %q", args, b)
			require.Less(t, out.Len(), 2000)
			require.Less(t, int64(3<<30)-in.N, int64(64<<20), "%v of %q is given up soon, and little of it is kept",
				args, b)
		}
	}
	text, status := says("", "play", "/dev/zero")
	require.Equal(t, 2, status)
	require.Contains(t, text, "too long")

	require.NoError(t, os.Remove(s.file("server.key")))
	require.NoError(t, os.Symlink("/dev/zero", s.file("server.key")))
	fails(t, 1, "too long", "export", "--data", s.dir, s.ended)
	fails(t, 1, "", "key", "--data", s.dir)
	other := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(other, "events.db")))
	fails(t, 1, "is not a file", "rebuild", "--data", other)
	fails(t, 1, "is not a file", "verify", "--data", other)
}

// commands are characters that a terminal obeys and a reader does not see.
const commands = "\x1b[2J\x1b]0;you\x07\u202e\u009b31m\x7f"

func requireHarmless(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Fatalf("%q is printed as it is in %q", r, text)
		}
	}
	require.True(t, utf8.ValidString(text))
}

func TestControlCharactersAreNeverPrintedRaw(t *testing.T) {
	s := newSmallHouse(t)
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script,
		[]byte("game carcassonne\nseat A"+commands+"\nseat Bo\nA"+commands+": 1,0 "+commands+"\n"), 0o600))
	broken := filepath.Join(t.TempDir(), "broken")
	require.NoError(t, os.WriteFile(broken, []byte("game "+commands+"\n"), 0o600))
	for _, args := range [][]string{
		{"play", script}, {"play", broken}, {"play", commands}, {"play", "--" + commands}, {commands},
		{"export", "--data", s.dir, commands},
		{"export", "--data", s.dir, "--as", commands, s.running}, {"verify", commands}, {"verify", "--data", commands},
		{"verify", "--receipt", commands, script},
		{"import", "--data", s.dir, script}, {"forget", "--data", s.dir, commands},
		{"handover", "--data", s.dir, "--to", commands, "-o", s.file("out"), s.running},
		{"simulate", commands}, {"serve", "--data", s.dir, "--listen", commands},
		{"serve", "--data", s.dir, "--host", commands},
	} {
		text, status := says("", args...)
		require.Positive(t, status+strings.Count(text, "refused"), "%q: %s", args, text)
		require.NotEmpty(t, text, "%q", args)
		requireHarmless(t, text)
	}
}
