package http_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
	"posthorn/projections/guide"
)

func TestTheRulesStandInEveryLanguageWithTheirPictures(t *testing.T) {
	h := open(t)
	stranger := h.browser()
	list := stranger.get("/rules")
	require.Equal(t, 200, list.status)
	require.Contains(t, list.body, `href="/rules/readings"`)
	paths := []string{"/rules/" + guide.Tables, "/rules/" + guide.Readings}
	for _, rb := range games {
		if path := "/rules/" + rb.Name(); rb.Extras().Guide != nil {
			require.Contains(t, list.body, `href="`+path+`"`)
			paths = append(paths, path)
		} else {
			require.Equal(t, 404, stranger.get(path).status)
		}
	}
	titles := map[string]bool{}
	for _, path := range paths {
		for _, lang := range languages.Complete() {
			p := stranger.get(path + "?lang=" + lang)
			require.Equal(t, 200, p.status)
			require.Contains(t, p.body, `<html lang="`+lang+`">`)
			for _, anchor := range regexp.MustCompile(`<li><a href="#([^"]+)"`).FindAllStringSubmatch(p.body, -1) {
				require.Contains(t, p.body, `id="`+anchor[1]+`"`)
			}
			titles[path+regexp.MustCompile(`<title>[^<]*`).FindString(p.body)] = true
			pictures := regexp.MustCompile(`src="(/rules/[^"]+)"`).FindAllStringSubmatch(p.body, -1)
			if lang == "pl" { // only their words differ
				for _, src := range pictures {
					require.Equal(t, 200, stranger.get(html.UnescapeString(src[1])).status, src[1])
				}
			}
		}
		require.Equal(t, 404, stranger.get(path+"/nothing.svg").status)
	}
	require.Greater(t, len(titles), 2*len(paths), "they are not the same in all languages")
}

func TestTheRulesLeadToTheReadingsAndBack(t *testing.T) {
	h := open(t)
	stranger := h.browser()
	link := regexp.MustCompile(`href="(/rules/[a-z]+)#([^"]+)"`)
	register := stranger.get("/rules/readings")
	require.Equal(t, 200, register.status)
	from := map[string]page{"/rules/readings": register}
	for _, rb := range games {
		if rb.Extras().Guide != nil {
			from["/rules/"+rb.Name()] = stranger.get("/rules/" + rb.Name())
		}
	}
	read := map[string]bool{}
	for _, p := range from {
		for _, l := range link.FindAllStringSubmatch(p.body, -1) {
			require.Contains(t, from[l[1]].body, `id="`+l[2]+`"`, "%s#%s is not there", l[1], l[2])
			if l[1] == "/rules/readings" {
				read[l[2]] = true
			}
		}
	}
	for _, rb := range games {
		g := rb.Extras().Guide
		if g == nil {
			continue
		}
		for i := range g.Readings {
			anchor := g.Readings[i].Anchor(rb.Name())
			require.True(t, read[anchor], "the rules lead to %s", anchor)
			for _, script := range g.Readings[i].Scripts {
				require.Contains(t, html.UnescapeString(register.body), script)
			}
		}
	}
}

// What is refused because of how a sentence of the rulebook is read leads there; what no reading is about does not.
func TestARefusalLeadsToHowTheRulebookIsRead(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("catan", `{"phase":"main","active":"A","players":[{"settlements":[19]},{"settlements":[30]}]}`,
		ana, bo)
	p := ana.get("/t/" + table + "?m=token+desert")
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, `href="/rules/catan#tokens"`)
	require.Contains(t, p.body, `href="/rules/readings#catan-a9"`)
	require.Contains(t, ana.get("/rules/readings").body, `id="catan-a9"`)
	require.NotContains(t, ana.get("/t/"+table+"?m=road+1").body, "/rules/readings")

	bot := ana.bot(h.spec(), "play", "")
	refused := bot.call("POST", "/tables/"+table+"/moves", bot.turn(table, "token desert")).json()["error"].(m)
	require.Equal(t, h.web.URL+"/rules/readings?lang=en#catan-a9", refused["reading"])
	refused = bot.call("POST", "/tables/"+table+"/moves", bot.turn(table, "road 1")).json()["error"].(m)
	require.NotContains(t, refused, "reading")
}

func TestARefusalLeadsToItsRule(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	seat := h.look(table).Line.Awaited()[0].Seat
	if seat == 1 {
		ana, bo = bo, ana
	}
	require.Contains(t, ana.get("/t/"+table+"?m=juggle").body, `href="/rules/carcassonne#typed"`)
	p := ana.get("/t/" + table + "?m=9,9+0")
	require.Equal(t, 422, p.status)
	require.Contains(t, p.body, `href="/rules/carcassonne#place"`)
	rule := regexp.MustCompile(`href="(/rules/carcassonne)#place"`).FindStringSubmatch(p.body)
	require.Contains(t, ana.get(rule[1]).body, `id="place"`)

	s := h.spec()
	bot := ana.bot(s, "play", "")
	refused := bot.call("POST", "/tables/"+table+"/moves", bot.turn(table, "9,9 0"))
	require.Equal(t, 422, refused.status)
	require.Equal(t, h.web.URL+"/rules/carcassonne?lang=en#place", refused.json()["error"].(m)["rule"])

	remind := func(id string) page {
		return bo.send("/t/"+table+"/nudge",
			url.Values{"seat": {fmt.Sprint(int(seat))}, "id": {strings.Repeat(id, 16)}})
	}
	require.Equal(t, 200, remind("ab").status)
	require.Contains(t, remind("cd").body, `href="/rules/tables#time"`, "what all tables have in common")
}

func TestWhatPagesRefuseLeadsToASection(t *testing.T) {
	book, err := theBook()
	require.NoError(t, err)
	for _, s := range book.Sentences() {
		if code, is := strings.CutPrefix(s.Key, "refuse."); is {
			require.NotEqual(t, guide.Plain(code), guide.Path(nil, code) != "",
				"%s is in no section of projections/guide/tables.json, nor plain", code)
		}
	}
}
