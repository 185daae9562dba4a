package http_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	nethttp "net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/programtest"
	"posthorn/http"
	"posthorn/http/door"
)

// fill puts real values into a route's pattern.
func fill(route string, values map[string]string) string {
	return regexp.MustCompile(`:\w+|\*`).ReplaceAllStringFunc(route, func(name string) string { return values[name] })
}

// state returns everything the server keeps, byte for byte: the log and the people files.
func (h *house) state() string {
	h.t.Helper()
	recs, err := h.desk.Log().Read(context.Background(), 0, 1<<20)
	require.NoError(h.t, err)
	text, err := json.Marshal(recs)
	require.NoError(h.t, err)
	files, err := filepath.Glob(filepath.Join(h.dir, "people.db*"))
	require.NoError(h.t, err)
	for _, f := range files {
		if strings.HasSuffix(f, "-shm") {
			continue // a lock table, not data
		}
		b, err := os.ReadFile(f)
		require.NoError(h.t, err)
		text = append(text, b...)
	}
	return string(text)
}

func TestGETAndHEADChangeNothingAtAnyAddress(t *testing.T) {
	programtest.Long(t)
	h := open(t, func(c *http.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	turn := h.play(bo, table)
	stop, err := h.passes.Make(pass.Facts{Purpose: pass.Unsubscribe, Person: ana.id, Kind: "turn"})
	require.NoError(t, err)
	h.browser().send("/sign-in", url.Values{"address": {"eve@example.org"}})
	signIn := h.post.last(t).token
	values := map[string]string{":table": table, ":line": h.look(table).LineName.String(), ":version": "2",
		":game": "tiny", ":digest": "x", ":name": "posthorn.css"}
	queries := []string{"", "?c=keep", "?m=keep", "?to=1", "?line=" + values[":line"] + "&version=2",
		"?seat=1&done=moved", "?form=x"}

	before, seen := h.state(), 0
	for _, route := range h.server.Echo().Routes() {
		if route.Method != "GET" && route.Method != "HEAD" {
			continue
		}
		for _, token := range []string{turn, stop.Text(), signIn} {
			values[":token"] = token
			for _, query := range queries {
				for _, b := range []*browser{ana, h.browser()} {
					p := b.do(route.Method, fill(route.Path, values)+query, nil, func(r *nethttp.Request) {
						// otherwise limits would answer
						r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.%d.1", seen%256))
					})
					require.NotEqual(t, nethttp.StatusTooManyRequests, p.status, "%s is not even asked", route.Path)
					seen++
				}
			}
		}
		require.Equal(t, before, h.state(), "%s %s changed something", route.Method, route.Path)
	}
	require.Greater(t, seen, 1000)
	require.Equal(t, 200, h.browser().send("/sign-in/"+signIn, nil).status,
		"the link that was opened so often still works")
	p := h.browser().get("/p/" + turn + "?c=keep")
	require.Equal(t, "moved", h.browser().send("/p/"+turn+"/move", p.form("/p/"+turn+"/move")).query.Get("done"))
}

func TestEveryUnsafeRouteRefusesOtherSites(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	values := map[string]string{":table": table, ":token": h.play(ana, table), ":game": "tiny", ":line": "x",
		":version": "1"}
	before, seen := h.state(), 0
	for _, route := range h.server.Echo().Routes() {
		if route.Method != "POST" || route.Path == "/u/:token" { // mail programs' one click, which only stops mails
			continue
		}
		seen++
		for name, header := range map[string][2]string{"fetch metadata": {"Sec-Fetch-Site", "cross-site"},
			"origin": {"Origin", "https://evil.example"}} {
			p := ana.do("POST", fill(route.Path, values), url.Values{"session": {"all"}, "lang": {"pl"}},
				func(r *nethttp.Request) {
					r.Header.Del("Sec-Fetch-Site")
					r.Header.Set(header[0], header[1])
				})
			require.Equal(t, 403, p.status, "%s by %s", route.Path, name)
		}
	}
	require.Greater(t, seen, 20)
	require.Equal(t, before, h.state())
}

func TestEveryPageCarriesItsProtection(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	for _, path := range []string{"/", "/sign-in", "/new", "/new/carcassonne", "/settings", "/nowhere", "/t/abc",
		"/p/abc", "/u/abc"} {
		for _, b := range []*browser{ana, h.browser()} {
			p := b.get(path)
			require.Contains(t, p.header.Get("Content-Security-Policy"), "default-src 'self'", path)
			require.Contains(t, p.header.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
			require.NotContains(t, p.header.Get("Content-Security-Policy"), "unsafe", path)
			require.Equal(t, "no-referrer", p.header.Get("Referrer-Policy"), path)
			require.Equal(t, "nosniff", p.header.Get("X-Content-Type-Options"), path)
			require.Equal(t, "no-store", p.header.Get("Cache-Control"), path)
		}
	}
}

func TestPagesHaveNothingInlineAndNothingFromElsewhere(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	line := h.look(table).LineName.String()
	for _, path := range []string{"/", "/new/carcassonne", "/settings", "/t/" + table,
		"/t/" + table + "/line/" + line + "/1", "/t/" + table + "/audit"} {
		doc, err := html.Parse(strings.NewReader(ana.get(path).body))
		require.NoError(t, err)
		for n := range doc.Descendants() {
			require.NotEqual(t, "style", n.Data, path)
			if n.Data == "script" {
				require.Nil(t, n.FirstChild, "an inline script at %s", path)
			}
			for _, a := range n.Attr {
				require.False(t, a.Key == "style" || strings.HasPrefix(a.Key, "on"), "%s=%q at %s", a.Key, a.Val, path)
				if a.Key == "src" || a.Key == "action" || a.Key == "href" || a.Key == "formaction" {
					require.True(t, strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") ||
						strings.HasPrefix(a.Val, "#"), "%s=%q at %s", a.Key, a.Val, path)
				}
			}
		}
	}
}

func TestAddressesOfPassesAndLinksAreInNoLog(t *testing.T) {
	var log bytes.Buffer
	h := open(t, func(c *http.Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	turn := h.play(ana, table)
	h.browser().get("/p/" + turn + "?c=keep")
	h.browser().get("/p/" + turn + "x")
	h.browser().get("/p/" + turn + "/nowhere")
	h.browser().send("/p/"+turn+"/move", url.Values{})
	h.browser().get("/u/" + turn)
	for _, l := range h.post.sent {
		h.browser().get("/sign-in/" + l.token)
		require.NotContains(t, log.String(), l.token)
	}
	require.Contains(t, log.String(), "route=/p/:token")
	require.NotContains(t, log.String(), turn)
	require.NotContains(t, log.String(), table, "tables' addresses are capabilities to watch")
}

func TestAServerForOneMachineAnswersToLoopbackAlone(t *testing.T) {
	h := open(t)
	for host, want := range map[string]int{"127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421} {
		p := h.browser().do("GET", "/", nil, func(r *nethttp.Request) { r.Host = host })
		require.Equal(t, want, p.status, host)
	}
}

func TestHostAndForwardedHeadersAreNotBelieved(t *testing.T) {
	h := open(t, func(c *http.Config) { c.PublicURL = "https://games.example.org" })
	evil := func(i int) func(*nethttp.Request) {
		return func(r *nethttp.Request) {
			r.Host = "evil.example"
			r.Header.Set("X-Forwarded-Host", "evil.example")
			r.Header.Set("X-Forwarded-Proto", "http")
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.0.0.%d", i))
			r.Header.Set("X-Real-IP", fmt.Sprintf("10.0.0.%d", i))
		}
	}
	refused := 0
	for i := range 40 {
		b := h.browser()
		b.client.CheckRedirect = func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }
		p := b.do("POST", "/sign-in", url.Values{"address": {fmt.Sprintf("p%d@example.org", i)}}, evil(i))
		require.NotContains(t, p.body+p.header.Get("Location"), "evil.example")
		if p.status == 429 {
			refused++
		}
	}
	require.Positive(t, refused, "another X-Forwarded-For is not another client")
}

func TestATrustedProxyIsBelievedAboutTheClient(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	for i := range 40 {
		p := h.browser().do("POST", "/sign-in", url.Values{"address": {fmt.Sprintf("p%d@example.org", i)}},
			func(r *nethttp.Request) {
				r.Header.Set("X-Forwarded-For", fmt.Sprintf("6.6.6.6, 10.0.0.%d", i))
			})
		require.Equal(t, 200, p.status)
	}
}

// nasty are names and texts that would do harm if they are not escaped.
var nasty = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
	`</title><svg onload=alert(1)>`,
	`javascript:alert(1)`, `{{.}}`, `<!--`, `]]>`, "\u202eevil", `&lt;b&gt;`, `</textarea><script>`, `%3Cscript%3E`,
}

func TestNamesAndTextsStayTexts(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	shape := func(b *browser, path string) string {
		doc, err := html.Parse(strings.NewReader(b.get(path).body))
		require.NoError(t, err)
		var tags strings.Builder
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode {
				tags.WriteString(n.Data + " ")
				for _, a := range n.Attr {
					tags.WriteString(a.Key + " ")
				}
			}
		}
		return tags.String()
	}
	paths := []string{"/t/" + table, "/t/" + table + "/audit", "/t/" + table + "/resign"}
	benign := map[string]string{}
	for _, p := range paths {
		benign[p] = shape(bo, p)
	}
	for _, name := range nasty {
		require.NoError(t, h.people.SetName(context.Background(), ana.id, "Ana"))
		if h.people.SetName(context.Background(), ana.id, name) != nil {
			continue // refused as a name: nothing to show
		}
		for _, p := range paths {
			require.Equal(t, benign[p], shape(bo, p), "%q at %s", name, p)
		}
	}
	require.NoError(t, h.people.SetName(context.Background(), ana.id, "Ana"))
	say := func(text string, n int) {
		form := ana.get("/t/" + table).form("/t/" + table + "/say")
		form.Set("text", text)
		form.Set("id", hex.EncodeToString([]byte(fmt.Sprintf("chat number %04d", n))))
		require.Equal(t, 200, ana.send("/t/"+table+"/say", form).status)
	}
	say("well met", 0)
	before := shape(bo, "/t/"+table)
	for i, text := range nasty {
		say(text, i+1)
		now := shape(bo, "/t/"+table)
		require.Less(t, len(before), len(now))
		require.NotContains(t, now, "onerror")
		require.NotContains(t, now, "onload")
		require.Equal(t, strings.Count(before, "script"), strings.Count(now, "script"), text)
		before = now
	}
}

func TestOnlyThoseInvitedOpenTablesWhereThatIsSet(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Opening = door.OpenInvited })
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "steady", "pace": "weekly"} {
		form.Set(k, v)
	}
	p := ana.send("/new/tiny", form)
	require.Equal(t, 403, p.status)
	require.Contains(t, p.body, "only people invited by its hosts")
	a, err := people.ParseAddress("ana@example.org")
	require.NoError(t, err)
	require.NoError(t, h.people.InviteOpener(context.Background(), a))
	require.Equal(t, 200, ana.send("/new/tiny", form).status)
}

