package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// bodies holds a valid body for every command, for a table of the tiny game with Ana and Bo.
func bodies(line string) map[string]m {
	seats := []m{{"kind": "me"}, {"kind": "stand-in", "stand_in": "random"}}
	return map[string]m{
		"/tokens": {"label": "more", "scope": "read"},
		"/tables": {"game": "tiny", "pace": "weekly", "seats": seats},
		"/moves":  {"line": line, "decision": m{"seat": 0, "kind": "choose", "serial": 1, "since": 1}, "move": "keep"},
		"/chat":   {"text": "hello"}, "/join": {"seat": 0, "chance": someChance}, "/decline": {"seat": 0},
		"/invite": {"seat": 1, "address": "dora@example.org"}, "/fill": {"seat": 1, "stand_in": "random"},
		"/abandon": {},
		"/rewind":  {"to": 1}, "/end": {}, "/agree": {"proposal": 9}, "/refuse": {"proposal": 9},
		"/resign": {"seat": 0},
		"/orders": {"seat": 0, "since": 0, "orders": []string{"roll"}},
		"/branch": {"line": line, "version": 1, "kind": "study", "pace": "weekly", "seats": seats},
	}
}

// bodyOf returns the body for a path, or nil if it takes none.
func bodyOf(all map[string]m, method, path string) any {
	if method != "POST" {
		return nil
	}
	for end, body := range all {
		if strings.HasSuffix(path, end) {
			return body
		}
	}
	return m{}
}

// addresses returns all the API's addresses, with parameters filled in.
func (h *house) addresses(table string) [][2]string {
	values := map[string]string{":table": table, ":line": h.look(table).LineName.String(), ":version": "1",
		":token": "none", ":hook": "none"}
	routes := h.server.Echo().Routes()
	slices.SortFunc(routes, func(a, b *echo.Route) int { return strings.Compare(a.Method+a.Path, b.Method+b.Path) })
	var out [][2]string
	for _, r := range routes {
		if path, ok := strings.CutPrefix(r.Path, "/api/v1"); ok {
			out = append(out, [2]string{r.Method, fill(path, values)})
		}
	}
	return out
}

func TestEveryAddressIsForThoseAloneWhoMay(t *testing.T) {
	keeper, with := withCheckpoints(t)
	h := open(t, withExport, with)
	s := h.spec()
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table, other := h.table("tiny", ana, bo), h.table("tiny", ana, bo)
	_, err := keeper.Sign(t.Context())
	require.NoError(t, err)
	line := h.look(table).LineName.String()
	anyone, wrong := h.stranger(s), &bot{house: h, spec: s, token: "posthorn_nobody"}
	reads, elsewhere, here := ana.bot(s, "read", ""), ana.bot(s, "play", other), ana.bot(s, "read", table)
	stranger := eve.bot(s, "play", "")
	all := bodies(line)

	house := func(path string) bool { return !strings.HasPrefix(path, "/tables/") }
	private := []string{"/chat", "/moves", "/orders", "/notes", "/mails", "/invitations", "/share"}
	public := func(method, path string) bool {
		return method == "GET" && (path == "/openapi.json" || path == "/games" ||
			strings.HasPrefix(path, "/checkpoint") || !house(path) &&
			!slices.ContainsFunc(private, func(end string) bool { return strings.HasSuffix(path, end) }))
	}
	wide := func(method, path string) bool {
		return path == "/inbox" || path == "/lobby" || path == "/tables" || strings.HasSuffix(path, "/branch") ||
			path == "/settings" || path == "/holidays" || strings.HasPrefix(path, "/hooks")
	}
	before, tried := h.state(), 0
	for _, a := range h.addresses(table) {
		method, path := a[0], a[1]
		body := bodyOf(all, method, path)
		does := func(b *bot, want int) {
			t.Helper()
			p := b.call(method, path, body)
			tried++
			switch {
			case want == 200 && (strings.HasSuffix(path, "/live")):
				require.Equal(t, 404, p.status, "no follower here")
			default:
				require.Equal(t, want, p.status, "%s %s: %s", method, path, p.body)
			}
			if p.status >= 400 {
				require.NotEmpty(t, p.code())
				require.NotContains(t, p.body, "api.error", "a text in words")
				require.NotContains(t, p.body, "page.error", "a text in words")
			}
			if p.status == 401 {
				require.Contains(t, p.header.Get("WWW-Authenticate"), "Bearer")
			}
		}
		session := strings.HasPrefix(path, "/tokens")
		does(wrong, 401)
		switch {
		case public(method, path):
			does(anyone, 200)
			does(reads, 200)
			does(stranger, 200)
		case session:
			does(anyone, 401)
			does(reads, 403)
			does(stranger, 403)
		case method == "GET" && !strings.HasPrefix(path, "/hooks"):
			does(anyone, 401)
			does(reads, 200)
		default:
			does(anyone, 401)
			does(reads, 403)
			does(here, 403)
		}
		switch {
		case session, wide(method, path), !house(path):
			does(elsewhere, 403)
		default:
			does(elsewhere, 200)
		}
		if method == "GET" && !session && !wide(method, path) {
			does(here, 200)
		}
	}
	require.Equal(t, before, h.state(), "nothing was changed by those who may not")
	require.Greater(t, tried, 120)
}

