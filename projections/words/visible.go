package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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

// hidden tells whether a character is acted upon and not shown. Joiners are: scripts and
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
