package main

import (
	"encoding/json"
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

// poisons are events that no version of this program wrote: what they are appended to, and as what.
var poisons = []struct {
	name  string
	table bool // to the table's stream, or to its line
	draft events.Draft
}{
	{"an unknown event of a table", true, events.Draft{Type: "table.unheard.v9", Data: []byte(`{}`)}},
	{"a table's event that does not decode", true, events.Draft{Type: "table.said.v1", Data: []byte(`{"person":7`)}},
	{"a table's event of other types", true, events.Draft{Type: "table.invited.v1", Data: []byte(`{"seat":"one"}`)}},
	{"an unknown move", false, events.Draft{Type: "carcassonne.unheard.v9", Data: []byte(`{}`)}},
	{"another game's move", false, events.Draft{Type: "catan.played.v1", Data: []byte(`{}`)}},
	{"a move that does not decode", false, events.Draft{Type: "carcassonne.placed.v1", Data: []byte(`{"seat":`)}},
	{"a move that cannot be applied", false, events.Draft{Type: "carcassonne.placed.v1",
		Data: []byte(`{"seat":99,"move":"1,0 0","tile":"V","x":1,"y":0,"turn":0,"draws":[]}`)}},
	{"what stands beside it does not decode", false, events.Draft{Type: "carcassonne.placed.v1", Meta: []byte(`{"by":[]}`), Data: []byte(`{}`)}},
	{"a secret part that does not open", false, events.Draft{Type: "carcassonne.placed.v1", Data: []byte(`{}`),
		Parts: []events.Part{{To: domain.To(0), Digest: events.Hash{1}, Sealed: []byte("nothing that was sealed here, and long enough")}}}},
}

// poison appends what should not be there, as if another program had.
func (l *living) poison(table events.Name, to bool, d events.Draft) {
	l.t.Helper()
	look, err := l.desk.Look(l.ctx, table)
	require.NoError(l.t, err)
	d.Stream, d.Expect = look.LineName, look.LineHead.Version
	if to {
		d.Stream, d.Expect = look.Name, look.TableHead.Version
	}
	d.Command, d.Codec, d.At = events.NewCommandID(), "json", time.Now()
	if d.Meta == nil {
		d.Meta = []byte(`{"door":"page"}`)
	}
	_, err = l.house.log.Append(l.ctx, d)
	require.NoError(l.t, err)
}

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

// legalOf is a move that seat A may make.
func legalOf(t *testing.T, l *living, table events.Name) string {
	t.Helper()
	look, err := l.desk.Look(l.ctx, table)
	require.NoError(t, err)
	for m := range look.Rulebook.Legal(look.Line.State, 0) {
		return look.Rulebook.FormatMove(m, nil)
	}
	t.Fatal("seat A has no move")
	return ""
}
