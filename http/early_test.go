package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a game in which nobody has moved, then no page offers to go back, and whoever asks for it anyway is told why
// there is nothing to go back from; after the first move it is offered.
func TestBeforeTheFirstMoveThereIsNothingToGoBackFrom(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	offer := `href="/t/` + table + `/rewind"`
	require.NotContains(t, ana.get("/t/"+table).body, offer)
	asked := ana.get("/t/" + table + "/rewind")
	require.Equal(t, 409, asked.status)
	require.Contains(t, asked.body, "No move has been made yet, so there is nothing to go back from.")
	require.NotContains(t, asked.body, "from 1 to 0")
	sent := ana.send("/t/"+table+"/rewind",
		url.Values{"id": {"000102030405060708090a0b0c0d0e0f"}, "to": {"1"}, "luck": {"same"}})
	require.Equal(t, 409, sent.status)
	require.Contains(t, sent.body, "No move has been made yet")

	ana.move(table, "keep")
	require.Contains(t, ana.get("/t/"+table).body, offer)
	require.Contains(t, ana.get("/t/"+table+"/rewind").body, `name="to" min="1" max="1"`)

	study := h.study(table, ana)
	require.NotContains(t, ana.get("/t/"+study).body, `href="/t/`+study+`/rewind"`,
		"nor in a branch where nobody has moved")
}

// Given a table with an invitation that nobody has answered, when its opener gives it up, then its page offers nothing
// about the invitation any more.
func TestATableThatWasGivenUpInvitesNobody(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	p := h.opens("tiny", url.Values{"pace": {"weekly"}}, ana, bo)
	table := p.path
	for _, offer := range []string{"/again", "/decline", "/abandon"} {
		require.Contains(t, p.body, `action="`+table+offer+`"`, "given")
	}
	p = ana.send(table+"/abandon", p.form(table+"/abandon"))
	require.Equal(t, "ended", p.query.Get("done"), p.body)
	for _, who := range []*browser{ana, bo} {
		body := who.get(table).body
		require.NotContains(t, body, `action="`+table)
		require.NotContains(t, body, "Send the invitation")
	}
}
