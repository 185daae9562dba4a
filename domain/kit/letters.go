package kit

import "strings"

// Letters is a drawing in characters, for text mails and terminals.
type Letters [][]rune

// NewLetters is an empty drawing of so many columns and rows.
func NewLetters(w, h int) Letters {
	l := make(Letters, h)
	for y := range l {
		l[y] = []rune(strings.Repeat(" ", w))
	}
	return l
}

// Put writes a text from a place on; what does not fit is left out.
func (l Letters) Put(x, y int, text string) {
	for i, r := range []rune(text) {
		if y >= 0 && y < len(l) && x+i >= 0 && x+i < len(l[y]) {
			l[y][x+i] = r
		}
	}
}

// Centre writes a text about a place, one of even length a column to the left.
func (l Letters) Centre(x, y int, text string) { l.Put(x-len([]rune(text))/2, y, text) }

// String is its rows, without the spaces at their ends and the empty rows at its own.
func (l Letters) String() string {
	var b strings.Builder
	for _, row := range l {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
