package http_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// On a desktop nothing is left empty: the story stands right below the board and everything else right below the
// question, in reading order, as on a phone.
func TestInABrowserADesksColumnsAreBothFilled(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	ana.enters(ctx)
	for _, game := range []string{"carcassonne", "catan"} {
		table := h.table(game, ana, bo)
		h.random(table, 8)
		require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(1280, 860),
			chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
		until(t, ctx, `{
			const [board, turn, story, rest] = [document.querySelector(".framed") ? ".board-frame" : ".boards", ".turn-column", ".story-column", ".rest-column"].map(s => document.querySelector(s).getBoundingClientRect());
			const below = story.top - Math.max(board.bottom, turn.bottom), under = rest.top - turn.bottom;
			below >= 0 && below <= 48 && under >= 0 && under <= 48 && story.left >= board.left && rest.left === turn.left && board.right < turn.left
				&& document.documentElement.scrollWidth <= innerWidth}`)
		// On a phone, whoever is asked has all of it behind "More".
		require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844),
			chromedp.Navigate(h.web.URL+"/t/"+table+"#more"), chromedp.WaitReady("body")))
		until(t, ctx, `{
			const [since, standing, rest] = ["#since", ".standing", ".rest-column"].map(s => document.querySelector(s).getBoundingClientRect().top);
			since > 0 && since < standing && standing < rest && document.documentElement.scrollWidth <= innerWidth}`)
	}
}

// Somebody who already sits is not told to take a seat, although there is another to take.
func TestWhoeverSitsIsNotToldToTakeASeat(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	home := h.opens("catan", map[string][]string{"pace": {"weekly"}, "seat.2": {"open"}}, ana, bo).path
	require.Contains(t, ana.get(home).body, "Take your seat")
	join := ana.get(home).form(home + "/join")
	join.Set("chance", someChance)
	join.Set("seat", "0")
	p := ana.send(home+"/join", join)
	require.Equal(t, 200, p.status)
	require.NotContains(t, p.body, "Take your seat")
	require.Contains(t, p.body, "Take another seat")
	require.Contains(t, bo.get(home).body, "Take your seat")
}

// Somebody who takes a seat is told whether the game waits for others or has begun.
func TestWhoTakesTheLastSeatIsToldThatTheGameHasBegun(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	home := h.opens("carcassonne", map[string][]string{"pace": {"weekly"}}, ana, bo).path
	sits := func(who *browser, seat string) page {
		join := who.get(home).form(home + "/join")
		join.Set("chance", someChance)
		join.Set("seat", seat)
		return who.send(home+"/join", join)
	}
	require.Contains(t, sits(ana, "0").body, "The game begins when everybody is.")
	p := sits(bo, "1")
	require.Contains(t, p.body, "You have your seat, and the game has begun.")
	require.NotContains(t, p.body, "The game begins when everybody is.")
}
