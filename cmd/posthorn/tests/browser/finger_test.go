package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	catan "posthorn/domain/catan/state"
	"posthorn/domain/rivals/state"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
)

// finger plays one seat of a table on the table's own page, press by press. A player that sees the log, but only what
// the seat may know, chooses the moves.
type finger struct {
	*browser
	p       *posthorntest.Running
	offline folder.Offline
	table   events.Name
	name    string // of its pictures
	// press presses the element with the id "pressed": by touch, by key, or in any other way.
	press    func()
	always   bool              // leaves to the house for good what it can, such as the dice, as soon as this is offered
	plain    bool              // the page runs no script: reload it to see what the others did
	gambles  bool              // exchanges cards blindly, too
	moves    int               // moves played
	presses  []int             // presses in each turn of its own
	founding int               // presses before the first turn, in the Rivals
	visits   []int             // presses for each visit: everything asked until others are needed
	between  []int             // presses for each question in another's turn
	each     []int             // presses for each move
	tally    map[string][2]int // by the first word of a move: how many such moves, and how many presses they took
	tapped   box               // the last touch
	last     time.Time         // and its time
	shots    int
	windows  int                 // how many windows each page is looked at in
	frames   [len(windows)]frame // of the first page that asked something, for each window
}

// sitting starts a house with a table where Ana sits among stand-ins, and opens its page as Ana.
func sitting(t *testing.T, name string, table desk.NewTable, beside ...someone) *finger {
	t.Helper()
	data := t.TempDir()
	at := gather(t, data, table, append(friends[:1:1], beside...)...)
	f := &finger{browser: newBrowser(t, 390, 844),
		p: posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "serve", "--data", data, "--pause", "1ms",
			"--patience", "1ms"), table: at, name: name, tally: map[string][2]int{}}
	f.press, f.windows = f.tap, 1
	var err error
	f.offline, err = folder.OpenOffline(context.Background(), data, false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.offline.Log.Close()) })
	f.signIn(f.p, friends[0].address)
	f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return err
	}))
	f.open(f.p.Base + "/t/" + at.String())
	return f
}

// play plays the given number of Ana's turns, or to the end.
func (f *finger) play(turns int) {
	f.t.Helper()
	turn, serial := "", 0
	for {
		look, open, ended := f.awaited()
		if ended {
			return
		}
		if now := turnOf(look, open); now != turn {
			if len(f.presses) == turns {
				return
			}
			switch turn = now; {
			case strings.HasPrefix(now, "between"):
				f.between = append(f.between, 0)
			case now != "founding":
				f.presses = append(f.presses, 0)
			}
		}
		if open.Serial != serial || len(f.visits) == 0 {
			serial, f.visits = open.Serial, append(f.visits, 0)
		}
		f.make(look, open)
		pressed := f.each[len(f.each)-1]
		f.visits[len(f.visits)-1] += pressed
		switch {
		case strings.HasPrefix(turn, "between"):
			f.between[len(f.between)-1] += pressed
		case turn == "founding":
			f.founding += pressed
		default:
			f.presses[len(f.presses)-1] += pressed
		}
	}
}

// turnOf returns the turn that a decision belongs to. A turn of the Rivals is everything decided from the dice to the
// exchange of a card, even if the opponent answers something meanwhile; questions in the opponent's turn lie between
// turns.
func turnOf(look desk.Look, o domain.Open) string {
	switch s := look.Line.State.(type) {
	case *state.State:
		switch {
		case s.Turn == 0: // not part of the first turn, although both have numbers
			return "founding"
		case s.Active == o.Seat:
			return fmt.Sprint("turn ", s.Turn)
		}
		return fmt.Sprint("between ", o.Serial)
	case *catan.State:
		if s.Phase != catan.PhaseFound && domain.Seat(s.Active) != o.Seat {
			return fmt.Sprint("between ", o.Serial)
		}
		return fmt.Sprint("turn ", s.Stint)
	}
	return fmt.Sprint("turn ", o.Serial)
}

