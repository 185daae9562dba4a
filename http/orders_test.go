package http_test

import (
	"html"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// gives sends a form on the page of seat A's orders, with fields filled in.
func (b *browser) gives(table string, fill url.Values) page {
	b.t.Helper()
	p := b.get("/t/" + table + "/orders")
	require.Equal(b.t, 200, p.status, p.body)
	act := "/t/" + table + "/orders?seat=0"
	form := p.form(act)
	form.Del("form")
	for k, v := range fill {
		form[k] = v
	}
	return b.send(act, form)
}

func TestAnOrderIsGivenReadAndTakenBackOnThePage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.Contains(t, ana.get("/t/"+table).body, "/t/"+table+"/orders?seat=0")

	p := ana.gives(table, url.Values{"typed": {"Roll 2"}})
	require.Equal(t, 200, p.status, p.body)
	require.Equal(t, "ordered", p.query.Get("done"))
	require.Contains(t, p.body, "order roll 2")
	require.Contains(t, p.body, "When I am asked: roll, 2 more times.")
	p = ana.gives(table, url.Values{"form": {"order"}, "what": {"swap"}})
	require.Contains(t, p.body, "Whenever I am asked: swap.")
	require.NotContains(t, bo.get("/t/"+table+"/orders").body, "order roll")

	p = ana.gives(table, url.Values{"take": {"order roll 2"}})
	require.NotContains(t, p.body, "order roll 2")
	require.Contains(t, p.body, "order swap")
}

func TestAnOrderThatCannotBeReadComesBackToBeMended(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	p := ana.gives(table, url.Values{"typed": {"dance a jig"}})
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "dance a jig")
	require.Contains(t, p.body, "Write: keep, swap, peek NAME, or roll.")
	require.Contains(t, p.body, `value="dance a jig"`)
}

// What an order answers at once is played before its page comes back, so the page's forms are good for the next press.
func TestAnOrderObeyedAtOnceLeavesAFreshPage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	act := "/t/" + table + "/orders?seat=0"
	press := func(p page, order string) page {
		h.settle(table)
		form := p.form(act)
		form.Del("form")
		form.Set("typed", order)
		return ana.send(act, form)
	}
	p := press(ana.get(act), "keep 1") // it is asked now
	require.Contains(t, ana.get("/t/"+table).body, "Ana kept the card.")
	p = press(p, "roll 2")
	require.Equal(t, "ordered", p.query.Get("done"), p.body)
	require.Contains(t, p.body, "order roll 2")

	old := ana.get(act)
	press(p, "peek B")
	p = press(old, "swap") // in another window
	require.Equal(t, 409, p.status)
	require.Contains(t, p.body, "Your standing orders changed meanwhile")
	p = press(p, "swap")
	require.Equal(t, "ordered", p.query.Get("done"), "and that page is fresh")
	require.Contains(t, p.body, "order swap")
}

func TestOrdersAreForThePlayersOfAGameThatKnowsThem(t *testing.T) {
	h := open(t)
	ana, bo, eve := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eve")
	table := h.table("tiny", ana, bo)
	require.NotContains(t, eve.get("/t/"+table).body, "/orders")
	require.Equal(t, 409, eve.get("/t/"+table+"/orders").status)
	require.NotContains(t, ana.get("/t/"+h.table("carcassonne", ana, bo)).body, "/orders")
}

func TestWhoLentTheirSeatIsToldWhyTheyGiveNoOrders(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	home := "/t/" + table
	ana.send(home+"/lend", ana.get(home).form(home+"/lend"))
	require.Contains(t, ana.get(home+"/orders?seat=0").body, "A stand-in keeps seat")
}

func TestThatOrdersWereGivenIsSeenNowhere(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	line := h.look(table).LineName.String()
	bos, anyone := bo.bot(s, "read", ""), h.stranger(s)
	seen := func() string {
		out := ""
		for _, b := range []*bot{bos, anyone} {
			for _, at := range []string{"", "/timeline", "/lines", "/lines/" + line + "/1", "/audit", "/picture.svg"} {
				p := b.call("GET", "/tables/"+table+at, nil)
				require.Equal(t, 200, p.status, at)
				p.header.Del("Date")
				out += at + " " + p.body + p.header.Get("ETag") + p.header.Get("Content-Length")
			}
		}
		return out + bos.call("GET", "/tables/"+table+"/moves", nil).body +
			bos.call("GET", "/tables/"+table+"/orders", nil).body
	}
	before := seen()
	require.Contains(t, ana.gives(table, url.Values{"typed": {"roll 2"}}).body, "order roll 2")
	require.Equal(t, before, seen())
}

func TestWhatAnOrderAnswersIsSeenByWhoeverMoved(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	bo.move(table, "keep")
	ana.gives(table, url.Values{"typed": {"peek B"}}) // for the next round
	roller := []*browser{ana, bo}[h.look(table).Line.Awaited()[0].Seat]
	require.Contains(t, roller.move(table, "roll").body, "By a standing order")
	seen := bo.get("/t/" + table).body
	require.Contains(t, seen, "By a standing order.")
	require.NotContains(t, seen, "order peek", "whose it is alone may read it")
	story := ana.get("/t/" + table + "/line/" + h.look(table).LineName.String() + "/5").body
	require.Contains(t, story, "By a standing order: <code>order peek Bo", "its own seat reads it, with names")
}

// Whoever leaves a question to the house for good is told so.
func TestWhatIsLeftForGoodIsSaidToBe(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", `{"phase":"roll","active":"A"}`, ana, bo)
	page := ana.get("/t/" + table)
	form := page.form("/t/" + table + "/orders?seat=0")
	always := regexp.MustCompile(`<button[^>]*form="always"[^>]*name="([^"]+)"[^>]*value="([^"]+)"`).
		FindStringSubmatch(page.body)
	require.NotNil(t, always)
	form.Set(always[1], html.UnescapeString(always[2]))
	page = ana.send("/t/"+table+"/orders?seat=0", form)
	require.Equal(t, 200, page.status, page.body)
	require.Contains(t, page.body, "from now on without asking you")
}
