package rulebooks_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/languages"
)

// What the rules pages give as examples of moves is read as one, in every language.
func TestTheMovesThatTheRulesNameAreRead(t *testing.T) {
	quoted := regexp.MustCompile(`[“„«]([^“”„«»]+)[”»]`)
	place := regexp.MustCompile(`^-?\d+[ab]$`) // of the Rivals, named by itself
	for _, rb := range guided(t) {
		for _, lang := range languages.Complete() {
			var words map[string]any
			require.NoError(t, json.Unmarshal(rb.Catalogue()[lang], &words))
			read := 0
			for key, text := range words {
				if !strings.HasPrefix(key, "rules.typed.") {
					continue
				}
				for _, m := range quoted.FindAllStringSubmatch(text.(string), -1) {
					if place.MatchString(m[1]) {
						continue
					}
					_, err := rb.ParseMove(m[1], []string{"Ana", "Bo", "Cy"})
					require.NoError(t, err, "%s, %s, %s: %s", rb.Name(), lang, key, m[1])
					read++
				}
			}
			require.Positive(t, read, "%s, %s", rb.Name(), lang)
		}
	}
}
