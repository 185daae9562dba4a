package domain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

func TestWhatStandsInACellIsSaidInTheReadersLanguage(t *testing.T) {
	say := func(s domain.Say) string {
		return map[string]string{"a": "góry 11", "b": "Statek z wełną", "c": ""}[s.Key]
	}
	p := domain.Panel{Text: "|  ore 11 |\nx\n  |", Cells: []domain.Cell{
		{Row: 0, Col: 1, Width: 9, Say: domain.S("a"), Middle: true},
		{Row: 1, Col: 2, Width: 9, Say: domain.S("b")},
		{Row: 2, Col: 0, Width: 2, Say: domain.S("c")},
		{Row: 7, Col: 0, Width: 2, Say: domain.S("a")},
		{Row: 2, Col: 4, Width: 9, Say: domain.S("a"), Right: true},
	}}
	require.Equal(t, "| góry 11 |\nx Statek z…\n  |   góry 11", p.Written(say))
	require.Equal(t, "as it is", (&domain.Panel{Text: "as it is"}).Written(say))
}

func TestItemsAreListedInLines(t *testing.T) {
	var p domain.Panel
	for range 12 {
		p.Items = append(p.Items, domain.S("x"))
	}
	text := p.Written(func(domain.Say) string { return "Łódź handlowa" })
	require.Equal(t, 12, strings.Count(text, "Łódź handlowa"))
	for line := range strings.SplitSeq(text, "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 72)
	}
	require.Equal(t, 3, strings.Count(text, "\n")+1, text)
}
