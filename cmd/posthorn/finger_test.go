package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
)

// finger plays one seat of a table on the table's own page, press by press. Which move is made a
// player decides who looks at the log with no more than the seat may know.
type finger struct {
	*browser
	p     *running
	cab   cabinet
	table events.Name
	name  string // of its pictures
	// press presses what the page has marked with the id "pressed": by touch, by key, or however the test wants it.
	press   func()
	plain   bool  // the page runs no script: it is read again to see what the others did
	moves   int   // that were played
	presses []int // by turn: how often the page was pressed
	each    []int // by move
	shots   int
}

// sitting starts a house with a table at which Ana sits among stand-ins, and opens its page as hers.
func sitting(t *testing.T, name string, table events.NewTable) *finger {
	t.Helper()
	data := t.TempDir()
	at := gather(t, data, table, friends[0])
	f := &finger{browser: newBrowser(t, 390, 844), p: start(t, binary(t), "127.0.0.1:0", "serve", "--data", data, "--pause", "1ms", "--patience", "1ms"), table: at, name: name}
	f.press = f.tap
	var err error
	f.cab, err = openCabinet(context.Background(), data, false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.cab.log.Close()) })
	f.signIn(f.p, friends[0].address)
	f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return err
	}))
	f.open(f.p.base + "/t/" + at.String())
	return f
}

// play plays so many turns of Ana's, or to the end.
func (f *finger) play(turns int) {
	f.t.Helper()
	serial := -1
	for {
		look, open, ended := f.awaited()
		if ended {
			return
		}
		if open.Serial != serial || len(f.presses) == 0 {
			if len(f.presses) == turns {
				return
			}
			serial, f.presses = open.Serial, append(f.presses, 0)
		}
		f.make(look, open)
	}
}

// awaited waits until Ana is asked, and until the page asks her.
func (f *finger) awaited() (events.Look, domain.Open, bool) {
	f.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		look, err := f.cab.desk.Look(context.Background(), f.table)
		require.NoError(f.t, err)
		if look.Table.Status == domain.TableEnded {
			return look, domain.Open{}, true
		}
		if look.Line == nil {
			continue
		}
		for _, o := range look.Line.Awaited() {
			if o.Seat == 0 && f.shows(look.Line.Version) {
				return look, o, false
			}
		}
	}
	f.t.Fatalf("nothing is asked: %s", f.p.log)
	return events.Look{}, domain.Open{}, false
}

// shows tells whether the page shows a version of the line; where no script does so it is read again.
func (f *finger) shows(version uint64) bool {
	f.t.Helper()
	now := fmt.Sprint(version)
	if f.attribute(".game", "data-version") != now && f.plain {
		f.open(f.p.base + "/t/" + f.table.String())
	}
	return f.attribute(".game", "data-version") == now
}

// make makes a move by pressing what leads to it.
func (f *finger) make(look events.Look, o domain.Open) {
	f.t.Helper()
	seed := fnv.New64()
	_, _ = seed.Write([]byte(f.table.String()))
	move, ok := standin.Steady{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, seed.Sum64()+look.Line.Version))
	require.True(f.t, ok, "%v has no move", o)
	notation := look.Rulebook.FormatMove(move, nil)
	var keys []string
	for _, s := range look.Rulebook.Steps(look.Line.State, move) {
		keys = append(keys, s.Key)
	}
	f.picture(o.Kind)
	f.each = append(f.each, 0)
	for range len(keys) + 4 {
		what := f.towards(keys, notation)
		require.NotEmpty(f.t, what, "nothing leads to %s\n%s", notation, f.text("main"))
		f.seen(notation)
		f.press()
		f.presses[len(f.presses)-1]++
		f.each[len(f.each)-1]++
		if what == "move" {
			break
		}
		f.picture(what)
	}
	f.moves++
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		after, err := f.cab.desk.Look(context.Background(), f.table)
		require.NoError(f.t, err)
		if after.Line.Version > look.Line.Version {
			return
		}
		require.True(f.t, time.Now().Before(deadline), "pressing does not play %s\n%s", notation, f.text("main"))
	}
}

