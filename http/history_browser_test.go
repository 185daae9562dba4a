package http_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Ana slides through the past of her own game and plays it back. What a stranger does there is in
// TestInTwoBrowsersAPlayerAndAStrangerReadThePast.
func TestInABrowserAPlayerSlidesThroughAndPlaysThePast(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	ana.enters(ctx)
	table := h.table("catan", ana, bo)
	for range 4 {
		one, move := h.firstMove(table, ana, bo)
		one.move(table, move)
	}
	at := "/t/" + table + "/line/" + h.look(table).LineName.String() + "/"
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+at+"5"), chromedp.WaitReady("body")))
	do := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+"; null"))
		require.NoError(t, err)
	}
	until(t, ctx, `!!document.querySelector("[type=range]")`)
	do(`window.same = true; window.broken = []; addEventListener("securitypolicyviolation", e => broken.push(e.violatedDirective));
		window.slider = document.querySelector("[type=range]")`)

	// Each position shows while the slider moves, and the slider stays under the finger.
	for _, n := range []string{"2", "4"} {
		do(`slider.value = ` + n + `; slider.dispatchEvent(new Event("input", {bubbles: true}))`)
		// a player may ask to go back there
		until(t, ctx, `location.pathname.endsWith("/`+n+
			`") && document.querySelector("h1").textContent.startsWith("Move `+n+
			` ") && slider.isConnected && !!document.querySelector("a[href$='/rewind?to=`+n+`']")`)
	}
	until(t, ctx, `slider.getAttribute("aria-valuetext") === "Move 4 of 5" && document.querySelectorAll(".board-column .board-box").length === 1`)

	// Playback goes from the first move to the last, where it stops automatically.
	do(`document.querySelector("[data-slider] select").value = "300"; document.querySelector("[data-slider] select").dispatchEvent(new Event("change"));
		window.seen = []; new MutationObserver(() => { const h = document.querySelector("h1").textContent; if (seen.at(-1) !== h) seen.push(h); }).observe(document.querySelector("main"), {childList: true, subtree: true})
		slider.value = slider.max; slider.dispatchEvent(new Event("input", {bubbles: true}))`)
	until(t, ctx, `location.pathname.endsWith("/5") && seen.at(-1) === "Move 5 of 5"`)
	do(`window.seen.splice(0, seen.length - 1); document.querySelector(".play").click()`)
	until(t, ctx, `seen.join() === "Move 5 of 5,Move 1 of 5,Move 2 of 5,Move 3 of 5,Move 4 of 5,Move 5 of 5" && document.querySelector(".play").getAttribute("aria-pressed") === "false"`)

	// Arrow keys lead on from there. Nothing was reloaded or violated the page's policy.
	do(`document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}))`)
	until(t, ctx, `location.pathname.endsWith("/4") && !!document.querySelector("[type=range]")`)
	fine, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`window.same === true && window.broken.length === 0`))
	require.NoError(t, err)
	require.True(t, fine)
}
