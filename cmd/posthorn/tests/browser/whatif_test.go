package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// anything marks what the page offers next, whatever it leads to. It prefers an element that plays a move to one that
// chooses one.
func (f *finger) anything() {
	f.t.Helper()
	found, err := chromedp.Run(f.ctx, chromedp.Evaluate[string](`(() => {
		document.querySelectorAll("#pressed").forEach(e => e.removeAttribute("id"));
		const shown = e => e.getClientRects().length && !e.closest("details:not([open])");
		for (const s of ["form.confirm button.go", "#turn .bar button[name=move]", "#turn ul.options:not(.small) .option", ".board-box a[href*='c=']", "#turn details:not(.word):not([open]) > summary"]) {
			const e = Array.from(document.querySelectorAll(s)).find(shown);
			if (e) { e.id = "pressed"; return s; }
		}
		return "";
	})()`))
	require.NoError(f.t, err)
	require.NotEmpty(f.t, found, "nothing is offered: %s", f.text("main"))
}

// tries makes any move in a sketch, and asserts that each step is in the window.
func (f *finger) tries(comes string) {
	f.t.Helper()
	for range 8 {
		f.anything()
		f.seen("a move in a sketch")
		f.press()
		if f.text(".pager .at") == comes {
			f.picture("tried")
			return
		}
	}
	f.t.Fatalf("nothing was tried: %s", f.text("main"))
}

// Given a game that awaits her, when Ana tries moves on a phone by touch, by keyboard and without scripts, steps back
// and returns, then nothing is played and her sketch is still there; when she then moves with a word, it is said.
func TestWhatIfOnAPhone(t *testing.T) {
	t.Parallel()
	f := sitting(t, "whatif", desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
	look, _, _ := f.awaited()
	game := f.p.Base + "/t/" + f.table.String()
	f.browser.press("#turn .bar button[form=whatif]")
	f.picture("begins")
	f.tries("1 of 1")
	f.press = f.enter
	f.tries("2 of 2")
	f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	f.open(f.url())
	f.press = f.tap
	f.tries("3 of 3")
	f.browser.press("a[rel=prev]")
	require.Equal(t, "2 of 3", f.text(".pager .at"))
	f.open(game + "/sketch")
	require.Equal(t, "3 of 3", f.text(".pager .at"), "as it was left")
	after, err := f.offline.Desk.Look(context.Background(), f.table)
	require.NoError(t, err)
	require.Equal(t, look.Line.Version, after.Line.Version, "nothing was played")

	f.open(game)
	for !f.has("form.confirm") {
		f.anything()
		f.press()
	}
	f.browser.do(chromedp.Click(".word summary"), chromedp.SendKeys(".word input", "watch the monk"))
	f.picture("word")
	f.anything()
	f.seen("the move that carries a word")
	f.press()
	require.Contains(t, f.text("#talk"), "watch the monk")
	f.picture("said")
}
