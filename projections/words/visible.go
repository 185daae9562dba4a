package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Visible escapes what a terminal, log or page would act on instead of showing: control characters except line feeds
// and tabs, marks that change the text's direction or hide in it, and bytes that are not text. It leaves everything
// else unchanged. Errors that quote what somebody typed or what a file holds pass through it when they leave the house.
func Visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || hidden(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// hidden reports whether a character is acted on instead of shown. Joiners are not hidden: some scripts and emoji need
// them.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// First strong isolate and its end: text between them keeps its direction to itself.
const (
	isolate    = "\u2068"
	isolateEnd = "\u2069"
)

// turning lists the characters that change the direction of what follows, beyond their own text.
const turning = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// Isolated makes what somebody wrote safe to put into one of the house's sentences: it removes forced changes of
// direction, and isolates a text with right-to-left letters, so that it moves nothing around it. It leaves any other
// text unchanged. This works in pages, mails and plain text alike.
func Isolated(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(turning, r) {
			return -1
		}
		return r
	}, text)
	if !strings.ContainsFunc(text, func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
	}) {
		return text
	}
	return isolate + text + isolateEnd
}
