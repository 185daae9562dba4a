package mail

import (
	"regexp"
	"strings"
)

// A textBlock is a part of a mail's text as the mailbox shows it: prose, whose lines break where the window ends, or a
// drawing in characters, whose lines must stay whole.
type textBlock struct {
	Text  string
	Drawn bool
}

// Only drawings have gaps this wide inside a line, begin a line this far in, or have so many signs of a map in a row.
// Beside such lines they may have others that are only indented, or a free site, such as the outer ones of a city.
var (
	wideGap  = regexp.MustCompile(`\S {3,}\S|^ {10,}\S|[.#%+*~\x{2500}-\x{257F}]{6,}`)
	indented = regexp.MustCompile(`^ {6,}\S|^\( \)\s*$`)
)

const (
	mostBetween = 4 // lines of a drawing without a gap, one after another
	leastGaps   = 3 // lines with gaps that make a drawing
)

// textBlocks splits a mail's text into prose and drawings. Put together again they are the text.
func textBlocks(text string) (out []textBlock) {
	lines := strings.SplitAfter(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	prose := func(to int) {
		if text := strings.Join(lines[:to], ""); text != "" {
			out = append(out, textBlock{Text: text})
		}
	}
	for i := 0; i < len(lines); {
		end := drawing(lines[i:])
		if end == 0 {
			i++
			continue
		}
		prose(i)
		out = append(out, textBlock{Text: strings.Join(lines[i:i+end], ""), Drawn: true})
		lines, i = lines[i+end:], 0
	}
	prose(len(lines))
	return out
}

// drawing returns how many of the lines, from the first on, are a drawing.
func drawing(lines []string) (end int) {
	gaps := 0
	for i, l := range lines {
		if strings.Contains(l, "://") || i > end+mostBetween || i == 0 && !wideGap.MatchString(l) &&
			!indented.MatchString(l) {
			break
		}
		if wideGap.MatchString(l) {
			gaps, end = gaps+1, i+1
		} else if i == end && indented.MatchString(l) {
			end = i + 1
		}
	}
	if gaps < leastGaps {
		return 0
	}
	return end
}