func TestErrorsAreInTheCallersLanguage(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana := h.signedIn("Ana")
	b := ana.bot(s, "read", "")
	require.NoError(t, h.people.SetLanguage(context.Background(), ana.id, "pl"))
	told := map[string]bool{}
	for _, lang := range words.Languages {
		p := b.call("GET", "/tables/x", nil, func(r *nethttp.Request) { r.Header.Set("Accept-Language", lang) })
		require.Equal(t, lang, p.header.Get("Content-Language"))
		told[p.json()["error"].(m)["message"].(string)] = true
	}
	require.GreaterOrEqual(t, len(told), 3)
	require.Equal(t, "pl", b.call("GET", "/tables/x", nil).header.Get("Content-Language"),
		"their own, where none is asked for")
	require.Equal(t, "pl", b.call("GET", "/games", nil).header.Get("Content-Language"))
}

func TestACookieReadsSameOriginAndWritesOnlyTokens(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	site := func(value string) func(*nethttp.Request) {
		return func(r *nethttp.Request) {
			r.Header.Set("Sec-Fetch-Site", value)
			r.Header.Set("Content-Type", "application/json")
		}
	}
	post := func(b *browser, path string, body m, change func(*nethttp.Request)) page {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		return b.do("POST", path, nil, change, func(r *nethttp.Request) {
			r.Body = io.NopCloser(bytes.NewReader(text))
		})
	}
	require.Equal(t, "A", ana.do("GET", "/api/v1/tables/"+table, nil, site("same-origin")).json()["viewer"])
	require.Equal(t, 200, ana.do("GET", "/api/v1/me", nil).status)
	for _, from := range []string{"cross-site", "same-site"} {
		require.Equal(t, 403, ana.do("GET", "/api/v1/tables/"+table, nil, site(from)).status)
		require.Equal(t, 403, post(ana, "/api/v1/tokens", m{"label": "x", "scope": "play"}, site(from)).status)
	}
	before := h.state()
	for end, body := range bodies(h.look(table).LineName.String()) {
		switch path := "/api/v1/tables/" + table + end; end {
		case "/tokens", "/tables":
		default:
			require.Equal(t, 401, post(ana, path, body, site("same-origin")).status, end)
		}
	}
	require.Equal(t, 401, post(ana, "/api/v1/tables", m{}, site("same-origin")).status)
	form := post(ana, "/api/v1/tokens", m{"label": "x", "scope": "play"}, func(r *nethttp.Request) {
		r.Header.Set("Content-Type", "text/plain")
	})
	require.Equal(t, 415, form.status, "what a form of another page could send is no JSON")
	require.Equal(t, before, h.state())

	// Somebody else's token does not exist here.
	b := ana.bot(h.spec(), "read", "")
	ref := ana.get("/api/v1/tokens").json()["tokens"].([]any)[0].(m)["ref"].(string)
	require.Equal(t, 404, bo.do("DELETE", "/api/v1/tokens/"+ref, nil, site("same-origin")).status)
	require.Equal(t, "Ana", b.get("/me")["name"])
}

