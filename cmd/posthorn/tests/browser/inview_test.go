package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// fullHouse is a table of the Rivals whose turn asks for as much as a turn can: the largest hand, enough resources to
// exchange everything for everything, and a principality of eleven columns.
const fullHouse = `{"phase":"%s","open":["university"],"first":"A","active":"A","turn":9,"die":2,"face":"harvest","seats":[{"towns":["-1 settlement above storehouse below brick_factory","0 city above library below abbey",
"1 city above grain_ship marketplace below harald lumber_camp","2 settlement above candamir","3 settlement"],"roads":[-1,0,1,2],"hand":[%s],
"regions":["-1a fields1 3","-1b hills5 3","0a forest2 3","0b hills3 0","1a gold_field1 3","1b pasture4 3","2a fields6 0","2b mountains5 3","3a forest4 3","3b pasture6 3","4a gold_field2 3","4b mountains2 3"]},{}]}`

// fullHands are hands of two cards, so that the turn's end draws from any of five stacks and the bar is high; of four,
// the most that may be kept, each of which the turn's end exchanges with any stack; of five, where the turn's end asks
// what to discard and where to exchange each; and of eight, which only a given position has. A card lies open beside
// the stacks, and can be built from there.
var fullHands = map[string]struct{ phase, hand string }{
	"two":      {"act", `"goldsmith","weavers_shop"`},
	"four":     {"act", `"goldsmith","weavers_shop","osmund","ore_ship"`},
	"five":     {"act", `"goldsmith","weavers_shop","osmund","ore_ship","brigitta"`},
	"exchange": {"exchange", `"goldsmith","weavers_shop","osmund","ore_ship","brigitta"`},
	"eight":    {"act", `"goldsmith","weavers_shop","osmund","ore_ship","brigitta","merchant_caravan","parish_hall","toll_bridge"`},
}

// The bar at the foot of the window covers no choice on the boards or in the hand, whatever the hand's size and the
// bar's height, even on narrow phones, and in every language.
func TestNoBarCoversWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	for size, full := range fullHands {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			f := sitting(t, "in-view-"+size,
				desk.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": "progress"}, Pace: "weekly",
					Given:  fmt.Appendf(nil, fullHouse, full.phase, full.hand),
					Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
			widths := []int64{320, 390}
			if os.Getenv("POSTHORN_LONG") == "" { // one of them for each hand
				widths = widths[len(size)%2:][:1]
			}
			for _, width := range widths {
				f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
					_, err := cdp.Call(ctx, to, emulation.SetDeviceMetricsOverride,
						emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 844, DeviceScaleFactor: 1,
							Mobile: true})
					return err
				}))
				for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
					f.speaks(lang)
					require.Equal(t, lang, f.attribute("html", "lang"))
					f.window(fmt.Sprintf("%s-%d-%s", f.name, width, lang))
					asked, covered := f.covered()
					require.NotEmpty(t, asked, "nothing is asked")
					require.Empty(t, covered, "%d wide, %s", width, lang)
					require.Empty(t, f.unasked(), "%d wide, %s", width, lang)
					require.Empty(t, f.unreached(), "%d wide, %s", width, lang)
					require.Empty(t, f.hiding(), "%d wide, %s", width, lang)
				}
			}
		})
	}
}

// While an offer is open, its picture, and what else the seat can do, stand in the panel together: both rows of it, and
// the headline if it has left the window.
func TestAnOpenOfferLeavesAllElseInSight(t *testing.T) {
	t.Parallel()
	f := sitting(t, "in-view-offer",
		desk.NewTable{Rulebook: "catan", Pace: "weekly", Places: make([]domain.TablePlace, 3),
			Given: []byte(`{"phase":"main","active":"A","players":[{"settlements":[8],"roads":[6],"hand":{"wool":3,"brick":4,"lumber":1}},{"settlements":[30],"hand":{"ore":2}},{"settlements":[51],"hand":{"ore":1}}]}`)}, friends[1], friends[2])
	f.open(f.p.Base + "/t/" + f.table.String() + "?m=" + url.QueryEscape("offer 1 wool for 1 ore to B C"))
	f.browser.press("#turn button.go")
	for _, lang := range []string{"en", "pl", "pt-BR", "pt-PT"} {
		f.speaks(lang)
		require.Equal(t, lang, f.attribute("html", "lang"))
		f.window(f.name + "-" + lang)
		cut, err := chromedp.Run(f.ctx, chromedp.Evaluate[[]string](`(() => {
			const ways = document.querySelector("#turn .ways").getBoundingClientRect();
			return ["picture:" + document.querySelectorAll("#turn .of-offers").length, "deeds:" + (document.querySelectorAll("#turn .deed").length >= 4),
				...[...document.querySelectorAll("#turn .deed")].filter(e => e.getBoundingClientRect().bottom > ways.bottom + 1).map(e => e.textContent)];
		})()`))
		require.NoError(t, err)
		require.Equal(t, []string{"picture:1", "deeds:true"}, cut, lang)
		require.Empty(t, f.unasked(), lang)
	}
}

