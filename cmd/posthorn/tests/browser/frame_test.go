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

// framed asserts that all that is asked stands in the window, that nothing scrolls, that a step back and the act are
// where they always are, and that nothing else sends a move.
func (f *finger) framed() {
	f.t.Helper()
	now, err := chromedp.Run(f.ctx, chromedp.Evaluate[frame](`(() => {
		const turn = document.querySelector("#turn .turn"), bar = turn && turn.querySelector(".bar");
		if (!bar || !document.querySelector(".framed")) return {Out: ["no bar: " + (document.querySelector("h1") || {}).textContent]};
		const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(n => n.toFixed(1)).join(" "); };
		const page = document.scrollingElement, over = [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth];
		const within = e => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= -.5 && r.left >= -.5 && r.bottom <= innerHeight + .5 && r.right <= innerWidth + .5; };
		const parts = [...document.querySelectorAll(".frame-head, #now h1, .framed ul.strip, .board-frame, .turn-column > .panels, .bar > *")].filter(e => getComputedStyle(e).visibility !== "hidden" && e.getClientRects().length);
		return {
			Undo: box(bar.firstElementChild), Act: box(bar.lastElementChild),
			Over: over.some(n => n > 0) ? over.join(" by ") + ": " + [...document.querySelectorAll(".frame-head, .table-head, ul.strip, .board-frame, .panels, .ways, .bar, main, .game")].map(e => e.className + " " + box(e)).join("; ") : "",
			Out: parts.filter(e => !within(e)).map(e => e.className + " " + box(e)),
			Plays: [...document.querySelectorAll(".game button[name=move]")].filter(e => e.getClientRects().length && !e.closest(".bar, .more-keys")).map(e => e.outerHTML),
		};
	})()`))
	require.NoError(f.t, err)
	if f.frame.Act == "" {
		f.frame = now
	}
	if now.Over != "" || len(now.Out)+len(now.Plays) > 0 || now.Undo != f.frame.Undo || now.Act != f.frame.Act {
		f.window(fmt.Sprintf("%s-unframed", f.name))
		f.t.Fatalf("at %s\nbefore: %+v\nnow:    %+v\n%s", f.url(), f.frame, now, f.text("main"))
	}
}
