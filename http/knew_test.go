package http_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var holds = regexp.MustCompile(`(Ana|Bo) holds card \d`)

// knows returns whose cards the words of a position name. What was played before and after it is elsewhere on the page.
func (p page) knows() string {
	p.t.Helper()
	var names []string
	_, words, ok := strings.Cut(p.body, "<summary>The board in words</summary>")
	require.True(p.t, ok, p.body)
	words, _, _ = strings.Cut(words, "</details>")
	for _, m := range holds.FindAllStringSubmatch(words, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// While the game goes on, only the player can look at what they knew at a moment; once it is over, everybody can.
func TestAMomentIsLookedAtAsEachKnewItThen(t *testing.T) {
	h := open(t)
	ana, bo, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.browser()
	table := h.table("tiny", ana, bo)
	ana.move(table, "peek b") // version 2
	bo.move(table, "keep")
	at := "/t/" + table + "/line/" + h.look(table).LineName.String() + "/"
	for _, as := range []string{"", "?as=0", "?as=1", "?as=-1", "?as=-2", "?as=7", "?as=x"} {
		require.Equal(t, "Ana", ana.get(at+"1"+as).knows(), as)
		require.Equal(t, "Bo", bo.get(at+"2"+as).knows(), as)
		require.Empty(t, stranger.get(at+"2"+as).knows(), as)
	}
	require.NotContains(t, ana.get(at+"1").body, "As seen at that time by")

	h.breaksOff(table)
	for _, c := range []struct{ at, as, knows string }{
		{"1", "", "Ana,Bo"}, {"1", "?as=0", "Ana"}, {"2", "?as=0", "Ana,Bo"}, {"2", "?as=1", "Bo"}, {"2", "?as=-1", ""},
		{"2", "?as=-2", "Ana,Bo"}, {"2", "?as=7", "Ana,Bo"},
	} {
		for _, b := range []*browser{ana, bo, stranger} {
			p := b.get(at + c.at + c.as)
			require.Equal(t, c.knows, p.knows(), c.at+c.as)
			require.Contains(t, p.body, "As seen at that time by")
		}
	}
	p := stranger.get(at + "2?as=1")
	for _, link := range []string{`rel="prev" href="` + at + `1?as=1"`, `href="` + at + `2?as=1" aria-current="true"`,
		`href="` + at + `2"`, `data-as="?as=1"`} {
		require.Contains(t, p.body, link)
	}
	require.Equal(t, "1", stranger.get("/t/"+table+"/jump?line="+h.look(table).LineName.String()+"&version=1&as=1").
		query.Get("as"))
}
