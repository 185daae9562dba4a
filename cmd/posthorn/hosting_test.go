package main

import (
	"errors"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestTheHostSeesHowTheHouseStands(t *testing.T) {
	cfg := livingSettings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := lives(t, cfg)
	ana, bo := l.guest("ana@example.org"), l.guest("bolek@example.org")
	h := l.seated()
	h.Starts("carcassonne", nil, desktest.Player(bo.id), desktest.Player(ana.id))
	bad := h.Starts("carcassonne", nil, desktest.Player(ana.id), desktest.Player(bo.id))
	l.poison(bad, true, poisons[0].draft)
	study := h.Starts("catan", nil, desktest.Player(bo.id), desktest.Player(ana.id))
	_, err := l.desk.Look(l.ctx, bad)
	require.ErrorAs(t, err, new(*events.Unreadable))
	l.caughtUp()
	l.logger.With("password", "smtp://user:geheim@mail.example.org").WithGroup("g").Error("no luck with bolek@example.org",
		"token", strings.Repeat("tOken", 9), "error", errors.New("one\nhidden line"))
	l.logger.Info("nothing to see")

	_, body := l.get("/host", ana, "en")
	for _, says := range []string{"Needs your attention", "1 table is stuck", bad.String(), "asked just now", "/t/" + study.String(), "up to date", "events.db", "No backup yet",
		"no luck with bo…@example.org", "smtp://…@mail.example.org", "one", "errors were logged"} {
		require.Contains(t, body, says)
	}
	for _, secret := range []string{"bolek@", "geheim", "tOkentOken", "hidden line", "nothing to see"} {
		require.NotContains(t, body, secret)
	}
	for _, lang := range domain.Languages {
		require.NoError(t, l.people.SetLanguage(l.ctx, ana.id, lang))
		status, body := l.get("/host", ana, lang)
		require.Equal(t, nethttp.StatusOK, status)
		require.Contains(t, body, "NATS")
		require.NotContains(t, body, "page.host.")
	}
	status, _ := l.get("/host", bo, "en")
	require.Equal(t, nethttp.StatusNotFound, status)

	require.NoError(t, noteBackup(cfg.Data))
	require.NoError(t, l.people.SetLanguage(l.ctx, ana.id, "en"))
	_, body = l.get("/host", ana, "en")
	require.NotContains(t, body, "No backup yet")
}
