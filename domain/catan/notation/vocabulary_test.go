package notation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Every word that a person may use means one thing.
func TestVocabularyIsFolded(t *testing.T) {
	for _, list := range []map[string]bool{wordsFor, wordsTo, wordsAll, wordsAsk, wordsFrom, wordsAnd, wordsTrade,
		wordsDesert, wordsUp, wordsNot, wordsCounter} {
		for w := range list {
			require.Equal(t, domain.Fold(w), w)
		}
	}
	for w := range verbs {
		require.Equal(t, domain.Fold(w), w)
	}
	for w := range table.ResourceNames {
		require.Equal(t, domain.Fold(w), w)
	}
	for k, w := range table.ResourceWords {
		require.Equal(t, table.Resource(k), table.ResourceNames[w])
	}
}
