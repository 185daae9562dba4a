package main

import (
	"encoding/json"
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAnEventThatCannotBeReadStopsItsTableAndNotTheHouse(t *testing.T) {
	t.Parallel()
	cfg := livingSettings(t.TempDir())
	l := lives(t, cfg)
	ana, bo := l.guest("ana@example.org"), l.guest("bolek@example.org")
	h := l.seated()
	sound := h.Starts("carcassonne", nil, desktest.Player(ana.id), desktest.StandIn())
	var bad []events.Name
	for range poisons {
		bad = append(bad, h.Starts("carcassonne", nil, desktest.Player(ana.id), desktest.Player(bo.id)))
	}
	for i, p := range poisons {
		l.poison(bad[i], p.table, p.draft)
	}

	check := func(l *living, ana guest) {
		l.caughtUp()
		for i, p := range poisons {
			for lang, says := range map[string]string{"en": "cannot be shown", "pt-BR": "não pode ser mostrada", "pt-PT": "não pode ser mostrada", "pl": "nie można pokazać"} {
				code, body := l.get("/t/"+bad[i].String(), guest{}, lang)
				require.Equal(t, nethttp.StatusInternalServerError, code, p.name)
				require.Contains(t, body, says, p.name)
			}
			code, body := l.get("/api/v1/tables/"+bad[i].String(), ana, "")
			require.Equal(t, nethttp.StatusInternalServerError, code, p.name)
			var answer struct{ Error struct{ Code string } }
			require.NoError(t, json.Unmarshal([]byte(body), &answer), body)
			require.Equal(t, "unreadable", answer.Error.Code, p.name)
			require.Equal(t, 1, strings.Count(l.log.String(), "table="+bad[i].String()), "%s: the host is told once: %s", p.name, l.log)
		}
		code, body := l.get("/", ana, "en")
		require.Equal(t, nethttp.StatusOK, code, body)
		require.Contains(t, body, "/t/"+sound.String())
		code, body = l.get("/t/"+sound.String(), ana, "en")
		require.Equal(t, nethttp.StatusOK, code, body)
		code, body = l.chats(sound, ana, events.NewCommandID())
		require.Less(t, code, 400, body)
		l.caughtUp()
	}
	check(l, ana)
	l.stop()

	l = lives(t, cfg) // with such events in the log from the start
	check(l, l.guest("ana@example.org"))
	require.NoError(t, l.views.Rebuild(l.ctx, nil))
	check(l, l.guest("ana@example.org"))
	l.seated().Plays(sound, 0, legalOf(t, l, sound))
	require.Eventually(t, func() bool {
		look, err := l.desk.Look(l.ctx, sound)
		require.NoError(t, err)
		return look.Line.Awaits(0) && look.LineHead.Version >= 3
	}, patient, 5*time.Millisecond, "stand-ins move on: %s", l.log)
}
