package outages

import (
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/logtest"
)

// Given a full disk, everybody who looks is told; a sign-in link that was asked for meanwhile comes once there is
// space.
func TestAFullDiskIsSaidAndALinkComesAfterwards(t *testing.T) {
	dir := logtest.SmallDisk(t, "48m")
	cfg := posthorntest.Settings(filepath.Join(dir, "house"))
	cfg.Host = []string{"host@example.org"}
	l := posthorntest.Lives(t, cfg)
	host := l.Guest("host@example.org")
	web := httptest.NewServer(l.Watched.Handler())
	defer web.Close()
	asks := func(path string) string {
		status, body := posthorntest.Fetched(t, web.Client(), web.URL+path)
		require.Equal(t, 200, status, body)
		return body
	}
	require.NotContains(t, asks("/readyz"), "writes")
	require.Contains(t, asks("/metrics"), "posthorn_writes_stopped 0")

	_, err := l.People.OpenSession(l.Ctx, host.ID, "until it is full", time.Hour)
	for err == nil { // files that were grown in advance still have some room
		logtest.Fill(t, filepath.Join(dir, "filler"+events.NewName().String()))
		_, err = l.People.OpenSession(l.Ctx, host.ID, "until it is full", time.Hour)
	}
	require.True(t, events.Unstored(err), "%v", err)
	require.Eventually(t, func() bool { return strings.Contains(asks("/readyz"), "writes: stopped") },
		posthorntest.Patient, 20*time.Millisecond)
	require.Contains(t, asks("/metrics"), "posthorn_writes_stopped 1")
	code, _ := l.Post("/sign-in", posthorntest.Guest{}, url.Values{"address": {"new@example.org"}})
	require.Equal(t, 303, code)
	for lang, says := range map[string]string{"en": "can save nothing", "pt-BR": "não pode salvar nada",
		"pt-PT": "não pode guardar nada", "pl": "nie może niczego zapisać"} {
		for _, path := range []string{"/sign-in", "/sign-in/sent"} {
			_, body := l.Get(path, posthorntest.Guest{}, lang)
			require.Contains(t, body, says, "%s in %s", path, lang)
		}
	}
	_, body := l.Get("/host", host, "en")
	require.Contains(t, body, "Nothing new can be saved")
	text, status := posthorntest.Command(t, posthorntest.Binary(t), "doctor", "--data", cfg.Data)
	require.Equal(t, 1, status, text)
	require.Contains(t, text, "WRONG  writes: stopped")

	files, err := filepath.Glob(filepath.Join(dir, "filler*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
	require.Eventually(t, func() bool {
		for _, m := range l.Mailbox.Messages() {
			if m.To == "new@example.org" {
				return true
			}
		}
		return false
	}, posthorntest.Patient, 20*time.Millisecond, "the link that was asked for: %s", l.Log)
	require.Eventually(t, func() bool { return !strings.Contains(asks("/readyz"), "writes") }, posthorntest.Patient,
		20*time.Millisecond)
	_, body = l.Get("/sign-in", posthorntest.Guest{}, "en")
	require.NotContains(t, body, "can save nothing")
}
