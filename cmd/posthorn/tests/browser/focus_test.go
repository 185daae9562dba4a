package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desk"
)

// key sends one event of the Enter key.
func (f *finger) key(what input.DispatchKeyEventType, again bool) {
	f.t.Helper()
	f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		p := input.DispatchKeyEventParams{Type: what, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13,
			AutoRepeat: &again}
		if what != input.DispatchKeyEventTypeKeyUp && what != input.DispatchKeyEventTypeRawKeyDown {
			p.Text, p.UnmodifiedText = "\r", "\r"
		}
		_, err := cdp.Call(ctx, to, input.DispatchKeyEvent, p)
		return err
	}))
}

// Given a page with the focus on a choice, when Enter is pressed there and held until long after the next choice has
// the focus, then that one is not pressed as well.
func TestAKeyThatIsHeldPressesOnce(t *testing.T) {
	t.Parallel()
	f := sitting(t, "held", desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
	look, _, _ := f.awaited()
	f.script(`window.fetches = 0; const fetched = fetch; window.fetch = (...all) => { window.fetches++; return fetched(...all); }; null`)
	presses := 0
	for ; !f.has("form.confirm"); presses++ {
		require.Less(t, presses, 8, "the choices lead to no move: %s", f.text("main"))
		f.anything()
		f.script(`document.querySelector("#pressed").focus(); null`)
		f.leads(func() { f.key(input.DispatchKeyEventTypeRawKeyDown, false) })
		at := f.url()
		f.key(input.DispatchKeyEventTypeChar, false)
		for range 5 {
			f.key(input.DispatchKeyEventTypeKeyDown, true)
		}
		f.key(input.DispatchKeyEventTypeKeyUp, false)
		n, err := chromedp.Run(f.ctx, chromedp.Evaluate[int](`window.fetches`))
		require.NoError(t, err)
		require.Equal(t, presses+1, n, "pages asked for")
		require.Equal(t, at, f.url())
	}
	require.True(t, f.has("form.confirm button.go:focus"), "what plays the move has the focus")
	f.script(`document.activeElement.id = "pressed"; null`)
	f.leads(func() { // a new press does press it
		f.key(input.DispatchKeyEventTypeKeyDown, false)
		f.key(input.DispatchKeyEventTypeKeyUp, false)
	})
	after, err := f.offline.Desk.Look(context.Background(), f.table)
	require.NoError(t, err)
	require.Greater(t, after.Line.Version, look.Line.Version)
}

// Given a page used by keyboard, when news refresh it, then the focus stays where it was, or goes to the headline if
// its element is gone.
func TestNewsLeaveTheKeyboardWhereItIs(t *testing.T) {
	t.Parallel()
	f := sitting(t, "news", desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{Kind: domain.SeatPlayer}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
	f.awaited()
	news := func(focus string) string {
		if strings.HasPrefix(focus, "#talk") {
			f.script(`location.hash = "talk"; null`)
		}
		f.script(`document.querySelector(` + quote(focus) + `).focus({preventScroll: true}); null`)
		before := f.attribute(".game", "data-head")
		f.script(`(() => { const form = document.querySelector("#talk form"), said = new FormData(form); said.set("text", "news of ` + focus + `"); return fetch(form.action, {method: "POST", body: new URLSearchParams(said)}); })().then(() => null)`)
		for late := time.Now().Add(posthorntest.Patient); f.attribute(".game",
			"data-head") == before; time.Sleep(5 * time.Millisecond) {
			require.True(t, time.Now().Before(late), "no news: %s", f.text("#talk"))
		}
		at, err := chromedp.Run(f.ctx,
			chromedp.Evaluate[string](`(() => { const e = document.activeElement; return e.matches(`+quote(focus)+
				`) ? "there" : e.outerHTML.slice(0, 200); })()`))
		require.NoError(t, err)
		return at
	}
	for _, focus := range []string{"#turn a[href]", "a[rel=prev]", ".board-box a.spot",
		"#talk summary, #talk button, #talk a"} {
		if f.has(focus) {
			require.Equal(t, "there", news(focus), focus)
		}
	}
	f.open(f.p.Base + "/t/" + f.table.String())
	// What is open stays open, and the board and the page show what was looked at.
	f.script(`location.hash = "talk"; document.querySelectorAll("details.list").forEach(d => d.open = true); scrollTo(0, 400); null`)
	looks := func() string {
		at, err := chromedp.Run(f.ctx, chromedp.Evaluate[string](`(() => { const b = document.querySelector(".board-box"); return [scrollY, b.scrollLeft, b.scrollTop, document.querySelectorAll("details.list[open]").length].join(); })()`))
		require.NoError(t, err)
		return at
	}
	before := looks()
	require.Regexp(t, `^400,.*,[1-9]$`, before)
	require.Equal(t, "there", news("#talk summary, #talk button, #talk a"))
	require.Equal(t, before, looks())
	f.script(`location.hash = "now"; document.querySelector(".board-box").insertAdjacentHTML("afterend", "<button class=gone>Gone</button>"); null`)
	require.Contains(t, news(".gone"), "<h1")
}
