package walk

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/people"
)

// object is a JSON object as a program reads it.
type object map[string]any

func (o object) text(key string) string { s, _ := o[key].(string); return s }
func (o object) of(key string) object   { m, _ := o[key].(map[string]any); return m }

func (o object) list(key string) (out []object) {
	list, _ := o[key].([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// calls has somebody's program call the API.
func (w *walk) calls(p *person, method, path string, body any) (int, object) {
	text := ""
	if body != nil {
		b, _ := json.Marshal(body) // it holds texts and numbers alone
		text = string(b)
	}
	r := httptest.NewRequest(method, base+"/api/v1"+path, strings.NewReader(text))
	r.RemoteAddr = p.desk.ip + ":4712"
	r.Header.Set("Authorization", "Bearer "+p.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		if method == "POST" {
			r.Header.Set("Idempotency-Key", events.NewCommandID().String())
		}
	}
	if method != "GET" {
		w.chose(p, "calls %s %s: %s", method, path, text)
	}
	w.house.settles(0)
	before := w.end()
	answer := w.house.serve(r)
	route := w.route(method, "/api/v1"+path)
	w.reached[method+" "+route]++
	var out object
	if strings.HasPrefix(answer.Header().Get("Content-Type"), "application/json") &&
		!strings.HasSuffix(route, "/record") {
		if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil &&
			!strings.HasPrefix(answer.Body.String(), "[") {
			w.wrong("no JSON", route, "%s %s: %v", method, path, err)
		}
	}
	if answer.Code == 401 {
		p.token = "" // it was revoked, or its person banned
	}
	if answer.Code >= 500 {
		w.wrong("5xx", route, "%s %s %s: %d %s", method, path, text, answer.Code, clip(answer.Body.String()))
	}
	if method == "GET" && w.end() != before && !w.house.alive {
		w.wrong("opening changes", route, "GET %s wrote %v", path, w.since(before))
	}
	if answer.Code >= 400 && out.of("error").text("message") == "" {
		w.wrong("says nothing", route, "%s %s: %d %s", method, path, answer.Code, clip(answer.Body.String()))
	}
	if _, rest, ok := strings.Cut(path, "/tables/"); ok && answer.Code >= 400 {
		table, _, _ := strings.Cut(rest, "/")
		w.claimed(p, route, table, out.of("error").text("code"), out.of("error").text("message"), body)
	}
	return answer.Code, out
}

// programs has somebody's program look at what is asked, play it, and call something else that the API offers.
func (w *walk) programs(p *person) {
	_, inbox := w.calls(p, "GET", "/inbox", nil)
	tables := inbox.list("tables")
	for _, t := range tables {
		if t.text("state") == "awaits" || t.text("state") == "invited" {
			w.programPlays(p, t.text("table"))
		}
	}
	about := ""
	if len(tables) > 0 {
		about = pick(w, tables).text("table")
	}
	for range 4 {
		w.programDoes(p, about)
	}
	if w.one(3) {
		w.opensAlone(p, w.leastKnown())
	}
	w.house.settles(3 * time.Second)
}

// programPlays plays what a table asks of a program, as long as it asks: longer where it plays alone.
func (w *walk) programPlays(p *person, table string) {
	_, t := w.calls(p, "GET", "/tables/"+table, nil)
	most := 6
	if w.alone(p, t) {
		most = 200
	}
	for range most {
		status, moves := w.calls(p, "GET", "/tables/"+table+"/moves", nil)
		if status != 200 || moves["decision"] == nil {
			break
		}
		list := moves.list("moves")
		if len(list) == 0 {
			break
		}
		move, fewest := "", 1<<30
		for _, i := range w.rnd.Perm(len(list)) { // what was played least: each card, each kind of move
			text := list[i].text("notation")
			words := strings.Fields(digits.ReplaceAllString(text, ""))
			key := "API move " + strings.Join(words[:min(2, len(words))], " ")
			if n := w.pressed[key]; n < fewest {
				move, fewest = text, n
			}
		}
		words := strings.Fields(digits.ReplaceAllString(move, ""))
		w.pressed["API move "+strings.Join(words[:min(2, len(words))], " ")]++
		filled := ""
		if forms := moves.list("forms"); len(forms) > 0 && w.one(3) {
			filled = w.fillsIn(pick(w, forms))
			move = filled
		}
		status, says := w.calls(p, "POST", "/tables/"+table+"/moves",
			object{"line": moves.text("line"), "decision": moves["decision"], "move": move})
		if status >= 400 && filled == "" {
			w.wrong("offered but refused", "API move "+says.of("error").text("code"), "%s's program plays %q: %d %v", p,
				move, status, says)
		}
		w.house.settles(3 * time.Second)
		w.asked()
	}
	status, t := w.calls(p, "GET", "/tables/"+table, nil)
	if status == 200 && t.of("proposal")["may_agree"] == true {
		answer := pick(w, []string{"agree", "agree", "refuse"})
		if status, says := w.calls(p, "POST", "/tables/"+table+"/"+answer,
			object{"proposal": t.of("proposal")["since"]}); status >= 400 {
			w.wrong("offered but refused", "API "+answer, "%s's program answers a proposal: %d %v", p, status, says)
		}
	}
	for seat, s := range t.list("seats") {
		for _, in := range s.list("invited") {
			if t.text("status") == "open" && in.text("name") == p.name {
				w.calls(p, "POST", "/tables/"+table+"/join",
					object{"seat": seat, "chance": fmt.Sprintf("a program's own %d", w.rnd.Uint64()), "name": p.name})
			}
		}
	}
}

// fillsIn fills a form of the API in, as its description says.
func (w *walk) fillsIn(form object) string {
	text := form.text("pattern")
	for _, f := range form.list("fields") {
		value := ""
		words := f.list("words")
		seats, _ := f["seats"].([]any)
		switch {
		case len(seats) > 0:
			value = fmt.Sprint(seats[w.rnd.IntN(len(seats))])
		case len(words) > 0 && f.text("kind") == "amounts":
			value = "1 " + pick(w, words).text("value")
		case len(words) > 0:
			value = pick(w, words).text("value")
		}
		text = strings.ReplaceAll(text, "{"+f.text("name")+"}", value)
	}
	return strings.Join(strings.Fields(text), " ")
}

// alone reports whether a person holds all seats of a table.
func (w *walk) alone(p *person, t object) bool {
	for _, s := range t.list("seats") {
		for _, h := range s.list("holders") {
			if h.text("name") != p.name {
				return false
			}
		}
		if len(s.list("holders")) == 0 && s.text("kind") != "stand-in" {
			return false
		}
	}
	return len(t.list("seats")) > 0
}

// leastKnown returns the game of whose decisions the most have not been met yet.
func (w *walk) leastKnown() string {
	games := map[string]int{}
	for _, key := range missing(w.wanted(), w.reached) {
		if rest, ok := strings.CutPrefix(key, "decision "); ok {
			games[strings.Fields(rest)[0]]++
		}
	}
	best := pick(w, []string{"carcassonne", "catan", "rivals"})
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		if games[game] > games[best] {
			best = game
		}
	}
	return best
}

// opensAlone opens a table where a program plays all seats, with options drawn by lot, and plays there.
func (w *walk) opensAlone(p *person, game string) {
	_, games := w.calls(p, "GET", "/games", nil)
	options := object{}
	for _, g := range games.list("games") {
		if g.text("game") != game {
			continue
		}
		for _, o := range g.list("options") {
			if v := pick(w, o.list("values")).text("value"); w.one(2) || o.text("key") == "play" {
				require.NotEmpty(w.t, v)
				options[o.text("key")] = v
			}
		}
	}
	other := object{"kind": "me"}
	if game == "rivals" && w.one(2) {
		other = object{"kind": "stand-in", "stand_in": "steady"} // it plays cards that ask their opponent something
	}
	status, made := w.calls(p, "POST", "/tables",
		object{"game": game, "pace": "relaxed", "name": p.name, "options": options,
			"seats": []object{{"kind": "me"}, other}})
	if status >= 400 {
		return // some options do not go together
	}
	for seat := range 2 {
		w.calls(p, "POST", "/tables/"+made.text("table")+"/join",
			object{"seat": seat, "chance": fmt.Sprintf("a program's own %d", w.rnd.Uint64())})
	}
	w.house.settles(3 * time.Second)
	w.asked() // before it answers what is asked first
	w.programPlays(p, made.text("table"))
}

// programDoes calls the least called of everything else that the API has.
func (w *walk) programDoes(p *person, table string) {
	e := w.house.Server.Echo()
	best, least := "", 1<<30
	routes := e.Routes()
	slices.SortFunc(routes, func(a, b *echo.Route) int { return strings.Compare(a.Method+a.Path, b.Method+b.Path) })
	for _, r := range routes {
		path, ok := strings.CutPrefix(r.Path, "/api/v1")
		if !ok || strings.HasSuffix(path, "/live") || strings.HasSuffix(path, "/moves") && r.Method == "POST" ||
			strings.Contains(path, ":table") && table == "" {
			continue
		}
		n := w.pressed["API "+r.Method+" "+path] + w.rnd.IntN(2)
		if strings.HasSuffix(path, "/abandon") || strings.HasSuffix(path, "/resign") {
			n *= 10
		}
		if n < least {
			best, least = r.Method+" "+path, n
		}
	}
	w.pressed["API "+best]++
	method, path, _ := strings.Cut(best, " ")
	path = strings.Replace(path, ":table", table, 1)
	var t object
	if table != "" {
		_, t = w.calls(p, "GET", "/tables/"+table, nil)
	}
	if strings.Contains(path, ":line") {
		path = strings.Replace(strings.Replace(path, ":line", t.text("line"), 1), ":version", "1", 1)
	}
	for _, ref := range []string{"token", "hook"} {
		if strings.Contains(path, ":"+ref) {
			_, all := w.calls(p, "GET", "/"+ref+"s", nil)
			list := all.list(ref + "s")
			if len(list) == 0 {
				return
			}
			path = strings.Replace(path, ":"+ref, list[0].text("ref"), 1)
		}
	}
	if path == "/checkpoint/proof" {
		path += "?from=1"
	}
	var body any
	if method == "POST" {
		body = w.body(p, path[strings.LastIndexByte(path, '/')+1:], t)
	}
	w.calls(p, method, path, body)
}

// body returns what a program sends: what openapi.json asks for, from the table as the program knows it.
func (w *walk) body(p *person, what string, t object) object {
	day := time.Now().AddDate(0, 0, 1+w.rnd.IntN(5)).Format("2006-01-02")
	seat := 0
	if n := len(t.list("seats")); n > 0 {
		seat = w.rnd.IntN(n)
	}
	switch what {
	case "tables":
		return object{"game": pick(w, []string{"carcassonne", "catan", "rivals"}), "pace": "weekly", "name": p.name,
			"seats": []object{{"kind": "me"},
				{"kind": "player", "invite": []object{{"address": pick(w, w.folk).address}}}}}
	case "branch":
		return object{"line": t.text("line"), "version": 1, "kind": pick(w, []string{"game", "study"}),
			"pace":  "weekly",
			"seats": []object{{"kind": "same"}, {"kind": "same"}}}
	case "tokens":
		return object{"label": "another", "scope": "read"}
	case "settings":
		return object{"zone": pick(w, []string{"Europe/Warsaw", "America/Sao_Paulo"})}
	case "holidays":
		return object{"from": day, "until": day}
	case "hooks":
		return object{"address": "https://hooks.example.org/here", "kinds": []string{"turn"}}
	case "orders":
		_, o := w.calls(p, "GET", "/tables/"+t.text("table")+"/orders", nil)
		return object{"seat": o["seat"], "since": o["version"], "orders": []string{}}
	case "chat":
		return object{"text": pick(w, own)}
	case "notes":
		return object{"note": pick(w, own)}
	case "mails":
		return object{"turn": true}
	case "join":
		return object{"seat": seat, "chance": "at least sixteen bytes of mine"}
	case "invite", "offer":
		return object{"seat": seat, "address": pick(w, w.folk).address}
	case "fill":
		return object{"seat": seat, "stand_in": "random"}
	case "rewind":
		return object{"mine": true}
	case "undo":
		return object{"to": 1}
	case "agree", "refuse":
		return object{"proposal": 1}
	case "away":
		return object{"until": day}
	case "need":
		return object{"seat": seat, "until": day}
	case "pause":
		return object{"until": day}
	case "again":
		return object{"seat": seat, "person": strings.Repeat("0", 32)}
	case "share":
		return object{"link": true}
	case "abandon", "end", "try":
		return object{}
	}
	return object{"seat": seat}
}

// token is a program's token as a page shows it.
func (w *walk) takesToken(p *person) {
	at := p.desk.opens("/settings/tokens")
	if w.signedOut(at) || at.status >= 400 {
		return // they were banned
	}
	for _, o := range at.offers {
		if o.method == "POST" && o.path == "/settings/tokens" {
			for _, c := range o.controls {
				if c.name == "scope" {
					c.value = c.options[len(c.options)-1]
				}
			}
			made := w.presses(p.desk, at, o, false)
			for _, f := range strings.Fields(made.text) {
				if strings.HasPrefix(f, people.TokenPrefix) {
					p.token = f
				}
			}
		}
	}
	if p.token != "" { // its program plays: mails about its turns would be for nobody
		w.calls(p, "POST", "/settings", object{"mails": object{"turn": false}})
		return
	}
	w.wrong("no token", "token", "%s asked for a token and has none: %s", p, clip(at.text))
}
