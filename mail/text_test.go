package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/mail"
)

func TestSentencesAreBrokenAtSeventyTwoColumns(t *testing.T) {
	for _, c := range []struct{ first, rest, text, want string }{
		{"", "", "short", "short"},
		{" - ", "   ", "short", " - short"},
		{"", "  ", strings.Repeat("word ", 20), strings.TrimSuffix(strings.Repeat("word ", 14), " ") + "\n  " +
			strings.TrimSuffix(strings.Repeat("word ", 6), " ")},
		{"", "", "a name\r\nBcc: somebody", "a name Bcc: somebody"},
		{"", "", "one\u2028two\u0085three\ffour", "one two three four"},
		{"", "", strings.Repeat("x", 100), strings.Repeat("x", 100)},
		{"", "", strings.Repeat("x", 69) + " c)\u00a0farmer: field", strings.Repeat("x", 69) + "\nc) farmer: field"},
		{"", "", strings.Repeat("x", 69) + " [ ] open", strings.Repeat("x", 69) + "\n[ ] open"},
	} {
		require.Equal(t, c.want, mail.Wrap(c.first, c.rest, c.text))
	}
}

func TestBreakingASentenceKeepsItsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-ZłŁ ,.]{0,300}`).Draw(t, "text")
		got := mail.Wrap("", "", text)
		require.Equal(t, strings.Fields(text), strings.Fields(got))
		for line := range strings.SplitSeq(got, "\n") {
			require.True(t, len([]rune(line)) <= 72 || !strings.Contains(line, " "), line)
		}
	})
}
