package domain

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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

// Letters and marks whose form is known beforehand fold as the whole text does.
func TestFoldingEachLetterFoldsTheText(t *testing.T) {
	for r := range rune(0x3000) {
		text := "a" + string(r) + "b"
		require.Equal(t, folded(text), Fold(text), "%x", r)
	}
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.RuneFrom([]rune("aZÅéłßĳ\u0130ſ½…–’\u0328\u0301\u200b\u2011\u00a0"))
		text := rapid.StringOf(some).Draw(t, "text") + rapid.SampledFrom([]string{"", "\xff", "\u0301"}).Draw(t, "end")
		if Fold(text) != folded(text) {
			t.Fatalf("%q: %q, not %q", text, Fold(text), folded(text))
		}
	})
}
