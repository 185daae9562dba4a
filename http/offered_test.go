package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http/pagetest"
)

// Given a table where something is proposed, then no page offers to propose anything else: it would be refused.
func TestWhileSomethingIsProposedNothingElseIs(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	bo.move(table, "keep")
	at := "/t/" + table
	require.Contains(t, bo.get(at).body, at+"/end")
	form := pagetest.Of(t, ana.get(at+"/end").body, at+"/end")
	require.Equal(t, 200, ana.send(at+"/end", form.Press(form.Buttons[0])).status)
	page := bo.get(at).body
	for _, path := range []string{at + "/end", at + "/rewind", at + "/pause"} {
		require.NotContains(t, page, `"`+path+`"`)
	}
	require.Equal(t, 409, bo.get(at+"/end").status, "whoever still has the address is told why")
}

// Given somebody who was reminded, then nobody can press to remind them again before a day is over.
func TestAReminderIsOfferedOnceADay(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	at := "/t/" + table
	ana.move(table, "keep") // Bo is still awaited
	form := pagetest.Of(t, ana.get(at).body, at+"/nudge")
	require.Equal(t, 200, ana.send(at+"/nudge", form.Press(form.Buttons[0])).status)
	require.NotContains(t, ana.get(at).body, at+"/nudge")
}

// Given a browser that was lent a seat, when a page of the table cannot be shown, then the languages below it still
// change what that seat's pages speak here.
func TestAPageThatFailsStillSpeaksForItsSeat(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	roller, _ := turns(t, h, table, ana, bo)
	kept := h.browser()
	require.Equal(t, 200, h.press(kept, roller, table, "keep").status)
	failed := kept.get("/t/" + table + "/line/" + h.look(table).LineName.String() + "/999")
	require.Equal(t, 404, failed.status)
	form := pagetest.Of(t, failed.body, "/language")
	for _, b := range form.Buttons {
		if b.Value == "pl" {
			require.Contains(t, kept.send(form.Action, form.Press(b)).body, `<html lang="pl">`)
		}
	}
}
