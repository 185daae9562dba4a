package http_test

import (
	"context"
	"testing"
	"time"

	"posthorn/events/programtest"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// chromium returns a tab of a real browser.
func chromium(t *testing.T) context.Context {
	t.Helper()
	path := programtest.Chromium(t)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(ctx), "start Chromium")
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)))
	return ctx
}

// until waits for a condition on the page.
func until(t *testing.T, ctx context.Context, condition string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](condition)); err == nil && ok {
			return
		}
	}
	body, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	t.Fatalf("never: %s\n%s %v", condition, body, err)
}

func press(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector(`+"`"+selector+"`"+
		`).dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, view: window})); null`))
	require.NoError(t, err, selector)
}

// settle chooses, from what is listed, what a tile laid by a press still leaves open: how it lies, where more than one
// way fits.
func settle(t *testing.T, ctx context.Context) {
	t.Helper()
	until(t, ctx, `!!document.querySelector("svg.board .ghost") && location.search.includes("c=")`)
	open, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`!document.querySelector("form.confirm button.go")`))
	require.NoError(t, err)
	if open {
		press(t, ctx, `#turn .option:not(.selected)[data-name]`)
	}
	until(t, ctx, `!!document.querySelector("form.confirm button.go")`)
}

func TestInABrowserAChosenMoveDoesNotMakeThePageJump(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	first := ana
	if !h.look(table).Table.Places[h.look(table).Line.Awaited()[0].Seat].Holds(ana.id) {
		first = bo
	}
	before := h.version(table)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/p/"+h.play(first, table)),
		chromedp.WaitReady("body")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](
		`window.same = true; window.broken = []; addEventListener("securitypolicyviolation", e => broken.push(e.violatedDirective)); null`))
	require.NoError(t, err)

	press(t, ctx, "svg.board a.spot")
	settle(t, ctx)
	until(t, ctx, `document.activeElement.matches("form.confirm button.go")`) // the Enter key would press it now
	same, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`window.same === true && broken.length === 0`))
	require.NoError(t, err)
	require.True(t, same, "the page was loaded once, and nothing offended its policy")
	require.Equal(t, before, h.version(table), "nothing is played by choosing")
	press(t, ctx, ".board-frame a[data-larger]")
	until(t, ctx, `document.querySelector(".board-box").classList.contains("large") && document.querySelector("a[data-larger]").textContent === "Smaller"`)

	_, err = chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`history.back(); null`))
	require.NoError(t, err)
	until(t, ctx, `!document.querySelector("form.confirm")`)
	press(t, ctx, "svg.board a.spot")
	settle(t, ctx)
	press(t, ctx, "form.confirm button.go")
	until(t, ctx, `location.pathname.startsWith("/t/") && document.readyState === "complete"`)
	require.Equal(t, before+1, h.version(table))
}

func TestInABrowserChanceIsPrefilledAndMayBeTypedOver(t *testing.T) {
	ctx := chromium(t)
	h := open(t)
	ana := h.signedIn("Ana")
	form := ana.get("/new/tiny").form("/new/tiny")
	for k, v := range map[string]string{"seat.0": "me", "seat.1": "steady", "pace": "daily"} {
		form.Set(k, v)
	}
	table := ana.send("/new/tiny", form).path[3:]
	secret := cookieOf(t, ana)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/robots.txt")))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.cookie = "posthorn=`+secret+
		`; path=/"; null`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(h.web.URL+"/t/"+table), chromedp.WaitReady("body")))
	until(t, ctx, `/^[0-9a-f]{32}$/.test(document.querySelector("[data-chance]").value)`)
	press(t, ctx, `button[name=seat]`)
	until(t, ctx, `location.search.includes("done=joined")`)
	require.Len(t, h.look(table).Table.Contributions[0].Bytes, 32)
}
