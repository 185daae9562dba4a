package http_test

import (
	"net/url"
	"regexp"
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

	p := ana.send("/settings/tokens", url.Values{"label": {"my 'bot'"}, "scope": {"play"}, "days": {"7"}, "table": {h.web.URL + "/t/" + table}})
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
		"no scope": {"label": {"x"}, "scope": {"all"}, "days": {"7"}}, "too long": {"label": {"x"}, "scope": {"read"}, "days": {"9999"}}, "no label": {"scope": {"read"}, "days": {"7"}},
	} {
		require.Equal(t, 422, ana.send("/settings/tokens", wrong).status, name)
	}
	require.Equal(t, 404, ana.send("/settings/tokens", url.Values{"label": {"x"}, "scope": {"read"}, "days": {"7"}, "table": {"x"}}).status)
}
