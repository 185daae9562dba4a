package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/events/programtest"
)

// browser is a real Chromium.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// newBrowser starts Chromium.
func newBrowser(t *testing.T, width, height int64) *browser {
	t.Helper()
	path := programtest.Chromium(t)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-features",
			"site-per-process,Translate,BlinkGenPropertyTrees,BackForwardCache,RenderDocument"),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(posthorntest.Patient))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if end, ok := t.Deadline(); ok { // so that a hanging test fails under its own name
		ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Minute))
		t.Cleanup(cancel)
	}
	b := &browser{t, ctx}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the browser is at %s:\n%s", b.url(), b.text("body"))
			b.shot("failed")
		}
	})
	require.NoError(t, chromedp.Do(ctx), "start Chromium") // the first use determines its lifetime
	b.do(chromedp.EmulateViewport(width, height))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, posthorntest.Patient)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// open opens an address and waits for its page.
func (b *browser) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url), chromedp.WaitReady("body"))
}

// press clicks an element and waits for the page that it leads to.
func (b *browser) press(selector string) {
	b.t.Helper()
	b.behind(selector)
	if !b.led(func() { b.do(chromedp.Click(selector)) }) {
		b.t.Fatalf("pressing %s leads nowhere, over it lies: %s", selector, b.over(selector))
	}
}

// behind opens "More" if that is where an element stands.
func (b *browser) behind(selector string) {
	b.t.Helper()
	b.script(`(() => { const e = document.querySelector(` + quote(selector) + `);
		if (e && !e.getClientRects().length && e.closest(".beyond, footer")) location.hash = "more"; })()`)
}

// over returns what covers the middle of an element, or "" if nothing does.
func (b *browser) over(selector string) string {
	b.t.Helper()
	over, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(e => {
		const r = e && e.getClientRects()[0];
		if (!r) return "nothing of it is drawn";
		const at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
		return !at ? "the window's edge" : e.contains(at) ? "" : at.outerHTML.slice(0, 200);
	})(document.querySelector(`+quote(selector)+`))`))
	require.NoError(b.t, err)
	return over
}

// leads runs do, which must lead to another page, and waits for that page.
func (b *browser) leads(what string, do func()) {
	b.t.Helper()
	if !b.led(do) {
		b.t.Fatalf("pressing %s leads nowhere", what)
	}
}

// led runs do and reports whether it led to another page.
func (b *browser) led(do func()) bool {
	b.t.Helper()
	before := b.url()
	b.script(`window.posthornOld = true; document.querySelectorAll(".game").forEach(e => e.dataset.old = "1"); null`)
	do()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(10 * time.Millisecond) {
		fresh, err := chromedp.Run(b.ctx,
			chromedp.Evaluate[bool](`document.readyState === "complete" && (!window.posthornOld || location.href !== `+
				quote(before)+` || !!document.querySelector(".game:not([data-old])"))`))
		if err == nil && fresh { // a new page, or one put in its place by the page's own script
			return true
		}
	}
	return false
}

func (b *browser) script(js string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[chromedp.Void](js))
	require.NoError(b.t, err, js)
}

// has reports whether the page has an element.
func (b *browser) has(selector string) bool {
	b.t.Helper()
	ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`!!document.querySelector(`+quote(selector)+`)`))
	require.NoError(b.t, err)
	return ok
}

func quote(s string) string { return "`" + s + "`" }

// text returns the visible text of an element, or "" if there is none.
func (b *browser) text(selector string) string {
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(document.querySelector(`+quote(selector)+
		`)||{}).innerText||""`))
	if err != nil {
		return err.Error()
	}
	return s
}

// attribute returns an attribute of an element, or "" if there is none.
func (b *browser) attribute(selector, name string) string {
	b.t.Helper()
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`((document.querySelector(`+quote(selector)+
		`)||{getAttribute(){}}).getAttribute(`+quote(name)+`))||""`))
	require.NoError(b.t, err)
	return s
}

func (b *browser) url() string {
	s, err := chromedp.Run(b.ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return s
}

// shot saves a picture of the page in the folder named by POSTHORN_SHOTS, if it is set.
func (b *browser) shot(name string) {
	b.t.Helper()
	if os.Getenv("POSTHORN_SHOTS") == "" {
		return
	}
	b.keep(name, chromedp.FullScreenshot(100))
}

// window saves a picture of the visible part of the page, as shot does of the whole page.
func (b *browser) window(name string) {
	b.t.Helper()
	if os.Getenv("POSTHORN_SHOTS") != "" {
		b.keep(name, chromedp.CaptureScreenshot())
	}
}

func (b *browser) keep(name string, take chromedp.Action[[]byte]) {
	b.t.Helper()
	dir := os.Getenv("POSTHORN_SHOTS")
	png, err := chromedp.Run(b.ctx, take)
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(dir, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

// is signs the browser in as a person, or makes it a stranger's, with an empty session.
func (b *browser) is(base, lang, session string) {
	b.t.Helper()
	b.open(base + "/robots.txt") // so that no page is mistaken for an earlier one at the same address
	b.script(`document.cookie = "lang=` + lang + `; path=/"; document.cookie = "posthorn=` + session +
		`; path=/"; null`)
}

// looks shows pages as to somebody who prefers light or dark.
func (b *browser) looks(scheme string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}
