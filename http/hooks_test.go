package http_test

import (
	"context"
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
	"posthorn/http"
	"posthorn/http/door"
)

// hookPost stands in for what posts to webhooks.
type hookPost struct {
	mu    sync.Mutex
	tried []string // refs
	state door.HookState
}

func (p *hookPost) Delivery(context.Context, string) (door.HookState, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state, nil
}

func (p *hookPost) Test(_ context.Context, h people.Hook) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried = append(p.tried, h.Ref)
	return nil
}

func (p *hookPost) set(f door.HookState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = f
}

func (p *hookPost) tries() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.tried)
}

var hookSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/]{43}=`)

func TestWebhooksAreMadeTriedAndRemovedOnAPage(t *testing.T) {
	posts := &hookPost{}
	h := open(t, func(c *http.Config) { c.Hooks = posts })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	require.Equal(t, 401, h.browser().get("/settings/hooks").status)
	require.Contains(t, ana.get("/settings").body, `href="/settings/hooks"`)

	p := ana.send("/settings/hooks", url.Values{"address": {"https://example.org/in?key=9"}, "kind": {"turn", "over"}})
	require.Equal(t, 200, p.status, p.body)
	secret := hookSecret.FindString(unescape(p.body))
	require.NotEmpty(t, secret)
	require.Equal(t, 1, posts.tries(), "something is posted at once")
	p = ana.get("/settings/hooks")
	require.NotContains(t, unescape(p.body), secret, "shown once")
	require.Contains(t, p.body, "https://example.org/in?key=9")
	require.Contains(t, p.body, "nothing posted yet")
	require.NotContains(t, bo.get("/settings/hooks").body, "example.org/in", "its person's alone")

	posts.set(door.HookState{Failing: time.Now(), Why: "503", Waiting: 2})
	require.Contains(t, ana.get("/settings/hooks").body, "the server answered 503")
	posts.set(door.HookState{Failing: time.Now(), Why: "private"})
	require.Contains(t, ana.get("/settings/hooks").body, "leads to no public server")
	try, remove := p.form("/settings/hooks/try"), p.form("/settings/hooks/remove")
	require.NoError(t, h.people.GiveUpHook(context.Background(), try.Get("hook"), "404"))
	require.Contains(t, ana.get("/settings/hooks").body, "the server answered 404")
	require.Contains(t, ana.get("/settings/hooks").body, "Try it again")
	require.Equal(t, 404, bo.send("/settings/hooks/try", try).status, "nobody tries another's")
	require.Equal(t, "tried", ana.send("/settings/hooks/try", try).query.Get("done"))
	require.Equal(t, 2, posts.tries())
	now, err := h.people.Hook(context.Background(), try.Get("hook"))
	require.NoError(t, err)
	require.True(t, now.Off.IsZero(), "it is taken up again")

	require.Equal(t, 404, bo.send("/settings/hooks/remove", remove).status)
	require.Equal(t, "saved", ana.send("/settings/hooks/remove", remove).query.Get("done"))
	require.NotContains(t, ana.get("/settings/hooks").body, "example.org/in")
	for name, wrong := range map[string]url.Values{"no kind": {"address": {"https://example.org/"}},
		"here":         {"address": {"https://localhost/"}, "kind": {"turn"}},
		"in the clear": {"address": {"http://example.org/"}, "kind": {"turn"}},
		"of the cloud": {"address": {"https://169.254.169.254/latest"}, "kind": {"turn"}}} {
		p := ana.send("/settings/hooks", wrong)
		require.Equal(t, 422, p.status, name)
		require.Contains(t, p.body, `<form method="post" action="/settings/hooks"`, name)
	}
	for range 30 {
		p = ana.send("/settings/hooks", url.Values{"address": {"https://example.org/"}, "kind": {"turn"}})
	}
	require.Equal(t, 429, p.status, "this house is not there to ask others as often as somebody likes")
}
