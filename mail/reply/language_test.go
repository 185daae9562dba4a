package reply

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// german adds a language in part, as long as a test runs, with the words that its folder has for mail.
func german(t *testing.T, words string) {
	t.Helper()
	more, err := languages.Read(fstest.MapFS{"gsw/language.json": {Data: []byte(`{"fallback": "en"}`)},
		"gsw/typed.json": {Data: []byte(`{"mail": ` + words + `}`)}})
	require.NoError(t, err)
	known, before := languages.Known, typed
	t.Cleanup(func() { languages.Known, typed = known, before })
	languages.Known = slices.Concat(known, more)
	typed = read()
}

func TestALanguageHasWordsForRepliesInItsOwnFolder(t *testing.T) {
	require.Equal(t, SaidNothing, YesNo([]string{"Jawohl!"}))
	german(t, `{"yes": ["jawohl"], "no": ["nein"], "until": ["bis"], "sunday": ["Sonntag"]}`)
	require.Equal(t, SaidYes, YesNo([]string{"Jawohl!"}))
	require.Equal(t, SaidNo, YesNo([]string{"Nein, danke."}))
	require.Equal(t, SaidYes, YesNo([]string{"sim"}), "those of the others stay")
	day, ok := Until("bis Sonntag", time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))
	require.True(t, ok)
	require.Equal(t, "2026-11-29", day.Format(time.DateOnly))
	german(t, `{"little.gsw": ["uff"]}`)
	require.True(t, LittleWords("gsw")["uff"])
	require.False(t, LittleWords("en")["uff"], "a little word of one language may mean something in another")
	require.Panics(t, func() { german(t, `{"yess": ["ja"]}`) })
	require.Panics(t, func() { german(t, `{"yes": "ja"}`) })
}