func TestInvitationsOfOnePersonAreCounted(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	opened := 0
	for i := range 30 {
		form := ana.get("/new/tiny").form("/new/tiny")
		for k, v := range map[string]string{"seat.0": "me", "seat.1": "friend",
			"address.1": fmt.Sprintf("p%d@example.org", i), "pace": "weekly"} {
			form.Set(k, v)
		}
		p := ana.send("/new/tiny", form)
		if p.status == 200 {
			opened++
			continue
		}
		require.Equal(t, 422, p.status)
		require.Contains(t, p.body, "You have invited")
		require.Contains(t, p.body, fmt.Sprintf("p%d@example.org", i), "what was written is still in the form")
	}
	require.Equal(t, people.DefaultQuotas.PerInviter.Most, opened)
}

func TestALanguageIsChosenByTheReader(t *testing.T) {
	h := open(t)
	polish := func(r *nethttp.Request) { r.Header.Set("Accept-Language", "pl,en;q=0.5") }
	require.Contains(t, h.browser().do("GET", "/", nil, polish).body, `<html lang="pl">`)
	b := h.browser()
	require.Contains(t, b.send("/language", url.Values{"lang": {"pt-PT"}, "back": {"https://evil.example"}}).body,
		`<html lang="pt-PT">`)
	require.Contains(t, b.do("GET", "/", nil, polish).body, `<html lang="pt-PT">`)
	ana := h.signedIn("Ana")
	ana.send("/language", url.Values{"lang": {"pt-BR"}, "back": {"/settings"}})
	p, err := h.people.Person(context.Background(), ana.id)
	require.NoError(t, err)
	require.Equal(t, "pt-BR", p.Language)
	require.Contains(t, ana.get("/nowhere").body, `<html lang="pt-BR">`, "errors speak it, too")
}

