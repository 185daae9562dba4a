package http_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scouting is A's action phase in the Rivals, with a road to a new town at the right and Scout in the hand.
const scouting = `{"active":"A","phase":"act","seats":[{"roads":[0,1],"hand":["scout"]},{}]}`

// A place where a settlement may go with Scout or without it asks which of the two; it builds nothing yet.
func TestAPlaceOfSeveralMovesAsksForTheRest(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", scouting, ana, bo)
	p := ana.get("/t/" + table)
	at, found := hrefOf(p.body, "road-A-right")
	require.True(t, found, p.body)
	p = ana.get(unescape(at))
	require.NotContains(t, p.body, `class="turn confirm"`)
	require.Contains(t, p.body, "with Scout")
	require.Contains(t, p.body, "without Scout")
	before := h.version(table)
	require.Equal(t, 200, ana.move(table, "settle right scout").status)
	require.Greater(t, h.version(table), before)

	// nobody who holds none is asked, and nobody else learns from the words of a move who holds one
	table = h.given("rivals", strings.Replace(scouting, `"scout"`, ``, 1), ana, bo)
	p = ana.get("/t/" + table)
	require.NotContains(t, p.body, "without Scout")
}

// Where a road may be paid for or come from a card, which of the two is asked first.
func TestAPathThatACardMayBuildOnAsksFirst(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	const card = `"wool":4},"cards":{"roads":1}`
	p := ana.get("/t/" + h.given("catan", strings.Replace(building, `"wool":4}`, card, 1), ana, bo))
	require.Contains(t, p.body, `?c=roads#`)
	require.Contains(t, ana.get(p.path+"?c=road").body, `data-spot="p`)
}

// A card that may stand on several sites is built where its player says.
func TestACardIsBuiltWhereItsPlayerSays(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", `{"active":"A","phase":"act","seats":[{"hand":["storehouse","abbey"],"stores":{"0a":3,"0b":3,"1a":3,"1b":3,"2a":3,"2b":3}},{}]}`, ana, bo)
	p := ana.get("/t/" + table)
	require.NotContains(t, p.body, `value="build abbey`)
	at, found := hrefOf(p.body, "h-abbey")
	require.True(t, found, "it is pressed in the hand")
	require.Contains(t, ana.get(unescape(at)).body, `value="build abbey`)
}

// hrefOf returns where pressing a spot of the drawing leads.
func hrefOf(body, spot string) (string, bool) {
	found := regexp.MustCompile(`<a href="([^"]+)"[^>]* data-spot="` + spot + `"`).FindStringSubmatch(body)
	if found == nil {
		return "", false
	}
	return found[1], true
}
