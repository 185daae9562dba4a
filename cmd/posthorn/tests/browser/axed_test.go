package browser

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a fixed bar covers only at the current scroll position is not a finding, since scrolling frees it. What stays
// covered at every position is one, and so is what is too small.
func TestABarCoversOnlyWhatNoScrollingFrees(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, 390, 844)
	page := func(before int, bar, size string) string {
		return `<!doctype html><html lang="en"><title>A bar</title><meta name="viewport" content="width=device-width">
<style>body {margin: 0} button {display: block; height: ` + size + `; width: ` + size + `; padding: 0; border: 0}
main button:last-child {` + bar + ` left: 0; width: 390px; height: 80px; z-index: 2}</style>
<main><h1>A bar</h1><div style="height: ` + strconv.Itoa(before) + `px"></div><button aria-label="one"></button><button aria-label="two"></button><div style="height: 800px"></div>
<button>Above all</button></main>`
	}
	script := axe(t)
	count := func(html string) (raw, n int) {
		b.reads(0, html)
		b.script(script + "; null")
		raw = len(b.violations(`axe.run(document, {runOnly: {type: "rule", values: ["target-size"]}}).then(r => JSON.stringify(r.violations))`))
		for _, f := range b.axed(script, false, everyRule) {
			require.Equal(t, "target-size", f.ID, f.Nodes)
			n += len(f.Nodes)
		}
		return raw, n
	}
	happens := 0
	for before := 600; before < 700; before += 4 {
		raw, n := count(page(before, "position: sticky; bottom: 0;", "30px"))
		happens += raw
		require.Zero(t, n, before)
	}
	require.NotZero(t, happens, "axe finds it by itself")
	_, n := count(page(100, "position: absolute; top: 200px;", "30px"))
	require.NotZero(t, n, "covered wherever one scrolls")
	_, n = count(page(100, "position: sticky; bottom: 0;", "10px"))
	require.NotZero(t, n, "small")
}
