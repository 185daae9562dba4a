package guide_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
	"posthorn/domain/rulebooks"
	"posthorn/projections/guide"
	"posthorn/projections/words"
)

func book(t *testing.T) *words.Book {
	t.Helper()
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	return b
}

func TestWhatIsRefusedAtAnyTableLeadsToASection(t *testing.T) {
	for _, s := range book(t).Sentences() {
		if code, is := strings.CutPrefix(s.Key, "refuse."); is {
			require.NotEqual(t, guide.Plain(code), strings.HasPrefix(guide.Path(nil, code), "/rules/tables#"),
				"%s is in no section of tables.json, nor plain", code)
		}
	}
	for _, code := range []string{"overtaken", "command-used", "empty-text", "day"} {
		require.Empty(t, guide.Path(nil, code), "no rule is about it")
	}
	require.Empty(t, guide.Path(nil, "no such thing"))
}

func TestARuleIsTheGamesOwnBeforeThatOfAllTables(t *testing.T) {
	for _, rb := range rulebooks.All() {
		if rb.Extras().Guide == nil {
			continue
		}
		require.Contains(t, guide.Path(rb, "not-awaited"), "/rules/", rb.Name())
		require.Equal(t, "/rules/tables#undo", guide.Path(rb, "undo-off"), rb.Name())
	}
	carcassonne, _ := rulebooks.Named("carcassonne")
	require.Equal(t, "/rules/carcassonne#place", guide.Path(carcassonne, "edge-differs"))
	require.Equal(t, "/rules/carcassonne?lang=pl#place", guide.In("/rules/carcassonne#place", "pl"))
}

func TestTheRulesAreWrittenInEveryLanguage(t *testing.T) {
	b := book(t)
	for _, lang := range languages.Complete() {
		read := map[string]int{}
		pages := []guide.Page{guide.OfTables(b, lang)}
		for _, rb := range rulebooks.All() {
			if page, ok := guide.Of(b, rb, lang); ok {
				pages = append(pages, page)
			}
		}
		for _, p := range pages {
			require.NotEmpty(t, p.Sections, p.Key)
			for _, s := range p.Sections {
				require.NotContains(t, s.Title, "rules.", lang)
				require.NotEmpty(t, s.Parts, s.Key)
				for _, part := range s.Parts {
					require.NotContains(t, part.Text, "rules."+s.Key, lang)
					for _, line := range append(part.List, part.Line) {
						for _, r := range line.Readings {
							read[r.Path]++
						}
					}
					require.True(t, (part.Text == "") == (len(part.List) > 0), s.Key)
				}
				for _, f := range s.Figures {
					require.NotContains(t, f.Alt+f.Caption, "rules.", lang)
				}
			}
		}
		requireLinkedBothWays(t, b, lang, read)
	}
}

// requireLinkedBothWays checks that the rules lead to every reading, and every reading to its rules.
func requireLinkedBothWays(t *testing.T, b *words.Book, lang string, read map[string]int) {
	t.Helper()
	listed := 0
	for _, g := range guide.OfReadings(b, rulebooks.All(), lang) {
		for _, e := range g.Entries {
			listed++
			require.NotContains(t, e.Question+e.So+e.Or, "reading.", lang)
			require.Positive(t, read["/rules/readings#"+e.Anchor], "%s: no rule leads to %s", lang, e.Anchor)
			require.NotEmpty(t, e.Rules, e.Anchor)
			require.Contains(t, e.Rules[0].Path, "/rules/"+g.Key+"#", e.Anchor)
		}
	}
	require.Len(t, read, listed, "%s: a rule leads to a reading that there is not", lang)
}

func TestARefusalLeadsToTheReadingItFollowsFrom(t *testing.T) {
	catan, _ := rulebooks.Named("catan")
	require.Equal(t, "/rules/readings#catan-a4", guide.Reading(catan, "token-used"))
	require.Equal(t, "/rules/readings?lang=pl#catan-a4", guide.In(guide.Reading(catan, "token-used"), "pl"))
	require.Empty(t, guide.Reading(catan, "cannot-pay"), "it follows from no reading")
	require.Empty(t, guide.Reading(nil, "token-used"))
}