func TestWhatGoesWrongInsideIsLoggedAndNotShown(t *testing.T) {
	var log bytes.Buffer
	h := open(t, func(c *http.Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Export = func(context.Context, events.Name, domain.Viewer, io.Writer) error {
			panic("the disk is made of cheese")
		}
	})
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	p := h.browser().get("/t/" + table + "/record")
	require.Equal(t, 500, p.status)
	require.Contains(t, p.body, "Something went wrong here")
	require.NotContains(t, p.body, "cheese")
	require.Contains(t, log.String(), "cheese")
}

// Given a name with characters that a terminal or a page would obey, then the refusal that names it does not pass them
// on.
func TestRefusalsObeyNothingThatWasTyped(t *testing.T) {
	h := open(t)
	program := h.signedIn("Ana").bot(h.spec(), "play", "")
	for n, body := range []m{
		{"game": "x\x1b[2J\u0085\u202ey", "pace": "weekly", "seats": []m{{"kind": "me"}, {"kind": "open"}}},
		{"game": "tiny", "options": m{"x\x1b[2J\u0085\u202ey": "1"}, "pace": "weekly",
			"seats": []m{{"kind": "me"}, {"kind": "open"}}},
	} {
		got := program.call("POST", "/tables", body, key(fmt.Sprintf("try-%d", n)))
		require.Equal(t, nethttp.StatusUnprocessableEntity, got.status)
		var says struct{ Error struct{ Message string } }
		require.NoError(t, json.Unmarshal([]byte(got.body), &says))
		require.Contains(t, says.Error.Message, `x\u001b[2J\u0085`, "it is named")
		require.NotContains(t, says.Error.Message, "\x1b")
		require.NotContains(t, says.Error.Message, "\u0085")
		require.NotContains(t, says.Error.Message, "\u202e")
	}
}
