package pages

import (
	"html/template"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
	"posthorn/http/door"
	"posthorn/projections/words"
)

// A screen reader speaks a text in the language that the page says it is in.
func TestATextInTheFallbackSaysItsLanguage(t *testing.T) {
	partly, err := languages.Read(fstest.MapFS{
		"gsw/language.json": {Data: []byte(`{"fallback": "en"}`)},
		"gsw/pages.json":    {Data: []byte(`{"page.nav.inbox": "Meine <Spiele>"}`)}})
	require.NoError(t, err)
	book, err := words.In(slices.Concat(languages.Known, partly), nil)
	require.NoError(t, err)
	page := template.Must(template.New("").Parse(inItsLanguage(
		`<nav title="{{.T "page.nav.new"}}">{{.T "page.nav.inbox"}} {{$.T "page.rules.of" "game" "<b>"}}</nav>`)))
	for lang, want := range map[string]string{
		"en": `<nav title="New game">My games Rules: &lt;b&gt;</nav>`,
		"gsw": `<nav title="New game">Meine &lt;Spiele&gt; ` +
			`<span lang="en">Rules: &lt;b&gt;</span></nav>`,
	} {
		var out strings.Builder
		require.NoError(t, page.Execute(&out, &visit{Visit: &door.Visit{Print: book.Printer(lang, "", nil)}}))
		require.Equal(t, want, out.String())
	}
}
