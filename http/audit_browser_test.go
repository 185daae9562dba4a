package http_test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// chooses sets fields in the record's filters and asks for the result.
func chooses(t *testing.T, ctx context.Context, fields string) {
	t.Helper()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](
		`{const f = document.querySelector("form.filters").elements; f.who.value = ""; f.door.value = ""; f.draws.checked = false; `+fields+`} null`))
	require.NoError(t, err)
	press(t, ctx, "form.filters button")
}

// Three people read the record, each in their own browser: a player who has looked at somebody's card, the owner of
// that card, and a stranger. They see what happened, who did it, where it led and back, and what each could know at a
// moment.
func TestInThreeBrowsersTheRecordIsAudited(t *testing.T) {
	hers := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "peek b") // event 2
	bo.move(table, "keep")
	require.EqualValues(t, 3, h.version(table))
	home := h.web.URL + "/t/" + table
	his := beside(t, hers)
	ana.enters(hers)
	bo.enters(his)
	for _, reader := range []struct {
		name          string
		ctx           context.Context
		first, second string // whose cards the reader knows after events 1 and 2
		told          string // whether event 2 names the card that was looked at
	}{{"ana", hers, "Ana", "Ana,Bo", "true"}, {"bo", his, "Bo", "Bo", "false"},
		{"stranger", beside(t, hers), "", "", "false"}} {
		ctx := reader.ctx
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(home+"/audit"), chromedp.WaitReady("body")))
		until(t, ctx, `document.readyState === "complete" && document.querySelectorAll(".record > li").length === 3 && document.documentElement.scrollWidth <= innerWidth`)
		until(t, ctx, `document.querySelector("#e2").innerText.includes("Ana peeked at the card of Bo.") && /holds card \d/.test(document.querySelector("#e2").innerText) === `+reader.told)
		shot(t, ctx, "audit-"+reader.name)

		// What the filters leave, and what the page says if nothing is left.
		chooses(t, ctx, `f.who.value = "1"`)
		until(t, ctx, `location.search.includes("who=1") && document.querySelectorAll(".record > li").length === 1 && document.querySelector("#e3").innerText.includes("Bo, on the website") && document.body.innerText.includes("1 of 3 events.")`)
		chooses(t, ctx, `f.door.value = "clock"`)
		until(t, ctx, `location.search.includes("door=clock") && document.querySelector(".record").innerText.includes("No event matches these filters.")`)
		chooses(t, ctx, `f.draws.checked = true`)
		until(t, ctx, `location.search.includes("draws=1") && [...document.querySelectorAll(".record > li")].map(e => e.id).join() === "e1"`)
		chooses(t, ctx, `f.of.value = "table"`)
		until(t, ctx, `location.search.includes("of=table") && document.querySelector("#e1").innerText.includes("Ana opened the table.")`)
		chooses(t, ctx, `f.of.value = "0"; f.who.value = "0"`)
		until(t, ctx, `location.search.includes("who=0") && [...document.querySelectorAll(".record > li")].map(e => e.id).join() === "e2"`)

		// The event has its own address, and its hash can be copied.
		press(t, ctx, "#e2 a.num")
		until(t, ctx, `location.hash === "#e2" && document.querySelector(":target")?.id === "e2"`)
		press(t, ctx, "#e2 summary")
		until(t, ctx, `document.querySelector("#e2 details").open && /\b[0-9a-f]{64}\b/.test(document.querySelector("#e2 dl").innerText)`)

		// To the state after it and the one before, with what the reader knew at each, and back to the event.
		press(t, ctx, `#e2 a[href*="/line/"]`)
		until(t, ctx, `location.pathname.endsWith("/2") && document.querySelector("h1").textContent === "Move 2 of 3"`)
		moment(t, ctx, reader.second)
		shot(t, ctx, "audit-moment-"+reader.name)
		press(t, ctx, `.pager [rel=prev]`)
		until(t, ctx, `location.pathname.endsWith("/1") && document.querySelector("h1").textContent === "Move 1 of 3"`)
		moment(t, ctx, reader.first)
		press(t, ctx, `.pager [rel=next]`)
		until(t, ctx, `location.pathname.endsWith("/2") && document.querySelector("h1").textContent === "Move 2 of 3"`)
		press(t, ctx, `main a[href*="/audit?"]`)
		until(t, ctx, `location.pathname.endsWith("/audit") && document.querySelector(":target")?.id === "e2" && document.querySelectorAll(".record > li").length === 2`)
	}
}

// moment waits until the page names exactly these people's cards.
func moment(t *testing.T, ctx context.Context, whose string) {
	t.Helper()
	until(t, ctx, `[...new Set([...[...document.querySelectorAll("details.list")].map(d => d.textContent).join(" ").matchAll(/(Ana|Bo) holds card \d/g)].map(m => m[1]))].sort().join() === "`+whose+`"`)
}
