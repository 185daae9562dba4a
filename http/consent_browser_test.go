package http_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// However much a proposal would undo, a window shows at once, and wherever one reads, what agrees and what
// declines.
func TestInABrowserAProposalIsAnsweredInTheBar(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	h.random(table, 20)
	_, err := h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, h.look(table).Name,
		events.NewCommandID(), desk.ProposeRewind{To: 3})
	require.NoError(t, err)
	bo.enters(ctx)
	for _, width := range []int64{390, 1280} {
		require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 844),
			chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
		for _, at := range []string{"0", "innerHeight", "document.body.scrollHeight"} {
			outside, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`(() => {
				scrollTo({top: `+at+`, behavior: "instant"});
				return [...document.querySelectorAll('button[formaction$="/agree"], button[formaction$="/refuse"]')].map(e => [e, e.getBoundingClientRect()]).
					filter(([e, r]) => r.top < 0 || r.bottom > innerHeight || !e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2))).
					map(([e, r]) => e.textContent + " at " + Math.round(r.top) + " of " + innerHeight);
			})()`))
			require.NoError(t, err)
			require.Empty(t, outside, "%d wide, scrolled to %s", width, at)
		}
	}
	press(t, ctx, `button[formaction$="/refuse"]`)
	until(t, ctx, `location.search.includes("done=refused")`)
	require.Nil(t, h.look(table).Table.Proposal)
}
