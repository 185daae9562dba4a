package house_test

import (
	"errors"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain/languages"
	"posthorn/events/desk"
	"posthorn/events/desktest"
)

func TestTheHostSeesHowTheHouseStands(t *testing.T) {
	cfg := posthorntest.Settings(t.TempDir())
	cfg.Host = []string{"ana@example.org"}
	l := posthorntest.Lives(t, cfg)
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	h.Starts("carcassonne", nil, desktest.Player(bo.ID), desktest.Player(ana.ID))
	bad := h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bo.ID))
	l.Poison(bad, true, posthorntest.Poisons[0].Draft)
	study := h.Starts("catan", nil, desktest.Player(bo.ID), desktest.Player(ana.ID))
	_, err := l.Desk.Look(l.Ctx, bad)
	require.ErrorAs(t, err, new(*desk.Unreadable))
	l.CaughtUp()
	l.Logger.With("password", "smtp://user:geheim@mail.example.org").WithGroup("g").
		Error("no luck with bolek@example.org",
			"token", strings.Repeat("tOken", 9), "error", errors.New("one\nhidden line"))
	l.Logger.Info("nothing to see")

	_, body := l.Get("/host", ana, "en")
	for _, says := range []string{"Needs your attention", "1 table is stuck", bad.String(), "asked just now",
		"/t/" + study.String(), "up to date", "events.db", "No backup yet",
		"no luck with bo…@example.org", "smtp://…@mail.example.org", "one", "errors were logged"} {
		require.Contains(t, body, says)
	}
	for _, secret := range []string{"bolek@", "geheim", "tOkentOken", "hidden line", "nothing to see"} {
		require.NotContains(t, body, secret)
	}
	for _, lang := range languages.Complete() {
		require.NoError(t, l.People.SetLanguage(l.Ctx, ana.ID, lang))
		status, body := l.Get("/host", ana, lang)
		require.Equal(t, nethttp.StatusOK, status)
		require.Contains(t, body, "NATS")
		require.NotContains(t, body, "page.host.")
	}
	status, _ := l.Get("/host", bo, "en")
	require.Equal(t, nethttp.StatusNotFound, status)

	require.NoError(t, folder.NoteBackup(cfg.Data))
	require.NoError(t, l.People.SetLanguage(l.Ctx, ana.ID, "en"))
	_, body = l.Get("/host", ana, "en")
	require.NotContains(t, body, "No backup yet")
}