// awaited waits until Ana is asked and the page asks her.
func (f *finger) awaited() (desk.Look, domain.Open, bool) {
	f.t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(5 * time.Millisecond) {
		look, err := f.offline.Desk.Look(context.Background(), f.table)
		require.NoError(f.t, err)
		if look.Table.Status == domain.TableEnded {
			return look, domain.Open{}, true
		}
		if look.Line == nil {
			continue
		}
		for _, o := range look.Line.Awaited() {
			if o.Seat == 0 && !f.obeyed(look, o) && f.shows(look.Line.Version) {
				return look, o, false
			}
		}
	}
	look, err := f.offline.Desk.Look(context.Background(), f.table)
	require.NoError(f.t, err)
	asked := fmt.Sprintf("; lines: %+v", look.Table.Lines)
	for _, o := range look.Line.Awaited() {
		asked += fmt.Sprintf("; %v is asked %q, their orders answer: %v", o.Seat, o.Kind, o.Seat == 0 &&
			f.obeyed(look, o))
	}
	if orders, err := f.offline.Desk.Orders(context.Background(), f.table, 0,
		look.Table.Places[0].Holders[0]); err == nil {
		asked += fmt.Sprintf("; orders %+v on line %s", orders, look.LineName)
	}
	_ = f.p.Cmd.Process.Signal(syscall.SIGQUIT) // makes it print its goroutines
	<-f.p.Done
	f.t.Fatalf("nothing is asked: the log is at version %d, the page at %s%s\n%s", look.Line.Version,
		f.attribute(".game", "data-version"), asked, f.p.Log)
	return desk.Look{}, domain.Open{}, false
}

// obeyed reports whether Ana's standing orders answer, so that the house needs only a moment.
func (f *finger) obeyed(look desk.Look, o domain.Open) bool {
	f.t.Helper()
	obeys, err := f.offline.Desk.Obeys(context.Background(), look, o)
	require.NoError(f.t, err)
	return obeys
}

// shows reports whether the page shows a version of the line. Without scripts it reloads the page.
func (f *finger) shows(version uint64) bool {
	f.t.Helper()
	now := fmt.Sprint(version)
	if f.attribute(".game", "data-version") != now && f.plain {
		f.open(f.p.Base + "/t/" + f.table.String())
	}
	return f.attribute(".game", "data-version") == now
}

// leave leaves the dice to the house from now on, if the page offers that beside them. It counts as a move.
func (f *finger) leave() bool {
	f.t.Helper()
	if !f.always || !f.has("#turn button.always") {
		return false
	}
	f.script(`document.querySelectorAll("#pressed").forEach(e => e.removeAttribute("id")); document.querySelector("#turn button.always").id = "pressed"; null`)
	f.picture("always")
	f.seen("rolling for good")
	f.press()
	f.each, f.moves, f.always = append(f.each, 1), f.moves+1, false
	return true
}

// make makes a move by pressing what leads to it.
func (f *finger) make(look desk.Look, o domain.Open) {
	f.t.Helper()
	if f.leave() {
		return
	}
	seed := fnv.New64()
	_, _ = seed.Write([]byte(f.table.String()))
	luck := seed.Sum64() + look.Line.Version
	move := f.choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, luck))
	require.NotNil(f.t, move, "%v has no move", o)
	move = lookedAt(look, o.Seat, move)
	notation := look.Rulebook.FormatMove(move, nil)
	if all := f.chain(look, o.Seat, notation, luck); all != "" {
		notation = all
	}
	var keys []string
	for _, s := range look.Rulebook.Steps(look.Line.State, move) {
		keys = append(keys, s.Key)
	}
	f.picture(o.Kind)
	f.large()
	f.framedIn(f.windows)
	f.each = append(f.each, 0)
	for range len(keys) + 4 {
		what := f.towards(keys, notation)
		require.NotEmpty(f.t, what, "nothing leads to %s\n%s", notation, f.text("main"))
		if !f.has("#pressed") { // the page has refreshed itself meanwhile
			continue
		}
		f.seen(notation)
		f.press()
		f.each[len(f.each)-1]++
		after, err := f.offline.Desk.Look(context.Background(), f.table)
		require.NoError(f.t, err)
		if what == "move" || after.Line.Version > look.Line.Version {
			// pressing a place on the board plays the move there
			break
		}
		f.picture(what)
		f.framed(0)
	}
	f.moves++
	switch {
	case f.plain:
	case look.Table.Rulebook == "rivals":
		require.LessOrEqual(f.t, f.each[len(f.each)-1],
			pressesOfRivals(look.Rulebook, look.Line.State, o.Seat, move, notation), notation)
	case look.Table.Rulebook == "catan":
		require.LessOrEqual(f.t, f.each[len(f.each)-1],
			pressesOf(look.Rulebook, look.Line.State, o.Seat, move, notation), notation)
	}
	verb, pressed := o.Kind+": "+strings.Fields(notation)[0], f.tally[o.Kind+": "+strings.Fields(notation)[0]]
	f.tally[verb] = [2]int{pressed[0] + 1, pressed[1] + f.each[len(f.each)-1]}
	for deadline := time.Now().Add(posthorntest.Patient); ; time.Sleep(5 * time.Millisecond) {
		after, err := f.offline.Desk.Look(context.Background(), f.table)
		require.NoError(f.t, err)
		if after.Line.Version > look.Line.Version {
			return
		}
		require.True(f.t, time.Now().Before(deadline), "pressing does not play %s\n%s", notation, f.text("main"))
	}
}

