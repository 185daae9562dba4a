package rulebooks_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/domain/script"
)

// Each reading names its sentence, has its words in every language, leads to rules and refusals that there are, and is
// shown by a script. The game's own tests run the scripts.
func TestEveryReadingIsWhole(t *testing.T) {
	anchor := regexp.MustCompile(`^[a-z]+-[a-z0-9.-]+$`)
	for _, rb := range guided(t) {
		g := rb.Extras().Guide
		require.NotEmpty(t, g.Readings, rb.Name())
		known := map[string]bool{}
		for _, key := range g.Words() {
			known[strings.TrimPrefix(key, "rules.")] = true
		}
		named := map[string]bool{}
		for i := range g.Readings {
			r := &g.Readings[i]
			where := rb.Name() + " " + r.Key
			require.Regexp(t, anchor, r.Anchor(rb.Name()))
			require.False(t, named[r.Anchor(rb.Name())], "%s is there twice", where)
			named[r.Anchor(rb.Name())] = true
			require.True(t, r.Book != "" && r.Section != "", "%s has no source", where)
			require.NotEmpty(t, r.Rules, "%s: no rule follows from it", where)
			for _, p := range r.Rules {
				require.True(t, known[p], "%s: there is no paragraph %s", where, p)
			}
			for _, code := range r.Refusals {
				require.NotEmpty(t, g.Section(code), "%s: there is no refusal %s", where, code)
				require.Equal(t, r, g.ReadingOf(code), "%s: another reading has %s", where, code)
			}
			require.NotEmpty(t, r.Scripts, where)
			for _, lang := range languages.Complete() {
				var words map[string]any
				require.NoError(t, json.Unmarshal(rb.Catalogue()[lang], &words))
				said := map[string]bool{}
				for _, key := range r.Words() {
					text, _ := words[key].(string)
					require.NotEmpty(t, text, "%s: %s", lang, key)
					require.False(t, said[text], "%s: %s says what another does", lang, key)
					said[text] = true
				}
			}
		}
	}
}

// A script with the option set shows another reading: without that line the same moves lead elsewhere. Every option of
// a reading has one.
func TestAnOptionOfAReadingChangesItsScript(t *testing.T) {
	for _, rb := range guided(t) {
		for _, r := range rb.Extras().Guide.Readings {
			shown := map[string]bool{}
			for _, text := range r.Scripts {
				option := regexp.MustCompile(`(?m)^option ` + regexp.QuoteMeta(r.Option) + ` (\S+)\n`)
				set := option.FindStringSubmatch(text)
				if r.Option == "" || set == nil {
					continue
				}
				shown[set[1]] = true
				without := outcome(t, rb, strings.Replace(text, set[0], "", 1))
				require.NotEqual(t, without, outcome(t, rb, text), "%s %s: %s changes nothing", rb.Name(), r.Key,
					set[0])
			}
			require.Equal(t, r.Option != "", len(shown) > 0, "%s %s: option %q", rb.Name(), r.Key, r.Option)
			require.True(t, r.Option == "" || slices.ContainsFunc(rb.Options(), func(o domain.Option) bool {
				return o.Key == r.Option && !shown[o.Default]
			}), "%s %s: there is no option %s, or a script sets its default", rb.Name(), r.Key, r.Option)
		}
	}
}

// outcome plays a script and says what each move did: refused and why, or the points and who is awaited.
func outcome(t *testing.T, rb domain.Rulebook, text string) (list []string) {
	s, err := script.Parse([]byte(text), func(string) (domain.Rulebook, bool) { return rb, true })
	require.NoError(t, err)
	for r, err := range s.Play(domain.NewThrowaway(1)) {
		require.NoError(t, err)
		view, err := json.Marshal(r.State)
		require.NoError(t, err)
		var state map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(view, &state))
		delete(state, "options")
		list = append(list, fmt.Sprint(r.Err, r.Standing.Scores, r.AwaitedNames(), string(must(t, state))))
	}
	return list
}

func must(t *testing.T, v any) []byte {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}
