package http_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// fills types into fields of a tab's page, given by name.
func fills(t *testing.T, ctx context.Context, fields map[string]string) {
	t.Helper()
	for name, text := range fields {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void]("{const f = document.querySelector(`[name="+name+
			"]`); f.value = `"+text+"`; f.dispatchEvent(new Event('input', {bubbles: true}))} null"))
		require.NoError(t, err)
	}
}

// types plays a move by typing it, and confirms when asked.
func types(t *testing.T, ctx context.Context, move string) {
	t.Helper()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](
		`document.querySelector(".typed").open = true; {const f = document.querySelector(".typed input[name=m]"); f.value = "`+move+`"; f.form.requestSubmit()} null`))
	require.NoError(t, err)
	until(t, ctx, `!!document.querySelector("#play.confirm button:not([disabled])")`)
	press(t, ctx, "#play.confirm button:not([disabled])")
}

// TestInTwoBrowsersAPuzzleIsMadeAndSolved makes a puzzle from a moment of a finished game with its
// form, and opens its link on a phone, in a browser that the house does not know: it is answered wrongly, tried again
// and solved.
func TestInTwoBrowsersAPuzzleIsMadeAndSolved(t *testing.T) {
	hers := chromium(t)
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.finished("carcassonne", ana, bo)
	at, moves := h.moment(table)
	ana.enters(hers)

	// From the moment to the form and, with its words, to the puzzle.
	require.NoError(t, chromedp.Do(hers,
		chromedp.Navigate(h.web.URL+"/t/"+table+"/line/"+at.Get("line")+"/"+at.Get("version")),
		chromedp.WaitReady("body")))
	until(t, hers, `document.readyState === "complete" && !!document.querySelector("a[href*='/puzzle?line=']")`)
	press(t, hers, "a[href*='/puzzle?line=']")
	until(t, hers, `location.pathname.endsWith("/puzzle") && document.readyState === "complete" && !!document.querySelector("[name=solutions]") && document.documentElement.scrollWidth <= innerWidth`)
	shot(t, hers, "puzzle-form")
	// Another solution is played on the board, and what was written beside it stays.
	fills(t, hers, map[string]string{"title": "A corner"})
	types(t, hers, moves[1])
	until(t, hers, `document.querySelector("[name=solutions]").value.split("\n").length === 2 && document.querySelector("[name=title]").value === "A corner" && document.documentElement.scrollWidth <= innerWidth`)
	shot(t, hers, "puzzle-chosen")
	fills(t, hers, map[string]string{"title": "What would you do?", "question": "Think of the other hand.",
		"solutions": "no move at all", "answer": "It closes everything."})
	press(t, hers, "form[action$='/puzzle'] button.go")
	// not a move: refused, and nothing that was written is lost
	until(t, hers, `document.body.innerText.includes("That is not a move.") && document.readyState === "complete" && ["title", "solutions", "answer"].map(n => document.querySelector("[name=" + n + "]").value).join() === "What would you do?,no move at all,It closes everything."`)
	fills(t, hers, map[string]string{"solutions": strings.ToUpper(moves[0])})
	press(t, hers, "form[action$='/puzzle'] button.go")
	until(t, hers, `location.pathname.startsWith("/puzzle/") && !!document.querySelector("form[action$='/drop']")`)
	link, err := chromedp.Run(hers, chromedp.Evaluate[string](`document.querySelector("main input[readonly]").value`))
	require.NoError(t, err)
	require.Contains(t, link, h.web.URL+"/puzzle/")
	shot(t, hers, "puzzle-made")

	// Somebody else opens the link: the page contains no solution, in no form.
	ctx := beside(t, hers)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(link), chromedp.WaitReady("body")))
	const hidden = `document.readyState === "complete" && !document.querySelector("#solution") && !document.documentElement.outerHTML.includes("It closes everything.") && document.documentElement.scrollWidth <= innerWidth`
	until(t, ctx, `document.querySelector("h1").textContent === "What would you do?" && !document.querySelector("form[action$='/drop']") && `+hidden)
	shot(t, ctx, "puzzle")
	types(t, ctx, moves[1])
	until(t, ctx, `document.querySelector("#answer h2")?.textContent === "Not what the author had in mind" && `+hidden)
	shot(t, ctx, "puzzle-wrong")
	press(t, ctx, `#answer a.button`)
	until(t, ctx, `location.search === "" && !document.querySelector("#answer") && !!document.querySelector(".typed") && `+hidden)
	types(t, ctx, moves[0])
	until(t, ctx, `document.querySelector("#answer h2")?.textContent === "Right" && document.querySelector("#solution")?.innerText.includes("It closes everything.") && document.documentElement.scrollWidth <= innerWidth`)
	shot(t, ctx, "puzzle-solved")
}
