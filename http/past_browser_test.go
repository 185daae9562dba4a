package http_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
)

// beside opens another tab with its own cookie jar: somebody else's browser.
func beside(t *testing.T, ctx context.Context) context.Context {
	t.Helper()
	other, stop := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(other))
	require.NoError(t, chromedp.Do(other, chromedp.EmulateViewport(390, 844)))
	return other
}

// enters gives a tab the session of a signed-in browser.
func (b *browser) enters(ctx context.Context) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(ctx, chromedp.Navigate(b.web.URL+"/robots.txt")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+cookieOf(b.t, b)+
		`; path=/"; null`))
	require.NoError(b.t, err)
}

// shot saves a picture of a tab if POSTHORN_SHOTS asks for it.
func shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("POSTHORN_SHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}

// random plays some moves, each seat as itself.
func (h *house) random(table string, n int) {
	h.t.Helper()
	for range n {
		look := h.look(table)
		if look.Table.Status != domain.TableStarted {
			return
		}
		o := look.Line.Awaited()[0]
		m, ok := standin.Random{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
		require.True(h.t, ok)
		_, err := h.desk.Play(h.t.Context(),
			events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: domain.DoorPage},
			desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
				Move: m})
		require.NoError(h.t, err)
		h.settle(table)
	}
}

// Somebody at the table and a stranger, each in their own browser, look at the past: the lines as a tree, two of them
// compared, the slider, autoplay, the plots with their tables, and the page for paper.
func TestInTwoBrowsersAPlayerAndAStrangerReadThePast(t *testing.T) {
	theirs := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("catan", ana, bo)
	home := h.web.URL + "/t/" + table
	h.random(table, 12)
	to := h.version(table) - 3
	_, err := h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, h.look(table).Name,
		events.NewCommandID(), desk.ProposeRewind{To: to})
	require.NoError(t, err)
	bo.enters(theirs)

	// Bo reads what the rewind would undo, move by move, and agrees.
	require.NoError(t, chromedp.Do(theirs, chromedp.Navigate(home), chromedp.WaitReady("body")))
	until(t, theirs, `document.querySelectorAll("section.ask details .story li").length === 3 && document.querySelector("section.ask").innerText.includes("The dice fall again as they fell")`)
	shot(t, theirs, "rewind-asked")
	press(t, theirs, `button[formaction$="/agree"]`)
	until(t, theirs, `location.search.includes("done=agreed")`)
	h.settle(table)
	h.random(table, 4)

	// The tree and the comparison, for him and for a stranger.
	for i, ctx := range []context.Context{theirs, beside(t, theirs)} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(home+"/tree"), chromedp.WaitReady("body")))
		until(t, ctx, `document.querySelectorAll(".lines > li").length === 2 && document.querySelector(".lines .main")?.innerText.includes("being played")`)
		shot(t, ctx, "tree-"+strconv.Itoa(i))
		press(t, ctx, `form[action$="/compare"] button`)
		until(t, ctx, `location.pathname.endsWith("/compare") && document.querySelectorAll("main svg.board").length >= 2 && document.querySelectorAll(".pairs tbody tr").length >= 3`)
		shot(t, ctx, "compare-"+strconv.Itoa(i))

		// Plots with their tables, with nothing hidden in either; they fit on a phone.
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(home+"/story"), chromedp.WaitReady("body")))
		until(t, ctx, `document.querySelectorAll("figure.plot svg[aria-label]").length === 4 && document.querySelectorAll(".plots table").length === 3 && document.querySelector("table[aria-labelledby=ledger] thead").innerText.includes("cards")
			&& document.documentElement.scrollWidth <= innerWidth`)
		shot(t, ctx, "story-"+strconv.Itoa(i))
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(home+"/print"), chromedp.WaitReady("body")))
		until(t, ctx, `document.querySelectorAll(".sheets svg").length >= 3 && document.querySelectorAll(".moves li").length >= 10 && !document.querySelector("[data-print]").hidden && document.documentElement.scrollWidth <= innerWidth`)
		shot(t, ctx, "print-"+strconv.Itoa(i))
		if ctx == theirs {
			continue // a test of its own covers how a player slides through the past
		}

		// The slider, and autoplay to the last move.
		last := strconv.FormatUint(h.version(table), 10)
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(home+"/line/"+h.look(table).LineName.String()+"/"+last),
			chromedp.WaitReady("body")))
		until(t, ctx, `!!document.querySelector("[type=range]")`)
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](
			`{const s = document.querySelector("[type=range]"); s.value = `+strconv.FormatUint(h.version(table)-3, 10)+
				`; s.dispatchEvent(new Event("input", {bubbles: true}))
			const speed = document.querySelector("[data-slider] select"); speed.value = "300"; speed.dispatchEvent(new Event("change"))} null`))
		require.NoError(t, err)
		until(t, ctx, `location.pathname.endsWith("/`+strconv.FormatUint(h.version(table)-3, 10)+`")`)
		press(t, ctx, ".play")
		until(t, ctx, `location.pathname.endsWith("/`+last+
			`") && document.querySelector(".play").getAttribute("aria-pressed") === "false"`)
	}
}