// A desktop shows all cards in rows. A phone has one row to swipe, and hints that there is more.
func TestACardRowIsWholeOnADeskAndHintsAtMoreOnAPhone(t *testing.T) {
	t.Parallel()
	f := sitting(t, "in-rows", desk.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": "progress"},
		Pace:   "weekly",
		Given:  fmt.Appendf(nil, fullHouse, fullHands["eight"].phase, fullHands["eight"].hand),
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
	type row struct {
		Cards, Rows, Hidden int
		Before, After       string
	}
	look := func(width int64) row {
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			_, err := cdp.Call(ctx, to, emulation.SetDeviceMetricsOverride,
				emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 844, DeviceScaleFactor: 1,
					Mobile: width < 900})
			return err
		}))
		f.open(f.p.Base + "/t/" + f.table.String())
		seen, err := chromedp.Run(f.ctx, chromedp.Evaluate[row](`(async () => {
			const panel = document.querySelector(".panel.of-hand"), cards = [...panel.querySelectorAll("svg.panel")];
			const frame = () => new Promise(r => requestAnimationFrame(() => setTimeout(r, 20)));
			const fades = async () => { await frame(); await frame(); const s = getComputedStyle(panel); return s.getPropertyValue("--begin").trim() + " " + s.getPropertyValue("--end").trim(); };
			const before = await fades();
			panel.scrollLeft = 1e4;
			const after = await fades(), b = panel.getBoundingClientRect();
			panel.scrollLeft = 0;
			return {Cards: cards.length, Rows: new Set(cards.map(c => Math.round(c.getBoundingClientRect().top))).size, Before: before, After: after,
				Hidden: cards.filter(c => { const r = c.getBoundingClientRect(); return r.left < b.left - 1 || r.right > b.right + 1; }).length};
		})()`, func(p *runtime.EvaluateParams) { yes := true; p.AwaitPromise = &yes }))
		require.NoError(t, err)
		return seen
	}
	desk := look(1280)
	require.Equal(t, 9, desk.Cards, "the hand, and what lies open beside the stacks")
	require.Greater(t, desk.Rows, 1)
	require.Zero(t, desk.Hidden, "all are seen")
	phone := look(390)
	require.Equal(t, 1, phone.Rows)
	require.NotZero(t, phone.Hidden)
	require.Equal(t, []string{"0px 34px", "34px 0px"}, []string{phone.Before, phone.After})
}

// speaks chooses a language, which stands behind "More".
func (f *finger) speaks(lang string) {
	f.t.Helper()
	f.browser.press(`.languages button[value="` + lang + `"]`)
}

// covered returns the choices on the boards and in the hand, and those of them that are not wholly between the top of
// the window and the bar after swiping to them.
func (f *finger) covered() (asked, covered []string) {
	f.t.Helper()
	list, err := chromedp.Run(f.ctx, chromedp.Evaluate[[2][]string](`(() => {
		const asked = [], found = [], turn = document.getElementById("turn"), edge = turn.getBoundingClientRect().top;
		for (const e of document.querySelectorAll("main a.spot:not([href^='#'])")) {
			const inner = e.querySelector(".area") || e, box = e.closest(".board-box, figure.panel");
			if (!inner.getClientRects().length || turn.contains(e)) continue;
			const a = inner.getBoundingClientRect(), b = box.getBoundingClientRect();
			box.scrollBy({left: a.left + a.width / 2 - b.left - b.width / 2, top: a.top + a.height / 2 - b.top - b.height / 2, behavior: "instant"});
			const r = inner.getBoundingClientRect();
			asked.push(e.getAttribute("href"));
			if (r.top < 0 || r.bottom > edge || r.left < 0 || r.right > innerWidth) found.push(e.getAttribute("href") + ": " + r.left.toFixed(0) + " to " + r.right.toFixed(0) + ", " + r.top.toFixed(0) + " to " + r.bottom.toFixed(0) + " of " + edge.toFixed(0));
		}
		return [asked, found];
	})()`))
	require.NoError(f.t, err)
	return list[0], list[1]
}

