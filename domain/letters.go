package domain

import (
	"strings"
	"unicode/utf8"
)

// Cell is a place in a panel's Text for words in the reader's language. They replace what is already there.
type Cell struct {
	Row, Col, Width int // the line and the first column, from 0, and the number of columns
	Say             Say
	Middle          bool // the text is centred; one of even length is a column to the left
	Right           bool // the text ends where the cell does
}

// textColumns is the width of a text mail.
const textColumns = 72

// Written returns the panel in characters, in a language: its Text with its Cells filled in, each cut to its width; or
// its Items one after another.
func (p *Panel) Written(say func(Say) string) string {
	if len(p.Items) > 0 {
		return listed(p.Items, say)
	}
	if len(p.Cells) == 0 {
		return p.Text
	}
	var rows [][]rune
	for row := range strings.SplitSeq(p.Text, "\n") {
		rows = append(rows, []rune(row))
	}
	for _, c := range p.Cells {
		if c.Row < len(rows) {
			rows[c.Row] = c.write(rows[c.Row], say(c.Say))
		}
	}
	var b strings.Builder
	for i, row := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(string(row), " "))
	}
	return b.String()
}

// write puts a text into its cell and cuts it to the cell's width.
func (c Cell) write(row []rune, text string) []rune {
	word := []rune(text)
	if len(word) > c.Width {
		word = append([]rune(strings.TrimRight(string(word[:c.Width-1]), " ,-")), '…')
	}
	for len(row) < c.Col+c.Width {
		row = append(row, ' ')
	}
	for i := range c.Width {
		row[c.Col+i] = ' '
	}
	at := c.Col
	switch {
	case c.Middle:
		at += c.Width/2 - len(word)/2
	case c.Right:
		at += c.Width - len(word)
	}
	copy(row[at:], word)
	return row
}

// listed breaks a list into lines.
func listed(items []Say, say func(Say) string) string {
	var b strings.Builder
	width := 0
	for i, item := range items {
		text := say(item)
		n := utf8.RuneCountInString(text)
		switch {
		case i == 0:
		case width+2+n+1 > textColumns: // a comma may follow
			b.WriteString(",\n")
			width = 0
		default:
			b.WriteString(", ")
			width += 2
		}
		b.WriteString(text)
		width += n
	}
	return b.String()
}