// lookedAt returns the move that is offered in place of one that looks the same: a page offers each look once.
func lookedAt(look desk.Look, seat domain.Seat, move domain.Move) domain.Move {
	keys := func(m domain.Move) (list []string) {
		for _, s := range look.Rulebook.Steps(look.Line.State, m) {
			list = append(list, cmp.Or(s.Like, s.Key))
		}
		return list
	}
	want := keys(move)
	for m := range look.Rulebook.Legal(look.Line.State, seat) {
		if slices.Equal(want, keys(m)) { // of moves that look alike, the one listed first
			return m
		}
	}
	return move
}

// towards marks the next element to press for a move, and returns its kind: "move" plays it, "choice" is a step on the
// way, "list" opens the list with the step, and "" means there is nothing.
func (f *finger) towards(keys []string, notation string) string {
	f.t.Helper()
	list, err := json.Marshal(keys)
	require.NoError(f.t, err)
	found, err := chromedp.Run(f.ctx, chromedp.Evaluate[string](`((keys, notation) => {
		document.querySelectorAll("#pressed").forEach(e => e.removeAttribute("id"));
		const mark = (e, what) => { e.id = "pressed"; return what; };
		const always = document.querySelector("#turn button[form=always]"); // what answers this always, whoever has played before
		if (always && /^(roll|pay)/.test(notation)) return mark(always, "move");
		for (const e of document.querySelectorAll('.game button[name=move]')) if (e.value === notation && e.getClientRects().length && !e.closest("details:not([open])")) return mark(e, "move");
		const confirmed = document.querySelector('form.confirm input[name=move]');
		if (confirmed && confirmed.value === notation) return mark(confirmed.form.querySelector("button.go"), "move");
		const now = new URL(location.href).searchParams.getAll("c");
		for (const a of document.querySelectorAll('.game a[href*="play="]')) if (new URL(a.href, location.href).searchParams.get("play") === notation && a.getClientRects().length) {
			const shut = a.closest("details:not([open])"); // what is in it has a place, too
			return shut ? mark(shut.querySelector("summary"), "list") : mark(a, "choice");
		}
		const on = c => c.length <= keys.length && c.every((k, i) => k === keys[i]);
		let best = null, far = on(now) ? now.length : 0;
		for (const a of document.querySelectorAll('.game a[href*="c="]')) {
			const c = new URL(a.href.baseVal || a.href, location.href).searchParams.getAll("c");
			// What lies far below is pressed in the bar, where it is listed for that.
			const nearer = best && c.length === far && best.closest(".rest") && a.closest("#turn");
			if (on(c) && (c.length > far || nearer)) { best = a; far = c.length; }
		}
		if (best) {
			const shut = best.closest("details:not([open])");
			return shut ? mark(shut.querySelector("summary"), "list") : mark(best, "choice");
		}
		for (const e of document.querySelectorAll('.game details:not([open]) button[name=move]')) if (e.value === notation) return mark(e.closest("details").querySelector("summary"), "list");
		const turns = document.querySelector("#turn .bar a.turns"); // a tile is turned until it lies as it should
		if (turns && now[0] === keys[0] && now[1] !== keys[1]) return mark(turns, "choice");
		const trades = document.querySelector("#turn a.trades"); // the bank's stand where a trade begins
		if (trades && notation.startsWith("bank")) return mark(trades, "choice");
		const again = document.querySelector("#turn a.again");
		return !on(now) && again ? mark(again, "choice") : "";
	})(`+string(list)+`, `+quote(notation)+`)`))
	require.NoError(f.t, err)
	return found
}

// box is where an element is in the window, and whether a finger on its middle would touch it.
type box struct {
	X, Y, Width, Height float64
	Touched             bool
	Under               bool   // partly under the bar at the foot of the window
	Over                string // what covers it
}

