package words_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// files returns what the last of some languages has in each file.
func files(known []languages.Language) map[string]words.File {
	out := map[string]words.File{}
	for _, r := range words.Files(known[len(known)-1], rulebooks.All()) {
		out[r.Name] = r
	}
	return out
}

func TestAMissingTextIsListedInEnglish(t *testing.T) {
	known, err := partly(`{"fallback": "en"}`, map[string]string{
		"pages": `{"page.nav.inbox": "Meine Spiele", "?page.nav.new": "New game"}`,
		"kit":   `{"given.text": "ein Text"}`})
	require.NoError(t, err)
	in := files(known)
	pages := in["pages"]
	require.Equal(t, 1, pages.Has)
	require.Len(t, pages.Texts, pages.All, "a file has every text, in one language or the other")
	require.JSONEq(t, `"Meine Spiele"`, string(pages.Texts["page.nav.inbox"]))
	require.JSONEq(t, `"New game"`, string(pages.Texts["?page.nav.new"]))
	require.JSONEq(t, `{"one": "{n} day ago", "other": "{n} days ago"}`, string(pages.Texts["?page.ago.days"]))
	require.Equal(t, 1, in["kit"].Has)
	require.Contains(t, in["rivals"].Texts, "?card.abbey")
	require.NotContains(t, in["rivals"].Texts, "?given.text", "it is every game's")
	require.Contains(t, in["carcassonne"].Texts, "?given.length", "the game says it in its own way")
}

// What is printed for a file is its file as soon as somebody has translated it.
func TestTheListIsTheFileOnceItIsFilledIn(t *testing.T) {
	known, err := partly(`{"fallback": "en"}`, nil)
	require.NoError(t, err)
	in, filled := files(known), map[string]string{}
	for _, file := range []string{"house", "rules", "pages", "mail", "kit"} {
		texts := map[string]json.RawMessage{}
		for key, text := range in[file].Texts {
			texts[key[1:]] = text
		}
		b, err := json.Marshal(texts)
		require.NoError(t, err)
		filled[file] = string(b)
	}
	known, err = partly(`{"fallback": ""}`, filled)
	require.NoError(t, err)
	_, err = words.In(known, []domain.Rulebook{})
	require.NoError(t, err, "the language is complete")
	for file := range filled {
		r := files(known)[file]
		require.Equal(t, r.All, r.Has, file)
	}
}

func TestAMissingPluralHasTheFormsOfItsLanguage(t *testing.T) {
	known, err := partly(`{"fallback": "en"}`, nil)
	require.NoError(t, err)
	polish, _ := languages.Of("pl")
	polish.Texts, polish.Fallback = nil, "en"
	pages := files(append(known, polish))["pages"]
	require.JSONEq(t, `{"one": "{n} day ago", "few": "{n} days ago", "many": "{n} days ago", "other": "{n} days ago"}`,
		string(pages.Texts["?page.ago.days"]))
}
