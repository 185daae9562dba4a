package domain

import (
	"slices"
	"strings"
	"unicode"
)

// Said returns the scene with its Words as Text in a language: broken between words into lines, and made smaller if a
// word does not fit. A text that still does not fit is cut at its comma, if it has one ("Gudrun, Terror of the Seas"):
// an epithet follows it.
func (s Scene) Said(say func(Say) string) Scene {
	if said, any := saidIn(s.Shapes, say); any {
		s.Shapes = said
	}
	for i := range s.Symbols {
		if said, any := saidIn(s.Symbols[i].Shapes, say); any {
			s.Symbols = slices.Clone(s.Symbols)
			s.Symbols[i].Shapes = said
		}
	}
	return s
}

// saidIn copies a list that contains words; any is false if there are none.
func saidIn(list []Shape, say func(Say) string) (said []Shape, any bool) {
	for i := range list {
		sh := list[i]
		if sh.Words.Key != "" {
			sh = lettered(sh, say(sh.Words))
		} else if group, has := saidIn(sh.Group, say); has {
			sh.Group = group
		} else {
			if any {
				said = append(said, sh)
			}
			continue
		}
		if !any {
			said, any = append(make([]Shape, 0, len(list)), list[:i]...), true
		}
		said = append(said, sh)
	}
	return said, any
}

// The sizes of words in little room, as fractions of their full size.
const (
	lineHeight   = 1.04
	smallerStep  = 0.96
	smallestPart = 0.76
)

// lettered returns a shape with Words as Text: a single shape, or a group of lines, centred as a whole or below the
// first.
func lettered(sh Shape, text string) Shape {
	lines, size := fitted(text, sh.Size, sh.Wide, max(1, sh.Lines))
	if byname := strings.IndexAny(text, ",("); byname > 0 && lines == nil {
		lines, size = fitted(strings.TrimSpace(text[:byname]), sh.Size, sh.Wide, max(1, sh.Lines))
	}
	if lines == nil {
		size = sh.Size * smallestPart
		for _, word := range strings.Fields(text) {
			size = min(size, sh.Wide/textWidth(word))
		}
		lines = broken(text, size, sh.Wide)
	}
	one := sh
	one.Words, one.Wide, one.Lines, one.Under, one.Size = Say{}, 0, 0, false, size
	if len(lines) <= 1 {
		one.Text = text
		if len(lines) == 1 {
			one.Text = lines[0]
		}
		return one
	}
	group := Shape{At: sh.At, Turn: sh.Turn, Scale: sh.Scale, Class: sh.Class, Spot: sh.Spot}
	one.Turn, one.Scale, one.Class, one.Spot = 0, 0, "", ""
	above := float64(len(lines)-1) / 2
	if sh.Under {
		above = 0
	}
	for i, line := range lines {
		one.Text, one.At = line, Point{Y: (float64(i) - above) * size * lineHeight}
		group.Group = append(group.Group, one)
	}
	return group
}

// fitted breaks a text into at most that many lines, as large as possible; nil if it does not fit.
func fitted(text string, size, wide float64, most int) ([]string, float64) {
	for least := size * smallestPart; size >= least; size *= smallerStep {
		lines := broken(text, size, wide)
		if len(lines) <= most && !slices.ContainsFunc(lines, func(l string) bool {
			return wide > 0 && textWidth(l)*size > wide
		}) {
			return lines, size
		}
	}
	return nil, size
}

// broken breaks a text between its words.
func broken(text string, size, wide float64) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && (wide <= 0 || textWidth(lines[n-1]+" "+word)*size <= wide) {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// textWidth estimates the width of bold letters one unit high. The fonts of pages differ a little, so it errs on the
// wide side.
func textWidth(text string) (w float64) {
	for _, r := range text {
		switch {
		case strings.ContainsRune("MWmw@%", r):
			w += 0.92
		case unicode.IsUpper(r):
			w += 0.77
		case strings.ContainsRune(" iljI|!'.,:;ítf()[]", r):
			w += 0.35
		case strings.ContainsRune("rł-\"/", r):
			w += 0.45
		default:
			w += 0.65
		}
	}
	return w
}
