package http_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A page that nobody tells any more that the table has moved on would stand still for hours, and seem to ask what was
// answered long ago.
func TestInABrowserWhatIsLostDoesNotStopThePage(t *testing.T) {
	for name, c := range map[string]struct{ lost, found string }{
		// The server is busy when the page reloads.
		"the page of some news": {`{
			const real = fetch, shown = document.querySelector(".game").dataset;
			window.reads = 0;
			window.fetch = (to, how) => { reads++; window.fetch = real; return Promise.reject(new TypeError("busy")); };
			shown.old = 1;
			live.onmessage({data: JSON.stringify({version: +shown.version + 1, table: +shown.head})});
		}`, `reads === 1 && !!document.querySelector(".game:not([data-old])")`},
		// The server accepts no more streams for the moment; a browser does not retry.
		"the stream of news": {`live.readyState = 2; live.onerror()`, `streams === 2`},
		// The form that would be sent again is gone.
		"the answer to a move": {`{
			document.querySelector("#turn a.option").closest("main").id = "before";
			const form = document.createElement("form"), button = document.createElement("button");
			form.className = "turn"; form.method = "post"; form.action = "/"; form.append(button);
			document.querySelector("main").append(form);
			window.fetch = () => { form.remove(); return Promise.reject(new TypeError("lost")); };
			form.requestSubmit(button);
		}`, `!document.getElementById("before") && !!document.querySelector("#turn a.option")`},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := chromium(t)
			h, _, stop := lively(t)
			ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
			table := h.table("tiny", ana, bo)
			require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
			_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+
				cookieOf(t, ana)+`; path=/"; null`))
			require.NoError(t, err)
			require.NoError(t, chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
				_, err := cdp.Call(ctx, to, cdppage.AddScriptToEvaluateOnNewDocument,
					cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `
					const wait = setTimeout;
					window.setTimeout = (what, ms) => wait(what, ms / 50); // nothing here waits long
					window.streams = 0;
					window.EventSource = class { static CLOSED = 2; constructor() { window.live = this; streams++; } addEventListener() {} close() {} }`})
				return err
			}), chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("#turn a.option")))
			_, err = chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](c.lost+`; null`))
			require.NoError(t, err)
			until(t, ctx, c.found)
			require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
			stop()
		})
	}
}
