package main

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// turns is how many turns of a game a test in the browser plays; in the long form all of them.
func turns(some int) int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return 1000
	}
	return some
}

// across plays some turns of each game, or all of it, in one of the ways that a page can be pressed.
func across(t *testing.T, some int, way func(f *finger)) {
	standIn := domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"}
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			f := sitting(t, game, events.NewTable{Rulebook: game, Pace: "weekly", Places: []domain.TablePlace{{}, standIn}})
			way(f)
			f.play(turns(some))
			t.Logf("%d moves; presses a move: median %d, most %d; a turn: median %d, most %d: %v", f.moves,
				median(f.each), slices.Max(f.each), median(f.presses), slices.Max(f.presses), f.presses)
			if len(f.presses) <= 10 { // too few to tell what is ordinary
				return
			}
			require.LessOrEqual(t, median(f.each), 3, "an ordinary move")
			if game == "carcassonne" { // where a turn is one move; elsewhere it has as many as its player likes
				require.LessOrEqual(t, median(f.presses), 3, "an ordinary turn")
			}
		})
	}
}

func median(list []int) int { return slices.Sorted(slices.Values(list))[len(list)/2] }

// Each game is played by touch on a phone, and nothing that is to be pressed next is ever off the screen:
// not when the page is opened, nor after any press.
func TestByTouchNothingAskedForIsOffTheScreen(t *testing.T) {
	across(t, 3, func(*finger) {})
}

// By the keyboard alone what is to be pressed is reached and pressed with Enter.
func TestByKeyboardAlone(t *testing.T) {
	across(t, 2, func(f *finger) { f.press = f.enter })
}

// Without scripts the same pages lead through the same turns, and what is asked is in sight as well.
func TestWithoutScripts(t *testing.T) {
	across(t, 2, func(f *finger) {
		f.plain = true
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			_, err := cdp.Call(ctx, to, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
			return err
		}))
		f.open(f.p.base + "/t/" + f.table.String())
	})
}

// enter reaches what is marked from the top of the page with the Tab key alone, and presses Enter.
func (f *finger) enter() {
	f.t.Helper()
	const here = `(() => { const e = document.activeElement, p = document.getElementById("pressed"); return e === p || p.contains(e); })()`
	if f.attribute("#pressed", "data-name") == "" || !f.has("#pressed:focus") {
		f.script(`document.activeElement.blur(); document.querySelector("#now").tabIndex = -1; document.querySelector("#now").focus({preventScroll: true}); null`)
	}
	for range 300 {
		at, err := chromedp.Run(f.ctx, chromedp.Evaluate[bool](here))
		require.NoError(f.t, err)
		if at {
			f.leads(func() { f.do(chromedp.KeyEvent(kb.Enter)) })
			return
		}
		f.do(chromedp.KeyEvent(kb.Tab))
	}
	f.t.Fatalf("the Tab key does not reach %s", f.attribute("#pressed", "outerHTML"))
}
