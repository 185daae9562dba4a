package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

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
