package languages_test

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// read reads languages from files, each a path and its text.
func read(files ...string) ([]languages.Language, error) {
	all := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return languages.Read(all)
}

func TestALanguageIsOneFolder(t *testing.T) {
	known, err := read(
		"de/language.json", `{"name": "Deutsch", "fallback": "en"}`,
		"de/pages.json", `{"page.rules": "Regeln", "?page.seat": "Seat"}`,
		"de/catan.json", `{"robber": "Räuber"}`,
		"en/language.json", `{"name": "English"}`)
	require.NoError(t, err)
	require.Len(t, known, 2)
	require.Equal(t, "de", known[0].Tag)
	require.Equal(t, "Deutsch", known[0].Name)
	require.Equal(t, "en", known[0].Fallback)
	require.Equal(t, map[string]map[string]json.RawMessage{
		"pages": {"page.rules": json.RawMessage(`"Regeln"`)}, // a text marked ? is still in English
		"catan": {"robber": json.RawMessage(`"Räuber"`)},
	}, known[0].Texts)
	require.Empty(t, known[1].Texts)
}

func TestALanguageThatCannotBeReadIsNamed(t *testing.T) {
	for says, files := range map[string][]string{
		"no-tag!":          {"no-tag!/language.json", `{"name": "x"}`},
		"de/language.json": {"de/language.json", `{"nom": "Deutsch"}`},
		"de/pages.json":    {"de/language.json", `{"name": "Deutsch"}`, "de/pages.json", `{"page.rules": `},
	} {
		_, err := read(files...)
		require.ErrorContains(t, err, says)
	}
}

func TestOnlyLanguagesThatAreKnownAreOffered(t *testing.T) {
	for _, tag := range languages.Offered {
		l, known := languages.Of(tag)
		require.True(t, known, tag)
		require.NotEmpty(t, l.Name, tag)
	}
	_, known := languages.Of("tlh")
	require.False(t, known)
	require.Contains(t, languages.Complete(), languages.Offered[0], "it has every text that another may lack")
}

func TestEachLanguageNeedsItsOwnPluralForms(t *testing.T) {
	known, err := read("en/language.json", `{}`, "pl/language.json", `{}`, "sl/language.json", `{}`,
		"ja/language.json", `{}`, "pt-BR/language.json", `{"zero": "other"}`, "pt/language.json", `{}`)
	require.NoError(t, err)
	forms, counts, nth := map[string][]string{}, map[string][]string{}, map[string][]string{}
	for _, l := range known {
		forms[l.Tag] = l.Forms()
		for _, n := range []int{0, 1, 2, 3, 5, -1} {
			counts[l.Tag] = append(counts[l.Tag], l.Form(n))
		}
		for n := 1; n <= 4; n++ {
			nth[l.Tag] = append(nth[l.Tag], l.Ordinal(n))
		}
	}
	require.Equal(t, map[string][]string{"en": {"one", "other"},
		"pl": {"one", "few", "many", "other"}, "sl": {"one", "two", "few", "other"}, "ja": {"other"},
		"pt-BR": {"one", "other"}, "pt": {"one", "other"}}, forms)
	require.Equal(t, []string{"other", "one", "other", "other", "other", "one"}, counts["en"])
	require.Equal(t, []string{"many", "one", "few", "few", "many", "one"}, counts["pl"])
	require.Equal(t, []string{"other", "one", "other", "other", "other", "one"}, counts["pt-BR"], "as people say")
	require.Equal(t, "one", counts["pt"][0], "as CLDR has it")
	require.Equal(t, []string{"one", "two", "few", "other"}, nth["en"])
	require.Equal(t, slices.Repeat([]string{"other"}, 4), nth["pl"])
}