func TestNobodysAddressIsInAnyAnswer(t *testing.T) {
	h := open(t, withExport)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	b := ana.bot(s, "play", "")
	invited := b.call("POST", "/tables",
		m{"game": "tiny", "pace": "weekly",
			"seats": []m{{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "dora@example.org"}}}}})
	require.NotContains(t, invited.body, "@")
	for _, at := range []string{table, invited.json()["table"].(string)} {
		for _, a := range h.addresses(table) {
			if a[0] == "GET" && a[1] != "/openapi.json" && !strings.HasSuffix(a[1], ".png") {
				p := b.call("GET", strings.ReplaceAll(a[1], table, at), nil)
				require.NotContains(t, p.body, "example.org", a[1])
				require.NotContains(t, strings.ReplaceAll(p.body, h.server.PublicURL, ""), "@", a[1])
			}
		}
	}
}

func TestACommandIsOnePersonsAndOneWish(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	anas, bos := ana.bot(s, "play", ""), bo.bot(s, "play", "")
	at := "/tables/" + table + "/moves"
	wish := anas.turn(table, "keep")
	require.Equal(t, 200, anas.call("POST", at, wish, key("1")).status)
	wish["move"] = "swap"
	other := anas.call("POST", at, wish, key("1"))
	require.Equal(t, "command-used", other.code())
	require.Equal(t, 409, other.status)
	require.Equal(t, 200, bos.call("POST", at, bos.turn(table, "keep"), key("1")).status, "another's name is another's")

	// A command with an id of 32 digits stays the same command, whichever door it comes through again.
	id := strings.Repeat("ab", 16)
	roller := anas
	if anas.get(at)["decision"] == nil {
		roller = bos
	}
	wish = roller.turn(table, "roll")
	wish["id"] = id
	require.Equal(t, 200, roller.call("POST", at, wish, func(r *nethttp.Request) { r.Header.Del("Idempotency-Key") }).
		status)
	name, err := events.ParseName(table)
	require.NoError(t, err)
	command, err := events.ParseCommandID(id)
	require.NoError(t, err)
	_, done, err := h.desk.Done(context.Background(), name, command)
	require.NoError(t, err)
	require.True(t, done)

	// Resending an invitation invites nobody twice.
	opened := anas.post("/tables",
		m{"game": "tiny", "pace": "weekly", "seats": []m{{"kind": "me"}, {"kind": "open"}}})["table"].(string)
	invite := m{"seat": 1, "address": "dora@example.org"}
	first := anas.call("POST", "/tables/"+opened+"/invite", invite, key("ask"))
	require.Equal(t, 200, first.status, first.body)
	again := anas.call("POST", "/tables/"+opened+"/invite", invite, key("ask"))
	require.Equal(t, true, again.json()["again"], again.body)
	require.Equal(t, first.json()["receipt"], again.json()["receipt"])
}

// constants replaces everything that differs between any two tables: names, digests, heads, receipts and times.
func constants(text string) string {
	for pattern, with := range map[string]string{`posthorn-receipt-1:[^"\n]*`: "RECEIPT", `[0-9a-f]{16,64}`: "HEX",
		`\d{4}-\d\d-\d\dT[0-9:.]+Z`: "TIME"} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	return text
}

