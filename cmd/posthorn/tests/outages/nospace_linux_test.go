package outages

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/logtest"
)

func TestAFullDiskStopsNothingButWriting(t *testing.T) {
	dir := logtest.SmallDisk(t, "48m")
	l := posthorntest.Lives(t, posthorntest.Settings(filepath.Join(dir, "house")))
	ana := l.Guest("ana@example.org")
	table := l.Seated().Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.StandIn())
	l.CaughtUp()
	told := 0
	reads := func() {
		t.Helper()
		for _, path := range []string{"/", "/t/" + table.String(), "/t/" + table.String() + "/audit",
			"/api/v1/tables/" + table.String(), "/api/v1/inbox", "/settings"} {
			code, body := l.Get(path, ana, "en")
			require.Equal(t, 200, code, "%s: %s", path, body)
		}
	}
	chats := func() (int, string) {
		code, body := l.Chats(table, ana, events.NewCommandID())
		if code < 400 {
			told++
		}
		return code, body
	}
	_, _ = chats()
	require.Equal(t, 1, told)

	for lang, says := range map[string]string{"en": "could not be saved", "pt-BR": "Não foi possível salvar",
		"pt-PT": "Não foi possível guardar", "pl": "Nie udało się tego zapisać"} {
		require.NoError(t, l.People.SetLanguage(l.Ctx, ana.ID, lang))
		filler := filepath.Join(dir, "filler")
		require.Eventually(t, func() bool { // files that were grown in advance still have some room
			logtest.Fill(t, filler+events.NewName().String())
			code, body := chats()
			return code == 503 && strings.Contains(body, says)
		}, posthorntest.Patient, time.Millisecond)
		reads()

		files, err := filepath.Glob(filler + "*")
		require.NoError(t, err)
		for _, f := range files {
			require.NoError(t, os.Remove(f))
		}
		require.Eventually(t, func() bool { code, _ := chats(); return code < 400 }, posthorntest.Patient,
			10*time.Millisecond, "it recovers by itself: %s", l.Log)
		l.CaughtUp()
		reads()
	}

	history, err := l.Desk.TableHistory(l.Ctx, table, 0)
	require.NoError(t, err)
	said := 0
	for _, e := range history {
		if _, ok := e.Event.(*domain.Said); ok {
			said++
		}
	}
	require.Equal(t, told, said, "what was confirmed is there, and nothing else")
	l.Seated().Plays(table, 0, posthorntest.LegalOf(t, l, table))
	l.Stop()
	require.NoError(t, posthorntest.Starts(l.Config), "and it starts again")
}

func TestListsAndMailsWaitForSpaceWhileTheGameGoesOn(t *testing.T) {
	dir := logtest.SmallDisk(t, "48m")
	cfg := posthorntest.Settings(filepath.Join(dir, "house"))
	require.NoError(t, posthorntest.Starts(cfg))
	roomy := filepath.Join(t.TempDir(), "events.db")
	log := posthorntest.Folded(t, filepath.Join(cfg.Data, "events.db"))
	require.NoError(t, os.WriteFile(roomy, log, 0o600))
	posthorntest.RemoveAll(t, cfg, "events.db*")
	require.NoError(t, os.Symlink(roomy, filepath.Join(cfg.Data, "events.db")))

	l := posthorntest.Lives(t, cfg)
	ana := l.Guest("ana@example.org")
	table := l.Seated().Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.StandIn())
	l.CaughtUp()
	logtest.Fill(t, filepath.Join(dir, "filler"))
	require.Eventually(t, func() bool {
		logtest.Fill(t, filepath.Join(dir, "filler"+events.NewName().String()))
		code, body := l.Chats(table, ana, events.NewCommandID())
		require.Less(t, code, 400, body)
		return strings.Count(l.Log.String(), "the disk is full") >= 2
	}, posthorntest.Patient, 5*time.Millisecond)
	code, body := l.Get("/t/"+table.String(), ana, "en")
	require.Equal(t, 200, code, body)
	code, body = l.Get("/", ana, "en")
	require.Equal(t, 200, code, body)

	files, err := filepath.Glob(filepath.Join(dir, "filler*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
	l.CaughtUp()
	last, err := l.House.Log.Last(l.Ctx)
	require.NoError(t, err)
	synced, enough := context.WithTimeout(l.Ctx, posthorntest.Patient)
	defer enough()
	require.NoError(t, l.Relay.Synced(synced, last), "NATS too: %+v", l.Relay.Health())
}
