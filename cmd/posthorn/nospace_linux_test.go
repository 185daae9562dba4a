package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/logtest"
)

func TestAFullDiskStopsNothingButWriting(t *testing.T) {
	dir := logtest.SmallDisk(t, "48m")
	l := lives(t, livingSettings(filepath.Join(dir, "house")))
	ana := l.guest("ana@example.org")
	table := l.seated().Starts("carcassonne", nil, desktest.Player(ana.id), desktest.StandIn())
	l.caughtUp()
	told := 0
	reads := func() {
		t.Helper()
		for _, path := range []string{"/", "/t/" + table.String(), "/t/" + table.String() + "/audit", "/api/v1/tables/" + table.String(), "/api/v1/inbox", "/settings"} {
			code, body := l.get(path, ana, "en")
			require.Equal(t, 200, code, "%s: %s", path, body)
		}
	}
	chats := func() (int, string) {
		code, body := l.chats(table, ana, events.NewCommandID())
		if code < 400 {
			told++
		}
		return code, body
	}
	_, _ = chats()
	require.Equal(t, 1, told)

	for lang, says := range map[string]string{"en": "could not be saved", "pt-BR": "Não foi possível salvar", "pt-PT": "Não foi possível guardar", "pl": "Nie udało się tego zapisać"} {
		require.NoError(t, l.people.SetLanguage(l.ctx, ana.id, lang))
		filler := filepath.Join(dir, "filler")
		require.Eventually(t, func() bool { // files that had been made larger than they were needed still take some
			logtest.Fill(t, filler+events.NewName().String())
			code, body := chats()
			return code == 503 && strings.Contains(body, says)
		}, patient, time.Millisecond)
		reads()

		files, err := filepath.Glob(filler + "*")
		require.NoError(t, err)
		for _, f := range files {
			require.NoError(t, os.Remove(f))
		}
		require.Eventually(t, func() bool { code, _ := chats(); return code < 400 }, patient, 10*time.Millisecond, "it recovers by itself: %s", l.log)
		l.caughtUp()
		reads()
	}

	history, err := l.desk.TableHistory(l.ctx, table, 0)
	require.NoError(t, err)
	said := 0
	for _, e := range history {
		if _, ok := e.Event.(*domain.Said); ok {
			said++
		}
	}
	require.Equal(t, told, said, "what was confirmed is there, and nothing else")
	l.seated().Plays(table, 0, legalOf(t, l, table))
	l.stop()
	require.NoError(t, starts(l.cfg), "and it starts again")
}

func TestListsAndMailsWaitForSpaceWhileTheGameGoesOn(t *testing.T) {
	dir := logtest.SmallDisk(t, "48m")
	cfg := livingSettings(filepath.Join(dir, "house"))
	require.NoError(t, starts(cfg))
	roomy := filepath.Join(t.TempDir(), "events.db")
	log := folded(t, filepath.Join(cfg.Data, "events.db"))
	require.NoError(t, os.WriteFile(roomy, log, 0o600))
	removeAll(t, cfg, "events.db*")
	require.NoError(t, os.Symlink(roomy, filepath.Join(cfg.Data, "events.db")))

	l := lives(t, cfg)
	ana := l.guest("ana@example.org")
	table := l.seated().Starts("carcassonne", nil, desktest.Player(ana.id), desktest.StandIn())
	l.caughtUp()
	logtest.Fill(t, filepath.Join(dir, "filler"))
	require.Eventually(t, func() bool {
		logtest.Fill(t, filepath.Join(dir, "filler"+events.NewName().String()))
		code, body := l.chats(table, ana, events.NewCommandID())
		require.Less(t, code, 400, body)
		return strings.Count(l.log.String(), "the disk is full") >= 2
	}, patient, 5*time.Millisecond)
	code, body := l.get("/t/"+table.String(), ana, "en")
	require.Equal(t, 200, code, body)
	code, body = l.get("/", ana, "en")
	require.Equal(t, 200, code, body)

	files, err := filepath.Glob(filepath.Join(dir, "filler*"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
	l.caughtUp()
	last, err := l.house.log.Last(l.ctx)
	require.NoError(t, err)
	synced, enough := context.WithTimeout(l.ctx, patient)
	defer enough()
	require.NoError(t, l.relay.Synced(synced, last), "NATS too: %+v", l.relay.Health())
}
