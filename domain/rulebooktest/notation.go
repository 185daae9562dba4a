package rulebooktest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Reads tries notation: what is typed, and the canonical form of the move that it is, seats by letter.
func Reads(t *testing.T, rb domain.Rulebook, names []string, typed map[string]string) {
	t.Helper()
	for text, want := range typed {
		m, err := rb.ParseMove(text, names)
		require.NoError(t, err, text)
		require.Equal(t, want, rb.FormatMove(m, nil), text)
	}
}

// FuzzNotation holds that whatever is typed is refused, or is a move that is read again as it is written.
func FuzzNotation(f *testing.F, rb domain.Rulebook, names []string, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := rb.ParseMove(text, names)
		if err != nil {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%q: %v", text, err)
			return
		}
		back, err := rb.ParseMove(rb.FormatMove(m, nil), nil)
		require.NoError(t, err, "%q", text)
		require.Equal(t, m, back, "%q", text)
	})
}
