package http_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// goesOn tries keep, or else a roll, for whichever seat is asked, until Ana, at seat A, has moved; it returns the last
// page.
func (b *browser) goesOn(table string) (p page, plies int) {
	b.t.Helper()
	for i := range 6 {
		here := at(table, 1, i)
		var form url.Values
		for _, move := range []string{"keep", "roll"} { // whichever is asked for
			if p.status == 409 || move == "keep" {
				form = b.get(here + "?as=0&m=" + move).form(here + "/move")
				p = b.send(here+"/move", form)
			}
		}
		require.Equal(b.t, 200, p.status, p.body)
		if form.Get("seat") == "0" {
			return p, i + 1
		}
	}
	require.Fail(b.t, "Ana is never asked")
	return p, 0
}

// Given a line in which Ana moves after Bo, when she presses the button, then her move is a standing order, and it
// answers when the game asks for it.
func TestTheFirstMovesOfALineBecomeStandingOrders(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	require.False(t, h.look(table).Line.Awaits(0))
	ana.sketches(table)
	p, plies := ana.goesOn(table)
	require.Contains(t, p.body, "Play this when it is my turn")
	require.Contains(t, p.body, "When I am asked:")
	version := h.version(table)
	form := p.form(at(table, 1, plies) + "/orders")
	p = ana.send(at(table, 1, plies)+"/orders", form)
	require.Equal(t, "ordered", p.query.Get("done"), p.body)
	require.Contains(t, p.body, "These stand already:")
	require.NotContains(t, p.body, "Make it a standing order")
	require.Regexp(t, "order (keep|roll) 1", ana.get("/t/"+table+"/orders").body)
	require.Equal(t, version, h.version(table), "nothing was played")
	require.NotContains(t, bo.get("/t/"+table).body, "order ")

	again := ana.send(at(table, 1, plies)+"/orders", form)
	require.Equal(t, "ordered", again.query.Get("done"), "a form that is sent twice counts once")
	bo.move(table, "keep")
	require.Equal(t, 409, ana.send(at(table, 1, plies)+"/orders",
		url.Values{"id": {fmt.Sprintf("%032x", 7)}, "since": {"1"}}).status, "the game has moved on")
	require.NotContains(t, ana.get(at(table, 1, plies)).body, "Play this when")
}

// When it is her turn, the line's first move is a link to the game with that move chosen.
func TestTheFirstMoveOfALineIsChosenInTheGame(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	first := []*browser{ana, bo}[h.look(table).Line.Awaited()[0].Seat]
	first.sketches(table)
	_, move := h.firstMove(table, ana, bo)
	p := first.tries(at(table, 1, 0), move)
	require.NotContains(t, p.body, "Make it a standing order")
	require.Contains(t, p.body, "Play the first move in the game")
	seat := fmt.Sprint(int(h.look(table).Line.Awaited()[0].Seat))
	p = first.get("/t/" + table + "?" + url.Values{"m": {move}, "seat": {seat}}.Encode())
	require.Contains(t, p.body, `name="move" value="`+move+`"`, "it is to be confirmed")
}
