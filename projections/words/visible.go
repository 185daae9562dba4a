package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Visible writes out what a terminal, a log or a page would act upon instead of showing it:
// control characters but line feeds and tabs, marks that turn the direction of text or hide in
// it, and bytes that are no text. It leaves everything else as it is. Errors that name what
// somebody typed or what a file holds go through it where they leave the house.
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

// hidden reports whether a character is acted upon and not shown. Joiners are: scripts and
// pictures in letters need them.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// First strong isolate and its end: between them a text's direction is its own business.
const (
	isolate    = "\u2068"
	isolateEnd = "\u2069"
)

// turning are the characters that change the direction of what follows, beyond their own text.
const turning = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// Isolated is what somebody wrote, as it may stand within a sentence of the house: what turns
// direction by force is left out, and a text with letters that run from right to left is
// isolated, so that it moves nothing around it. Any other text is as it was. It holds in pages,
// mails and plain texts alike.
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
