package rulebooks_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
)

// Every refusal of a game has a section in its rules, and so has every variant; a section has exactly its words in
// every language, and its pictures draw.
func TestTheRulesOfEachGameAreWhole(t *testing.T) {
	anchor := regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	for _, rb := range guided(t) {
		g := rb.Extras().Guide
		t.Run(rb.Name(), func(t *testing.T) {
			refusals, options, named := map[string]int{}, map[string]int{}, map[string]bool{}
			for _, s := range g.Sections {
				require.Regexp(t, anchor, s.Key)
				require.False(t, named[s.Key], "%s is there twice", s.Key)
				named[s.Key] = true
				require.Positive(t, s.Paragraphs, s.Key)
				for _, code := range s.Refusals {
					refusals[code]++
				}
				for _, key := range s.Options {
					options[key]++
				}
				for _, p := range s.Pictures {
					require.Regexp(t, anchor, p.Key)
					scene, err := p.Scene(rb)
					require.NoError(t, err)
					require.NotEmpty(t, scene.Shapes, p.Key)
				}
				if g.Cards == nil {
					continue
				}
				for _, c := range g.Cards(s.Key) {
					require.Regexp(t, anchor, c.Key)
					face, ok := g.Face(c.Key)
					require.True(t, ok && len(face.Shapes) > 0 && len(c.Lines) > 0, c.Key)
					require.False(t, named[c.Key], "%s is there twice", c.Key)
					named[c.Key] = true
				}
			}
			for _, lang := range languages.Complete() {
				var words map[string]any
				require.NoError(t, json.Unmarshal(rb.Catalogue()[lang], &words))
				requireGuided(t, g, lang, words)
				for key := range words {
					if code, is := strings.CutPrefix(key, "refuse."); is {
						require.Equal(t, 1, refusals[code], "%s, %s: the sections that it has", lang, key)
					}
				}
			}
			for _, o := range rb.Options() {
				require.Equal(t, 1, options[o.Key], "option %s: the sections that it has", o.Key)
				delete(options, o.Key)
			}
			require.Empty(t, options, "options that there are not")
		})
	}
}

// requireGuided checks that a catalogue has the words of a guide, and no others.
func requireGuided(t *testing.T, g *domain.Guide, lang string, words map[string]any) {
	t.Helper()
	want := g.Words()
	for _, key := range want {
		text, ok := words[key].(string)
		require.True(t, ok && text != "", "%s: %s", lang, key)
	}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if strings.HasPrefix(key, "rules.") || strings.HasPrefix(key, "reading.") {
			require.Contains(t, want, key, "%s: nothing says it", lang)
		}
	}
}
