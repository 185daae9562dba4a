package http_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func TestInABrowserAPageThatIsOpenShowsWhatHappens(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	bos := bo.bot(h.spec(), "play", "")
	do := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+"; null"))
		require.NoError(t, err)
	}
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	do(`document.cookie = "posthorn=` + cookieOf(t, ana) + `; path=/"`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table+"?done=moved"),
		chromedp.WaitReady("body")))
	until(t, ctx, `document.querySelector(".game").dataset.version === "1"`)
	do(`window.same = true; window.broken = []; addEventListener("securitypolicyviolation", e => broken.push(e.violatedDirective))`)

	// Somebody who is only looking sees the new board without loading the page.
	bos.play(table, "keep")
	until(t, ctx, `document.querySelector(".game").dataset.version === "2" && document.getElementById("moved").hidden`)

	// Somebody about to move keeps what they chose, and is told.
	press(t, ctx, `#turn a.option`)
	until(t, ctx, `location.search.includes("c=")`)
	bos.post("/tables/"+table+"/chat", m{"text": "hurry"})
	until(t, ctx, `!document.getElementById("moved").hidden && location.search.includes("c=")`)
	fine, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`window.same === true && window.broken.length === 0`))
	require.NoError(t, err)
	require.True(t, fine, "the page was loaded once, and nothing offended its policy")

	// Somebody who is writing keeps what they wrote.
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	until(t, ctx, `!!document.querySelector("textarea, input[name=text]") && document.getElementById("moved").hidden`)
	do(`document.querySelector("textarea[name=text], input[name=text]").value = "wait"`)
	bos.post("/tables/"+table+"/chat", m{"text": "now?"})
	until(t, ctx, `!document.getElementById("moved").hidden && document.querySelector("textarea[name=text], input[name=text]").value === "wait"`)

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}

func TestInABrowserWhoWaitsSeesTheGameBegin(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := strings.TrimPrefix(h.opens("tiny", url.Values{"pace": {"relaxed"}}, ana, bo).path, "/t/")
	joins := func(b *browser, seat string) {
		form := b.get("/t/" + table).form("/t/" + table + "/join")
		form.Set("chance", someChance)
		form.Set("seat", seat)
		require.Equal(t, 200, b.send("/t/"+table+"/join", form).status)
	}
	joins(ana, "0")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+cookieOf(t, ana)+
		`; path=/"; null`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	until(t, ctx, `!!document.querySelector(".seats") && !document.querySelector("#turn")`)
	joins(bo, "1")
	h.settle(table)
	until(t, ctx, `!!document.querySelector("#turn a.option")`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}

// A page left open while the program was replaced by another version is fully reloaded when something happens or is
// chosen: the new version needs its own styles and scripts.
func TestInABrowserAPageOfAnotherVersionIsReloaded(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	bos := bo.bot(h.spec(), "play", "")
	do := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+"; null"))
		require.NoError(t, err)
	}
	const ofBefore = `window.same = true; { const e = document.querySelector('script[src*="/posthorn.js"]'); e.setAttribute("src", "/assets/000000000000/posthorn.js"); }`
	const loaded = `!window.same && document.readyState === "complete" && !document.querySelector('script[src*="/000000000000/"]') && `
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	do(`document.cookie = "posthorn=` + cookieOf(t, ana) + `; path=/"`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("#turn a.option")))
	do(ofBefore)
	bos.play(table, "keep")
	until(t, ctx, loaded+`document.querySelector(".game").dataset.version === "2"`)

	do(ofBefore)
	press(t, ctx, `#turn a.option`)
	until(t, ctx, loaded+`location.search.includes("c=") && !!document.querySelector("form.confirm button.go")`)

	do(ofBefore)
	press(t, ctx, `form.confirm button.go`) // it is played, once
	until(t, ctx, loaded+`location.search.includes("done=") && +document.querySelector(".game").dataset.version > 2`)

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}

// The next game that awaits its reader is offered as long as this one asks nothing of them, whatever the others play.
func TestInABrowserTheNextGameIsOfferedUntilThisAsks(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	first, second := h.table("tiny", ana, bo, carl), h.table("tiny", ana, bo)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+cookieOf(t, ana)+
		`; path=/"; null`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+first+"?c=keep"),
		chromedp.WaitReady("form.confirm button.go")))
	press(t, ctx, "form.confirm button.go")
	const offered = `!!document.querySelector('#turn a.go[href="/t/`
	until(t, ctx, offered+second+`"]') && document.querySelector("#turn a.go").getBoundingClientRect().bottom <= innerHeight`)
	bo.bot(h.spec(), "play", "").play(first, "keep")
	until(t, ctx, `document.querySelector(".game").dataset.version === "3" && `+offered+second+`"]')`)
	press(t, ctx, "#turn a.go")
	until(t, ctx, `location.pathname === "/t/`+second+`" && !!document.querySelector("#turn a.option")`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}

// A press whose answer is still on its way is not lost when somebody else moves in the meantime.
func TestInABrowserWhatWasPressedIsNotGivenUpForNews(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	do := func(script string) {
		t.Helper()
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script+"; null"))
		require.NoError(t, err)
	}
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	do(`document.cookie = "posthorn=` + cookieOf(t, ana) + `; path=/"`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("#turn a.option")))
	do(`{
		const real = fetch;
		window.fetch = (to, how) => !String(to).includes("c=") ? real(to, how) : new Promise((yes, no) => {
			how.signal.addEventListener("abort", () => no(new DOMException("given up", "AbortError")));
			window.answer = () => real(to, how).then(yes, no);
		});
		const live = new EventSource(document.querySelector(".game").dataset.live);
		window.heard = 0;
		live.onmessage = () => heard++;
	}`)
	until(t, ctx, `window.heard > 0`) // how the table stands: from now on the page hears about news
	press(t, ctx, `#turn a.option`)
	until(t, ctx, `!!window.answer`)
	do(`heard = 0`)
	bo.bot(h.spec(), "play", "").post("/tables/"+table+"/chat", m{"text": "hurry"})
	until(t, ctx, `window.heard > 0`)
	do(`answer()`)
	until(t, ctx, `location.search.includes("c=") && !!document.querySelector("form.confirm button.go")`)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}

// Late news of what the page already shows does not reload it: it would move under a reader who is about to press.
func TestInABrowserNewsThatCameLateMoveNothing(t *testing.T) {
	ctx := chromium(t)
	h, _, stop := lively(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	bo.bot(h.spec(), "play", "").post("/tables/"+table+"/chat", m{"text": "hurry"})
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+cookieOf(t, ana)+
		`; path=/"; null`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{
				Source: `window.EventSource = class { static CLOSED = 2; constructor() { window.live = this; } addEventListener() {} close() {} }`})
		return err
	}), chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("#turn a.option")))
	for _, c := range []struct {
		table, version int // relative to what the page shows
		reads          bool
	}{{0, 0, false}, {-1, 0, false}, {0, -1, false}, {-1, 2, false}, {0, 1, true}, {1, 0, true}, {1, -1, true}} {
		// the last is a game rewound
		reads, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
			let reads = false;
			const real = fetch, shown = document.querySelector(".game").dataset;
			window.fetch = () => { reads = true; return new Promise(() => {}); };
			live.onmessage({data: JSON.stringify({version: +shown.version + %d, table: +shown.head + %d})});
			window.fetch = real;
			return reads;
		})()`, c.version, c.table)))
		require.NoError(t, err)
		require.Equal(t, c.reads, reads, "%+v", c)
	}
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	stop()
}
