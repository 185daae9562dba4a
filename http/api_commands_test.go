package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryCommandRefusesTheWrongPerson(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	started := h.table("tiny", ana, bo)
	anas, eves := ana.bot(s, "play", ""), eve.bot(s, "play", "")
	anas.play(started, "keep")
	waiting := anas.post("/tables",
		m{"game": "tiny", "pace": "weekly",
			"seats": []m{{"kind": "me"},
				{"kind": "player", "invite": []m{{"address": "bo@example.org"}}}}})["table"].(string)
	all := bodies(h.look(started).LineName.String())
	at := func(table, command string) string { return "/tables/" + table + command }
	anas.post("/tables/"+started+"/rewind", m{"to": 1, "reason": "a slip"})
	since := anas.get("/tables/" + started)["proposal"].(m)["since"]
	before := h.state()
	for _, c := range []struct {
		path   string
		body   m
		status int
		code   string
	}{
		{at(started, "/moves"), nil, 403, "not-your-seat"},
		{at(started, "/orders"), nil, 403, "not-your-seat"},
		{at(started, "/chat"), nil, 403, "not-a-player"},
		{at(started, "/rewind"), nil, 403, "not-a-player"},
		{at(started, "/end"), nil, 403, "not-a-player"},
		{at(started, "/agree"), m{"proposal": since}, 403, "not-a-player"},
		{at(started, "/refuse"), m{"proposal": since}, 403, "not-a-player"},
		{at(started, "/refuse"), nil, 409, "no-proposal"},
		{at(started, "/resign"), nil, 403, "not-your-seat"},
		{at(started, "/join"), nil, 409, "table-started"},
		{at(started, "/invite"), nil, 403, "opener-only"},
		{at(waiting, "/join"), nil, 403, "not-invited"},
		{at(waiting, "/decline"), nil, 403, "not-invited"},
		{at(waiting, "/decline"), m{"seat": 1, "person": "0123456789abcdef"}, 403, "not-invited"},
		{at(waiting, "/invite"), nil, 403, "opener-only"},
		{at(waiting, "/fill"), nil, 403, "opener-only"},
		{at(waiting, "/abandon"), nil, 403, "opener-only"},
		{at(waiting, "/chat"), nil, 403, "not-a-player"},
		{at(waiting, "/resign"), nil, 409, "not-started"},
		{at(strings.Repeat("0", 32), "/resign"), nil, 404, "missing"},
		{at("x", "/chat"), nil, 404, "missing"},
	} {
		body := bodyOf(all, "POST", c.path)
		if c.body != nil {
			body = c.body
		}
		p := eves.call("POST", c.path, body)
		require.Equal(t, c.code, p.code(), "%s: %s", c.path, p.body)
		require.Equal(t, c.status, p.status, "%s: %s", c.path, p.body)
	}
	require.Equal(t, 403, eves.call("GET", at(started, "/chat"), nil).status)
	require.Equal(t, "spectator", eves.get(at(started, ""))["viewer"])
	require.Nil(t, eves.get(at(started, ""))["proposal"].(m)["reason"])
	require.Empty(t, eves.get(at(started, "/moves"))["moves"])
	require.Equal(t, before, h.state())
}

