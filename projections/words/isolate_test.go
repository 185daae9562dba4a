package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/projections/words"
)

func TestWhatRunsFromRightToLeftMovesNothingAroundIt(t *testing.T) {
	for text, want := range map[string]string{
		"Ana":                 "Ana",
		"João Łoś 陳大文":        "João Łoś 陳大文",
		"שרה":                 "\u2068שרה\u2069",
		"محمد 7":              "\u2068محمد 7\u2069",
		"you win\u202e.":      "you win.",
		"\u2069\u202eש\u2066": "\u2068ש\u2069",
		"a\u202ab\u202bc\u202cd\u202de\u2067f\u2068g": "abcdefg",
	} {
		require.Equal(t, want, words.Isolated(text))
		require.Equal(t, want, words.Isolated(want), "isolating twice is isolating once")
	}
}
