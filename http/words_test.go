package http_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given somebody who opens a table with words to those invited, on the page or by a program, then these are the table's
// first line of chat, and the invited read them where they take their seat. Others do not.
func TestAnOpenersWordsStandWhereTheInvitedSitDown(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo, dawa := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Dawa")
	const words = "Rainy Sunday rematch?"
	opened := h.opens("tiny", url.Values{"words": {words}, "pace": {"weekly"}}, ana, bo)
	require.Equal(t, 200, opened.status, opened.body)
	require.Contains(t, bo.get(opened.path).body, "<blockquote>"+words+"</blockquote>")
	require.NotContains(t, dawa.get(opened.path).body, words)

	seats := []m{{"kind": "me"}, {"kind": "player", "invite": []m{{"address": "bo@example.org", "language": "en"}}}}
	open := m{"game": "tiny", "pace": "weekly", "seats": seats, "words": words}
	table := ana.bot(s, "play", "").post("/tables", open)["table"].(string)
	require.Contains(t, bo.get("/t/"+table).body, "<blockquote>"+words+"</blockquote>")

	long := h.opens("tiny", url.Values{"words": {strings.Repeat("ó", 1001)}, "pace": {"weekly"}}, ana, bo)
	require.Equal(t, 422, long.status, "and nobody is invited")
	require.Contains(t, long.body, "That is too long for the table")
}
