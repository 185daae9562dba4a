package http_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const building = `{"phase":"main","active":"A","players":[
	{"settlements":[8],"roads":[13],"hand":{"lumber":1,"brick":1,"wool":4}},
	{"settlements":[20],"roads":[30]}],"neutrals":[{"name":"N","settlements":[17]},{"name":"M","settlements":[50]}]}`

// The board shows what can be built before the player says what: a place is chosen there, and played by the bar. What
// the bank gives stands where a trade begins.
func TestWhatCanBeBuiltIsPressedWhereItWillLie(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("catan", building, ana, bo)
	p := ana.get("/t/" + table)
	require.Contains(t, p.body, `data-spot="p`, "a road")
	at, path := regexp.MustCompile(`href="([^"]*)" aria-label="[^"]*" class="spot [a-z]+" data-spot="p(\d+)"`), ""
	if found := at.FindStringSubmatch(p.body); found != nil {
		path = found[2]
	}
	require.Contains(t, unescape(p.body), "?c=road&c=p"+path+"#")
	require.NotContains(t, p.body, `value="road `, "nothing but the bar plays")
	require.Contains(t, unescape(ana.get("/t/"+table+"?form=offer").body), "?c=bank&c=wool&c=ore")
	require.NotContains(t, bo.get("/t/"+table).body, `data-spot="p`, "whoever is not asked has nothing to press")

	p = ana.get("/t/" + table + "?c=road&c=p" + path)
	require.Equal(t, "road "+path, p.form("/t/"+table+"/move").Get("move"))
	require.Contains(t, p.body, `class="turn confirm"`)

	require.Contains(t, ana.move(table, "bank wool ore").body, "Take back")
	require.Contains(t, ana.move(table, "road "+path).body, "Where do the neutrals build?")
}

// If there are few ways to count out cards, they are in one list.
func TestAFewHandsStandInOneList(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("catan", `{"phase":"roll","active":"A","players":[
		{"settlements":[8],"roads":[13],"hand":{"lumber":3,"wool":2},"tokens":5},
		{"settlements":[20],"roads":[30],"hand":{"lumber":2}}],"neutrals":[{"name":"N","settlements":[17]},{"name":"M","settlements":[50]}]}`, ana, bo)
	p := ana.move(table, "token trade")
	require.Contains(t, p.body, "Which 2 cards do you give in return?")
	for _, pair := range []string{"2 lumber", "1 lumber, 1 wool", "2 wool"} {
		require.Contains(t, p.body, ">"+pair+"</a>")
	}
	require.NotContains(t, p.body, "0 wool")
	p = ana.move(table, "give 1 lumber 1 wool")
	require.Contains(t, p.body, "Roll the dice")
}

// The dice roll automatically, from this turn on, for players who say so next to them.
func TestTheDiceAreRolledForWhoeverSaysSo(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("catan", `{"phase":"roll","active":"A","players":[{"settlements":[8],"roads":[13]},{"settlements":[20],"roads":[30]}],"neutrals":[{"name":"N","settlements":[17]},{"name":"M","settlements":[50]}]}`, ana, bo)
	p := ana.get("/t/" + table)
	require.Contains(t, p.body, "Always: roll for me")
	before := h.version(table)
	act := "/t/" + table + "/orders?seat=0"
	require.Contains(t, p.body, `<button class="always" form="always" name="form" value="order-roll">`)
	form := p.form(act)
	form.Set("form", "order-roll")
	p = ana.send(act, form)
	require.Equal(t, 200, p.status, p.body)
	require.Greater(t, h.version(table), before, "this time, too")
	require.NotContains(t, p.body, "Always: roll for me")
	require.Contains(t, ana.get("/t/"+table+"/orders").body, "order roll")
	require.NotContains(t, bo.get("/t/"+table+"/orders").body, "order roll")
	require.NotContains(t, h.browser().get("/t/"+table).body, "Always:")
}

// An option that only matters with two players is marked so, and the page hides it if there are more.
func TestOptionsSayForHowManyTheyAre(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	body := ana.get("/new/catan").body
	require.Equal(t, 2, strings.Count(body, `class="choice for-2"`))
	require.Equal(t, 1, strings.Count(ana.get("/new/carcassonne").body, `class="choice for-1"`))
	require.NotContains(t, ana.get("/new/rivals").body, `class="choice for-`)
}
