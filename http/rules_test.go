package http_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/guide"
)

func TestTheRulesStandInEveryLanguageWithTheirPictures(t *testing.T) {
	h := open(t)
	stranger := h.browser()
	list := stranger.get("/rules")
	require.Equal(t, 200, list.status)
	paths := []string{"/rules/" + guide.Tables}
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
		for _, lang := range domain.Languages {
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
		return bo.send("/t/"+table+"/nudge", url.Values{"seat": {fmt.Sprint(int(seat))}, "id": {strings.Repeat(id, 16)}})
	}
	require.Equal(t, 200, remind("ab").status)
	require.Contains(t, remind("cd").body, `href="/rules/tables#time"`, "what all tables have in common")
}

func TestWhatPagesRefuseLeadsToASection(t *testing.T) {
	book, err := theBook()
	require.NoError(t, err)
	for _, s := range book.Sentences() {
		if code, is := strings.CutPrefix(s.Key, "refuse."); is {
			require.NotEqual(t, guide.Plain(code), guide.Path(nil, code) != "", "%s is in no section of projections/guide/tables.json, nor plain", code)
		}
	}
}
