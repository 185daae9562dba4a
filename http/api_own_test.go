package http_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/calendar"
	"posthorn/http"
	"posthorn/http/door"
)

// ownByProgram does through the API what people's settings pages do.
func (h *house) ownByProgram(t *testing.T, s *spec, anaHere, boHere *browser) {
	t.Helper()
	ana, plays := anaHere.bot(s, "settings", ""), anaHere.bot(s, "play", "")
	for _, a := range [][2]string{{"POST", "/settings"}, {"POST", "/holidays"}, {"DELETE", "/holidays"},
		{"GET", "/hooks"}, {"POST", "/hooks"}, {"POST", "/hooks/x/try"}, {"DELETE", "/hooks/x"}} {
		var body any
		if a[0] == "POST" {
			body = m{}
		}
		require.Equal(t, 403, plays.call(a[0], a[1], body).status, "that is for the scope settings")
	}

	// Calendar, rhythm, kinds of mail.
	was := plays.get("/settings")
	require.Equal(t, "UTC", was["zone"])
	is := ana.post("/settings", m{"zone": "Europe/Warsaw", "night": m{"from": 22, "to": 7}, "days_off": []int{0, 6},
		"rhythm": "every 6", "mails": m{"news": false}, "language": "pl"})
	require.Equal(t, is, ana.get("/settings"))
	require.Equal(t, "Europe/Warsaw", is["zone"])
	require.Equal(t, []any{0.0, 6.0}, is["days_off"])
	require.Equal(t, m{"from": 22.0, "to": 7.0}, is["night"])
	require.Equal(t, "every 6", is["rhythm"])
	require.Equal(t, false, is["mails"].(m)["news"])
	require.Equal(t, true, is["mails"].(m)["turn"])
	c, err := h.people.Calendar(context.Background(), anaHere.id)
	require.NoError(t, err)
	require.Equal(t, calendar.Night{From: 22, To: 7}, c.Night)
	require.True(t, c.Off[6])
	require.Equal(t, "every 6", ana.post("/settings", m{"zone": "Europe/Lisbon"})["rhythm"], "what is not named stays")
	for code, wrong := range map[string]m{"zone-unknown": {"zone": "Mars"},
		"night-long": {"night": m{"from": 8, "to": 7}}, "days-off": {"days_off": []int{0, 1, 2, 3, 4, 5, 6}},
		"rhythm-unknown": {"rhythm": "never"}, "language-unknown": {"language": "tlh"}} {
		require.Equal(t, code, ana.call("POST", "/settings", wrong).code())
	}
	before := ana.get("/settings")
	for code, wrong := range map[string]m{"language-unknown": {"language": "tlh"},
		"rhythm-unknown": {"rhythm": "never"}, "zone-unknown": {"zone": "Mars"}, "malformed": {"days_off": []int{7}}} {
		all := m{"zone": "Asia/Tokyo", "night": m{"from": 1, "to": 5}, "days_off": []int{3}, "rhythm": "every 12",
			"mails": m{"turn": false}, "language": "en"}
		maps.Copy(all, wrong)
		require.Equal(t, code, ana.call("POST", "/settings", all).code())
		require.Equal(t, before, ana.get("/settings"), "of what is refused nothing is changed: %s", code)
	}
	require.Equal(t, 400, ana.call("POST", "/settings", m{"mails": m{"spam": true}}).status)
	require.Equal(t, 400, ana.call("POST", "/settings", m{"days_off": []int{7}}).status)

	// Holidays.
	first := calendar.DayOf(time.Now(), time.UTC) + 3
	away := ana.post("/holidays", m{"from": first.String(), "until": (first + 4).String()})["away"]
	require.Equal(t, []any{m{"from": first.String(), "until": (first + 4).String()}}, away)
	require.Equal(t, "day", ana.call("POST", "/holidays", m{"from": "soon", "until": "late"}).code())
	require.Equal(t, 204, ana.call("DELETE", "/holidays", nil).status)
	require.Empty(t, ana.get("/settings")["away"])

	// Notes and mails about a table.
	table := "/tables/" + h.table("tiny", anaHere, boHere)
	bo := boHere.bot(s, "play", "")
	require.Equal(t, "the roller bluffs", ana.post(table+"/notes", m{"note": " the roller bluffs "})["note"])
	require.Equal(t, "the roller bluffs", plays.get(table + "/notes")["note"])
	require.Empty(t, bo.get(table + "/notes")["note"], "nobody reads another's")
	require.Equal(t, "note-long", ana.call("POST", table+"/notes", m{"note": strings.Repeat("x", 8001)}).code())
	require.Equal(t, "not-a-player", h.signedIn("Eve").bot(s, "play", "").call("POST", table+"/notes", m{"note": "x"}).
		code())
	require.Equal(t, true, ana.get(table + "/mails")["turn"])
	require.Equal(t, false, ana.post(table+"/mails", m{"turn": false})["turn"])
	require.Contains(t, anaHere.get(strings.Replace(table, "tables", "t", 1)).body, `name="on"`,
		"the page offers to undo it")
	require.Equal(t, true, ana.post(table+"/mails", m{"turn": true})["turn"])

	// An invitation, how its mail is doing, and sending it again.
	opened := ana.post("/tables", m{"game": "tiny", "pace": "weekly",
		"seats": []m{{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "fay@example.org", "name": "Fay"}}}}})
	at := "/tables/" + opened["table"].(string)
	require.Equal(t, "opener-only", bo.call("GET", at+"/invitations", nil).code())
	list := ana.get(at + "/invitations")["invitations"].([]any)
	require.Len(t, list, 2, "the opener has not sat down either")
	fay := list[1].(m)
	require.Equal(t, "Fay", fay["person"].(m)["name"])
	ref := fay["person"].(m)["ref"]
	require.Equal(t, "not-invited", ana.call("POST", at+"/again", m{"seat": 1, "person": "nobody"}).code())
	require.Equal(t, "not-invited", ana.call("POST", at+"/again", m{"seat": 0, "person": ref}).code())
	sent := ana.call("POST", at+"/again", m{"seat": 1, "person": ref}, key("again"))
	require.Equal(t, 200, sent.status, sent.body)
	require.Equal(t, true, ana.call("POST", at+"/again", m{"seat": 1, "person": ref}, key("again")).json()["again"],
		"once")

	// Webhooks.
	made := ana.post("/hooks", m{"address": "https://example.org/in", "kinds": []string{"turn"}})
	require.Regexp(t, hookSecret, made["secret"])
	require.NotContains(t, ana.call("GET", "/hooks", nil).body, made["secret"])
	hook := ana.get("/hooks")["hooks"].([]any)[0].(m)
	require.Equal(t, made["ref"], hook["ref"])
	require.Equal(t, 200, ana.call("POST", "/hooks/"+hook["ref"].(string)+"/try", m{}).status)
	others := boHere.bot(s, "settings", "")
	require.Empty(t, others.get("/hooks")["hooks"])
	require.Equal(t, 404, others.call("POST", "/hooks/"+hook["ref"].(string)+"/try", m{}).status)
	require.Equal(t, 404, others.call("DELETE", "/hooks/"+hook["ref"].(string), nil).status)
	require.Equal(t, "hook-address",
		ana.call("POST", "/hooks", m{"address": "https://10.0.0.1/", "kinds": []string{"turn"}}).code())
	require.Equal(t, "hook-kinds",
		ana.call("POST", "/hooks", m{"address": "https://example.org/", "kinds": []string{}}).code())
	require.Equal(t, 204, ana.call("DELETE", "/hooks/"+hook["ref"].(string), nil).status)
	require.Empty(t, ana.get("/hooks")["hooks"])
}

