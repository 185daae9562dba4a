package http_test

import (
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http"
)

// forwarder leads to another server that writes, which gives everything the same answer.
type forwarder struct {
	ready  bool
	away   bool
	passed []string
	asked  []uint64
}

func (o *forwarder) Pass(w nethttp.ResponseWriter, r *nethttp.Request, client string) error {
	if o.away {
		return errors.New("nobody is there")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	o.passed = append(o.passed, r.Method+" "+r.URL.RequestURI()+" "+client+" "+string(body))
	w.WriteHeader(nethttp.StatusTeapot)
	return nil
}

func (o *forwarder) Ready(_ context.Context, pos uint64) bool {
	o.asked = append(o.asked, pos)
	return o.ready
}

// readOf returns a server that only reads a house's log.
func (h *house) readOf(o *forwarder) *http.Server {
	h.t.Helper()
	cfg := h.server.Config
	cfg.Forward = o
	s, err := http.New(cfg)
	require.NoError(h.t, err)
	return s
}

func (h *house) askOf(s *http.Server, method, path, body string,
	change ...func(*nethttp.Request)) *httptest.ResponseRecorder {
	h.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = strings.TrimPrefix(h.web.URL, "http://")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// A read-only server answers few addresses itself, only for clients it does not know, and none that changes anything;
// the others go to the server that writes.
func TestAServerThatReadsPassesOnWhatItMayNotAnswer(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	study := h.study(table, ana)
	line := h.look(table).LineName.String()
	o := &forwarder{ready: true}
	s := h.readOf(o)
	fill := strings.NewReplacer(":table", table, ":line", line, ":version", "1", ":game", "tiny", ":at", "1").Replace
	named := map[string]func(*nethttp.Request){
		"a session": func(r *nethttp.Request) { r.AddCookie(&nethttp.Cookie{Name: "posthorn", Value: "x"}) },
		"a seat": func(r *nethttp.Request) {
			r.AddCookie(&nethttp.Cookie{Name: "posthorn-seat-01234567", Value: "x"})
		},
		"a token": func(r *nethttp.Request) { r.Header.Set("Authorization", "Bearer x") },
	}
	passes := func(path, method string, change ...func(*nethttp.Request)) bool {
		before := len(o.passed)
		w := h.askOf(s, method, path, "", change...)
		if len(o.passed) > before {
			require.Equal(t, nethttp.StatusTeapot, w.Code, path)
		}
		return len(o.passed) > before
	}
	here := map[string]bool{}
	for _, route := range s.Echo().Routes() {
		if strings.Contains(route.Path, "*") {
			continue
		}
		path := fill(route.Path)
		if route.Method != nethttp.MethodGet && route.Method != nethttp.MethodHead {
			require.True(t, passes(path, route.Method), "%s %s", route.Method, path)
			continue
		}
		if strings.HasSuffix(path, "/live") || strings.HasPrefix(path, "/assets/") {
			continue // a stream, or refused without its header; and there is no such file
		}
		if !passes(path, route.Method) {
			here[route.Path] = true
		}
		for who, change := range named {
			file := strings.HasPrefix(path, "/favicon") || path == "/robots.txt"
			require.Equal(t, !file, passes(path, route.Method, change), "%s with %s", path, who)
		}
	}
	for _, route := range []string{"/", "/lobby", "/rules", "/t/:table", "/t/:table/story", "/t/:table/audit",
		"/t/:table/print", "/t/:table/line/:line/:version", "/t/:table/picture.svg",
		"/t/:table/tree", "/t/:table/receipts", "/robots.txt", "/favicon.ico", "/api/v1/games", "/api/v1/openapi.json",
		"/api/v1/tables/:table", "/api/v1/tables/:table/timeline",
		"/api/v1/tables/:table/lines", "/api/v1/tables/:table/lines/:line/:version", "/api/v1/tables/:table/audit",
		"/api/v1/tables/:table/picture.svg", "/api/v1/tables/:table/picture.png"} {
		require.True(t, here[route], "%s is for everybody", route)
		delete(here, route)
	}
	for route := range here {
		require.Contains(t, []string{"/favicon.svg", "/games/:game/picture.svg", "/rules/:game",
			"/rules/:game/:picture", "/t/:table/compare", "/t/:table/jump", "/t/:table/record",
			"/api/v1/tables/:table/record"}, route, "nobody decided that it is for everybody")
	}
	for path, why := range map[string]string{
		"/t/" + study:                "it is its people's",
		"/t/" + study + "/audit":     "it is its people's",
		"/api/v1/tables/" + study:    "it is its people's",
		"/t/" + table + "?link=x":    "a link is somebody's",
		"/t/" + strings.ToUpper("x"): "it is no table",
		"/nowhere":                   "another program may have it",
	} {
		require.True(t, passes(path, "GET"), why)
	}
	o.asked = nil
	at := func(r *nethttp.Request) {
		r.Header.Set("Posthorn-Position", "7")
		r.AddCookie(&nethttp.Cookie{Name: "posthorn-position", Value: "12"})
	}
	require.False(t, passes("/t/"+table, "GET", at))
	require.False(t, passes("/t/"+table, "GET", func(r *nethttp.Request) { r.Header.Set("Posthorn-Position", "-1") }))
	require.Equal(t, []uint64{12, 0}, o.asked)
	o.ready = false
	require.True(t, passes("/t/"+table, "GET", at), "it is behind")
	require.False(t, passes("/robots.txt", "GET"))
}

// A read-only server passes on no form that every server of this house would refuse. If nobody takes what it passes on,
// it says so.
func TestAServerThatReadsGuardsAsEveryServerDoes(t *testing.T) {
	h := open(t)
	o := &forwarder{ready: true}
	s := h.readOf(o)
	form := func(r *nethttp.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }
	require.Equal(t, nethttp.StatusForbidden,
		h.askOf(s, "POST", "/sign-in", "address=x", form, func(r *nethttp.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}).Code)
	require.Equal(t, nethttp.StatusRequestEntityTooLarge,
		h.askOf(s, "POST", "/sign-in", strings.Repeat("x", 1<<17), form).Code)
	require.Equal(t, nethttp.StatusMisdirectedRequest,
		h.askOf(s, "POST", "/sign-in", "address=x", form, func(r *nethttp.Request) {
			r.Host = "elsewhere.example.org"
		}).Code)
	require.Empty(t, o.passed)
	require.Equal(t, nethttp.StatusTeapot,
		h.askOf(s, "POST", "/sign-in?a=b", "address=x", form, func(r *nethttp.Request) {
			r.RemoteAddr = "203.0.113.9:1"
		}).Code)
	require.Equal(t, []string{"POST /sign-in?a=b 203.0.113.9 address=x"}, o.passed)

	o.away = true
	for lang, says := range map[string]string{"en": "The server does not answer", "pl": "Serwer nie odpowiada"} {
		w := h.askOf(s, "POST", "/sign-in", url.Values{"address": {"x"}}.Encode(), form, func(r *nethttp.Request) {
			r.Header.Set("Accept-Language", lang)
		})
		require.Equal(t, nethttp.StatusServiceUnavailable, w.Code)
		require.Contains(t, w.Body.String(), says)
		require.Equal(t, "5", w.Header().Get("Retry-After"))
	}
	w := h.askOf(s, "POST", "/api/v1/tables", "{}")
	require.Equal(t, nethttp.StatusServiceUnavailable, w.Code)
	require.Contains(t, w.Body.String(), `"away"`)
}

func uintOf(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return n
}

// If others read a house's log, then each answer to a request that may have changed something says how far the log
// goes, and no other answer does.
func TestAnAnswerSaysHowFarTheLogGoes(t *testing.T) {
	h := open(t, func(c *http.Config) { c.Position = c.Desk.Log().Last })
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.client.CheckRedirect = func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }
	said := ana.send("/t/"+table+"/say", url.Values{"id": {strings.Repeat("5", 32)}, "text": {"hello"}})
	last, err := h.desk.Log().Last(t.Context())
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusSeeOther, said.status)
	require.Equal(t, last, uintOf(t, said.header.Get("Posthorn-Position")))
	require.Contains(t, strings.Join(said.header.Values("Set-Cookie"), "\n"),
		"posthorn-position="+said.header.Get("Posthorn-Position")+"; Path=/; Max-Age=60; HttpOnly; SameSite=Lax")
	seen := ana.get("/t/" + table)
	require.Empty(t, seen.header.Get("Posthorn-Position"))
	require.Empty(t, seen.header.Values("Set-Cookie"))
}
