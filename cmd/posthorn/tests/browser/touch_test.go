package browser

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// turns returns how many turns of a game a browser test plays; in the long form, all of them.
func turns(some int) int {
	if os.Getenv("POSTHORN_LONG") == "1" {
		return 1000
	}
	return some
}

// across plays some turns of each game, or all of it, pressing the page in one of the possible ways.
func across(t *testing.T, some int, way func(f *finger)) {
	standIn := domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"}
	tables := []string{"carcassonne", "catan", "rivals"}
	if turns(some) != some {
		// only in the long form
		tables = append(tables, "catan for three", "rivals: gold", "rivals: turmoil", "rivals: progress",
			"rivals: duel")
	}
	for _, table := range tables {
		t.Run(table, func(t *testing.T) {
			game, seats, choices := table, 2, domain.Choices(nil)
			if of, _, three := strings.Cut(table, " for "); three {
				game, seats = of, 3
			}
			if of, play, other := strings.Cut(table, ": "); other {
				game, choices = of, domain.Choices{"play": play}
			}
			t.Parallel()
			f := sitting(t, strings.NewReplacer(" ", "-", ":", "").Replace(table),
				desk.NewTable{Rulebook: game, Choices: choices, Pace: "weekly",
					Places: append([]domain.TablePlace{{}}, slices.Repeat([]domain.TablePlace{standIn}, seats-1)...)})
			way(f)
			f.play(turns(some))
			t.Logf("%d moves; presses a move: median %d, most %d; a turn: median %d, most %d: %v", f.moves,
				median(f.each), slices.Max(f.each), median(f.presses), slices.Max(f.presses), f.presses)
			t.Logf("asked at once: median %d, most %d; before the first turn: %d; between: %v; moves and presses "+
				"by their first word: %v", median(f.visits), slices.Max(f.visits), f.founding, f.between, f.tally)
			if game == "rivals" { // a turn has many moves there, most of them a choice and the bar
				require.LessOrEqual(t, median(f.each), 2, "an ordinary move")
			}
			if len(f.presses) <= 9 { // too few to say what is ordinary
				return
			}
			require.LessOrEqual(t, median(f.each), 3, "an ordinary move")
			if game == "rivals" { // what is asked at once, as in one mail; a turn has as many moves as its player likes
				require.LessOrEqual(t, median(f.visits), 3, "what is asked at once")
			}
			if game == "carcassonne" || game == "catan" && seats > 2 {
				// elsewhere a turn has as many moves as its player likes
				require.LessOrEqual(t, median(f.presses), 3, "an ordinary turn")
			}
		})
	}
}

func median(list []int) int { return slices.Sorted(slices.Values(list))[len(list)/2] }

// Each game is played by touch on a phone, and what must be pressed next is never off the screen: not when the page
// opens, nor after any press.
func TestByTouchNothingAskedForIsOffTheScreen(t *testing.T) {
	t.Parallel()
	across(t, 3, func(f *finger) { f.always = true })
}

// With the keyboard alone, Tab reaches what must be pressed, and Enter presses it, in every window.
func TestByKeyboardAlone(t *testing.T) {
	t.Parallel()
	across(t, 2, func(f *finger) { f.press, f.windows = f.enter, len(windows) })
}

// Without scripts the same pages lead through the same turns, and what is asked is in sight, too.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	across(t, 2, func(f *finger) {
		f.plain = true
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			_, err := cdp.Call(ctx, to, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true})
			return err
		}))
		f.open(f.p.Base + "/t/" + f.table.String())
	})
}

// enter moves from the top of the page to the marked element with the Tab key alone, and presses Enter.
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
