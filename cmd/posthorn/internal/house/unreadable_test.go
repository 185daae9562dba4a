package house_test

import (
	"encoding/json"
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAnUnreadableEventStopsItsTableAndNotTheHouse(t *testing.T) {
	t.Parallel()
	cfg := posthorntest.Settings(t.TempDir())
	l := posthorntest.Lives(t, cfg)
	ana, bo := l.Guest("ana@example.org"), l.Guest("bolek@example.org")
	h := l.Seated()
	sound := h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.StandIn())
	var bad []events.Name
	for range posthorntest.Poisons {
		bad = append(bad, h.Starts("carcassonne", nil, desktest.Player(ana.ID), desktest.Player(bo.ID)))
	}
	for i, p := range posthorntest.Poisons {
		l.Poison(bad[i], p.Table, p.Draft)
	}

	check := func(l *posthorntest.Living, ana posthorntest.Guest) {
		l.CaughtUp()
		for i, p := range posthorntest.Poisons {
			for lang, says := range map[string]string{"en": "cannot be shown", "pt-BR": "não pode ser mostrada",
				"pt-PT": "não pode ser mostrada", "pl": "nie można pokazać"} {
				code, body := l.Get("/t/"+bad[i].String(), posthorntest.Guest{}, lang)
				require.Equal(t, nethttp.StatusInternalServerError, code, p.Name)
				require.Contains(t, body, says, p.Name)
			}
			code, body := l.Get("/api/v1/tables/"+bad[i].String(), ana, "")
			require.Equal(t, nethttp.StatusInternalServerError, code, p.Name)
			var answer struct{ Error struct{ Code string } }
			require.NoError(t, json.Unmarshal([]byte(body), &answer), body)
			require.Equal(t, "unreadable", answer.Error.Code, p.Name)
			require.Equal(t, 1, strings.Count(l.Log.String(), "table="+bad[i].String()),
				"%s: the host is told once: %s", p.Name, l.Log)
		}
		code, body := l.Get("/", ana, "en")
		require.Equal(t, nethttp.StatusOK, code, body)
		require.Contains(t, body, "/t/"+sound.String())
		code, body = l.Get("/t/"+sound.String(), ana, "en")
		require.Equal(t, nethttp.StatusOK, code, body)
		code, body = l.Chats(sound, ana, events.NewCommandID())
		require.Less(t, code, 400, body)
		l.CaughtUp()
	}
	check(l, ana)
	l.Stop()

	l = posthorntest.Lives(t, cfg) // with such events in the log from the start
	check(l, l.Guest("ana@example.org"))
	require.NoError(t, l.Views.Rebuild(l.Ctx, nil))
	check(l, l.Guest("ana@example.org"))
	l.Seated().Plays(sound, 0, posthorntest.LegalOf(t, l, sound))
	require.Eventually(t, func() bool {
		look, err := l.Desk.Look(l.Ctx, sound)
		require.NoError(t, err)
		return look.Line.Awaits(0) && look.LineHead.Version >= 3
	}, posthorntest.Patient, 5*time.Millisecond, "stand-ins move on: %s", l.Log)
}
