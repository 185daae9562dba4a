package kit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPhrasesAreSaidInTheNotationsWords(t *testing.T) {
	typed := Typed{"reworded": {"discard": {"throw away"}, "stack 3": {"the third one", "third"}}}
	reword := typed.Reword("reworded")
	for text, want := range map[string]string{
		"Throw away, please": "discard, please", "throw it away": "throw it away",
		"from the third one!": "from stack 3!",
		"third, then third":   "stack 3, then stack 3", "": "",
	} {
		require.Equal(t, want, reword(text), text)
	}
}
