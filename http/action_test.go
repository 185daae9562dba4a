package http_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http/door"
)

// An action takes exactly the members that the description names: not one less, and none that belongs only to another.
func TestAnActionTakesTheMembersItsDescriptionNames(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	program := ana.bot(s, "play", "")
	before := h.look(table).TableHead
	for _, a := range door.Actions {
		path := "/tables/{table}/" + strings.Replace(a.Name, "say", "chat", 1)
		body := s.at("paths", path, "post", "requestBody", "content", "application/json", "schema").(map[string]any)
		require.ElementsMatch(t, append(strings.Fields(a.Members), "id"),
			slices.Collect(maps.Keys(body["properties"].(map[string]any))), a.Name)
		for _, other := range []string{"seat", "text", "proposal"} {
			if slices.Contains(strings.Fields(a.Members), other) {
				continue
			}
			p := program.call("POST", strings.Replace(path, "{table}", table, 1), m{other: nil})
			require.Equal(t, 400, p.status, "%s with %s", a.Name, other)
			require.Equal(t, "body", p.code())
			require.Contains(t, p.body, other)
		}
	}
	require.Equal(t, before, h.look(table).TableHead)
}

// A form that lacks what every page of ours sends is malformed; a reason that is too long is cut.
func TestAFormOfAnActionIsReadAsItsPageSendsIt(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	form := ana.get("/t/" + table + "/rewind").formAfter(`method="post" action="/t/` + table + `/rewind"`)
	for _, field := range []string{"id", "to"} {
		less := maps.Clone(form)
		less.Del(field)
		require.Equal(t, 400, ana.send("/t/"+table+"/rewind", less).status, field)
	}
	require.Equal(t, 400, ana.send("/t/"+table+"/agree", url.Values{"id": form["id"]}).status)
	form.Set("reason", strings.Repeat("é", 1500))
	p := ana.send("/t/"+table+"/rewind", form)
	require.Equal(t, "proposed", p.query.Get("done"), p.body)
	require.Contains(t, p.body, strings.Repeat("é", 1000)+"<")
}
