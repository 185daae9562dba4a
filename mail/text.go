package mail

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// textWidth is the text part's width, in columns; only addresses are never broken.
const textWidth = 72

// wrap breaks a sentence into lines: the first begins with first, the others with rest. A line break within the
// sentence becomes a space, so that no name or text can begin a line of its own.
func wrap(first, rest, text string) string {
	var b strings.Builder
	b.WriteString(first)
	width, empty := uniseg.StringWidth(first), true
	text = strings.ReplaceAll(text, "[ ]", "[\u00a0]") // as the board shows it: must not be broken
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }) {
		w := uniseg.StringWidth(word)
		switch {
		case empty:
		case width+1+w > textWidth:
			b.WriteString("\n" + rest)
			width = uniseg.StringWidth(rest)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += w
		empty = false
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

// oneLine makes a text fit for a header: single spaces, and no characters that are invisible or change the direction of
// the text around them.
func oneLine(text string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(text, ""))
	// Mail programs would decode what looks like an encoded word.
	return strings.Join(strings.Fields(strings.ReplaceAll(seen, "=?", "= ?")), " ")
}

// tidy removes what templates leave behind: repeated empty lines, spaces at line ends.
func tidy(s string) string {
	var b strings.Builder
	empty := 0
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			empty++
			continue
		}
		if empty > 0 && b.Len() > 0 {
			b.WriteByte('\n')
		}
		empty = 0
		b.WriteString(line + "\n")
	}
	return b.String()
}
