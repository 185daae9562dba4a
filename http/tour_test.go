package http_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// against opens a game against a computer, with somebody in its first seat.
func (h *house) against(b *browser, game string) (table string) {
	h.t.Helper()
	p := h.opens(game, url.Values{"pace": {"weekly"}, "seat.1": {"thoughtful"}, "seat.2": {""}, "seat.3": {""},
		"seat.4": {""}}, b)
	require.Equal(h.t, 200, p.status, p.body)
	table = p.path[len("/t/"):]
	join := p.form("/t/" + table + "/join")
	join.Set("chance", someChance)
	join.Set("seat", "0")
	require.Equal(h.t, 200, b.send("/t/"+table+"/join", join).status)
	h.settle(table)
	require.Equal(h.t, domain.TableStarted, h.look(table).Table.Status)
	for h.standInFirst(table) {
		h.settle(table)
	}
	return table
}

// Whoever is new is led through their first turn against computers, on the page of every choice, until they have seen
// what came of it.
func TestNewcomersAreLedThroughTheirFirstTurn(t *testing.T) {
	for _, game := range []string{"carcassonne", "rivals"} {
		h := open(t)
		ana := h.signedIn("Ana")
		table := h.against(ana, game)
		page := ana.get("/t/" + table)
		require.Contains(t, page.body, "1 of 4")
		require.Contains(t, page.body, "Tap what is marked")
		page = ana.get("/t/" + table + "?hint=1")
		require.Contains(t, page.body, "3 of 4", game)
		require.NotContains(t, page.body, "1 of 4")
		before := h.version(table)
		require.Equal(t, 200, ana.send("/t/"+table+"/move", page.form("/t/"+table+"/move")).status)
		require.Greater(t, h.version(table), before)
		h.settle(table)
		for h.standInFirst(table) {
			h.settle(table)
		}
		require.Contains(t, ana.get("/t/"+table).body, "4 of 4", game)
		page = ana.get("/t/" + table + "?hint=1")
		require.NotContains(t, page.body, `class="tour"`)
		require.Equal(t, 200, ana.send("/t/"+table+"/move", page.form("/t/"+table+"/move")).status)
		for h.standInFirst(table) {
			h.settle(table)
		}
		require.NotContains(t, ana.get("/t/"+table).body, `class="tour"`, game)
	}
}

// Nobody is led who has left that, who plays against people, or who has been here for long.
func TestNobodyElseIsLed(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.against(ana, "carcassonne")
	require.Contains(t, ana.get("/t/"+table).body, `class="tour"`)
	require.NotContains(t, ana.get("/t/"+table+"?tour=off").body, `class="tour"`)
	require.NotContains(t, ana.get("/t/"+table).body, `class="tour"`, "for good")
	both := h.table("carcassonne", ana, bo)
	for _, b := range []*browser{ana, bo} {
		require.NotContains(t, b.get("/t/"+both).body, `class="tour"`)
		require.NotContains(t, b.get("/t/"+both).body, "hint=1", "somebody would mind")
	}
	h.later = -15 * 24 * time.Hour
	cy := h.signedIn("Cy")
	h.later = 0
	cy.get("/")
	require.NotContains(t, cy.get("/t/"+h.against(cy, "carcassonne")).body, `class="tour"`)
}
