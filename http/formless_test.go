package http_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/http/pagetest"
)

// A press that got no answer leaves its address in the browser, which may ask for it later.
func TestAnAddressThatOnlyTakesFormsLeadsToItsPage(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	for _, at := range []string{"/t/" + table + "?c=keep", "/p/" + h.play(ana, table) + "?c=keep"} {
		page := ana.get(at)
		forms := 0
		for _, f := range pagetest.Forms(t, page.body) {
			if !strings.HasPrefix(f.Action, page.path+"/") {
				continue
			}
			p := ana.get(f.Action)
			require.Equal(t, 200, p.status, f.Action)
			require.True(t, strings.HasPrefix(f.Action, p.path), "%s leads to %s", f.Action, p.path)
			forms++
		}
		require.NotZero(t, forms)
	}
	require.Equal(t, 404, ana.get("/t/"+table+"/nothing").status)
}

// A page that answers a press has the address that took it, which cannot be read again. News is read from the page's
// own, and where that fails more and more seldom.
func TestInABrowserARefusedPressIsRefreshedFromItsPage(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	run := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+`; null`))
		require.NoError(t, err)
	}
	run(`document.cookie = "posthorn=` + cookieOf(t, ana) + `; path=/"`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `
			const wait = setTimeout;
			window.waits = [], window.reads = [];
			window.setTimeout = (what, ms) => { if (ms >= 1000) waits.push(ms); return wait(what, ms / 1000); };
			window.EventSource = class { static CLOSED = 2; constructor() { window.live = this; } addEventListener() {} close() {} }`})
		return err
	}), chromedp.Navigate(h.web.URL+"/t/"+table+"?c=keep"), chromedp.WaitReady(`form.turn input[name="since"]`)))
	run(`{
		window.before = 1;
		const form = document.querySelector("form.turn");
		form.querySelector('input[name="since"]').value = 77;
		HTMLFormElement.prototype.submit.call(form);
	}`)
	until(t, ctx, `!window.before && document.readyState === "complete"`)
	run(`{
		const real = fetch, shown = document.querySelector(".game").dataset;
		window.fetch = (to, how) => { reads.push(to); return reads.length > 3 ? real(to, how) : Promise.reject(new TypeError("away")); };
		waits.length = 0;
		shown.old = 1;
		live.onmessage({data: JSON.stringify({version: +shown.version + 1, table: +shown.head})});
	}`)
	until(t, ctx, `!!document.querySelector(".game:not([data-old])")`)
	until(t, ctx, `reads.length === 4 && reads.every(to => to === "/t/`+table+`")`)
	until(t, ctx, `waits.length === 3 && waits[0] < waits[1] && waits[1] < waits[2]`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}
