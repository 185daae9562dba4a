package http_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const trading = `{"phase":"main","active":"A","players":[
	{"settlements":[8],"roads":[13],"hand":{"lumber":4,"wool":1}},
	{"settlements":[20],"roads":[30],"hand":{"ore":2}},
	{"settlements":[45],"roads":[60],"hand":{"grain":1}}]}`

// pressed follows the link of a card, a seat or a deed.
func (p page) pressed(b *browser, mark string) page {
	p.t.Helper()
	m := regexp.MustCompile(`<a [^>]*href="([^"]+)"[^>]*` + regexp.QuoteMeta(mark)).FindStringSubmatch(p.body)
	require.NotNil(p.t, m, "no link %s in\n%s", mark, p.body)
	at, _, _ := strings.Cut(unescape(m[1]), "#")
	return b.get(at)
}

// Without a script: each card is a link that changes the sentence.
func TestAnOfferIsPutTogetherFromCards(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	table := h.given("catan", trading, ana, bo, carl)
	before := h.version(table)
	p := ana.get("/t/" + table + "?form=offer")
	require.Equal(t, 200, p.status, "nothing is wrong with a sentence that is not whole")
	require.NotContains(t, p.body, `class="confirm"`)
	require.NotContains(t, p.body, `data-more="give.ore"`, "there is none in the hand")
	require.Contains(t, p.body, `<span class="option selected" aria-current="true">The first to accept trades with me</span>`, "what is chosen is no button that does nothing")
	require.Contains(t, p.pressed(ana, `>I choose among those who accept`).body,
		`<span class="option selected" aria-current="true">I choose among those who accept</span>`)

	p = p.pressed(ana, `data-more="give.lumber"`).pressed(ana, `data-more="give.lumber"`)
	require.Equal(t, 2, strings.Count(p.body, `data-less="give.lumber"`))
	require.NotContains(t, p.body, `class="confirm"`)
	p = p.pressed(ana, `data-more="want.ore"`).pressed(ana, `data-less="give.lumber"`).
		pressed(ana, `data-seat-asked="C"`)
	require.Equal(t, 200, p.status)
	require.Equal(t, "offer 1 lumber for 1 ore to B", p.form("/t/"+table+"/move").Get("move"))
	require.Equal(t, before, h.version(table), "nothing is played by choosing")
	p = p.pressed(ana, `data-seat-asked="C"`)
	require.Equal(t, "offer 1 lumber for 1 ore to B C", p.form("/t/"+table+"/move").Get("move"))
	p = ana.send("/t/"+table+"/move", p.form("/t/"+table+"/move"))
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, before+1, h.version(table))

	// and everybody sees it, and who has answered
	carl.move(table, "decline")
	for _, b := range []*browser{ana, bo, h.browser()} {
		body := b.get("/t/" + table).body
		require.Contains(t, body, "Ana offers 1 lumber for 1 ore to Bo and Carl.")
		require.Contains(t, body, "Declined: Carl.")
		require.Contains(t, body, "Yet to answer: Bo.")
	}
}

// With only one partner there is nobody to choose.
func TestOfTwoNobodyIsChosenAmong(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("catan", `{"phase":"main","active":"A","players":[{"settlements":[0],"roads":[0],"hand":{"lumber":4,"wool":1}},{"settlements":[2],"roads":[5],"hand":{"ore":2}}]}`, ana, bo)
	body := ana.get("/t/" + table).body
	require.Contains(t, body, "force a trade with tokens")
	require.NotContains(t, body, `<p class="swaps-of">`, "the list of the bank pushes nothing else out of sight")
	p := ana.get("/t/" + table + "?form=offer")
	require.Contains(t, p.body, `<p class="swaps-of"><b>Bank</b>`)
	require.Contains(t, p.body, "With a card on each side it can be offered.")
	require.NotContains(t, p.body, "those who accept")
	require.Equal(t, "offer 1 wool for 1 ore to B",
		p.pressed(ana, `data-more="give.wool"`).pressed(ana, `data-more="want.ore"`).form("/t/"+table+"/move").
			Get("move"))
}

func TestWhatTheBankTakesIsSaidAndPlayed(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	table := h.given("catan", trading, ana, bo, carl)
	p := ana.get("/t/" + table + "?form=offer&give.lumber=3&want.ore=1")
	require.Contains(t, p.body, "the bank takes 4 for one of another")
	require.NotContains(t, p.body, "With the bank")
	p = p.pressed(ana, `data-more="give.lumber"`)
	require.NotContains(t, p.body, `data-more="give.lumber"`, "there are no more")
	p = p.pressed(ana, `>With the bank`)
	require.Equal(t, "bank lumber ore", p.form("/t/"+table+"/move").Get("move"))
}

// Counts are public; what the price is short of is shown only to the reader.
func TestCardsOfAllAreCountedAndWhatIsMissingIsSaid(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	table := h.given("catan", trading, ana, bo, carl)
	for _, b := range []*browser{ana, bo, h.browser()} {
		body := b.get("/t/" + table).body
		for _, count := range []string{"5 resource cards", "2 resource cards", "1 resource card", "1 point of 10",
			"longest stretch of road: 1", "25 cards in the deck"} {
			require.Contains(t, body, count)
		}
	}
	require.Contains(t, ana.get("/t/"+table).body, "needs 1 brick")
	require.Contains(t, bo.get("/t/"+table).body, "needs 1 brick, 1 lumber")
	require.NotContains(t, h.browser().get("/t/"+table).body, "needs 1", "whoever plays no seat has no hand")
}

// A card given to the bank is swapped for another; a year of plenty brings one card plus another.
func TestCardsThatAreTakenTogetherAreNotTraded(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	table := h.given("catan", strings.Replace(trading, `"wool":1}}`, `"wool":1},"cards":{"plenty":1}}`, 1), ana, bo,
		carl)
	body := ana.get("/t/" + table).body
	plenty := strings.Index(body, `<details class="list plenty"><summary>year of plenty</summary>`)
	require.Positive(t, plenty, body)
	trade := ana.get("/t/" + table + "?form=offer").body
	require.Equal(t, 1, strings.Count(trade, `aria-hidden="true">→<`))
	require.NotContains(t, trade, `aria-hidden="true">+<`)
	require.Contains(t, body[plenty:], `aria-hidden="true">+<`)
	require.NotContains(t, body[plenty:], `aria-hidden="true">→<`)
}
