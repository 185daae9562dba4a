package http_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The player who moved presses "Take back"; the next player's open page shows the right state before and after.
func TestInTwoBrowsersAMoveIsTakenBackWithinTheGrace(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.tableWith("catan", url.Values{"pace": {"weekly"}, "grace": {"30"}}, ana, bo)
	one, move := h.firstMove(table, ana, bo)
	two := ana
	if one == ana {
		two = bo
	}
	next := beside(t, ctx)
	one.enters(ctx)
	two.enters(next)
	require.NoError(t, chromedp.Do(next, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)))
	one.move(table, move)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	until(t, next, `document.body.innerText.includes("The last move can be taken back until ")`)
	until(t, ctx, `document.querySelector("#turn").innerText.includes("You can take this back until ")`)
	shot(t, ctx, "grace-mover")
	shot(t, next, "grace-next")
	press(t, ctx, "button.undo")
	until(t, ctx, `location.search.includes("done=undone")`)
	until(t, next, `!document.body.innerText.includes("can be taken back until") && document.body.innerText.includes("Not your turn")`)
	require.True(t, h.look(table).Table.Lines[1].Undo)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/new/catan"), chromedp.WaitReady("body")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](
		`document.querySelector("select[name=grace]").closest("details").open = true; null`))
	require.NoError(t, err)
	shot(t, ctx, "grace-form")
	for _, tab := range []context.Context{ctx, next} {
		require.NoError(t, chromedp.Do(tab, chromedp.Navigate("about:blank")))
	}
	stop()
}
