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