func TestWhatMakesNoSenseIsRefusedWithItsReason(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	b := ana.bot(s, "play", "")
	move := func(change func(m)) m {
		w := b.turn(table, "keep")
		change(w)
		return w
	}
	with := func(k string, v any) m { return move(func(w m) { w[k] = v }) }
	seats := func(list ...m) m { return m{"game": "tiny", "pace": "weekly", "seats": list} }
	at := "/tables/" + table
	before := h.state()
	for name, c := range map[string]struct {
		path   string
		body   any
		status int
		code   string
		change func(*nethttp.Request)
	}{
		"an unreadable move":       {at + "/moves", with("move", "fly"), 422, "unreadable", nil},
		"a move that is not legal": {at + "/moves", with("move", "roll"), 422, "not-all-chose", nil},
		"another line":             {at + "/moves", with("line", strings.Repeat("0", 32)), 409, "line-closed", nil},
		"no line":                  {at + "/moves", with("line", "x"), 404, "no-line", nil},
		"another decision": {at + "/moves", move(func(w m) { w["decision"].(m)["serial"] = 99 }), 409,
			"overtaken", nil},
		"no decision": {
			at + "/moves", m{"line": h.look(table).LineName.String(), "decision": nil, "move": "keep"}, 422, "no-move",
			nil},
		"a member too many": {at + "/moves", with("cheat", true), 400, "body", nil},
		"no JSON":           {at + "/moves", "text", 400, "body", nil},
		"no name": {at + "/moves", with("move", "keep"), 400, "idempotency-key",
			func(r *nethttp.Request) { r.Header.Del("Idempotency-Key") }},
		"a name that is too long": {at + "/moves", with("move", "keep"), 400, "idempotency-key",
			key(strings.Repeat("x", 201))},
		"two names": {at + "/moves", with("id", "other"), 400, "idempotency-key", nil},
		"a form": {at + "/moves", with("move", "keep"), 415, "media-type",
			func(r *nethttp.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }},
		"too much":                     {at + "/chat", m{"text": strings.Repeat("x", 70<<10)}, 413, "large", nil},
		"nothing said":                 {at + "/chat", m{"text": "  "}, 422, "empty-text", nil},
		"too much said":                {at + "/chat", m{"text": strings.Repeat("ó", 1001)}, 422, "text-long", nil},
		"back before the first move":   {at + "/rewind", m{"to": 9}, 409, "rewind-none", nil},
		"a proposal that is not there": {at + "/agree", m{"proposal": 9}, 409, "no-proposal", nil},
		"no such game": {"/tables", m{"game": "chess", "pace": "weekly", "seats": []m{}}, 422,
			"no-game", nil},
		"too few seats": {"/tables", seats(m{"kind": "me"}), 422, "seats", nil},
		"no such pace": {
			"/tables", m{"game": "tiny", "pace": "hourly", "seats": []m{{"kind": "me"}, {"kind": "open"}}}, 422, "pace",
			nil},
		"no such option": {
			"/tables", m{"game": "tiny", "pace": "weekly", "options": m{"x": "y"},
				"seats": []m{{"kind": "me"}, {"kind": "open"}}}, 422, "option-unknown", nil},
		"no such kind of seat": {"/tables", seats(m{"kind": "me"}, m{"kind": "ghost"}), 422, "seat-kind", nil},
		"no such stand-in": {"/tables", seats(m{"kind": "me"}, m{"kind": "stand-in", "stand_in": "clever"}),
			422, "stand-in", nil},
		"no address": {
			"/tables", seats(m{"kind": "me"}, m{"kind": "player", "invite": []m{{"address": "x"}}}), 422,
			"address-invalid", nil},
		"a branch of another's line": {
			at + "/branch", m{"line": strings.Repeat("0", 32), "version": 1, "kind": "game", "pace": "weekly",
				"seats": []m{{"kind": "me"}, {"kind": "open"}}}, 404, "no-line", nil},
		"a branch of what is to come": {
			at + "/branch", m{"line": h.look(table).LineName.String(), "version": 7, "kind": "game", "pace": "weekly",
				"seats": []m{{"kind": "me"}, {"kind": "open"}}}, 404, "no-version", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var change []func(*nethttp.Request)
			if c.change != nil {
				change = append(change, c.change)
			}
			p := b.call("POST", c.path, c.body, change...)
			require.Equal(t, c.code, p.code(), p.body)
			require.Equal(t, c.status, p.status, p.body)
		})
	}
	for _, path := range []string{"/nowhere", at + "/nowhere", at + "/lines/" + strings.Repeat("0", 32) + "/1",
		at + "/lines/x/1", at + "/lines/" + h.look(table).LineName.String() + "/0", at + "/timeline?line=x"} {
		p := ana.do("GET", "/api/v1"+path, nil)
		require.Equal(t, 404, p.status, path)
		require.Equal(t, "missing", p.code(), path)
	}
	require.Equal(t, 400, b.call("GET", at+"/timeline?after=x", nil).status)
	require.Equal(t, 405, ana.do("PUT", "/api/v1/me", nil).status)
	require.Equal(t, before, h.state())
}
