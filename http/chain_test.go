package http_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// aTurn is A's action phase in the Rivals, with a hand that has room for a card.
const aTurn = `{"active":"A","phase":"act","seats":[{"hand":["goldsmith","weavers_shop"]},{}]}`

// What usually ends a turn is one press: the actions end, a card is drawn from the first stack, and the hand is kept.
// From another stack it is chosen first.
func TestOnePressEndsATurnOfTheRivals(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", aTurn, ana, bo)
	before := h.version(table)
	p := ana.get("/t/" + table)
	require.Contains(t, p.body, `value="end; draw 1; pass"`)
	require.Contains(t, p.body, `name="move" value="end"`, "what is drawn can be seen before anything is exchanged")
	require.Contains(t, unescape(p.body), `?play=end%3B+draw+2%3B+pass#`)
	form := ana.get("/t/" + table + "?play=end%3B+draw+2%3B+pass").form("/t/" + table + "/move")
	require.Equal(t, "end; draw 2; pass", form.Get("move"))
	require.Equal(t, 200, ana.send("/t/"+table+"/move", form).status)
	require.Equal(t, before+3, h.version(table), "each move is an event of its own")
	now := h.look(table).Line.Awaited()
	require.Len(t, now, 1)
	require.EqualValues(t, 1, now[0].Seat)
	require.Equal(t, 200, ana.send("/t/"+table+"/move", form).status)
	require.Equal(t, before+3, h.version(table), "the same form plays nothing more")
}

// What an address says is still to be played counts only if the house sealed it.
func TestNobodySendsAnAddressThatPlaysMoreThanItShows(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", searching, ana, bo)
	before := h.version(table)
	form := ana.get("/t/" + table).form("/t/" + table + "/move")
	form.Set("move", "end; search osmund 1; stack 2")
	p := ana.send("/t/"+table+"/move", form)
	form = p.form("/t/" + table + "/move")
	sealed := form.Get("then")
	require.Regexp(t, `^[0-9a-f]{24} \d+ stack 2$`, sealed)
	forged := strings.Replace(sealed, "stack 2", "stack 3", 1)
	require.NotContains(t, ana.get("/t/"+table+"?then="+url.QueryEscape(forged)).body, "stack 3")
	form.Set("then", forged)
	form.Set("move", regexp.MustCompile(`value="(pay [^"]*)"`).FindStringSubmatch(p.body)[1])
	p = ana.send("/t/"+table+"/move", form)
	require.Equal(t, 200, p.status)
	require.Equal(t, before+3, h.version(table), "it is asked which stack")
	require.NotContains(t, ana.get("/t/"+table+"?then="+url.QueryEscape(sealed)).body, `name="then"`,
		"the game has gone on")
}

// After a rewind the game may reach the same question at the same version, on another line of play. What was pressed
// before is not played there.
func TestTheRestOfAPressIsOfItsLineOfPlay(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", searching, ana, bo)
	start := h.version(table)
	press := func(move string) page {
		form := ana.get("/t/" + table).form("/t/" + table + "/move")
		form.Set("move", move)
		p := ana.send("/t/"+table+"/move", form)
		require.Equal(t, 200, p.status)
		return p
	}
	press("end; search osmund 1")
	h.goesBack(table, start, ana, bo)
	sealed := press("end; search osmund 1; stack 2").form("/t/" + table + "/move").Get("then")
	require.NotEmpty(t, sealed)
	asked := h.version(table)
	require.Contains(t, ana.get("/t/"+table+"?then="+url.QueryEscape(sealed)).body, `name="then"`)

	h.goesBack(table, start, ana, bo)
	p := press("end; search osmund 1")
	require.Equal(t, asked, h.version(table), "the same is asked at the same version")
	p = ana.get("/t/" + table + "?then=" + url.QueryEscape(sealed))
	require.NotContains(t, p.body, `name="then"`)
	form := p.form("/t/" + table + "/move")
	form.Set("then", sealed)
	form.Set("move", regexp.MustCompile(`value="(pay [^"]*)"`).FindStringSubmatch(p.body)[1])
	require.Equal(t, 200, ana.send("/t/"+table+"/move", form).status)
	require.Equal(t, asked+1, h.version(table), "it is asked which stack")
}

// What of a press no longer fits is not dropped without a word, at the table or in What if.
func TestAPageSaysWhatOfAPressNoLongerFits(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("tiny", `{"roller":"A"}`, ana, bo)
	bo.move(table, "keep")
	before := h.version(table)
	for _, page := range []string{ana.sketches(table).path, "/t/" + table} {
		sent := ana.get(page + "?c=keep").form(page + "/move")
		sent.Set("move", "keep; roll; peek A") // which is her own
		p := ana.send(page+"/move", sent)
		require.Equal(t, 200, p.status)
		require.Contains(t, p.body, "Only part of that was played: the rest does not fit any more")
	}
	require.Equal(t, before+2, h.version(table))
}

// A refused move ends a chain: what was played before it stands, and the page asks what is open.
func TestAChainEndsWhereAMoveIsRefused(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", aTurn, ana, bo)
	before := h.version(table)
	form := ana.get("/t/" + table).form("/t/" + table + "/move")
	form.Set("move", "end; pass; draw 2")
	p := ana.send("/t/"+table+"/move", form)
	require.Equal(t, 200, p.status)
	require.Equal(t, before+1, h.version(table))
	require.Contains(t, p.body, `c=draw1`)
	require.Contains(t, p.body, "After that, as you chose: pass; draw 2")
	require.Equal(t, "moved", p.query.Get("done"))
	form.Set("id", "an other")
	form.Set("move", "road up; end")
	require.NotEqual(t, 200, ana.send("/t/"+table+"/move", form).status, "a first move that is refused is said to be")
	require.Equal(t, before+1, h.version(table))
}

// A player who does not want to be asked again says so next to the question: the standing order answers at once.
func TestAnAnswerIsMadeAStandingOrderWhereItIsAsked(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("rivals", `{"active":"A","phase":"roll","seats":[{"hand":["goldsmith","weavers_shop","brigitta_the_wise_woman"]},{}]}`, ana, bo)
	before := h.version(table)
	p := ana.get("/t/" + table)
	always := regexp.MustCompile(`<button class="always" form="always" name="typed" value="([^"]*)"`).
		FindStringSubmatch(p.body)
	require.NotEmpty(t, always)
	form := p.formAfter(`id="always"`)
	form.Set("typed", always[1])
	p = ana.send("/t/"+table+"/orders?seat=0", form)
	require.Equal(t, 200, p.status)
	require.Equal(t, "/t/"+table, p.path)
	require.Greater(t, h.version(table), before, "it is obeyed at once")
	require.Contains(t, ana.get("/t/"+table+"/orders?seat=0").body, "Roll the dice when the turn begins")
	require.NotContains(t, bo.get("/t/"+table).body, "Roll the dice when")
}
