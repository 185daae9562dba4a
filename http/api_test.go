package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http"
)

// bot is a program that calls the API, on somebody's behalf or anonymously.
type bot struct {
	*house
	spec  *spec
	token string
	keys  int
}

// stranger is a program without a token.
func (h *house) stranger(s *spec) *bot { return &bot{house: h, spec: s} }

// askToken requests a token through a page.
func (b *browser) askToken(in m) page {
	b.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(b.t, err)
	return b.do("POST", "/api/v1/tokens", nil, func(r *nethttp.Request) {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Body = io.NopCloser(bytes.NewReader(body))
	})
}

// bot makes a token in a browser and gives it to a program.
func (b *browser) bot(s *spec, scope, table string) *bot {
	b.t.Helper()
	in := map[string]any{"label": "a program", "scope": scope}
	if table != "" {
		in["table"] = table
	}
	p := b.askToken(in)
	require.Equal(b.t, 201, p.status, p.body)
	s.check(b.t, "POST", "/api/v1/tokens", p)
	return &bot{house: b.house, spec: s, token: p.json()["token"].(string)}
}

func (p page) json() map[string]any {
	p.t.Helper()
	var v map[string]any
	require.NoError(p.t, json.Unmarshal([]byte(p.body), &v), p.body)
	return v
}

// code returns the code of an error, "" for none.
func (p page) code() string {
	p.t.Helper()
	e, ok := p.json()["error"].(map[string]any)
	if !ok {
		return ""
	}
	return e["code"].(string)
}

