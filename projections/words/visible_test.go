package words_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/projections/words"
)

func TestWhatATerminalWouldObeyIsWrittenOut(t *testing.T) {
	for given, want := range map[string]string{
		"": "",
		"plain, ąę, “ç”, 漢字, 👩\u200d🚀\n\t": "plain, ąę, “ç”, 漢字, 👩\u200d🚀\n\t",
		"\x1b[2J\x1b]0;title\x07":          `\u001b[2J\u001b]0;title\u0007`,
		"a\rb\x00c\x7fd\u009be":            `a\u000db\u0000c\u007fd\u009be`,
		"\u202eevil\u202c \u2066x\u2069":   `\u202eevil\u202c \u2066x\u2069`,
		"\u200f\u061c\ufeff\u2028":         `\u200f\u061c\ufeff\u2028`,
		"bad \xff\xc3":                     `bad \xff\xc3`,
		"\U000e0041":                       `\U000e0041`,
	} {
		require.Equal(t, want, words.Visible(given), "%q", given)
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := words.Visible(s)
		require.True(t, utf8.ValidString(out))
		require.Equal(t, out, words.Visible(out), "once is enough")
		for _, r := range out {
			require.False(t, r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= '\u202a' &&
				r <= '\u202e')
		}
	})
}
