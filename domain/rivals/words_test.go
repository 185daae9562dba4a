package rivals

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

// allWords is the texts of every complete language: each key with all the forms of its text.
var allWords = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, lang := range languages.Complete() {
		var raw map[string]any
		if err := json.Unmarshal(Rulebook.Catalogue()[lang], &raw); err != nil {
			panic(err)
		}
		all[lang] = map[string]string{}
		for key, v := range raw {
			switch v := v.(type) {
			case string:
				all[lang][key] = v
			case map[string]any:
				for _, form := range v {
					all[lang][key] += " " + form.(string)
				}
			}
		}
	}
	return all
}()

var blank = regexp.MustCompile(`\{([a-z_]+)\}`)

// requireWords checks that every language can say something, with everything it needs.
func requireWords(t testing.TB, say domain.Say) {
	if !saidBefore(say) {
		requireText(t, say)
	}
	for _, arg := range say.Args {
		switch arg := arg.(type) {
		case domain.Say:
			requireWords(t, arg)
		case []domain.Say:
			for _, inner := range arg {
				requireWords(t, inner)
			}
		}
	}
}

// said holds the keys already looked up, with the names and words they came with.
var said = map[string]bool{}

func saidBefore(say domain.Say) bool {
	form := say.Key
	for _, name := range slices.Sorted(maps.Keys(say.Args)) {
		form += " " + name
		if word, ok := say.Args[name].(string); ok && strings.HasSuffix(name, "word") {
			form += "=" + word
		}
	}
	before := said[form]
	said[form] = true
	return before
}

func requireText(t testing.TB, say domain.Say) {
	for lang, texts := range allWords {
		text, ok := texts[say.Key]
		require.True(t, ok, "%s has no %q", lang, say.Key)
		for _, m := range blank.FindAllStringSubmatch(text, -1) {
			require.Contains(t, say.Args, m[1], "%s in %s", say.Key, lang)
		}
		for name, arg := range say.Args {
			if word, ok := arg.(string); ok && (name == "word" || strings.HasSuffix(name, "_word")) {
				require.Contains(t, texts, word, "%s in %s", say.Key, lang)
			}
		}
	}
}
