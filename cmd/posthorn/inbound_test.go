package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
)

func TestWhereAnswersToMailsComeInIsCheckedAtTheStart(t *testing.T) {
	for what, args := range map[string][]string{
		"name where they come in with --inbound": {"--reply-to", "games@example.org"},
		"write it as lmtp://127.0.0.1:2424":      {"--inbound", "127.0.0.1:2424", "--from", "games@example.org"},
		"by smtp, anybody could claim": {"--inbound", "smtp://127.0.0.1:0", "--from", "games@example.org",
			"--authserv-id", "mx.example.org"},
		"at most 15 letters and digits before the @": {"--inbound", "lmtp://127.0.0.1:0", "--from",
			"someverylongname@example.org"},
	} {
		fails(t, 1, what, append([]string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, args...)...)
	}
}

func TestAHouseThatReadsAnswersNamesTheirAddress(t *testing.T) {
	cfg := house.Settings{Listen: "127.0.0.1:0", From: "posthorn@games.example.org", Inbound: "lmtp://127.0.0.1:0",
		ReplyTo: "games@games.example.org", Opening: "anyone"}
	cfg.Data = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	h, err := house.Open(ctx, cfg, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, "games@games.example.org", h.Sender.Composer.ReplyTo)
	require.NotNil(t, h.Inbound.Addr())
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(ctx) }()
	cancel()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(posthorntest.Patient):
		require.Fail(t, "the house does not close")
	}
	require.NoError(t, h.Close())
}
