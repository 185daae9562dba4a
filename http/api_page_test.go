package http_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTokensAreMadeShownOnceAndRevokedOnAPage(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table, other := h.table("tiny", ana, bo), h.table("tiny", ana, bo)
	require.Equal(t, 401, h.browser().get("/settings/tokens").status)
	require.Contains(t, ana.get("/settings").body, `href="/settings/tokens"`)

	p := ana.send("/settings/tokens",
		url.Values{"label": {"my 'bot'"}, "scope": {"play"}, "days": {"7"}, "table": {h.web.URL + "/t/" + table}})
	require.Equal(t, 200, p.status, p.body)
	token := regexp.MustCompile(`posthorn_[\w-]{43}`).FindString(p.body)
	require.NotEmpty(t, token)
	require.Contains(t, p.body, "my &#39;bot&#39;")
	b := &bot{house: h, spec: s, token: token}
	require.Equal(t, "A", b.get("/tables/" + table)["viewer"])
	require.Equal(t, 403, b.call("GET", "/tables/"+other, nil).status)

	p = ana.get("/settings/tokens")
	require.NotContains(t, p.body, token, "shown once")
	form := p.form("/settings/tokens/revoke")
	require.Equal(t, 200, bo.send("/settings/tokens/revoke", form).status)
	require.Equal(t, 200, b.call("GET", "/me", nil).status, "nobody revokes another's")
	require.Equal(t, "saved", ana.send("/settings/tokens/revoke", form).query.Get("done"))
	require.Equal(t, 401, b.call("GET", "/me", nil).status)

	for name, wrong := range map[string]url.Values{
		"no scope": {"label": {"x"}, "scope": {"all"}, "days": {"7"}},
		"too long": {"label": {"x"}, "scope": {"read"}, "days": {"9999"}},
		"no label": {"scope": {"read"}, "days": {"7"}},
	} {
		require.Equal(t, 422, ana.send("/settings/tokens", wrong).status, name)
	}
}

// A token is limited to a table by any address of it; whoever names none that they may see is told beside the field
// what to write there, and loses nothing that they wrote.
func TestATableThatATokenCannotBeForIsSaidAtItsField(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	study := h.study(table, bo)
	token := func(of string) page {
		return ana.send("/settings/tokens",
			url.Values{"label": {"my bot"}, "scope": {"play"}, "days": {"7"}, "table": {of}})
	}
	for _, of := range []string{"Catan with Bo", "x", h.web.URL + "/rules", h.web.URL + "/t/" + strings.Repeat("0", 32),
		h.web.URL + "/t/" + study, "%zz"} {
		p := token(of)
		require.Equal(t, 422, p.status, of)
		field := p.body[strings.Index(p.body, `name="table"`):]
		field = field[:strings.Index(field, "</label>")]
		require.Contains(t, field, "Paste the address of a table from your list", of)
		require.Contains(t, field, `aria-invalid="true"`)
		require.Contains(t, field, html.EscapeString(of), "it stands there to be put right")
		require.Contains(t, p.body, `value="my bot"`)
		require.NotContains(t, p.body, "posthorn_")
		require.Equal(t, 1, strings.Count(p.body, "Paste the address"), "said once")
	}
	for _, of := range []string{table, "/t/" + table, h.web.URL + "/t/" + table + "/audit",
		h.web.URL + "/t/" + table + "?done=moved#now", ""} {
		require.Equal(t, 200, token(of).status, of)
	}
}