// unasked returns the page's question if neither the headline nor the bar shows it in the window.
func (f *finger) unasked() string {
	f.t.Helper()
	text, err := chromedp.Run(f.ctx, chromedp.Evaluate[string](`(() => {
		const asks = document.querySelector("#now h1"), prompt = document.querySelector("#turn .prompt");
		if (!prompt || prompt.textContent !== asks.textContent || asks.getBoundingClientRect().top >= 0) return "";
		const r = prompt.getBoundingClientRect();
		return r.height && r.top >= 0 && r.bottom <= innerHeight ? "" : asks.textContent;
	})()`))
	require.NoError(f.t, err)
	return text
}

// unreached returns the cards that can be exchanged for a chosen card from a stack, under any of several stacks, if
// nothing in sight leads to all these ways.
func (f *finger) unreached() (keys []string) {
	f.t.Helper()
	keys, err := chromedp.Run(f.ctx, chromedp.Evaluate[[]string](`(() => {
		const key = a => new URL(a.href.baseVal || a.href, location.href).searchParams.get("c") || "";
		const all = [...document.querySelectorAll("main a[href]")], bar = document.getElementById("turn");
		const seen = new Set(all.filter(a => bar.contains(a) && a.getClientRects().length).map(key));
		return [...new Set(all.map(key))].filter(k => k.startsWith("search-") && !seen.has(k));
	})()`))
	require.NoError(f.t, err)
	return keys
}

// Without scripts nothing scrolls the page: the choices are above the bar anyway, even below news of two lines.
func TestNoBarCoversWhatIsAskedForWithoutScripts(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"two", "five"} {
		f := sitting(t, "in-view-plain-"+size,
			desk.NewTable{Rulebook: "rivals", Choices: domain.Choices{"play": "progress"}, Pace: "weekly",
				Given:  fmt.Appendf(nil, fullHouse, fullHands[size].phase, fullHands[size].hand),
				Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}})
		f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			_, err := cdp.Call(ctx, to, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true})
			return err
		}))
		f.open(f.p.Base + "/t/" + f.table.String())
		f.script(`document.querySelector(".news").textContent = "Ana pays 1 lumber, 1 wool. Ana builds Large Trade Ship above the right starting town. And so on, and so on."; null`)
		f.window(f.name)
		asked, covered := f.covered()
		require.NotEmpty(t, asked, "nothing is asked")
		require.Empty(t, covered)
	}
}

// Nor does it in Catan, where the panel is high in the midst of a turn and a place lies at the island's lower edge.
func TestNoBarCoversTheIslandWithoutScripts(t *testing.T) {
	t.Parallel()
	f := sitting(t, "in-view-plain-island",
		desk.NewTable{Rulebook: "catan", Pace: "weekly", Places: make([]domain.TablePlace, 3),
			Given: []byte(`{"phase":"main","active":"A","players":[{"settlements":[50],"roads":[66,67,68],"hand":{"wool":5,"brick":5,"lumber":5,"grain":3,"ore":3},"cards":{"knight":3,"roads":2,"plenty":1,"monopoly":1,"point":2}},{"settlements":[30]},{"settlements":[8]}]}`)}, friends[1], friends[2])
	f.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	f.open(f.p.Base + "/t/" + f.table.String())
	f.script(`document.querySelector(".news").textContent = "Ana rolls 5 and 5: 10. Ana gets 1 wool, 2 grain. Bo gets 1 ore. Cyryl gets 2 lumber, 1 brick. And so on, and so on, and so on."; null`)
	f.window(f.name)
	asked, covered := f.covered()
	require.NotEmpty(t, asked, "nothing is asked")
	require.Empty(t, covered)
}

// hiding returns the elements that the bar at the foot of the window covers while they have the focus, with every list
// of the page open (WCAG 2.2, 2.4.11).
func (f *finger) hiding() (found []string) {
	f.t.Helper()
	found, err := chromedp.Run(f.ctx, chromedp.Evaluate[[]string](`(() => {
		const found = [], turn = document.getElementById("turn");
		document.querySelectorAll("main details:not(.word)").forEach(d => d.open = true);
		const all = [...document.querySelectorAll("main :is(a[href], button, input:not([type=hidden]), summary)")].filter(e => !turn.contains(e) && e.getClientRects().length);
		for (const e of [...all, ...all.reverse()]) {
			e.focus();
			if (document.activeElement !== e) continue;
			const r = e.getBoundingClientRect(), edge = turn.getBoundingClientRect().top;
			if (r.top + r.height / 2 > edge - 1) found.push(e.outerHTML.slice(0, 90) + ": " + r.top.toFixed(0) + " to " + r.bottom.toFixed(0) + ", the bar begins at " + edge.toFixed(0));
		}
		scrollTo(0, 0);
		return found;
	})()`))
	require.NoError(f.t, err)
	return found
}
