package http_test

import (
	"bytes"
	"compress/gzip"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A card game draws each card once on a page, however often it lies there, and pressing it leads to its full text:
// without a script, and light enough for a phone.
func TestAPageOfCardsShowsEachInFullAndStaysSmall(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	p := ana.get("/t/" + h.given("rivals",
		`{"phase":"act","seats":[{"towns":["-1 settlement above storehouse below brick_factory","0 settlement above parish_hall below abbey",
"1 city above grain_ship marketplace below harald lumber_camp","2 settlement above candamir"],"roads":[-1,0,1],"hand":["goldsmith","weavers_shop","osmund"],
"regions":["-1a fields1 1","-1b hills5 2","0a forest2 2","0b hills3 0","1a gold_field1 3","1b pasture4 1","2a fields6 1","2b mountains5 0","3a forest4 1","3b pasture6 1"]},{}]}`, ana, bo))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(p.body))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.Less(t, packed.Len(), 60_000, "over the wire")
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(p.body, -1) {
		require.False(t, ids[m[1]], "two things are called %s", m[1])
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(p.body, -1) {
		require.True(t, ids[m[1]], "a link to #%s leads nowhere", m[1])
	}
	cards := 0
	for _, m := range regexp.MustCompile(`(?s)<section class="full" id="card-([^"]*)".*?</section>`).
		FindAllStringSubmatch(p.body, -1) {
		require.Contains(t, m[0], "Effect: ", m[1])
		require.Contains(t, m[0], ">Close</a>")
		cards++
	}
	require.GreaterOrEqual(t, cards, 9+3)
	for _, use := range regexp.MustCompile(`<use href="#([^"]*)"`).FindAllStringSubmatch(p.body, -1) {
		require.True(t, ids[use[1]], "nothing is drawn for %s", use[1])
	}
	require.Contains(t, p.body, `aria-label="Osmund"`)
	require.NotContains(t, bo.get(p.path).body, "Osmund", "a hand is its seat's")
}

// A card that is to be played says what it does.
func TestAChosenCardSaysWhatItDoes(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", `{"phase":"act","active":"A","seats":[{"hand":["merchant_caravan"],"regions":["0a forest2 3",`+
		`"0b hills3 3","1a gold_field1 3","1b pasture4 3","2a fields6 3","2b mountains5 3"]},{}]}`, ana, bo)
	page := ana.get("/t/" + table + "?m=" + url.QueryEscape("play merchant_caravan"))
	require.Regexp(t, `<p class="what">[^<]*Merchant Caravan[^<]* <span>Effect: [^<]+</span>`, page.body)
}
