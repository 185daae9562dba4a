package http_test

import (
	nethttp "net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a line of chat that was posted under an id, when the id comes again with another text, then it is refused and
// the text is not lost without a word; the same text gets its first answer.
func TestAnIDIsNotUsedForAnotherText(t *testing.T) {
	h := open(t)
	who, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := "/tables/" + h.table("tiny", who, bo)
	ana := who.bot(h.spec(), "play", "")
	for _, route := range []struct{ path, text string }{{"/chat", "text"}, {"/end", "reason"}} {
		first := ana.call("POST", at+route.path, m{route.text: "at noon?"}, key("one"+route.path))
		require.Less(t, first.status, 300, first.body)
		again := ana.call("POST", at+route.path, m{route.text: "at noon?"}, key("one"+route.path))
		require.Equal(t, 200, again.status, again.body)
		other := ana.call("POST", at+route.path, m{route.text: "at one?"}, key("one"+route.path))
		require.Equal(t, 409, other.status, other.body)
		require.Contains(t, other.body, "command-used")
	}
}

// Given control characters in a line of chat, then they are not kept.
func TestChatHasNoControlCharacters(t *testing.T) {
	h := open(t)
	who, bo := h.signedIn("Ana"), h.signedIn("Bo")
	at := "/tables/" + h.table("tiny", who, bo) + "/chat"
	ana := who.bot(h.spec(), "play", "")
	said := ana.call("POST", at, m{"text": "one\x00\x1b[31mtwo\r\nthree\x7f\u0085"})
	require.Equal(t, 200, said.status, said.body)
	require.Contains(t, ana.call("GET", at, nil).body, `one[31mtwo\nthree"`)
}

// Given an address to go on to that holds control characters, then nobody is sent there.
func TestNobodyIsSentToControlCharacters(t *testing.T) {
	h := open(t)
	for _, c := range []string{"\x00", "\x01", "\t", "\n", "\x1f", "\x7f", "\u0085", "\xff"} {
		b := h.browser()
		b.client.CheckRedirect = func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }
		p := b.send("/language", url.Values{"lang": {"en"}, "back": {"/" + c + "/elsewhere.example"}})
		require.Equal(t, "/", p.header.Get("Location"), "%q", c)
	}
}

// A command's name counts for its person at one table, for ever: elsewhere it is another command. What opens a table is
// a command of its person alone, so there one name opens one table.
func TestACommandsNameCountsAtItsTable(t *testing.T) {
	h := open(t)
	who, whoElse := h.signedIn("Ana"), h.signedIn("Bo")
	ana, bo := who.bot(h.spec(), "play", ""), whoElse.bot(h.spec(), "play", "")
	one, two := "/tables/"+h.table("tiny", who, whoElse)+"/chat", "/tables/"+h.table("tiny", who, whoElse)+"/chat"
	does := func(b *bot, path string, body m) (status int, again bool, answer m) {
		p := b.call("POST", path, body, key("turn-17"))
		answer = p.json()
		again, _ = answer["again"].(bool)
		return p.status, again, answer
	}
	for _, c := range []struct {
		by     *bot
		path   string
		text   string
		status int
		again  bool
	}{
		{ana, one, "hello", 200, false},
		{ana, one, "hello", 200, true},
		{ana, two, "hello", 200, false},
		{ana, two, "something else", 409, false},
		{bo, one, "hello", 200, false},
	} {
		status, again, answer := does(c.by, c.path, m{"text": c.text})
		require.Equal(t, c.status, status, answer)
		require.Equal(t, c.again, again, answer)
	}
	game := func(pace string) m {
		return m{"game": "tiny", "pace": pace, "seats": []m{{"kind": "me"}, {"kind": "open"}}}
	}
	_, _, opened := does(ana, "/tables", game("weekly"))
	_, again, same := does(ana, "/tables", game("weekly"))
	require.True(t, again)
	require.Equal(t, opened["table"], same["table"])
	status, _, refused := does(ana, "/tables", game("daily"))
	require.Equal(t, 409, status, refused)
	_, again, other := does(bo, "/tables", game("weekly"))
	require.False(t, again)
	require.NotEqual(t, opened["table"], other["table"])
}