// middle returns the box of the marked element. It scrolls a list to it, as a finger would, but not the page.
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
		const bar = document.getElementById("turn"), low = !!bar && !bar.contains(e) && getComputedStyle(bar).position === "sticky" && r.bottom > bar.getBoundingClientRect().top + .5;
		return {X: r.x, Y: r.y, Width: r.width, Height: r.height, Under: low && bar.getClientRects().length > 0, Touched: !!at && (e === at || e.contains(at)), Over: at ? at.parentElement.outerHTML.slice(0, 200) : ""};
	})()`))
	require.NoError(f.t, err)
	return b
}

// seen asserts that the element to press is in the window.
func (f *finger) seen(what string) {
	f.t.Helper()
	b := f.middle()
	if !b.Touched || b.Under || b.X < 0 || b.Y < 0 || b.X+b.Width > 390.5 || b.Y+b.Height > 844.5 {
		f.window(f.name + "-off-screen")
		f.t.Fatalf("what leads to %s is not in sight: %+v\n%s", what, b, f.text("main"))
	}
}

// tap touches the middle of the marked element.
func (f *finger) tap() {
	f.t.Helper()
	b := f.middle()
	if math.Hypot(b.X-f.tapped.X, b.Y-f.tapped.Y) < 100 {
		// two quick taps at one place are a double tap, which the page ignores
		time.Sleep(time.Until(f.last.Add(500 * time.Millisecond)))
	}
	f.tapped, f.last = b, time.Now()
	f.leads(func() {
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			down := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart,
				TouchPoints: []*input.TouchPoint{{X: b.X + b.Width/2, Y: b.Y + b.Height/2}}}
			if _, err := cdp.Call(ctx, to, input.DispatchTouchEvent, down); err != nil {
				return err
			}
			_, err := cdp.Call(ctx, to, input.DispatchTouchEvent,
				input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd,
					TouchPoints: []*input.TouchPoint{}})
			return err
		}))
	})
}

// leads runs do and waits for its effect: another page, another state of this page, or a list.
func (f *finger) leads(do func()) {
	f.t.Helper()
	if tag := f.attribute("#pressed", "data-larger"); tag != "" {
		f.t.Fatal("that is no choice")
	}
	open, err := chromedp.Run(f.ctx,
		chromedp.Evaluate[bool](`document.getElementById("pressed").tagName === "SUMMARY"`))
	require.NoError(f.t, err)
	if !open {
		f.script(`document.querySelector(".game").dataset.old = "1"; null`)
	}
	do()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(5 * time.Millisecond) {
		fresh, err := chromedp.Run(f.ctx,
			chromedp.Evaluate[bool](`document.readyState === "complete" && !!document.querySelector(".game:not([data-old])")`))
		if err == nil && fresh {
			return
		}
	}
	f.t.Fatal("pressing leads nowhere")
}

// large asserts that everything pressable on a board is as large as a fingertip, wherever it lies. Without scripts,
// which bring up what matters, a board is shown whole, and its targets are at least 24 pixels wide. Where two meet, the
// nearer one is pressed, and less is enough.
func (f *finger) large() {
	f.t.Helper()
	least := 43.5
	if f.plain {
		least = 24
	}
	small, err := chromedp.Run(f.ctx,
		chromedp.Evaluate[[]string](`(all => all.filter(([r]) => r.width && Math.min(r.width, r.height) < `+fmt.Sprint(least)+`)
		.filter(([r]) => Math.min(r.width, r.height) < `+fmt.Sprint(min(least, 36))+` || !all.some(([o]) => o !== r && o.left < r.right + 1 && o.right > r.left - 1 && o.top < r.bottom + 1 && o.bottom > r.top - 1))
		)(Array.from(document.querySelectorAll(".board-box svg a.spot .area, .panel svg a.spot .area")).map(e => [e.getBoundingClientRect(), e.closest("a")]))
		.map(([r, a]) => r.width.toFixed(1) + " x " + r.height.toFixed(1) + " " + a.getAttribute("href"))`))
	require.NoError(f.t, err)
	if len(small) > 0 {
		how, _ := chromedp.Run(f.ctx, chromedp.Evaluate[string](
			`(() => { const b = document.querySelector(".board-box"), s = b.querySelector("svg.board"); return [b.className, innerWidth, innerHeight, b.clientWidth, b.clientHeight, s.getAttribute("viewBox"), s.getBoundingClientRect().width, s.getBoundingClientRect().height, b.querySelector("a.spot .area").outerHTML].join(" | ") })()`))
		f.t.Log(how)
		f.picture("small")
	}
	require.Empty(f.t, small, "too small for a finger")
}

// picture saves a picture of the visible part of the page.
func (f *finger) picture(what string) {
	f.t.Helper()
	f.shots++
	f.window(fmt.Sprintf("%s-%03d-%s", f.name, f.shots, what))
}