// Two tables that a viewer cannot tell apart, but that differ in what the viewer must not know.
func TestWhatAViewerMayNotKnowChangesNoByteOfAnyAnswer(t *testing.T) {
	h, _, _ := lively(t)
	s := h.spec()
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	given := [2]string{`{"roller":"A","hands":[5,9,12],"stack":[20,1,2,3,4,6]}`,
		`{"roller":"A","hands":[5,17,3],"stack":[20,24,8,7,9,10]}`}
	var tables [2]string
	for i := range given {
		tables[i] = h.given("tiny", given[i], ana, bo, carl)
	}
	bots := map[string]*bot{"Ana": ana.bot(s, "play", ""), "Bo": bo.bot(s, "play", ""), "Carl": carl.bot(s, "play", "")}
	viewers := map[string]*bot{"Ana": bots["Ana"], "nobody": h.stranger(s)}
	compared := 0
	compare := func(moment string) {
		t.Helper()
		for who, b := range viewers {
			a, z := h.addresses(tables[0]), h.addresses(tables[1])
			for i := range a {
				if a[i][0] != "GET" || strings.HasPrefix(a[i][1], "/tokens") ||
					!strings.HasPrefix(a[i][1], "/tables/") {
					continue
				}
				for _, query := range []string{"", "?seat=1", "?line=LINE&version=VERSION"} {
					if end := path.Base(a[i][1]); query != "" &&
						slices.Contains([]string{"notes", "mails", "invitations", "chat", "share", "record", "lines",
							"inclusion"}, end) {
						continue // none of them reads any, and there is a limit on calls
					}
					var got [2]page
					for k, at := range []string{a[i][1], z[i][1]} {
						look := h.look(tables[k])
						got[k] = b.call("GET", at+strings.NewReplacer("LINE", look.LineName.String(), "VERSION",
							fmt.Sprint(look.LineHead.Version)).Replace(query), nil)
					}
					what := fmt.Sprintf("%s: %s for %s", moment, a[i][1]+query, who)
					require.Equal(t, got[0].status, got[1].status, what)
					require.Equal(t, constants(got[0].body), constants(got[1].body), what)
					require.Equal(t, got[0].header.Get("Content-Length"), got[1].header.Get("Content-Length"), what)
					require.Equal(t, got[0].header.Get("Posthorn-Alt"), got[1].header.Get("Posthorn-Alt"), what)
					compared++
				}
			}
			for k, body := range []m{{"line": "LINE", "decision": m{"seat": 0, "kind": "x", "serial": 1, "since": 1},
				"move": "peek B"}} {
				var got [2]page
				for n, table := range tables {
					body["line"] = h.look(table).LineName.String()
					if b.token != "" {
						got[n] = b.call("POST", "/tables/"+table+"/moves", body)
					}
				}
				require.Equal(t, got[0].body, got[1].body, k)
			}
		}
		var streams [2]string
		for k := range tables {
			l := h.listen(h.browser(), tables[k])
			streams[k] = l.next()
			l.close()
		}
		require.Equal(t, streams[0], streams[1], moment)
	}
	both := func(who, move string) {
		t.Helper()
		for _, table := range tables {
			bots[who].play(table, move)
		}
		compare(who + " " + move)
	}
	compare("the deal")
	both("Bo", "peek C")
	both("Carl", "peek A")
	both("Ana", "swap")
	require.Greater(t, compared, 200)
	require.NotEqual(t, bots["Bo"].call("GET", "/tables/"+tables[0], nil).body,
		bots["Bo"].call("GET", "/tables/"+tables[1], nil).body)
	require.NotEqual(t, constants(bots["Bo"].call("GET", "/tables/"+tables[0], nil).body),
		constants(bots["Bo"].call("GET", "/tables/"+tables[1], nil).body), "Bo, who peeked, knows the difference")
}

// given opens a table from a position, with the players in its seats in order.
func (h *house) given(game, position string, players ...*browser) string {
	h.t.Helper()
	ctx := context.Background()
	n := desk.NewTable{Rulebook: game, Pace: "weekly", Given: []byte(position)}
	for _, b := range players {
		n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{b.id}})
	}
	ans, err := h.desk.Open(ctx, events.Actor{Person: players[0].id, Door: "page"}, events.NewCommandID(), n)
	require.NoError(h.t, err)
	for i, b := range players {
		_, err := h.desk.Do(ctx, events.Actor{Person: b.id, Door: "page"}, ans.Table, events.NewCommandID(),
			desk.Join{Seat: domain.Seat(i), Chance: []byte(someChance)})
		require.NoError(h.t, err)
	}
	h.settle(ans.Table.String())
	return ans.Table.String()
}
