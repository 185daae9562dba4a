package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http"
	"posthorn/http/door"
)

// A program learns where each branch forked off, and may ask to go back to before its own last move.
func TestAProgramReadsTheTreeAndGoesBackBeforeItsMove(t *testing.T) {
	var lists door.Views
	h := open(t, func(cfg *http.Config) { lists = cfg.Views })
	s := h.spec()
	anaHere, boHere := h.signedIn("Ana"), h.signedIn("Bo")
	ana, bo := anaHere.bot(s, "play", ""), boHere.bot(s, "play", "")
	table := h.table("tiny", anaHere, boHere)
	at := "/tables/" + table
	p := ana.call("POST", at+"/rewind", m{"mine": true})
	require.Equal(t, 409, p.status, p.body)
	require.Equal(t, "rewind-own", p.code())
	p = h.stranger(s).call("POST", at+"/rewind", m{"mine": true})
	require.Equal(t, 401, p.status, p.body)
	ana.play(table, "keep") // version 2
	bo.play(table, "keep")
	study := h.study(table, anaHere)
	last, err := h.desk.Log().Last(t.Context())
	require.NoError(t, err)
	require.NoError(t, lists.Await(t.Context(), last))

	line := h.look(table).LineName.String()
	tree := ana.get(at + "/lines")
	branch := tree["branches"].([]any)[0].(m)
	require.Equal(t, m{"table": table, "line": line, "version": 3., "kind": "study"}, branch["fork"])
	require.Equal(t, "A study by Ana, from move 3", branch["name"])
	require.Equal(t, "Ana", branch["by"])
	require.Equal(t, branch["fork"], ana.get("/tables/" + study + "/lines")["branch"], "and the study says so itself")
	require.Empty(t, bo.get(at + "/lines")["branches"], "it is Ana's")

	for range 2 { // sent again, it is the same command
		p = ana.call("POST", at+"/rewind", m{"mine": true}, func(r *nethttp.Request) {
			r.Header.Set("Idempotency-Key", "back")
		})
		require.Equal(t, 200, p.status, p.body)
	}
	proposal := bo.get(at)["proposal"].(m)
	require.Equal(t, 1., proposal["to"], "before her move, though Bo has moved since")
	bo.post(at+"/agree", m{"proposal": proposal["since"]})
	h.settle(table)
	lines := ana.get(at + "/lines")["lines"].([]any)
	require.Len(t, lines, 2)
	for i, want := range []m{{"line": line, "last": 3., "closed": true, "main": false},
		{"parent": line, "fork": 1., "closed": false, "main": true}} {
		for key, value := range want {
			require.Equal(t, value, lines[i].(m)[key], key)
		}
	}
	opened := lines[1].(m)["since"].(float64)
	events := ana.get(at + "/audit")["events"].([]any)
	require.Equal(t, "table.agreed.v1", events[int(opened)-1].(m)["type"])
}

func TestPuzzlesAreNotLookedAtWithoutEndByAStranger(t *testing.T) {
	h := open(t)
	ana, nobody := h.signedIn("Ana"), h.browser()
	at := "/puzzle/" + strings.Repeat("ab", 16)
	for range 120 {
		require.Equal(t, 404, nobody.get(at).status)
	}
	status := 0
	for range 600 { // the limit refills with time, so a slow machine needs more of them
		if status = nobody.get(at).status; status == 429 {
			break
		}
	}
	require.Equal(t, 429, status)
	require.Equal(t, 404, ana.get(at).status, "whoever is signed in is not counted")
}
