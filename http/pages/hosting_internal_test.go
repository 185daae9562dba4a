package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/http/door"
	"posthorn/projections/words"
)

func TestASizeIsToldInOneUnitThatCanBeRead(t *testing.T) {
	book, err := words.New(nil)
	require.NoError(t, err)
	for lang, sizes := range map[string]map[uint64]string{
		"en": {1: "1 kB", 999_000: "999 kB", 7_000_000: "7 MB", 999_999_999: "999 MB", 1_000_000_000: "1 GB",
			7_965_000_000: "7.9 GB", 8_226_000_000: "8.2 GB", 270_400_000_000: "270 GB"},
		"pl": {8_226_000_000: "8,2 GB"},
	} {
		v := &visit{Visit: &door.Visit{Print: book.Printer(lang, "", nil)}}
		for n, text := range sizes {
			require.Equal(t, text, v.hosting().bytesOf(n), lang)
		}
	}
}
