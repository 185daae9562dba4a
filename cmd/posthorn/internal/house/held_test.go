package house

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheHostIsToldSeldomThatSignInMailsAreHeldBack(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := &signInWarning{logger: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})),
		now: func() time.Time { return now }}
	for range 500 {
		h.note("example.org")
	}
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	require.Contains(t, out.String(), "domain=example.org")
	now = now.Add(heldPause)
	h.note("")
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	require.Contains(t, out.String(), "held_since_last=500")
	require.Contains(t, out.String(), "held_since_start=501")
}
