package http_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// says makes a move with a word, on the page where it is confirmed.
func (b *browser) says(at, act, move, word string) page {
	b.t.Helper()
	p := b.get(at + "?m=" + url.QueryEscape(move))
	require.Contains(b.t, p.body, "Add a message")
	form := p.form(act)
	form.Set("word", word)
	return b.send(act, form)
}

func TestAMoveCarriesAWord(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	home := "/t/" + table
	p := ana.says(home, home+"/move", "keep", "  mind the <seven>  ")
	require.Equal(t, "moved", p.query.Get("done"), p.body)
	head := func(b *browser) string {
		before, _, _ := strings.Cut(b.get(home).body, `class="board-column"`)
		return before
	}
	require.Contains(t, head(bo), "mind the &lt;seven&gt;")
	require.Contains(t, head(bo), `href="#talk"`)
	require.NotContains(t, head(ana), "mind the", "who wrote it knows")
	require.NotContains(t, h.browser().get(home).body, "mind the", "strangers read nothing")

	// sent twice it is said once; a move that is refused says nothing
	form := bo.get(home + "?m=keep").form(home + "/move")
	form.Set("word", "why not")
	require.Equal(t, 200, bo.send(home+"/move", form).status)
	bo.send(home+"/move", form)
	require.Equal(t, 1, strings.Count(ana.get(home).body[strings.Index(ana.get(home).body, `id="talk"`):], "why not"))
	require.NotContains(t, head(bo), "mind the", "he has answered")
	require.Contains(t, head(ana), "why not")
	form.Set("id", strings.Repeat("7", 32))
	form.Set("word", "too late")
	require.Equal(t, 409, bo.send(home+"/move", form).status)
	require.NotContains(t, strings.ReplaceAll(ana.get(home).body, `value="too late"`, ""), "too late")
}

func TestALinksMoveCarriesAWordOfItsPerson(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	link := "/p/" + h.play(ana, table)
	phone := h.browser()
	p := phone.says(link, link+"/move", "keep", "from the train")
	require.Equal(t, "moved", p.query.Get("done"), p.body)
	require.Contains(t, bo.get("/t/"+table).body, "from the train")
}