// towards marks what is to be pressed next for a move, and says what it is: "move" plays it, "choice"
// is a step on the way, "list" opens the list that has the step; "" if there is nothing.
func (f *finger) towards(keys []string, notation string) string {
	f.t.Helper()
	list, err := json.Marshal(keys)
	require.NoError(f.t, err)
	found, err := chromedp.Run(f.ctx, chromedp.Evaluate[string](`((keys, notation) => {
		document.querySelectorAll("#pressed").forEach(e => e.removeAttribute("id"));
		const mark = (e, what) => { e.id = "pressed"; return what; };
		for (const e of document.querySelectorAll('.game button[name=move]')) if (e.value === notation && e.getClientRects().length) return mark(e, "move");
		const confirmed = document.querySelector('form.confirm input[name=move]');
		if (confirmed && confirmed.value === notation) return mark(confirmed.form.querySelector("button.go"), "move");
		const now = new URL(location.href).searchParams.getAll("c");
		const on = c => c.length <= keys.length && c.every((k, i) => k === keys[i]);
		let best = null, far = on(now) ? now.length : 0;
		for (const a of document.querySelectorAll('.game a[href*="c="]')) {
			const c = new URL(a.href.baseVal || a.href, location.href).searchParams.getAll("c");
			if (on(c) && c.length > far) { best = a; far = c.length; }
		}
		if (best) {
			const shut = best.closest("details:not([open])");
			return shut ? mark(shut.querySelector("summary"), "list") : mark(best, "choice");
		}
		const again = document.querySelector(".game a.again");
		return !on(now) && again ? mark(again, "choice") : "";
	})(`+string(list)+`, `+quote(notation)+`)`))
	require.NoError(f.t, err)
	return found
}

// box is where something stands in the window, and whether a finger at its middle would touch it.
type box struct {
	X, Y, Width, Height float64
	Touched             bool
	Over                string // what lies there
}

// middle is the box of what is marked. What lies in a list that is looked through is brought up there, as a
// finger would; the page itself stays.
func (f *finger) middle() box {
	f.t.Helper()
	b, err := chromedp.Run(f.ctx, chromedp.Evaluate[box](`(() => {
		const e = document.getElementById("pressed");
		const inner = e.querySelector(".area") || e;
		for (let s = e.parentElement; s && s !== document.body; s = s.parentElement) {
			const style = getComputedStyle(s);
			if (/auto|scroll/.test(style.overflowY + style.overflowX) && (s.scrollHeight > s.clientHeight || s.scrollWidth > s.clientWidth)) {
				const a = inner.getBoundingClientRect(), b = s.getBoundingClientRect();
				s.scrollBy({left: a.left + a.width / 2 - b.left - b.width / 2, top: a.top + a.height / 2 - b.top - b.height / 2, behavior: "instant"});
			}
		}
		const r = inner.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		const at = document.elementFromPoint(x, y);
		return {X: r.x, Y: r.y, Width: r.width, Height: r.height, Touched: !!at && (e === at || e.contains(at)), Over: at ? at.parentElement.outerHTML.slice(0, 200) : ""};
	})()`))
	require.NoError(f.t, err)
	return b
}

// seen asserts that what is to be pressed stands in the window.
func (f *finger) seen(what string) {
	f.t.Helper()
	b := f.middle()
	if !b.Touched || b.X < 0 || b.Y < 0 || b.X+b.Width > 390.5 || b.Y+b.Height > 844.5 {
		f.window(f.name + "-off-screen")
		f.t.Fatalf("what leads to %s is not in sight: %+v\n%s", what, b, f.text("main"))
	}
}

// tap touches the middle of what is marked.
func (f *finger) tap() {
	f.t.Helper()
	b := f.middle()
	f.leads(func() {
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			down := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: b.X + b.Width/2, Y: b.Y + b.Height/2}}}
			if _, err := cdp.Call(ctx, to, input.DispatchTouchEvent, down); err != nil {
				return err
			}
			_, err := cdp.Call(ctx, to, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
			return err
		}))
	})
}

// leads does something and waits for what it leads to: another page, another state of this one, or a list.
func (f *finger) leads(do func()) {
	f.t.Helper()
	if tag := f.attribute("#pressed", "data-larger"); tag != "" {
		f.t.Fatal("that is no choice")
	}
	open, err := chromedp.Run(f.ctx, chromedp.Evaluate[bool](`document.getElementById("pressed").tagName === "SUMMARY"`))
	require.NoError(f.t, err)
	if !open {
		f.script(`document.querySelector(".game").dataset.old = "1"; null`)
	}
	do()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		fresh, err := chromedp.Run(f.ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && !!document.querySelector(".game:not([data-old])")`))
		if err == nil && fresh {
			return
		}
	}
	f.t.Fatal("pressing leads nowhere")
}

// picture keeps what is seen of the page.
func (f *finger) picture(what string) {
	f.t.Helper()
	f.shots++
	f.window(fmt.Sprintf("%s-%03d-%s", f.name, f.shots, what))
}