// call calls the API and checks the answer against its description. Every command gets its own name, unless change
// gives it one.
func (b *bot) call(method, path string, body any, change ...func(*nethttp.Request)) page {
	b.t.Helper()
	var r io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		require.NoError(b.t, err)
		r = bytes.NewReader(text)
	}
	req, err := nethttp.NewRequestWithContext(context.Background(), method, b.web.URL+"/api/v1"+path, r)
	require.NoError(b.t, err)
	if body != nil {
		b.keys++
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%s-%s-%d", b.t.Name(), b.token[max(0, len(b.token)-8):], b.keys))
	}
	if b.token != "" {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	for _, f := range change {
		f(req)
	}
	res, err := nethttp.DefaultClient.Do(req)
	require.NoError(b.t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(b.t, err)
	require.NoError(b.t, res.Body.Close())
	p := page{t: b.t, status: res.StatusCode, header: res.Header, body: string(text)}
	b.spec.check(b.t, method, path, p)
	return p
}

func (b *bot) get(path string) map[string]any {
	b.t.Helper()
	p := b.call("GET", path, nil)
	require.Equal(b.t, 200, p.status, p.body)
	return p.json()
}

func (b *bot) post(path string, body any) map[string]any {
	b.t.Helper()
	p := b.call("POST", path, body)
	require.Less(b.t, p.status, 300, "%s: %s", path, p.body)
	return p.json()
}

type m = map[string]any

// turn returns a move as sent, for the open decision, given its notation.
func (b *bot) turn(table, notation string) m {
	b.t.Helper()
	moves := b.get("/tables/" + table + "/moves")
	require.NotNil(b.t, moves["decision"], "nothing is awaited")
	return m{"line": moves["line"], "decision": moves["decision"], "move": notation}
}

func (b *bot) play(table, notation string) map[string]any {
	b.t.Helper()
	return b.post("/tables/"+table+"/moves", b.turn(table, notation))
}

func withExport(cfg *http.Config) {
	cfg.Export = func(_ context.Context, table events.Name, viewer domain.Viewer, w io.Writer) error {
		_, err := fmt.Fprintf(w, "{\"table\":%q,\"viewer\":%d}\n", table, viewer)
		return err
	}
}

func TestAProgramDoesAllThatThePagesDo(t *testing.T) {
	keeper, with := withCheckpoints(t)
	h := open(t, withExport, with)
	s := h.spec()
	anaHere, boHere := h.signedIn("Ana"), h.signedIn("Bo")
	ana, bo := anaHere.bot(s, "play", ""), boHere.bot(s, "play", "")

	// Who is who, and what there is to play.
	require.Equal(t, "Ana", ana.get("/me")["name"])
	games := ana.get("/games")["games"].([]any)
	require.Len(t, games, len(h.server.Rulebooks))

	// A table is opened; its people are invited, decline, are invited again, and take their seats.
	opened := m{"game": "tiny", "pace": "weekly", "options": m{"rounds": "2"}, "seats": []m{
		{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "bo@example.org", "language": "pl"}}},
		{"kind": "open"}}}
	first := ana.call("POST", "/tables", opened, key("open"))
	require.Equal(t, 201, first.status, first.body)
	table := first.json()["table"].(string)
	require.Equal(t, "/api/v1/tables/"+table, first.header.Get("Location"))
	again := ana.call("POST", "/tables", opened, key("open"))
	require.Equal(t, 200, again.status, again.body)
	require.Equal(t, true, again.json()["again"])
	require.Equal(t, table, again.json()["table"])
	at := "/tables/" + table

	require.Len(t, bo.get("/inbox")["tables"], 1)
	require.Equal(t, "invited", bo.get("/inbox")["tables"].([]any)[0].(m)["state"])
	require.Len(t, ana.get("/lobby")["tables"], 1)
	bo.post(at+"/decline", m{"seat": 1})
	ana.post(at+"/invite", m{"seat": 1, "address": "carl@example.org"})
	seats := ana.get(at)["seats"].([]any)
	carl := seats[1].(m)["invited"].([]any)[0].(m)["ref"]
	ana.post(at+"/decline", m{"seat": 1, "person": carl})
	ana.post(at+"/fill", m{"seat": 1, "stand_in": "random"})
	ana.post(at+"/fill", m{"seat": 1})
	ana.post(at+"/fill", m{"seat": 2, "stand_in": "random"})
	ana.post(at+"/join", m{"seat": 0, "chance": someChance})
	require.Empty(t, ana.get(at + "/timeline")["events"])
	require.Equal(t, 404, ana.call("GET", at+"/picture.svg", nil).status, "nothing is to be seen yet")
	bo.post(at+"/join", m{"seat": 1, "chance": someChance})
	h.settle(table)

	// Moves are listed, played once however often they are sent, and reported.
	now := ana.get(at)
	require.Equal(t, "A", now["viewer"])
	require.NotNil(t, now["board"])
	wish := ana.turn(table, "keep")
	require.NotEmpty(t, ana.get(at + "/moves")["moves"])
	done := ana.call("POST", at+"/moves", wish, key("first"))
	require.Equal(t, 200, done.status, done.body)
	require.Equal(t, false, done.json()["again"])
	repeated := ana.call("POST", at+"/moves", wish, key("first"))
	require.Equal(t, 200, repeated.status)
	require.Equal(t, done.json()["receipt"], repeated.json()["receipt"])
	require.Equal(t, true, repeated.json()["again"])
	late := ana.call("POST", at+"/moves", wish)
	require.Equal(t, 409, late.status)
	require.Equal(t, "overtaken", late.code())
	require.Empty(t, ana.get(at + "/moves")["moves"])
	bo.play(table, "peek Ana")
	require.Len(t, bo.get(at + "/timeline")["events"], 3)
	require.Len(t, bo.get(at + "/timeline?after=1&to=2")["events"], 1)

	// Orders are given and listed; others learn nothing about them.
	ana.post(at+"/orders", m{"seat": 0, "since": 0, "orders": []string{"ROLL 2"}})
	given := ana.get(at + "/orders")
	require.Equal(t, "order roll 2", given["orders"].([]any)[0].(m)["order"])
	require.EqualValues(t, 1, given["version"])
	require.NotEmpty(t, given["forms"])
	require.Empty(t, bo.get(at + "/orders")["orders"])
	stale := ana.call("POST", at+"/orders", m{"seat": 0, "since": 0, "orders": []string{}}, key("stale"))
	require.Equal(t, 409, stale.status)
	require.Equal(t, "orders-changed", stale.code())

	// Chat, history, what can be checked, pictures and the record.
	bo.post(at+"/chat", m{"text": "dzień dobry"})
	require.Contains(t, ana.call("GET", at+"/chat", nil).body, "dzień dobry")
	line := now["line"].(string)
	then := bo.get(at + "/lines/" + line + "/2")
	require.EqualValues(t, 2, then["version"])
	require.Nil(t, then["decision"])
	require.Len(t, ana.get(at + "/lines")["lines"], 1)
	ana.provesByProgram(t, keeper, now["table"].(string))
	audit := ana.get(at + "/audit")
	require.Equal(t, now["commitment"], audit["commitment"])
	require.Nil(t, audit["seed"])
	for _, name := range []string{"svg", "png"} {
		p := ana.call("GET", at+"/picture."+name, nil)
		require.Equal(t, 200, p.status, p.body)
		alt, err := url.PathUnescape(strings.TrimPrefix(p.header.Get("Posthorn-Alt"), "UTF-8''"))
		require.NoError(t, err)
		require.Equal(t, ana.get(at)["board"].(m)["alt"], alt)
		require.Contains(t, p.header.Get("Content-Security-Policy"), "sandbox")
		require.Equal(t, 200, ana.call("GET", at+"/picture."+name+"?line="+line+"&version=2", nil).status)
	}
	require.Equal(t, 400, ana.call("GET", at+"/picture.png?width=333", nil).status)
	require.Equal(t, 404, ana.call("GET", at+"/picture.svg?panel=nothing", nil).status)
	for _, p := range ana.get(at)["board"].(m)["panels"].([]any) {
		require.Equal(t, 200, ana.call("GET", at+"/picture.svg?panel="+p.(m)["panel"].(string), nil).status)
	}
	require.Contains(t, ana.call("GET", at+"/record", nil).body, `"viewer":0`)

	// A rewind is refused, then agreed to; a branch is made from the state before it.
	ana.post(at+"/rewind", m{"to": 2, "reason": "a slip"})
	require.Equal(t, "a slip", bo.get(at)["proposal"].(m)["reason"])
	since := bo.get(at)["proposal"].(m)["since"]
	bo.post(at+"/refuse", m{"proposal": since})
	ana.post(at+"/rewind", m{"to": 2, "fresh": true})
	since = bo.get(at)["proposal"].(m)["since"]
	bo.post(at+"/agree", m{"proposal": since})
	h.settle(table)
	require.Len(t, ana.get(at + "/lines")["lines"], 2)
	require.EqualValues(t, 3, ana.get(at + "/lines/" + line + "/3")["version"], "the old line can still be read")
	same := []m{{"kind": "me"}, {"kind": "same"}, {"kind": "same"}}
	branched := ana.post(at+"/branch", m{"line": line, "version": 3, "kind": "study", "pace": "relaxed", "seats": same})
	copied := ana.get("/tables/" + branched["table"].(string))
	require.Equal(t, table, copied["branch"].(m)["table"])
	ana.get("/inbox") // waits until the lists know
	require.Len(t, ana.get(at + "/lines")["branches"], 1)
	ana.post("/tables/"+branched["table"].(string)+"/abandon", m{})

	// An end is proposed and agreed to; then the luck is open to everybody.
	ana.post(at+"/end", m{})
	since = bo.get(at)["proposal"].(m)["since"]
	bo.post(at+"/agree", m{"proposal": since})
	h.settle(table)
	require.Equal(t, "ended", bo.get(at)["status"])
	require.Equal(t, "everybody", h.stranger(s).get(at)["viewer"])
	require.NotNil(t, h.stranger(s).get(at + "/audit")["seed"])

	h.timeByProgram(t, ana, bo)
	h.ownByProgram(t, s, anaHere, boHere)
	h.sharesByProgram(t, anaHere, boHere, ana, bo)
	h.undoByProgram(t, h.table("catan", anaHere, boHere), ana, bo)

	// A player who resigns leaves.
	other := h.table("tiny", anaHere, boHere)
	ana.post("/tables/"+other+"/resign", m{"seat": 0})

	// Tokens are listed and revoked in the browser; after that they are invalid.
	list := anaHere.get("/api/v1/tokens")
	s.check(t, "GET", "/api/v1/tokens", list)
	require.NotContains(t, list.body, ana.token)
	mine := ana.get("/me")["token"].(m)["ref"].(string)
	gone := anaHere.do("DELETE", "/api/v1/tokens/"+mine, nil, func(r *nethttp.Request) {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	})
	require.Equal(t, 204, gone.status)
	s.check(t, "DELETE", "/api/v1/tokens/"+mine, gone)
	require.Equal(t, 401, ana.call("GET", "/me", nil).status)

	describe := h.stranger(s).call("GET", "/openapi.json", nil)
	require.Equal(t, 200, describe.status)
	for _, o := range s.operations() {
		ok := o == "GET /tables/{table}/live" // see live_test.go
		for c := range s.covered {
			ok = ok || strings.HasPrefix(c, o+" 2")
		}
		require.True(t, ok, "%s was never tried with success", o)
	}
}

// key gives a command a name.
func key(name string) func(*nethttp.Request) {
	return func(r *nethttp.Request) { r.Header.Set("Idempotency-Key", name) }
}
