package domain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFoldComparesWordsHoweverTheyAreTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"Roll":                       "roll",
		"LÃ, MINÉRIO":                "la, minerio",
		"Żółć":                       "zolc",
		"ma\u0328dra":                "madra", // the accent as a separate character
		"1\u00a0wool\u202ffor\tore":  "1 wool for ore",
		"(1–3) a—b c−1 d\u2011e":     "(1-3) a-b c-1 d-e",
		"Weaver’s ʼ`":                "weaver's ''",
		"soft\u00adhyphen\u200bnone": "softhyphennone",
		"\uff11\uff21":               "1a", // full-width characters
		"Дима 妹":                     "дима 妹",
		"":                           "",
	} {
		require.Equal(t, want, Fold(typed), "%q", typed)
		require.Equal(t, Fold(typed), Fold(Fold(typed)), "%q", typed)
	}
}
