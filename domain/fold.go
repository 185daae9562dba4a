package domain

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold turns what people type into the form in which words are compared, the same in every game: lower case, without
// accents, every kind of space as a space, every kind of dash as "-" and every kind of apostrophe as "'". Letters of
// other scripts stay as they are.
func Fold(text string) string {
	if plainASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r < latinEnd:
			b.WriteString(latin[r])
		case r >= marksBegin && r < marksEnd:
			b.WriteString(marks[r-marksBegin])
		default:
			return folded(text)
		}
	}
	return b.String()
}

// Most of what people type is Latin letters and the marks of print, whose folded forms are known one by one: none of
// them is an accent that belongs to its neighbour.
const (
	latinEnd   = 0x250
	marksBegin = 0x2000
	marksEnd   = 0x2070
)

var latin, marks = eachFolded(0, latinEnd), eachFolded(marksBegin, marksEnd)

func eachFolded(begin, end rune) (all []string) {
	for r := begin; r < end; r++ {
		all = append(all, folded(string(r)))
	}
	return all
}

func folded(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\u200b', r == '\u200c', r == '\u200d', r == '\u2060', r == '\ufeff',
			r == '\u00ad':
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Pd, r), r == '−', r == '⁃':
			b.WriteByte('-')
		case strings.ContainsRune("’‘ʼ`′ʹ‛", r):
			b.WriteByte('\'')
		default:
			if l := unicode.ToLower(r); strokes[l] != 0 {
				b.WriteByte(strokes[l])
			} else {
				b.WriteRune(l)
			}
		}
	}
	return b.String()
}

// strokes are letters whose mark is not a separate accent in Unicode.
var strokes = map[rune]byte{'ł': 'l', 'ø': 'o', 'đ': 'd', 'ħ': 'h', 'ŧ': 't', 'ı': 'i'}

func plainASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 || r < ' ' || r == '`' })
}
