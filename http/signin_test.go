package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
	"posthorn/http"
)

func TestSigningInTellsNothingAboutAnAddress(t *testing.T) {
	h := open(t)
	h.signedIn("Ana")
	quiet, err := people.ParseAddress("quiet@example.org")
	require.NoError(t, err)
	require.NoError(t, h.people.Suppress(context.Background(), quiet))
	known := h.browser().send("/sign-in", url.Values{"address": {"ana@example.org"}})
	sent := len(h.post.sent)
	unknown := h.browser().send("/sign-in", url.Values{"address": {"stranger@example.org"}})
	require.Len(t, h.post.sent, sent+1)
	quieted := h.browser().send("/sign-in", url.Values{"address": {"quiet@example.org"}})
	require.Len(t, h.post.sent, sent+2, "who wants no invitations can sign in all the same")
	for range 3 {
		h.browser().send("/sign-in", url.Values{"address": {"stranger@example.org"}})
	}
	sent = len(h.post.sent)
	silent := h.browser().send("/sign-in", url.Values{"address": {"stranger@example.org"}})
	require.Len(t, h.post.sent, sent, "who has had enough gets none")
	for _, p := range []page{unknown, quieted, silent} {
		require.Equal(t, known.status, p.status)
		require.Equal(t, known.path, p.path)
		require.Equal(t, known.body, p.body)
	}
}

// A provider may tell Ana@ from ana@, whatever the house does: the link goes to the one who has signed in.
func TestASignInLinkGoesToTheAddressThatIsKnown(t *testing.T) {
	h := open(t)
	h.signedIn("Ana")
	h.browser().send("/sign-in", url.Values{"address": {"ANA@example.org"}})
	require.Equal(t, "ana@example.org", h.post.last(t).to)
	h.browser().send("/sign-in", url.Values{"address": {"New@example.org"}})
	require.Equal(t, "New@example.org", h.post.last(t).to)
}

func TestAnIPv6NetworkAsksForLinksAsOneAsker(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	ask := func(ip string, i int) page {
		return h.browser().do("POST", "/sign-in", url.Values{"address": {fmt.Sprintf("a%d@example.org", i)}},
			func(r *nethttp.Request) { r.Header.Set("X-Forwarded-For", ip) })
	}
	var last page
	for i := range 40 {
		last = ask(fmt.Sprintf("2001:db8:1:2:%x::1", i+1), i)
	}
	require.Equal(t, 429, last.status)
	seconds, err := strconv.Atoi(last.header.Get("Retry-After"))
	require.NoError(t, err)
	require.Positive(t, seconds)
	require.Equal(t, 200, ask("2001:db8:1:3::1", 40).status, "another network is another asker")
}

// heldPost is a post that writes its mails only when released.
type heldPost struct {
	post
	held chan struct{}
}

func (p *heldPost) SignIn(ctx context.Context, to, token, lang, game string) error {
	<-p.held
	return p.post.SignIn(ctx, to, token, lang, game)
}

func TestTheAnswerToSignMeInWaitsForNoMail(t *testing.T) {
	// given a mail queue that accepts nothing
	held := &heldPost{held: make(chan struct{})}
	h := open(t, func(c *http.Config) { c.Post = held })
	a, err := people.ParseAddress("ana@example.org")
	require.NoError(t, err)
	_, err = h.people.MakeHost(context.Background(), a)
	require.NoError(t, err)
	// when somebody known, somebody unknown and nobody at all ask
	for _, address := range []string{"ana@example.org", "stranger@example.org"} {
		form := strings.NewReader(url.Values{"address": {address}}.Encode())
		r := httptest.NewRequest("POST", h.web.URL+"/sign-in", form)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.server.ServeHTTP(w, r)
		// then they are answered before anything is known about the mail
		require.Equal(t, 303, w.Code)
		require.Equal(t, "/sign-in/sent", w.Header().Get("Location"))
	}
	require.Empty(t, held.sent)
	close(held.held)
	h.server.Settle()
	require.Len(t, held.sent, 2)
}

func TestManyRequestsForALinkMailAFew(t *testing.T) {
	h := open(t)
	statuses := map[int]int{}
	for range 40 {
		statuses[h.browser().send("/sign-in", url.Values{"address": {"victim@example.org"}}).status]++
	}
	require.LessOrEqual(t, len(h.post.sent), 3)
	require.Positive(t, statuses[429], "one address does not ask without end")
}

func TestASessionIsNewAtEverySigningInAndByAButtonOnly(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	first := cookieOf(t, ana)
	ana.send("/sign-in", url.Values{"address": {"ana@example.org"}})
	token := h.post.last(t).token
	require.Empty(t, ana.get("/sign-in/"+token).header.Values("Set-Cookie"), "GET signs nobody in")
	p := h.browser()
	require.Empty(t, p.get("/sign-in/"+token).header.Values("Set-Cookie"))
	require.Equal(t, 200, ana.send("/sign-in/"+token, nil).status)
	second := cookieOf(t, ana)
	require.NotEqual(t, first, second)
	_, err := h.people.Session(context.Background(), first)
	require.ErrorIs(t, err, people.ErrSession, "the old session is over")
	require.Equal(t, 410, h.browser().send("/sign-in/"+token, nil).status, "a link signs in once")
	require.Equal(t, 410, h.browser().get("/sign-in/"+token).status)
}

func cookieOf(t *testing.T, b *browser) string {
	t.Helper()
	u, err := url.Parse(b.web.URL)
	require.NoError(t, err)
	for _, c := range b.client.Jar.Cookies(u) {
		if c.Name == "posthorn" {
			return c.Value
		}
	}
	t.Fatal("no session cookie")
	return ""
}

func TestTheCookieIsTiedToTheHostWhereThereIsHTTPS(t *testing.T) {
	h := open(t, func(c *http.Config) { c.PublicURL = "https://games.example.org" })
	h.browser().send("/sign-in", url.Values{"address": {"ana@example.org"}})
	req := httptest.NewRequest("POST", "https://games.example.org/sign-in/"+h.post.last(t).token, nil)
	rec := httptest.NewRecorder()
	h.server.ServeHTTP(rec, req)
	require.Equal(t, 303, rec.Code)
	cookie := rec.Result().Cookies()[0]
	require.Equal(t, "__Host-posthorn", cookie.Name)
	require.True(t, cookie.Secure && cookie.HttpOnly)
	require.Equal(t, nethttp.SameSiteLaxMode, cookie.SameSite)
	require.Empty(t, cookie.Domain)
	require.Equal(t, "/", cookie.Path)
	require.NotEmpty(t, rec.Header().Get("Strict-Transport-Security"))
}

// The form asks again for an invalid address; what was chosen with it is not lost.
func TestARefusedAddressKeepsTheGameThatWasChosen(t *testing.T) {
	h := open(t)
	p := h.browser().send("/sign-in", url.Values{"game": {"rivals"}, "address": {"zed"}})
	require.Equal(t, 422, p.status)
	require.Equal(t, "rivals", p.form("/sign-in").Get("game"))
}

// An expired link leads on to another for the same game.
func TestALinkThatIsOverKeepsTheGameThatWasChosen(t *testing.T) {
	h := open(t)
	p := h.browser().get("/sign-in/" + strings.Repeat("A", 32) + "?game=rivals")
	require.Equal(t, 410, p.status)
	require.Equal(t, "rivals", p.form("/sign-in").Get("game"))
}
