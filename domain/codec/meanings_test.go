package codec_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain/codec"
)

// Given words that share their ends, or are empty, then each means what it was given for, and no other word anything.
func TestWordsMeanWhatTheyWereGivenFor(t *testing.T) {
	word := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "settlement", "long beginning "}), 0, 5),
		func(parts []string) (out string) {
			for _, p := range parts {
				out += p
			}
			return out
		})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.MapOf(word, rapid.Int()).Draw(t, "words")
		m := codec.MeaningsOf(words)
		for w, n := range words {
			got, ok := m.Of([]byte(w))
			require.True(t, ok, w)
			require.Equal(t, n, got, w)
		}
		other := word.Draw(t, "other")
		want, there := words[other]
		got, ok := m.Of([]byte(other))
		require.Equal(t, there, ok)
		require.Equal(t, want, got)
	})
}
