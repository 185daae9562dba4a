package walk

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"posthorn/domain/rulebooks"
	"posthorn/events/desk"
	"posthorn/mail"
)

// beyond is what a walk through one house cannot reach, and why.
var beyond = map[string]string{
	"GET /t/:table/claim/:claim":     "a table that came from another house: TestATableHandedOverGoesOnThere of http",
	"POST /p/:token/claim":           "the same, or people.db was lost",
	"GET /t/:table/live":             "a stream that does not end: tests of http/live",
	"GET /api/v1/tables/:table/live": "a stream that does not end: tests of http/live",
	"GET /api/v1/tokens":             "for a browser's session, which has a page for it",
	"POST /api/v1/tokens":            "for a browser's session, which has a page for it",
	"DELETE /api/v1/tokens/:token":   "for a browser's session, which has a page for it",
	"POST /f/:token":                 "its person would be gone: TestSomebodyDeletesTheirAccount of internal/house",
	"POST /lost/:token":              "after a month: TestFriendsVouchForWhoeverLostTheirAddress of http",
	"POST /settings/here":            "the same",
	"GET /robots.txt":                "nothing leads there",
	"GET /favicon.ico":               "browsers ask for it by themselves",
	"GET /favicon.svg":               "an old address of the icon",
}

// wanted lists all that a walk must reach: every address, kind of mail, kind of ask, and whatever each rulebook asks.
func (w *walk) wanted() (out []string) {
	for _, r := range w.house.Server.Echo().Routes() {
		if key := r.Method + " " + r.Path; slices.Contains([]string{"GET", "POST", "DELETE"}, r.Method) &&
			!strings.HasPrefix(r.Path, "/mailbox") && beyond[key] == "" {
			out = append(out, key)
		}
	}
	for _, k := range mail.Kinds() {
		if key := "mail " + string(k); beyond[key] == "" {
			out = append(out, key)
		}
	}
	for _, k := range []desk.AskKind{desk.AskTurn, desk.AskConsent, desk.AskInvitation, desk.AskOver} {
		out = append(out, "ask "+string(k))
	}
	out = append(out, "held")
	for _, rb := range rulebooks.All() {
		var words map[string]json.RawMessage
		if json.Unmarshal(rb.Catalogue()["en"], &words) != nil {
			continue
		}
		for key := range words {
			if strings.HasPrefix(key, "await.") {
				out = append(out, "decision "+rb.Name()+" "+key)
			}
		}
	}
	if os.Getenv("POSTHORN_LONG") != "1" {
		out = slices.DeleteFunc(out, func(key string) bool { return slices.Contains(rare, key) })
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// missing lists what was reached in none of several walks.
func missing(wanted []string, reached ...map[string]int) []string {
	return slices.DeleteFunc(wanted, func(key string) bool {
		return slices.ContainsFunc(reached, func(r map[string]int) bool { return r[key] > 0 })
	})
}

// rare is what the short walk need not reach: the long one must.
var rare = []string{
	"POST /t/:table/agree", "POST /t/:table/share", "POST /t/:table/share/with", "POST /puzzle/:puzzle/move",
	"POST /t/:table/sketch/:sketch/:at/carry", "POST /t/:table/sketch/:sketch/:at/orders",
	"decision catan await.confirm", "decision rivals await.burn", "decision rivals await.fetch",
	"decision rivals await.name",
	"decision rivals await.react", "decision rivals await.return", "decision rivals await.riot",
	"decision rivals await.save",
	"decision rivals await.sink", "decision rivals await.steal",
}