func TestHowInvitationsAndWebhooksFareIsToldToPrograms(t *testing.T) {
	posts := &hookPost{}
	h, f := withMailStates(t, func(c *http.Config) { c.Hooks = posts })
	s := h.spec()
	ana := h.signedIn("Ana").bot(s, "settings", "")
	opened := ana.post("/tables", m{"game": "tiny", "pace": "weekly",
		"seats": []m{{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "fay@example.org"}}}}})
	for _, state := range []string{"sent", "waiting", "refused", "returned", "withheld"} {
		f.invitation = door.MailState{State: state, Why: "550 no"}
		p := ana.call("GET", "/tables/"+opened["table"].(string)+"/invitations", nil)
		require.Equal(t, state, p.json()["invitations"].([]any)[1].(m)["mail"])
		require.NotContains(t, p.body, "fay@", "no address, not even one that the opener typed")
	}
	ref := ana.post("/hooks", m{"address": "https://example.org/in", "kinds": []string{"turn"}})["ref"].(string)
	posts.set(door.HookState{Done: time.Now(), Failing: time.Now(), Why: "timeout", Waiting: 3})
	hook := ana.get("/hooks")["hooks"].([]any)[0].(m)
	require.Equal(t, "timeout", hook["why"])
	require.EqualValues(t, 3, hook["waiting"])
	require.NoError(t, h.people.GiveUpHook(context.Background(), ref, "410"))
	require.Equal(t, "410", ana.get("/hooks")["hooks"].([]any)[0].(m)["why"])
}

func TestATokenForOneTableReachesNoSettings(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	p := ana.askToken(m{"label": "x", "scope": "settings", "table": table})
	require.Equal(t, 422, p.status, "there is no such token")
	require.Equal(t, "token-scope", p.code())
	require.Equal(t, 403, ana.bot(s, "play", table).call("GET", "/settings", nil).status)
}

// A program opens a table that strangers can find if it says so; otherwise they cannot.
func TestAProgramListsATable(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, eve := h.signedIn("Ana").bot(s, "play", ""), h.browser()
	opens := func(listed any) string {
		body := m{"game": "tiny", "pace": "weekly", "seats": []m{{"kind": "me"}, {"kind": "open"}}}
		if listed != nil {
			body["listed"] = listed
		}
		return ana.post("/tables", body)["table"].(string)
	}
	found, hidden := opens(true), opens(nil)
	lobby := eve.get("/lobby").body
	require.Contains(t, lobby, found)
	require.NotContains(t, lobby, hidden)
	require.Equal(t, true, ana.get("/tables/" + found)["listed"])
	require.NotContains(t, ana.get("/tables/"+hidden), "listed")
}
