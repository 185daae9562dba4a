package browser

import (
	"fmt"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// frame is where the parts of a page stand that ask for something.
type frame struct {
	Undo, Act string   // the boxes of the two, in pixels
	Over      string   // by how much the page is higher or wider than the window; "" if it is not
	Out       []string // parts that are not wholly in the window, each with its box
	Plays     []string // what sends a move outside the bar
}

// windows are a phone's, the same one's with the browser's own bars, and a desk's.
var windows = [...][2]int64{{390, 844}, {390, 664}, {1366, 768}}

// framedIn asserts in the first n windows what framed does in one. A touch that follows a change of the window may get
// lost in Chromium: only whoever presses keys looks at more than one.
func (f *finger) framedIn(n int) {
	f.t.Helper()
	for i := n - 1; i >= 0; i-- { // the first is the one that is pressed in
		if n > 1 {
			f.do(chromedp.EmulateViewport(windows[i][0], windows[i][1]))
		}
		f.framed(i)
	}
}

// framed asserts that all that is asked stands in the window, that nothing scrolls, that a step back and the act are
// where they always are in this window, and that nothing else sends a move. On a desk the story and the settings follow
// below the window.
func (f *finger) framed(window int) {
	f.t.Helper()
	now, err := chromedp.Run(f.ctx, chromedp.Evaluate[frame](`(() => {
		const turn = document.querySelector("#turn .turn"), bar = turn && turn.querySelector(".bar");
		if (!bar || !document.querySelector(".framed")) return {Out: ["no bar: " + (document.querySelector("h1") || {}).textContent]};
		const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(n => n.toFixed(1)).join(" "); };
		const page = document.scrollingElement, over = [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth];
		const within = e => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= -.5 && r.left >= -.5 && r.bottom <= innerHeight + .5 && r.right <= innerWidth + .5; };
		const parts = [...document.querySelectorAll(".frame-head, #now h1, .framed ul.strip, .board-frame, .bar > *, " + (innerWidth < 960 ? ".turn-column > .panels" : ".framed:has(.board-frame .sized) .rest .panel, .of-hand:not(:has(~ .of-found), .of-found ~ *)"))].filter(e => getComputedStyle(e).visibility !== "hidden" && e.getClientRects().length);
		return {
			Undo: box(bar.firstElementChild), Act: box(bar.lastElementChild),
			Over: innerWidth < 960 && over.some(n => n > 0) ? over.join(" by ") + ": " + [...document.querySelectorAll(".frame-head, .table-head, ul.strip, .board-frame, .panels, .ways, .bar, main, .game")].map(e => e.className + " " + box(e)).join("; ") : "",
			Out: parts.filter(e => !within(e) || e.matches(".panel, .panels") && !turn.contains(e) && e.closest(".turn-column") && e.getBoundingClientRect().bottom > turn.getBoundingClientRect().top + .5).map(e => e.className + " " + box(e)),
			Plays: [...document.querySelectorAll(".game button[name=move]")].filter(e => e.getClientRects().length && !e.closest(".bar, .more-keys")).map(e => e.outerHTML),
		};
	})()`))
	require.NoError(f.t, err)
	first := &f.frames[window]
	if first.Act == "" {
		*first = now
	}
	if now.Over != "" || len(now.Out)+len(now.Plays) > 0 || now.Undo != first.Undo || now.Act != first.Act {
		f.window(fmt.Sprintf("%s-unframed", f.name))
		f.t.Fatalf("%v pixels at %s\nbefore: %+v\nnow:    %+v\n%s", windows[window], f.url(), *first, now,
			f.text("main"))
	}
}
